"""The invalidation bus between the processes that share a database: what one has written, the others read again.

PostgreSQL delivers a notification with the transaction that it is about: none is of something that was rolled back, and
nobody reads too early. With SQLite one process serves at a time, and nothing is sent.
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
"""The topic of members, by id, of whom something was written."""
ACCOUNT_TOPIC: Final = "account"
"""The topic of accounts, by id and digest of the name, that nobody has linked any more."""
ERASED_TOPIC: Final = "erased"
"""The topic of members, by id, who have had everything erased."""
GUILD_TOPIC: Final = "guild"
"""The topic of servers, by id, of which something was written."""
CATALOGUE_TOPIC: Final = "catalogue"
"""The topic of regions whose catalogue was fetched."""
SCHEMA_TOPIC: Final = "shape"
"""The topic of newer schema revisions that wait until no process serves with an older one."""

CHANNEL: Final = "kiroku"
"""The channel of PostgreSQL that all notifications are sent over."""
_NOTIFY_MAX_BYTES: Final = 7999
"""A notification has this many bytes at most. Source: PostgreSQL's documentation of NOTIFY."""
PROBE_QUERY: Final = "SELECT 'heard'"
"""Sent over the connection that listens: its answer comes behind all notifications before, so these are heard."""
_PROBE_INTERVAL_SECONDS: Final = 0.25
"""How often the connection that listens is probed."""
_PROBE_TIMEOUT_SECONDS: Final = 0.5
"""A probe that is not answered in this many seconds means that the connection is lost."""
_PROBE_VALID_SECONDS: Final = 0.7
"""Memory is current for this many seconds after a probe was sent, whose answer comes behind all earlier notifications: so
nobody is answered for a whole second with what another process has erased."""
_READ_TIMEOUT_SECONDS: Final = 1.0
"""A database that does not answer in this many seconds counts as away."""
_AWAY_READ_TIMEOUT_SECONDS: Final = 0.2
"""A read of a database that counts as away is waited for this many seconds more."""
_RECONNECT_DELAYS_SECONDS: Final = (0.0, 0.1, 0.25, 0.5)
"""The seconds before each attempt to listen again; all later attempts wait as long as the last one here."""


class _ListenState(Enum):
    """Whether notifications of other processes reach this one."""

    UNKNOWN = auto()
    """They do not, and the reason is not yet known."""
    LISTENING = auto()
    """They do."""
    DEAF = auto()
    """They do not, although the database answers: others may change data that is cached here."""
    DATABASE_AWAY = auto()
    """They do not, because the database does not answer this process."""


class InvalidationBus:
    """Tells other processes what was written, and tells this one what others have written, so that it is read again."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._me = secrets.token_hex(8)
        """Marks the notifications of this process, which it ignores itself."""
        self._subscribers: dict[str, list[Callable[[str], None]]] = defaultdict(list)
        self._gap_callbacks: list[Callable[[], None]] = []
        self._listening_callbacks: list[Callable[[AsyncConnection], Awaitable[None]]] = []
        self._state = _ListenState.UNKNOWN if database.is_server else _ListenState.LISTENING
        self._is_alone = not database.is_server
        self._current_until = -math.inf
        self._state_changed = asyncio.Event()
        """Set whenever the state is determined anew; another event takes its place then."""
        self._failures = 0
        """The number of failed attempts since notifications last reached this process."""
        self._listening: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[bool] | None = None
        self._overdue: set[asyncio.Future[Any]] = set()
        """Reads that nobody waits for any more."""

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
        """Call this with the text of each notification of a topic that another process publishes."""
        self._subscribers[topic].append(callback)

    def on_gap(self, callback: Callable[[], None]) -> None:
        """Call this when notifications may have been lost: whatever is in memory has to be read again."""
        self._gap_callbacks.append(callback)

    def message_prefix(self, topic: str) -> str:
        """Return what a notification begins with, for a statement that sends it over CHANNEL by itself."""
        return f"{self._me} {topic} "

    def on_listening(self, callback: Callable[[AsyncConnection], Awaitable[None]]) -> None:
        """Await this with each new connection that listens: locks that it takes there last as long as the connection.

        Where it raises anything, another connection is tried.
        """
        self._listening_callbacks.append(callback)

    async def publish(self, connection: AsyncConnection, topic: str, text: object) -> None:
        """Notify the other processes once the transaction is committed; ids alone, as nobody erases notifications.

        Raises: ValueError for a text that is too long.
        """
        if not self._database.is_server:
            return
        message = self.message_prefix(topic) + str(text)
        if len(message.encode()) > _NOTIFY_MAX_BYTES:
            problem = f"too long for one notification: {topic}"
            raise ValueError(problem)
        await connection.execute(select(func.pg_notify(CHANNEL, message)))

    @property
    def is_current(self) -> bool:
        """Whether what is in memory is current, as far as is known without waiting."""
        return self._is_alone or asyncio.get_running_loop().time() < self._current_until

    async def until_current(self) -> bool:
        """Wait until it is known whether what is in memory may be used, about a second at most; return that.

        It may be used where it is current, and also while the database does not answer this process at all.
        """
        while not self.is_current:
            if self._state in {_ListenState.DEAF, _ListenState.DATABASE_AWAY}:
                return self._state is _ListenState.DATABASE_AWAY
            await self._state_changed.wait()
        return True

    async def read_unless_away(self, read: Callable[[], Awaitable[T]]) -> T:
        """Return what `read` returns, or raise CannotRead once the database does not answer this process at all.

        The read then goes on unwatched, and nothing else is read until it ends: a statement is not cut off while the
        database may still answer.
        """
        if not self._database.is_server:
            return await read()
        if self._state is _ListenState.DATABASE_AWAY and self._overdue:
            raise CannotRead
        reading = asyncio.ensure_future(read())
        try:
            while not reading.done() and self._state is not _ListenState.DATABASE_AWAY:
                changed = asyncio.ensure_future(self._state_changed.wait())
                await asyncio.wait({reading, changed}, return_when=asyncio.FIRST_COMPLETED)
                changed.cancel()
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
            reading.exception()  # retrieve it: the caller is gone

    async def _listen(self) -> None:
        """Listen forever, over one connection after the other."""
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
                    _logger.warning("changes of other processes are not received: %s", type(error).__name__)
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
                    _logger.info("changes of other processes are received again")
                self._failures = 0
                with suppress(TimeoutError):
                    async with asyncio.timeout(_PROBE_INTERVAL_SECONDS):
                        await is_cut.wait()
        finally:
            driver.terminate()  # without a goodbye to a server that may not answer

    def _set_state(self, state: _ListenState) -> None:
        """Change the state, and wake all who wait for that."""
        if state is not _ListenState.LISTENING:
            self._current_until = -math.inf
        self._state = state
        changed, self._state_changed = self._state_changed, asyncio.Event()
        changed.set()

    async def _can_read(self) -> bool:
        """Return whether the database answers; where it does not, the read goes on unwatched."""
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

    def _receive(self, _connection: object, _pid: int, _channel: str, message: str) -> None:
        sender, _, rest = message.partition(" ")
        topic, _, text = rest.partition(" ")
        if sender == self._me:
            return
        try:
            for callback in self._subscribers[topic]:
                callback(text)
        except Exception:  # whatever another server version raises
            _logger.exception("a notification of another version cannot be read: %s", topic)
            self._report_gap()

    def _report_gap(self) -> None:
        for callback in self._gap_callbacks:
            callback()
