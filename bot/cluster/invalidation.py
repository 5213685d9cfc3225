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
from typing import Any, Final, Self, TypeVar

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.engine import Database
from bot.domain.errors import CannotRead

T = TypeVar("T")

_logger = logging.getLogger(__name__)

MEMBER_TOPIC: Final = "member"
"""Topic: what is kept of a member, by their id, was written."""
ACCOUNT_TOPIC: Final = "account"
"""Topic: nobody has an account linked any more, by its id and the digest of its name."""
ERASED_TOPIC: Final = "erased"
"""Topic: a member has had everything erased, by their id."""
GUILD_TOPIC: Final = "guild"
"""Topic: what is kept of a server, by its id, was written."""
CATALOGUE_TOPIC: Final = "catalogue"
"""Topic: a region's catalogue was fetched, by the region."""
SCHEMA_TOPIC: Final = "shape"
"""Topic: the database is to be brought to a newer shape, by its name, once nobody serves with an older one."""

CHANNEL: Final = "kiroku"
_NOTIFY_MAX_BYTES: Final = 7999
"""Bytes of one notification. Source: PostgreSQL's documentation of NOTIFY."""
PROBE_QUERY: Final = "SELECT 'heard'"
_PROBE_INTERVAL_SECONDS: Final = 0.25
"""Seconds between two questions over the connection that listens."""
_PROBE_TIMEOUT_SECONDS: Final = 0.5
"""For their answers: a connection may be gone without a word."""
_PROBE_VALID_SECONDS: Final = 0.7
"""Seconds from asking such a question, whose answer comes behind all that was told before: nobody shall be answered for a
whole second by what another process has erased."""
_READ_TIMEOUT_SECONDS: Final = 1.0
"""For a database that says whether it can be read."""
_AWAY_READ_TIMEOUT_SECONDS: Final = 0.2
"""For one that has said nothing for long."""
_RECONNECT_DELAYS_SECONDS: Final = (0.0, 0.1, 0.25, 0.5)
"""Seconds before each attempt to listen again; the last, before all others too."""


class _ListenState(Enum):
    """What this process hears."""

    UNKNOWN = auto()
    """Nothing; why, is being looked at."""
    LISTENING = auto()
    """Everything."""
    DEAF = auto()
    """Nothing, although the database answers: others may change what is kept here."""
    DATABASE_AWAY = auto()
    """Nothing: the database does not answer."""


class InvalidationBus:
    """What one process tells the others, and hears of them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._me = secrets.token_hex(8)
        """By which it knows what it has told itself."""
        self._subscribers: dict[str, list[Callable[[str], None]]] = defaultdict(list)
        self._gap_callbacks: list[Callable[[], None]] = []
        self._listening_callbacks: list[Callable[[AsyncConnection], Awaitable[None]]] = []
        self._state = _ListenState.UNKNOWN if database.is_server else _ListenState.LISTENING
        self._is_alone = not database.is_server
        self._current_until = -math.inf
        self._state_changed = asyncio.Event()
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

    async def __aexit__(self, *_: object) -> None:
        tasks: set[asyncio.Future[Any]] = {
            task for task in (self._listening, self._reading, *self._overdue) if task is not None
        }
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def subscribe(self, topic: str, callback: Callable[[str], None]) -> None:
        """Call this with each text that another process tells about a topic."""
        self._subscribers[topic].append(callback)

    def on_gap(self, callback: Callable[[], None]) -> None:
        """Call this where news may have been lost: nothing that was kept before can be believed."""
        self._gap_callbacks.append(callback)

    def message_prefix(self, topic: str) -> str:
        """Return how a piece of news begins, for a statement that tells it itself over CHANNEL."""
        return f"{self._me} {topic} "

    def on_listening(self, callback: Callable[[AsyncConnection], Awaitable[None]]) -> None:
        """Await this with each connection that listens: what it locks is held for as long as the connection holds.

        Where it raises anything, another connection is tried.
        """
        self._listening_callbacks.append(callback)

    async def publish(self, connection: AsyncConnection, topic: str, text: object) -> None:
        """Tell the others, once the transaction is committed; ids alone, for it is written where nobody erases it.

        Raises: ValueError for a text that is too long.
        """
        if not self._database.is_server:
            return
        told = self.message_prefix(topic) + str(text)
        if len(told.encode()) > _NOTIFY_MAX_BYTES:
            message = f"too long for one piece of news: {topic}"
            raise ValueError(message)
        await connection.execute(select(func.pg_notify(CHANNEL, told)))

    @property
    def is_current(self) -> bool:
        """Whether what is kept in memory may be believed, as is known without waiting."""
        return self._is_alone or asyncio.get_running_loop().time() < self._current_until

    async def until_current(self) -> bool:
        """Return whether what is kept in memory may be believed: it is known what others have changed.

        So it may while the database does not answer this process at all: people get what memory knows. In doubt it
        waits, about a second at most.
        """
        while not self.is_current:
            if self._state in {_ListenState.DEAF, _ListenState.DATABASE_AWAY}:
                return self._state is _ListenState.DATABASE_AWAY
            await self._state_changed.wait()
        return True

    async def read_unless_away(self, read: Callable[[], Awaitable[T]]) -> T:
        """Return what `read` returns, unless the database does not answer this process at all. Raises: CannotRead.

        What was asked is then left to itself, and nothing else is asked while it is: a statement is not cut off while
        the database may still answer.
        """
        if not self._database.is_server:
            return await read()
        if self._state is _ListenState.DATABASE_AWAY and self._overdue:
            raise CannotRead
        reading = asyncio.ensure_future(read())
        try:
            while not reading.done() and self._state is not _ListenState.DATABASE_AWAY:
                judged = asyncio.ensure_future(self._state_changed.wait())
                await asyncio.wait({reading, judged}, return_when=asyncio.FIRST_COMPLETED)
                judged.cancel()
            done, _ = await asyncio.wait({reading}, timeout=_AWAY_READ_TIMEOUT_SECONDS)
        except asyncio.CancelledError:
            reading.cancel()
            raise
        if done:
            return reading.result()
        self._overdue.add(reading)
        reading.add_done_callback(self._discard_overdue)
        raise CannotRead

    def _discard_overdue(self, reading: asyncio.Future[Any]) -> None:
        self._overdue.discard(reading)
        if not reading.cancelled():
            reading.exception()  # seen: whoever asked is gone

    async def _listen(self) -> None:
        """Listen all the while, over one connection after the other."""
        while True:
            self._set_state(_ListenState.DEAF if await self._can_read() else _ListenState.DATABASE_AWAY)
            try:
                connection = await self._database.connection_apart()
                try:
                    await self._listen_over(connection)
                finally:
                    await connection.invalidate()  # back in the pool, it would go on listening
            except Exception as error:  # noqa: BLE001 - a driver has errors of its own
                if not self._failures:
                    _logger.warning("what other processes change is not heard: %s", type(error).__name__)
            await asyncio.sleep(
                _RECONNECT_DELAYS_SECONDS[min(self._failures, len(_RECONNECT_DELAYS_SECONDS) - 1)]
            )
            self._failures += 1

    async def _listen_over(self, connection: AsyncConnection) -> None:
        """Listen for as long as a connection holds. Raises: what the driver does once it is gone."""
        driver: Any = (await connection.get_raw_connection()).driver_connection
        is_cut = asyncio.Event()

        def cut(_connection: object) -> None:
            self._set_state(_ListenState.UNKNOWN)
            is_cut.set()

        driver.add_termination_listener(cut)
        try:
            await driver.add_listener(CHANNEL, self._receive)
            self._report_gap()
            for starter in self._listening_callbacks:
                await starter(connection)
            while True:
                asked_at = asyncio.get_running_loop().time()
                await driver.fetchval(PROBE_QUERY, timeout=_PROBE_TIMEOUT_SECONDS)
                self._current_until = asked_at + _PROBE_VALID_SECONDS
                self._set_state(_ListenState.LISTENING)
                if self._failures:
                    _logger.info("what other processes change is heard again")
                self._failures = 0
                with suppress(TimeoutError):
                    async with asyncio.timeout(_PROBE_INTERVAL_SECONDS):
                        await is_cut.wait()
        finally:
            driver.terminate()  # takes leave of nobody, who may not answer

    def _set_state(self, hearing: _ListenState) -> None:
        """Note what is heard from now on, and let go on who waits for it."""
        if hearing is not _ListenState.LISTENING:
            self._current_until = -math.inf
        self._state = hearing
        judged, self._state_changed = self._state_changed, asyncio.Event()
        judged.set()

    async def _can_read(self) -> bool:
        """Return whether the database answers; where it says nothing, the question is left to itself."""
        reading = self._reading = asyncio.create_task(self._read())
        done, _ = await asyncio.wait({reading}, timeout=_READ_TIMEOUT_SECONDS)
        return bool(done) and reading.result()

    async def _read(self) -> bool:
        try:
            async with self._database.read() as connection:
                await connection.execute(select(1))
        except CannotRead:
            return False
        return True

    def _receive(self, _connection: object, _pid: int, _channel: str, told: str) -> None:
        teller, _, news = told.partition(" ")
        topic, _, text = news.partition(" ")
        if teller == self._me:
            return
        try:
            for hearer in self._subscribers[topic]:
                hearer(text)
        except Exception:  # whatever another version says
            _logger.exception("news of another version cannot be read: %s", topic)
            self._report_gap()

    def _report_gap(self) -> None:
        for loser in self._gap_callbacks:
            loser()
