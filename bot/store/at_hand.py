"""What of the database is in memory: as of the last change, and no more than so much."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class AtHand(Generic[K, V]):
    """What was read lately; what was not asked for longest goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[K, V] = OrderedDict()
        self._changes = 0
        """How often anything was forgotten; what was being read meanwhile is read again."""

    def __iter__(self) -> Iterator[K]:
        """Return of whom or what something is in memory."""
        return iter(self._values)

    async def get(
        self, key: K, read: Callable[[], Awaitable[V]], *, fits: Callable[[V], bool] | None = None
    ) -> V:
        """Return what is in memory, if it `fits`, or read it."""
        while (value := self._values.get(key)) is None or not (fits is None or fits(value)):
            changes = self._changes
            new = await read()
            if changes == self._changes:
                self._values[key] = new
                if len(self._values) > self._most:
                    self._values.popitem(last=False)
        self._values.move_to_end(key)
        return value

    def forget(self, key: K) -> None:
        """Have something read anew: the one thing to do when it was written, in whichever process."""
        self._changes += 1
        self._values.pop(key, None)
