"""Why a database cannot be opened, in one sentence for whoever hosts the bot.

No text here names the address of the database, for a password may stand in it.
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import ArgumentError, DBAPIError, InvalidRequestError, NoSuchModuleError

from bot.config import CannotStart
from bot.domain.errors import CannotKeep

_BY_SQLITE: Final[Mapping[str, str]] = {
    "SQLITE_BUSY": "Another program holds the database that DATABASE_URL names. End it and try again.",
    "SQLITE_CORRUPT": "The database that DATABASE_URL names is damaged. `kiroku db restore` brings a copy back.",
    "SQLITE_FULL": "The disk of the database that DATABASE_URL names is full. Make room and try again.",
    "SQLITE_NOTADB": "The file that DATABASE_URL names is no SQLite database. Name another one, or move it away.",
    "SQLITE_READONLY": "The database that DATABASE_URL names cannot be written. Check whose file it is.",
}

_NO_ADDRESS: Final = "DATABASE_URL is no address of a database. `.env.example` shows what one looks like."
_NO_ANSWER: Final = "The database server does not answer. Check DATABASE_URL, and that the server runs."
_BY_KIND: Final[Mapping[type[Exception], str]] = {
    NoSuchModuleError: (
        "DATABASE_URL names a kind of database or a driver that is not known. "
        "Check how it begins: sqlite+aiosqlite://, for instance, or postgresql+asyncpg://."
    ),
    ArgumentError: _NO_ADDRESS,
    ValueError: _NO_ADDRESS,
    InvalidRequestError: (
        "DATABASE_URL names a driver that Kiroku cannot use. "
        "Begin it with sqlite+aiosqlite://, for instance, or postgresql+asyncpg://."
    ),
    ConnectionError: _NO_ANSWER,
    TimeoutError: _NO_ANSWER,
}
"""The first that fits counts."""


class StoreUnavailable(CannotStart):
    """The database cannot be opened."""


class StoreTooNew(StoreUnavailable):
    """The database was brought to a shape that this version does not know."""

    def __init__(self) -> None:
        super().__init__(
            "The database was made by a newer version of Kiroku. "
            "Run that version, or bring a copy from before it back with `kiroku db restore`."
        )


@contextmanager
def told(kinds: type[Exception] | tuple[type[Exception], ...] = Exception) -> Generator[None]:
    """Turn errors into StoreUnavailable: of all kinds, since drivers have their own for a failed connection."""
    try:
        yield
    except StoreUnavailable:
        raise
    except kinds as error:
        raise StoreUnavailable(_sentence(_cause_of(error))) from None


def _cause_of(error: Exception) -> Exception:
    """Return what the driver said of a database that takes nothing."""
    cause = error.__cause__ if isinstance(error, CannotKeep) else None
    return cause if isinstance(cause, Exception) else error


def _sentence(error: Exception) -> str:
    if isinstance(error, ImportError):
        return (
            f"The driver that DATABASE_URL names is not installed ({error.name}). "
            "Install it beside Kiroku, or name another one."
        )
    code = getattr(error.orig, "sqlite_errorname", "") if isinstance(error, DBAPIError) else ""
    if code in _BY_SQLITE:
        return _BY_SQLITE[code]
    for kind, sentence in _BY_KIND.items():
        if isinstance(error, kind):
            return sentence
    return (
        f"The database cannot be opened ({type(error).__name__}). "
        "Check DATABASE_URL, and that its folder can be written."
    )
