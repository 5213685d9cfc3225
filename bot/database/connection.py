"""A connection of SQLAlchemy Core, awaited.

SQLAlchemy's own asynchronous side imports its mapper, which nothing here maps with: six megabytes that stay, and a tenth
of the start. What that side stands on is used here instead, `greenlet_spawn`: what waits within is awaited without.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from sqlalchemy import Connection, CursorResult, Dialect, Engine, Executable, create_engine
from sqlalchemy.exc import InvalidRequestError
from sqlalchemy.pool import PoolProxiedConnection
from sqlalchemy.util import greenlet_spawn
from typing_extensions import override

P = ParamSpec("P")
T = TypeVar("T")


def create_async_engine(url: str, **options: Any) -> Engine:
    """Return an engine whose connections are awaited. Raises: as SQLAlchemy's own does."""
    engine = create_engine(url, **options)
    if not engine.dialect.is_async:
        message = f"{engine.dialect.driver} cannot be awaited"
        raise InvalidRequestError(message)
    return engine


class AsyncConnection:
    """A connection that is open until `close`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @classmethod
    async def open(cls, engine: Engine) -> Self:
        """Take one out of an engine's pool."""
        return cls(await greenlet_spawn(engine.connect))

    @property
    def dialect(self) -> Dialect:
        """What the database speaks."""
        return self._connection.dialect

    async def run_sync(
        self, step: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do with the connection what is written as if nobody waited."""
        return await greenlet_spawn(step, self._connection, *args, **kwargs)

    async def execute(
        self, statement: Executable, parameters: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None
    ) -> CursorResult[Any]:
        """Execute a statement; its rows are all here."""
        return await self.run_sync(Connection.execute, statement, parameters)

    async def scalar(self, statement: Executable) -> Any:
        """Return the first column of the first row, or None."""
        return await self.run_sync(Connection.scalar, statement)

    async def exec_driver_sql(self, statement: str) -> CursorResult[Any]:
        """Execute a statement as the driver takes it."""
        return await self.run_sync(Connection.exec_driver_sql, statement)

    async def execution_options(self, **options: Any) -> Self:
        """Set options for what follows."""
        await self.run_sync(Connection.execution_options, **options)
        return self

    async def get_raw_connection(self) -> PoolProxiedConnection:
        """Return the pool's own connection, with that of the driver."""
        return await self.run_sync(lambda connection: connection.connection)

    async def invalidate(self) -> None:
        """Close it for good instead of giving it back to the pool."""
        await self.run_sync(Connection.invalidate)

    async def close(self) -> None:
        """Give it back to the pool."""
        await self.run_sync(Connection.close)


class _WholeConnection(AsyncConnection):
    """A connection whose steps are not cut off where they are waited for.

    One that is cut off leaves its connection, and the lock of its transaction, to the garbage collector: nobody
    could write until that had come by.
    """

    @override
    async def run_sync(
        self, step: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        return await to_the_end(super().run_sync(step, *args, **kwargs))


@asynccontextmanager
async def connected(engine: Engine) -> AsyncGenerator[AsyncConnection]:
    """Open a connection none of whose steps is cut off, for a block."""
    opened: list[_WholeConnection] = []

    async def open_one() -> None:
        opened.append(await _WholeConnection.open(engine))

    try:
        await to_the_end(open_one())
        yield opened[0]
    finally:
        for connection in opened:
            await connection.close()


async def to_the_end(step: Coroutine[Any, Any, T]) -> T:
    """Return what a step gives; who is cancelled meanwhile is so once it is done."""
    task = asyncio.ensure_future(step)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        task.exception()  # seen: whoever asked is gone
        raise cancelled
    return task.result()
