"""The database connection: one engine, read and write transactions, and the pitfalls of SQLite and PostgreSQL."""

import asyncio
import contextlib
import logging
import os
import sqlite3
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, Final, TypeVar, TypeVarTuple
from weakref import WeakSet

from sqlalchemy import Executable, Row, event, exc, func, make_url, select
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.engine.interfaces import AdaptedConnection, DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection
from sqlalchemy.sql.selectable import TypedReturnsRows

from bot.database.file_identity import FileIdentity, check_no_folder
from bot.database.free_space import FreeSpace, find_room
from bot.database.refusals import ChangeMark, RefusalCounter, force_page_write
from bot.database.sqlite_driver import SqliteConnection, open_sqlite
from bot.database.write_queue import WriteQueue
from bot.domain.errors import CannotKeep, CannotRead

_logger = logging.getLogger(__name__)

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_BUSY_SECONDS: Final = "kiroku_busy_seconds"
"""The key under which a connection stores its SQLite busy timeout: how long it waits for another writer."""
_PRAGMAS: Final = """
PRAGMA journal_mode = WAL;
PRAGMA foreign_keys = ON;
PRAGMA secure_delete = ON;
PRAGMA synchronous = NORMAL;  -- the log reaches the disk at checkpoints alone, not with each of a hundred writes a second
"""
_SQLITE_AWAY: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
    }
)
"""Primary result codes of a database that refuses every statement."""
_POSTGRESQL_AWAY: Final = ("08", "25006", "28", "3D", "40", "42501", "53", "55", "57", "58")
"""Prefixes of the SQLSTATEs that mean the same. Source: PostgreSQL's documentation, appendix A."""
_READ_ONLY: Final = "25006"
_KINDS: Final = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
_VERBS: Final[Mapping[type[CannotKeep | CannotRead], str]] = {CannotKeep: "written", CannotRead: "read"}
WRITE_SECONDS: Final = 5.0
COURTESY_SECONDS: Final = 0.5
"""The longest wait for data that an answer can do without."""
_CONNECT_SECONDS: Final = 5.0
_STATEMENT_SECONDS: Final = 5.0
"""A database server that does not answer for this long counts as away, so that people who wait are told."""
_IDLE_SECONDS: Final = 30.0
"""The server ends the transaction of a stalled process after this many idle seconds, and frees its locks."""
_LEISURE_SECONDS: Final = 60.0
"""Writes at leisure wait this long for a lock: most likely another process is starting."""
_WAIT_SECONDS: Final = (0.0, 0.1, 0.2, 0.4, 0.8)
"""Seconds before each attempt to empty the write-ahead log while somebody waits for it."""
_RETRY_SECONDS: Final = 2.0
"""Seconds between two attempts afterwards."""

OWNER_ALONE: Final = 0o600
"""The mode of a database file; SQLite gives its write-ahead log and index the same."""
_OTHERS_MODE: Final = 0o077


class Database:
    """An engine and its transactions."""

    def __init__(self, url: str, *, statement_seconds: float | None = _STATEMENT_SECONDS) -> None:
        """`statement_seconds` is how long a server may take over one statement; None where that is its own affair."""
        self._url = url
        self._is_sqlite = make_url(url).get_backend_name() == "sqlite"
        options = (
            {"async_creator": self._open_sqlite}
            if self._is_sqlite
            else _postgresql_options(statement_seconds)
        )
        self._engine = self._reader = create_async_engine(url, hide_parameters=True, **options)
        self._emptying: asyncio.Task[None] | None = None
        self._turns = WriteQueue()
        self.place = FileIdentity()
        self._refused: set[type[CannotKeep | CannotRead]] = set()
        """Which operations fail now, as already reported in the log."""
        self.refusals = RefusalCounter()
        self._open = WeakSet[Any]()
        """The driver's connections to a server."""
        self._is_given_up = False
        events = self._engine.sync_engine
        if self._is_sqlite:
            event.listen(events, "handle_error", _keep_cancelled)
        else:
            event.listen(events, "checkout", _check_open)
            event.listen(events, "do_connect", self._check_wanted)
            event.listen(events, "connect", self._prepare_server)
            event.listen(events, "handle_error", _throw_read_only_away)
            lock, idle = (
                (_LEISURE_SECONDS, 0) if statement_seconds is None else (WRITE_SECONDS, _IDLE_SECONDS)
            )
            self._settings = (
                f"SET lock_timeout = {_ms(lock)}; SET idle_in_transaction_session_timeout = {_ms(idle)}"
            )
            # A single statement is its own transaction: two round trips less than with BEGIN and COMMIT.
            self._reader = self._engine.execution_options(isolation_level="AUTOCOMMIT")

    @property
    def file(self) -> Path | None:
        """The file of an SQLite database; None for another database, or one in memory."""
        name = self._engine.url.database
        is_file = self._is_sqlite and name and name != ":memory:"
        return Path(name) if is_file and name and not name.startswith("file:") else None

    @property
    def kind(self) -> str:
        """The name of the database product, as its makers spell it."""
        return _KINDS[self._engine.dialect.name]

    @property
    def refused(self) -> set[str]:
        """What cannot be done with the database now: "read", "written", or both."""
        return {_VERBS[each] for each in self._refused}

    async def find_room(self) -> FreeSpace | None:
        """Return the space on the disk of an SQLite database; None for another database. Raises: OSError."""
        if self.file is None:
            return None
        return await asyncio.to_thread(find_room, self.file, *beside(self.file))

    @property
    def is_server(self) -> bool:
        """Whether it is a database server, which several machines may use."""
        return self._engine.dialect.name != "sqlite"

    async def connection_apart(self) -> AsyncConnection:
        """Return a connection outside of any transaction, which the caller has to close."""
        connection = await self._engine.connect()
        return await connection.execution_options(isolation_level="AUTOCOMMIT")

    def make_file(self) -> None:
        """Make the file of an SQLite database with its folder; it, and what stands beside, is its owner's alone."""
        if self.file is None:
            return
        check_no_folder(self.file)
        self.file.parent.mkdir(parents=True, exist_ok=True)
        # An existing file is not opened: closing it would release the locks that SQLite has on it.
        with contextlib.suppress(FileExistsError):
            os.close(os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ALONE))
        for each in (self.file, *beside(self.file)):
            if each.exists() and each.stat().st_mode & _OTHERS_MODE:
                with contextlib.suppress(PermissionError):  # somebody else's file, with a mode of their own
                    each.chmod(OWNER_ALONE)

    async def connect(self) -> None:
        """Open a connection and keep it in the pool."""
        async with self._engine.connect():
            pass
        if self.file is not None:
            self.place.remember(self.file)

    def give_up(self) -> None:
        """Stop waiting for a server: pending and further statements fail at once."""
        self._is_given_up = True
        for connection in self._open:
            connection.terminate()

    def _check_wanted(self, *_: object) -> None:
        if self._is_given_up:
            raise ConnectionAbortedError

    async def _open_sqlite(self) -> SqliteConnection:
        self._check_wanted()
        self.place.check()  # else another database would be opened
        arguments, options = self._engine.dialect.create_connect_args(self._engine.url)
        # Otherwise the driver would begin transactions, and commit them before DDL, by itself.
        return await open_sqlite(*arguments, script=_PRAGMAS, **options, isolation_level=None)

    def _prepare_server(self, connection: AdaptedConnection, _record: ConnectionPoolEntry) -> None:
        self._open.add(connection.driver_connection)
        try:
            # Not while connecting: PgBouncer refuses connections that request these settings.
            connection.run_async(lambda driver: driver.execute(self._settings))
        except Exception as error:
            # SQLAlchemy does not wrap driver errors here: a server that goes away now would look like a bug.
            raise ConnectionAbortedError from error

    async def close(self) -> None:
        """Close every connection, and open no new ones."""
        if self._emptying is not None:
            self._emptying.cancel()
            await asyncio.gather(self._emptying, return_exceptions=True)
            await self._empty_log()
        self._is_given_up = True
        await self._engine.dispose()

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[AsyncConnection]:
        """Open a transaction that only reads. Raises: CannotRead."""
        with self._raising(CannotRead):
            async with self._reader.connect() as connection:
                yield connection
        self._tell_end(CannotRead)

    async def fetch(self, query: TypedReturnsRows[*Ts], **values: object) -> Sequence[Row[*Ts]]:
        """Return the rows that a query finds, with these values in it. Raises: CannotRead."""
        async with self.read() as connection:
            return (await connection.execute(query, values)).all()

    async def find(self, query: TypedReturnsRows[*Ts]) -> Row[*Ts] | None:
        """Return the first row that a query finds. Raises: CannotRead."""
        async with self.read() as connection:
            return (await connection.execute(query)).first()

    async def find_value(self, query: TypedReturnsRows[T]) -> T | None:
        """Return the value in the first row that a query finds. Raises: CannotRead."""
        async with self.read() as connection:
            return (await connection.execute(query)).scalar()

    async def change(self, statement: Executable) -> int:
        """Execute one statement as a transaction; return the number of rows changed. Raises: CannotKeep."""
        async with self.write() as connection:
            return (await connection.execute(statement)).rowcount

    @asynccontextmanager
    async def write(self, *, seconds: float | None = None) -> AsyncGenerator[AsyncConnection]:
        """Open a transaction that writes; committed at the end, rolled back on an exception.

        `seconds` limits the wait while another program writes, by default WRITE_SECONDS. With SQLite, which allows one
        writer at a time, the writers of this process take turns. Raises: CannotKeep.
        """
        patience = WRITE_SECONDS if seconds is None else seconds
        with self._raising(CannotKeep):
            self.place.check()
            async with self._turn(patience), self._engine.connect() as connection:
                if self._is_sqlite:
                    await _begin_writing(connection, patience)
                    self._turns.begin()
                elif seconds is not None:
                    await connection.execute(select(func.set_config("lock_timeout", _ms(seconds), True)))  # noqa: FBT003 - for this transaction alone
                changed = ChangeMark(connection) if CannotKeep in self._refused else None
                yield connection
                if changed and self._is_sqlite:
                    await force_page_write(connection)
                await connection.commit()
        if changed:  # a transaction without changes does not show that writing is possible
            self._tell_end(CannotKeep)

    def _turn(self, seconds: float) -> AbstractAsyncContextManager[None]:
        return self._turns.writing(seconds) if self._is_sqlite else nullcontext()

    @asynccontextmanager
    async def write_at_leisure(self) -> AsyncGenerator[AsyncConnection]:
        """Open a transaction that writes, without a limit on the duration of a statement. Raises: CannotKeep."""
        patient = self if self._is_sqlite else Database(self._url, statement_seconds=None)
        try:
            async with patient.write() as connection:
                yield connection
        finally:
            if patient is not self:
                await patient.close()

    @contextmanager
    def _raising(self, refusal: type[CannotKeep | CannotRead]) -> Generator[None]:
        """Convert errors of a database that is away into `refusal`, and log that once."""
        try:
            yield
        except (exc.DBAPIError, exc.TimeoutError, OSError) as error:
            if not says_away(error):
                raise
            self.refusals.note(_VERBS[refusal], error)
            if refusal not in self._refused:
                said = error.orig if isinstance(error, exc.DBAPIError) else type(error).__name__
                _logger.warning("the database cannot be %s: %s", _VERBS[refusal], said)
            self._refused.add(refusal)
            raise refusal from error

    def _tell_end(self, refusal: type[CannotKeep | CannotRead]) -> None:
        if refusal in self._refused and not self.place.is_displaced:  # else the old file is still read
            _logger.info("the database can be %s again", _VERBS[refusal])
            self._refused.remove(refusal)

    async def purge_deleted(self) -> bool:
        """Empty SQLite's write-ahead log, which may hold old pages with deleted data; return whether it is empty.

        Readers keep the log in use. If they do not end soon, it is emptied once they have.
        """
        if not self._is_sqlite:
            return True
        for seconds in _WAIT_SECONDS:
            await asyncio.sleep(seconds)
            if await self._empty_log():
                return True
        if self._emptying is None or self._emptying.done():
            self._emptying = asyncio.create_task(self._empty_log_later())
        return False

    async def _empty_log_later(self) -> None:
        _logger.warning("deleted data stays on the disk until whoever reads the database is done")
        while not await self._empty_log():  # noqa: ASYNC110 - SQLite tells nobody when a reader ends
            await asyncio.sleep(_RETRY_SECONDS)
        _logger.info("deleted data is gone from the disk")

    async def _empty_log(self) -> bool:
        try:
            async with self._turn(COURTESY_SECONDS):
                return await self._empty_log_now()
        except TimeoutError:
            return False

    async def _empty_log_now(self) -> bool:
        async with self._engine.connect() as connection:
            # While it waited for readers, SQLite would block writers: so it must not wait.
            await _set_busy_timeout(connection, 0)
            try:
                busy, *_ = (await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")).one()
            except exc.OperationalError as error:
                _logger.warning("the write-ahead log cannot be emptied: %s", error.orig)
                return False
            finally:
                await _set_busy_timeout(connection, WRITE_SECONDS)
        return not busy


def _keep_cancelled(context: ExceptionContext) -> None:
    """Keep the connection of a statement whose caller was cancelled; the statement ends before anything follows it."""
    # SQLAlchemy would close it with the statement still open, and SQLite would keep locks and old pages until the
    # garbage collector finds the statement.
    if isinstance(context.original_exception, asyncio.CancelledError):
        context.is_disconnect = False


async def _begin_writing(connection: AsyncConnection, seconds: float) -> None:
    """Take SQLite's write lock for the transaction; wait at most `seconds` for another writer."""
    await _set_busy_timeout(connection, seconds)
    # A transaction that reads first must lock at once, or two of them deadlock at their first write.
    await connection.exec_driver_sql("BEGIN IMMEDIATE")


async def _set_busy_timeout(connection: AsyncConnection, seconds: float) -> None:
    # Each statement costs several round trips to the connection's thread, and this one is rarely needed.
    if connection.info.get(_BUSY_SECONDS) != seconds:
        await connection.exec_driver_sql(f"PRAGMA busy_timeout = {_ms(seconds)}")
        connection.info[_BUSY_SECONDS] = seconds


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.0f}"


def _postgresql_options(statement_seconds: float | None) -> dict[str, Any]:
    arguments = {
        "timeout": _CONNECT_SECONDS,
        "command_timeout": statement_seconds,
        "server_settings": {"application_name": "kiroku"},
    }
    return {"connect_args": arguments, "pool_timeout": _CONNECT_SECONDS}


def _throw_read_only_away(context: ExceptionContext) -> None:
    """Make the pool reopen all connections when one is read-only: a new server may accept writes by now."""
    if getattr(context.original_exception, "sqlstate", None) == _READ_ONLY:
        context.is_disconnect = True


def _check_open(
    connection: DBAPIConnection, _record: ConnectionPoolEntry, _proxy: PoolProxiedConnection
) -> None:
    """Make the pool open another connection if the server has closed this one, for example by a restart."""
    if connection.driver_connection.is_closed():
        raise exc.DisconnectionError


async def hold(connection: AsyncConnection, name: str) -> None:
    """Hold an advisory lock by name until the transaction ends. In SQLite nobody else can write anyway."""
    if connection.dialect.name == "postgresql":
        await connection.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))


def says_away(error: Exception) -> bool:
    """Return whether an error means that the database refuses everything, not just this statement."""
    if not isinstance(error, exc.DBAPIError):
        return True
    if (code := getattr(error.orig, "sqlite_errorcode", None)) is not None:
        return code & 0xFF in _SQLITE_AWAY
    state: str | None = getattr(error.orig, "sqlstate", None)
    return error.connection_invalidated or (state is not None and state.startswith(_POSTGRESQL_AWAY))


def beside(file: Path) -> tuple[Path, Path]:
    """Return SQLite's write-ahead log and its index, which stand beside a database in use."""
    return file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")
