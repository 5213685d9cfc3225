"""News between the processes that share a database: what one of them has changed, the others keep in memory no longer.

PostgreSQL hands news on with the transaction that they are about: nobody hears of what was rolled back, and nobody reads
too early. With SQLite one process serves at a time, and nothing is told.
"""

import asyncio
import logging
import math
import secrets
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from enum import Enum, auto
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from sqlalchemy import func, select

from bot.domain.errors import CannotRead
from bot.store.connection import AsyncConnection
from bot.store.engine import Database

T = TypeVar("T")

_log = logging.getLogger(__name__)

MEMBER: Final = "member"
"""Topic: what is kept of a member, by their id, was written."""
ACCOUNT: Final = "account"
"""Topic: nobody has an account linked any more, by its id and the digest of its name."""
ERASED: Final = "erased"
"""Topic: a member has had everything erased, by their id."""
GUILD: Final = "guild"
"""Topic: what is kept of a server, by its id, was written."""
CATALOGUE: Final = "catalogue"
"""Topic: a region's catalogue was fetched, by the region."""
SHAPE: Final = "shape"
"""Topic: the database is to be brought to a newer shape, by its name, once nobody serves with an older one."""

CHANNEL: Final = "kiroku"
_MOST: Final = 7999
"""Bytes of one notification. Source: PostgreSQL's documentation of NOTIFY."""
PROOF: Final = "SELECT 'heard'"
_BEAT: Final = 0.25
"""Seconds between two questions over the connection that listens."""
_PROOF_SECONDS: Final = 0.5
"""For their answers: a connection may be gone without a word."""
_BELIEVED: Final = 0.7
"""Seconds from asking such a question, whose answer comes behind all that was told before: nobody shall be answered for a
whole second by what another process has erased."""
_GLANCE: Final = 1.0
"""For a database that says whether it can be read."""
_GLIMPSE: Final = 0.2
"""For one that has said nothing for long."""
_WAITS: Final = (0.0, 0.1, 0.25, 0.5)
"""Seconds before each attempt to listen again; the last, before all others too."""


class _Hearing(Enum):
    """What this process hears."""

    DOUBT = auto()
    """Nothing; why, is being looked at."""
    WELL = auto()
    """Everything."""
    DEAF = auto()
    """Nothing, although the database answers: others may change what is kept here."""
    AWAY = auto()
    """Nothing: the database does not answer."""


class News:
    """What one process tells the others, and hears of them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._me = secrets.token_hex(8)
        """By which it knows what it has told itself."""
        self._hearers: dict[str, list[Callable[[str], None]]] = defaultdict(list)
        self._losers: list[Callable[[], None]] = []
        self._starters: list[Callable[[AsyncConnection], Awaitable[None]]] = []
        self._hearing = _Hearing.DOUBT if database.is_server else _Hearing.WELL
        self._is_alone = not database.is_server
        self._believed_until = -math.inf
        self._judged = asyncio.Event()
        """Set, and another one put in its place, whenever it is known anew what is heard."""
        self._failures = 0
        """Since it last listened."""
        self._listening: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[bool] | None = None
        self._overdue: set[asyncio.Future[Any]] = set()
        """What was asked and nobody waits for any more."""

    async def __aenter__(self) -> Self:
        if self._database.is_server:
            self._listening = asyncio.create_task(self._listen())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        tasks: set[asyncio.Future[Any]] = {
            task for task in (self._listening, self._reading, *self._overdue) if task is not None
        }
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def hear(self, topic: str, callback: Callable[[str], None]) -> None:
        """Call this with each text that another process tells about a topic."""
        self._hearers[topic].append(callback)

    def when_lost(self, callback: Callable[[], None]) -> None:
        """Call this where news may have been lost: nothing that was kept before can be believed."""
        self._losers.append(callback)

    def begin(self, topic: str) -> str:
        """Return how a piece of news begins, for a statement that tells it itself over CHANNEL."""
        return f"{self._me} {topic} "

    def when_listening(self, callback: Callable[[AsyncConnection], Awaitable[None]]) -> None:
        """Await this with each connection that listens: what it locks is held for as long as the connection holds.

        Where it raises anything, another connection is tried.
        """
        self._starters.append(callback)

    async def tell(self, connection: AsyncConnection, topic: str, text: object) -> None:
        """Tell the others, once the transaction is committed; ids alone, for it is written where nobody erases it.

        Raises: ValueError for a text that is too long.
        """
        if not self._database.is_server:
            return
        told = self.begin(topic) + str(text)
        if len(told.encode()) > _MOST:
            message = f"too long for one piece of news: {topic}"
            raise ValueError(message)
        await connection.execute(select(func.pg_notify(CHANNEL, told)))

    @property
    def is_heard(self) -> bool:
        """Whether what is kept in memory may be believed, as is known without waiting."""
        return self._is_alone or asyncio.get_running_loop().time() < self._believed_until

    async def are_heard(self) -> bool:
        """Return whether what is kept in memory may be believed: it is known what others have changed.

        So it may while the database does not answer this process at all: people get what memory knows. In doubt it
        waits, about a second at most.
        """
        while not self.is_heard:
            if self._hearing in {_Hearing.DEAF, _Hearing.AWAY}:
                return self._hearing is _Hearing.AWAY
            await self._judged.wait()
        return True

    async def unless_away(self, read: Callable[[], Awaitable[T]]) -> T:
        """Return what `read` returns, unless the database does not answer this process at all. Raises: CannotRead.

        What was asked is then left to itself, and nothing else is asked while it is: a statement is not cut off while
        the database may still answer.
        """
        if not self._database.is_server:
            return await read()
        if self._hearing is _Hearing.AWAY and self._overdue:
            raise CannotRead
        reading = asyncio.ensure_future(read())
        try:
            while not reading.done() and self._hearing is not _Hearing.AWAY:
                judged = asyncio.ensure_future(self._judged.wait())
                await asyncio.wait({reading, judged}, return_when=asyncio.FIRST_COMPLETED)
                judged.cancel()
            done, _ = await asyncio.wait({reading}, timeout=_GLIMPSE)
        except asyncio.CancelledError:
            reading.cancel()
            raise
        if done:
            return reading.result()
        self._overdue.add(reading)
        reading.add_done_callback(self._hear_late)
        raise CannotRead

    def _hear_late(self, reading: asyncio.Future[Any]) -> None:
        self._overdue.discard(reading)
        if not reading.cancelled():
            reading.exception()  # seen: whoever asked is gone

    async def _listen(self) -> None:
        """Listen all the while, over one connection after the other."""
        while True:
            self._judge(_Hearing.DEAF if await self._can_read() else _Hearing.AWAY)
            try:
                connection = await self._database.connection_apart()
                try:
                    await self._listen_over(connection)
                finally:
                    await connection.invalidate()  # back in the pool, it would go on listening
            except Exception as error:  # noqa: BLE001 - a driver has errors of its own
                if not self._failures:
                    _log.warning("what other processes change is not heard: %s", type(error).__name__)
            await asyncio.sleep(_WAITS[min(self._failures, len(_WAITS) - 1)])
            self._failures += 1

    async def _listen_over(self, connection: AsyncConnection) -> None:
        """Listen for as long as a connection holds. Raises: what the driver does once it is gone."""
        driver: Any = (await connection.get_raw_connection()).driver_connection
        is_cut = asyncio.Event()

        def cut(_connection: object) -> None:
            self._judge(_Hearing.DOUBT)
            is_cut.set()

        driver.add_termination_listener(cut)
        try:
            await driver.add_listener(CHANNEL, self._take)
            self._lose()
            for starter in self._starters:
                await starter(connection)
            while True:
                asked_at = asyncio.get_running_loop().time()
                await driver.fetchval(PROOF, timeout=_PROOF_SECONDS)
                self._believed_until = asked_at + _BELIEVED
                self._judge(_Hearing.WELL)
                if self._failures:
                    _log.info("what other processes change is heard again")
                self._failures = 0
                with suppress(TimeoutError):
                    async with asyncio.timeout(_BEAT):
                        await is_cut.wait()
        finally:
            driver.terminate()  # takes leave of nobody, who may not answer

    def _judge(self, hearing: _Hearing) -> None:
        """Note what is heard from now on, and let go on who waits for it."""
        if hearing is not _Hearing.WELL:
            self._believed_until = -math.inf
        self._hearing = hearing
        judged, self._judged = self._judged, asyncio.Event()
        judged.set()

    async def _can_read(self) -> bool:
        """Return whether the database answers; where it says nothing, the question is left to itself."""
        reading = self._reading = asyncio.create_task(self._read())
        done, _ = await asyncio.wait({reading}, timeout=_GLANCE)
        return bool(done) and reading.result()

    async def _read(self) -> bool:
        try:
            async with self._database.read() as connection:
                await connection.execute(select(1))
        except CannotRead:
            return False
        return True

    def _take(self, _connection: object, _pid: int, _channel: str, told: str) -> None:
        teller, _, news = told.partition(" ")
        topic, _, text = news.partition(" ")
        if teller == self._me:
            return
        try:
            for hearer in self._hearers[topic]:
                hearer(text)
        except Exception:  # noqa: BLE001 - whatever another version says
            _log.exception("news of another version cannot be read: %s", topic)
            self._lose()

    def _lose(self) -> None:
        for loser in self._losers:
            loser()
