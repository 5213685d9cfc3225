"""What of the database is in memory: as of the last change, in whichever process, and within a limit."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Generic, TypeVar

from bot.cluster.invalidation import InvalidationBus
from bot.domain.errors import CannotRead

K = TypeVar("K")
V = TypeVar("V")


class RowCache(Generic[K, V]):
    """What was read lately; what was not asked for longest goes first."""

    def __init__(self, most: int, bus: InvalidationBus, topic: str, key: Callable[[int], K]) -> None:
        """Keep nothing yet. News about `topic` are of the ids that it is kept by."""
        self._most = most
        self._bus = bus
        bus.subscribe(topic, lambda text: self.drop(key(int(text))))
        bus.on_gap(self.drop_all)
        self._values: OrderedDict[K, V] = OrderedDict()
        self._reading: dict[K, object] = {}
        """A mark for each that is being read; what is dropped meanwhile loses it, and is read again."""

    def __iter__(self) -> Iterator[K]:
        """Return of whom or what something is in memory."""
        return iter(self._values)

    async def get(
        self, key: K, read: Callable[[], Awaitable[V]], *, fits: Callable[[V], bool] | None = None
    ) -> V:
        """Return what is in memory, if it can be believed and `fits`, or read it. Raises: CannotRead.

        A server that says nothing is not waited for: some of it is asked for before a person can be told that they were
        heard, for which Discord gives three seconds.
        """
        if not (self._bus.is_current or await self._bus.until_current()):
            with suppress(CannotRead):  # then memory stands in
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
        """Have several in memory by one read of what is not, where memory can be believed. Raises: CannotRead."""
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
        """Have something read anew: the one thing to do when it was written."""
        self._reading.pop(key, None)
        self._values.pop(key, None)

    def drop_all(self) -> None:
        """Have everything read anew."""
        self._reading.clear()
        self._values.clear()
