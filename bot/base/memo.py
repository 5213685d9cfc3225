"""What was made of something and may be wanted again: within a bound, what was not wanted for longest goes first."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Final, Generic, TypeVar

from bot.base.worker import run_in_worker

T = TypeVar("T")


_RECENT_HASHES: Final = 32
"""The hashes of this many tuples are known: some for each member who is being answered now."""


class RecentHashes:
    """The hashes of long tuples that were asked about lately: Python goes over all of one whenever it wants its hash."""

    def __init__(self) -> None:
        self._known = OrderedDict[int, tuple[tuple[object, ...], int]]()
        """Each by its id, and kept, so that no other has that id."""
        self._drops = 0
        """How often all was dropped; what was being worked out meanwhile is not kept."""

    async def hash_of(self, values: tuple[object, ...]) -> int:
        """Return the hash of a tuple, worked out beside the loop, which ten players' records would hold up for long."""
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
        """Keep nothing, as `Memo.drop_all`."""
        self._known.clear()
        self._drops += 1


class Memo(Generic[T]):
    """Keeps values under all that they were made of: others are made where anything of it is another."""

    def __init__(self, most_weight: int, weigh: Callable[[T], int]) -> None:
        self._most_weight = most_weight
        self._weigh = weigh
        self._values: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self.drops = 0
        """How often all was dropped; what was being made meanwhile is not kept."""
        self.weight = 0
        """The sum of the weights of all that is kept."""

    def __len__(self) -> int:
        """Return how many values are kept."""
        return len(self._values)

    async def get(self, key: Hashable, make: Callable[[], Awaitable[T]], *, drops: int | None = None) -> T:
        """Return what is kept under a key, or make it. Raises: what `make` raises.

        `drops` is what `self.drops` was before the key was worked out, where that takes a while.
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
        """Return what is kept under a key."""
        found = self._values.get(key)
        if found is None:
            return None
        self._values.move_to_end(key)
        return found[0]

    def drop_all(self) -> None:
        """Keep nothing: somebody wants what is known of them erased, and what is kept does not say of whom it is."""
        self._values.clear()
        self.drops += 1
        self.weight = 0

    def put(self, key: Hashable, value: T) -> None:
        """Keep a value, in place of another under the key."""
        _, before = self._values.pop(key, (value, 0))
        self.weight -= before
        weight = self._weigh(value)
        self._values[key] = value, weight
        self.weight += weight
        while self.weight > self._most_weight and len(self._values) > 1:
            _, (_, lost) = self._values.popitem(last=False)
            self.weight -= lost
