"""Why a database cannot be opened, in one sentence for whoever hosts the bot.

No text here contains the address of the database, because that may contain a password.
"""

import errno
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from socket import gaierror
from typing import Final

from sqlalchemy.exc import ArgumentError, DBAPIError, InvalidRequestError, NoSuchModuleError

from bot.base.config import CannotStart
from bot.domain.errors import CannotKeep, CannotRead

_HELD: Final = "Another program holds the database that {named} names. End it and try again."
_FULL: Final = "The disk of the database that {named} names is full. Make room and try again."
_BROKEN_OFF: Final = "The database server has broken the connection off. Look whether it runs, and try again."
_POOLED: Final = (
    "DATABASE_URL leads to a pooler that keeps no session for each connection. "
    "Set `pool_mode = session` there (PgBouncer), or name the database server itself."
)

_CLOSED: Final = (
    "The database that {named} names cannot be opened. Check whose its file and its folder are: "
    "`kiroku doctor` tries them, and their disk."
)
_READ_ONLY: Final = "The disk of the database that {named} names is mounted read-only. Find out why, and remount it for writing."

_BY_SQLITE: Final[Mapping[str, str]] = {
    "SQLITE_BUSY": _HELD,
    "SQLITE_CANTOPEN": _CLOSED,
    "SQLITE_CORRUPT": "The database that {named} names is damaged. `kiroku db restore` brings a copy back.",
    "SQLITE_FULL": _FULL,
    "SQLITE_IOERR": (
        "The disk of the database that {named} names is full, fails or has a limit: `kiroku doctor` tries it."
    ),
    "SQLITE_NOTADB": "The file that {named} names is no SQLite database. Name another one, or move it away.",
    "SQLITE_READONLY": "The database that {named} names cannot be written. Check whose file it is.",
}

_BY_STATE: Final[Mapping[str, str]] = {
    "08P01": (
        "What {named} leads to does not let Kiroku in: most likely a pooler (PgBouncer) that has no such database, "
        "or no connection to spare. Its log says more."
    ),
    "08": _BROKEN_OFF,
    "26000": _POOLED,
    "42P05": _POOLED,
    "25006": "The database that {named} names takes nothing, as a copy that follows another one. Name that one.",
    "28": "The database server refuses the user or the password that {named} names. Check both.",
    "3D": "The database server has no database of the name in {named}. Make one with `createdb`, or name another.",
    "42501": (
        "The user that {named} names may not make tables in that database. "
        "Make it the owner: ALTER DATABASE … OWNER TO …; and of the tables that are there, if others made them."
    ),
    "53100": _FULL,
    "53": "The database server takes no more connections. Raise its max_connections, or end what holds them.",
    "55": _HELD,
    "57": "The database server is starting or ending just now. Try again in a moment.",
}
"""The sentences by prefix of PostgreSQL's SQLSTATE; the first match counts."""

_BEGIN: Final = "Begin it with sqlite+aiosqlite://, for instance, or postgresql+asyncpg://."
_INSTALL: Final = "Install it with `ops/install FOLDER postgres`."
_NO_ADDRESS: Final = "{named} is no address of a database. `.env.example` shows what one looks like."
_NO_ANSWER: Final = "The database server does not answer. Check {named}, and that the server runs."
_NO_TLS_SAID: Final = "rejected SSL upgrade"
"""The end of asyncpg's message for a refused TLS connection, for which it has no class."""
_NO_TLS: Final = (
    "{named} asks for encryption (`ssl`), which the database server does not offer. "
    "Set it up there (`ssl = on`), or leave that out."
)
_BY_KIND: Final[Mapping[type[Exception], str]] = {
    NoSuchModuleError: (f"{{named}} names a kind of database or a driver that is not known. {_BEGIN}"),
    ArgumentError: _NO_ADDRESS,
    ValueError: _NO_ADDRESS,
    InvalidRequestError: (f"{{named}} names a driver that Kiroku cannot use. {_BEGIN}"),
    TypeError: "{named} has something behind its question mark that the driver does not know. Take it out.",
    IsADirectoryError: "{named} names a folder. Name a file in it.",
    gaierror: _NO_ANSWER,
    ConnectionError: _NO_ANSWER,
    TimeoutError: _NO_ANSWER,
    PermissionError: _CLOSED,
}
"""The sentences by exception class; the first match counts."""
_BY_ERRNO: Final[Mapping[int | None, str]] = {
    errno.EROFS: _READ_ONLY,
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
}


class StoreUnavailable(CannotStart):
    """The database cannot be opened."""


class TransactionPooler(StoreUnavailable):
    """DATABASE_URL leads to a pooler that assigns a connection only for one transaction."""

    def __init__(self) -> None:
        super().__init__(_POOLED)


class StoreForeign(StoreUnavailable):
    """The database belongs to another program."""

    def __init__(self) -> None:
        super().__init__(
            "The database that DATABASE_URL names holds something else, as that of the record service does. "
            "Name one of the bot's own; nothing was changed."
        )


class StoreTooNew(StoreUnavailable):
    """The database has a newer schema, which this version does not know."""

    def __init__(self) -> None:
        super().__init__(
            "The database was made by a newer version of Kiroku. "
            "Run that version, or bring a copy from before it back."
        )


class StoreHeld(StoreUnavailable):
    """The database needs an upgrade, but another process uses its current schema."""

    def __init__(self) -> None:
        super().__init__(
            "The database has to be brought up to date, and another process still uses it as it is. "
            "End that and try again."
        )


class StoreNotWhole(StoreUnavailable):
    """The database holds an incomplete copy of another one."""

    def __init__(self) -> None:
        super().__init__(
            "The database is half a copy of another one. Run the same `kiroku db copy` again, which completes it."
        )


@contextmanager
def told(
    kinds: type[Exception] | tuple[type[Exception], ...] = Exception, *, named: str = "DATABASE_URL"
) -> Generator[None]:
    """Convert errors into StoreUnavailable: of all kinds, because drivers have their own for a failed connection.

    `named` is the setting or option that names the database.
    """
    try:
        yield
    except CannotStart:
        raise
    except kinds as error:
        raise StoreUnavailable(_sentence(_cause_of(error)).format(named=named)) from None


def unavailable(state: str) -> StoreUnavailable:
    """Return the error for DATABASE_URL that a server's SQLSTATE means."""
    return StoreUnavailable(_BY_STATE[state].format(named="DATABASE_URL"))


def _cause_of(error: Exception) -> Exception:
    """Return the driver's error behind a refusal or a missing answer."""
    cause = error.__cause__ if isinstance(error, CannotKeep | CannotRead) else None
    return cause if isinstance(cause, Exception) else error


def _sentence_of_driver(error: DBAPIError) -> str | None:
    code: str = getattr(error.orig, "sqlite_errorname", "")  # such as SQLITE_IOERR_WRITE
    state = getattr(error.orig, "sqlstate", None) or ""
    said = (
        *(sentence for beginning, sentence in _BY_SQLITE.items() if code.startswith(beginning)),
        *(sentence for beginning, sentence in _BY_STATE.items() if state.startswith(beginning)),
        *([_BROKEN_OFF] if error.connection_invalidated else []),  # for which drivers have no SQLSTATE
    )
    return said[0] if said else None


def _sentence(error: Exception) -> str:
    if isinstance(error, ImportError):
        ours = error.name == "asyncpg"
        return (
            f"The driver that {{named}} names is not installed ({error.name}). {_INSTALL if ours else _BEGIN}"
        )
    if isinstance(error, DBAPIError) and (said := _sentence_of_driver(error)):
        return said
    if isinstance(error, ConnectionError) and str(error).endswith(_NO_TLS_SAID):
        return _NO_TLS
    if isinstance(error, OSError) and error.errno in _BY_ERRNO:
        return _BY_ERRNO[error.errno]
    for kind, sentence in _BY_KIND.items():
        if isinstance(error, kind):
            return sentence
    return (
        f"The database cannot be opened ({type(error).__name__}). "
        "Check {named}, and that its folder can be written."
    )
