"""Bounded caches of computed values; the least recently used are dropped first."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Final, Generic, TypeVar

from bot.base.worker import run_in_worker

T = TypeVar("T")


_RECENT_HASHES: Final = 32
"""The number of tuples whose hashes are cached: some for each member who is being answered now."""


class RecentHashes:
    """Caches the hashes of long tuples, which Python computes anew each time."""

    def __init__(self) -> None:
        self._known = OrderedDict[int, tuple[tuple[object, ...], int]]()
        """Tuples and hashes by id; the tuple is kept, so that no other object can get its id."""
        self._drops = 0
        """How often the cache was cleared; a value computed meanwhile is not stored."""

    async def hash_of(self, values: tuple[object, ...]) -> int:
        """Return the hash of a tuple, computed outside of the event loop, which many records would block."""
        known = self._known.get(id(values))
        if known is not None:
            return known[1]
        drops = self._drops
        found = await run_in_worker(hash, values)
        if drops == self._drops:
            self._known[id(values)] = values, found
            if len(self._known) > _RECENT_HASHES:
                self._known.popitem(last=False)
        return found

    def drop_all(self) -> None:
        """Clear the cache, as `Memo.drop_all`."""
        self._known.clear()
        self._drops += 1


class Memo(Generic[T]):
    """Caches values under everything that they depend on, so that any change leads to a new value."""

    def __init__(self, most_weight: int, weigh: Callable[[T], int]) -> None:
        self._most_weight = most_weight
        self._weigh = weigh
        self._values: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self.drops = 0
        """How often the cache was cleared; a value computed meanwhile is not stored."""
        self.weight = 0
        """The total weight of the cached values."""

    def __len__(self) -> int:
        """Return the number of cached values."""
        return len(self._values)

    async def get(self, key: Hashable, make: Callable[[], Awaitable[T]], *, drops: int | None = None) -> T:
        """Return the cached value of a key, or make it. Raises: what `make` raises.

        `drops` is `self.drops` from before the key was computed, if that takes a while.
        """
        found = self.find(key)
        if found is not None:
            return found
        drops = self.drops if drops is None else drops
        value = await make()
        if drops == self.drops and key not in self._values:
            self.put(key, value)
        return value

    def find(self, key: Hashable) -> T | None:
        """Return the cached value of a key, if there is one."""
        found = self._values.get(key)
        if found is None:
            return None
        self._values.move_to_end(key)
        return found[0]

    def drop_all(self) -> None:
        """Clear the cache: somebody has their data erased, and cached values do not say whose they are."""
        self._values.clear()
        self.drops += 1
        self.weight = 0

    def put(self, key: Hashable, value: T) -> None:
        """Store a value, in place of another one under the key."""
        _, before = self._values.pop(key, (value, 0))
        self.weight -= before
        weight = self._weigh(value)
        self._values[key] = value, weight
        self.weight += weight
        while self.weight > self._most_weight and len(self._values) > 1:
            _, (_, lost) = self._values.popitem(last=False)
            self.weight -= lost
