"""Detects a pooler before the server that does not keep a session for each connection.

The bot depends on sessions: for prepared statements, for notifications (LISTEN), and for the locks that show that it is
alive. Such a pooler accepts all of them without an error, and loses them.
"""

from typing import Any, Final

from sqlalchemy import exc
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.engine import Database
from bot.database.trouble import TransactionPooler

_ROUNDS: Final = 5
"""How often two connections are compared: others may use a shared session in between."""
_ASK: Final = "SELECT pg_backend_pid()"
_LOST: Final = ("26000", "42P05")
"""The SQLSTATEs for a prepared statement that went to another connection."""


async def check_sessions(database: Database) -> None:
    """Check a database that can be connected to. Raises: TransactionPooler, and what opening a connection raises."""
    if not database.is_server:
        return
    one = await database.connection_apart()
    try:
        if await _is_pooled(one) and await _is_shared(database, one):
            raise TransactionPooler
    except exc.DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) in _LOST:
            raise TransactionPooler from None
        raise
    finally:
        await one.close()


async def _is_pooled(one: AsyncConnection) -> bool:
    """Return whether the backend id that the connection was given is not that of the server process that serves it now."""
    driver: Any = (await one.get_raw_connection()).driver_connection
    return driver.get_server_pid() != await _server_of(one)


async def _is_shared(database: Database, one: AsyncConnection) -> bool:
    """Return whether two connections of ours, both open, are served by the same session."""
    served = {await _server_of(one)}
    other = await database.connection_apart()
    try:
        beside = {await _server_of(other)}
        for _ in range(_ROUNDS):
            served.add(await _server_of(one))
            beside.add(await _server_of(other))
    finally:
        await other.close()
    return bool(served & beside)


async def _server_of(connection: AsyncConnection) -> int:
    number: int = (await connection.exec_driver_sql(_ASK)).scalar_one()
    return number
