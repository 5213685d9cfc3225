"""A cache of recently drawn pictures, by their content, limited to the lifetime of the data shown."""

from collections.abc import Hashable
from typing import Final
from weakref import WeakKeyDictionary

from bot.domain.players import Player

MAX_CACHE_BYTES: Final = 16_000_000
"""The most bytes of all pictures together: about 150 cards."""


class PictureCache:
    """Pictures by player; those of the least recently viewed player are dropped first.

    A picture is kept no longer than the service's answer from which it was drawn: the key is a weak reference to the
    player, and nothing here may hold a copy. When the answer is erased or replaced, the picture goes too.
    """

    def __init__(self, max_bytes: int = MAX_CACHE_BYTES) -> None:
        self._max_bytes = max_bytes
        self._pictures: WeakKeyDictionary[Player, dict[Hashable, bytes]] = WeakKeyDictionary()
        """The pictures, with the most recently viewed player last."""

    @property
    def weight(self) -> int:
        """The bytes of all cached pictures."""
        return sum(len(png) for theirs in self._pictures.values() for png in theirs.values())

    def find(self, player: Player, drawing: Hashable) -> bytes | None:
        """Return the cached picture of a player for `drawing`, if there is one."""
        theirs = self._pictures.pop(player, None)
        if theirs is None:
            return None
        self._pictures[player] = theirs
        return theirs.get(drawing)

    def put(self, player: Player, drawing: Hashable, png: bytes) -> None:
        """Cache a picture by its content, which must not refer to `player`: neither would ever be freed."""
        self._pictures.setdefault(player, {})[drawing] = png
        while self.weight > self._max_bytes:
            del self._pictures[next(iter(self._pictures))]
