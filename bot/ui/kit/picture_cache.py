"""The pictures that were drawn lately, kept by what is drawn on them and for as long as they may be."""

from collections.abc import Hashable
from typing import Final
from weakref import WeakKeyDictionary

from bot.domain.players import Player

MAX_CACHE_BYTES: Final = 16_000_000
"""All pictures together have at most this many bytes: about 150 cards."""


class PictureCache:
    """Pictures of players; those of the player who was not looked at for longest go first.

    A picture is kept no longer than the answer of the service that it was drawn from: the player, of whom nothing here
    may be a copy. What erases the answer, or puts a newer one in its place, takes the picture along.
    """

    def __init__(self, max_bytes: int = MAX_CACHE_BYTES) -> None:
        self._max_bytes = max_bytes
        self._pictures: WeakKeyDictionary[Player, dict[Hashable, bytes]] = WeakKeyDictionary()
        """The player looked at last stands last."""

    @property
    def weight(self) -> int:
        """Bytes of all pictures that are kept."""
        return sum(len(png) for theirs in self._pictures.values() for png in theirs.values())

    def find(self, player: Player, drawing: Hashable) -> bytes | None:
        """Return the picture of a player on which all that `drawing` holds is drawn."""
        theirs = self._pictures.pop(player, None)
        if theirs is None:
            return None
        self._pictures[player] = theirs
        return theirs.get(drawing)

    def put(self, player: Player, drawing: Hashable, png: bytes) -> None:
        """Put a picture under all that is drawn on it, which must not hold `player`: neither would ever go."""
        self._pictures.setdefault(player, {})[drawing] = png
        while self.weight > self._max_bytes:
            del self._pictures[next(iter(self._pictures))]
