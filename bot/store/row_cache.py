"""A bounded cache of database rows, invalidated by changes in any process."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Generic, TypeVar

from bot.cluster.invalidation import InvalidationBus
from bot.domain.errors import CannotRead

K = TypeVar("K")
V = TypeVar("V")


class RowCache(Generic[K, V]):
    """A least-recently-used cache of what was read."""

    def __init__(self, most: int, bus: InvalidationBus, topic: str, key: Callable[[int], K]) -> None:
        """Start empty. Notifications of `topic` carry the ids that are the keys."""
        self._most = most
        self._bus = bus
        bus.subscribe(topic, lambda text: self.drop(key(int(text))))
        bus.on_gap(self.drop_all)
        self._values: OrderedDict[K, V] = OrderedDict()
        self._reading: dict[K, object] = {}
        """A mark for each key being read; dropping the key removes the mark, so that it is read again."""

    def __iter__(self) -> Iterator[K]:
        """Iterate over the keys in memory."""
        return iter(self._values)

    async def get(
        self, key: K, read: Callable[[], Awaitable[V]], *, fits: Callable[[V], bool] | None = None
    ) -> V:
        """Return the cached value if it is current and `fits`, else read it. Raises: CannotRead.

        It does not wait for a silent server: some values are needed before an interaction can be acknowledged, for which
        Discord gives three seconds.
        """
        if not (self._bus.is_current or await self._bus.until_current()):
            with suppress(CannotRead):  # then the cached value stands in
                return await self._bus.read_unless_away(read)
        while (value := self._values.get(key)) is None or not (fits is None or fits(value)):
            mark = self._reading.setdefault(key, object())
            try:
                new = await self._bus.read_unless_away(read)
            finally:
                if is_true := self._reading.get(key) is mark:
                    del self._reading[key]
            if is_true:
                self._values[key] = new
                if len(self._values) > self._most:
                    self._values.popitem(last=False)
        self._values.move_to_end(key)
        return value

    async def load(self, keys: Iterable[K], read: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]]) -> None:
        """Load the missing ones of several keys with one read, if memory is current. Raises: CannotRead."""
        missing = [key for key in keys if key not in self._values]
        if not missing or not self._bus.is_current:
            return
        marks = {key: self._reading.setdefault(key, object()) for key in missing}
        try:
            found = await self._bus.read_unless_away(lambda: read(missing))
        finally:
            true = [key for key, mark in marks.items() if self._reading.get(key) is mark]
            for key in true:
                del self._reading[key]
        for key in true:
            self._values[key] = found[key]
        while len(self._values) > self._most:
            self._values.popitem(last=False)

    def drop(self, key: K) -> None:
        """Drop a key, so that it is read again; necessary after every write."""
        self._reading.pop(key, None)
        self._values.pop(key, None)

    def drop_all(self) -> None:
        """Drop all keys."""
        self._reading.clear()
        self._values.clear()
