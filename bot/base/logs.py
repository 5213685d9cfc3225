"""The log: one line per event on standard error, in UTC, without secrets.

On a terminal a line is text for people, elsewhere a JSON object for log collectors.
"""

import atexit
import json
import logging
import os
import re
import sys
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias

from typing_extensions import override

_logger = logging.getLogger(__name__)

Form: TypeAlias = Literal["auto", "text", "json"]

_TEXT: Final = "%(asctime)s.%(msecs)03dZ %(levelname)s %(name)s: %(message)s%(about)s"
_SECONDS: Final = "%Y-%m-%dT%H:%M:%S"

_OURS: Final = ("bot", "cogs", "service")

_SECRET: Final = re.compile(r"(?i)(\btoken=)[^&\s\"']+|\b[0-9a-f]{64}\b")
"""A token in a query string, or anything that looks like a token of the record service."""

_VOICE: Final = "is not installed, voice will NOT be supported"
"""discord.py's warning for each missing voice library; no command here uses voice."""

_about: Final[ContextVar[Mapping[str, str | int]]] = ContextVar("about", default={})  # noqa: B039 - never changed


def note(**about: str | int | None) -> None:
    """Add these values to each line logged from here on, in this task and those that it starts."""
    _about.set({**_about.get(), **{name: value for name, value in about.items() if value is not None}})


class SecretFree(logging.Formatter):
    """Writes text, and removes anything that looks like a token, as the last line of defence."""

    converter = time.gmtime

    @override
    def format(self, record: logging.LogRecord) -> str:
        record.about = "".join(f" {name}={value}" for name, value in _about.get().items())
        return _without_secrets(super().format(record))


class SecretFreeJson(logging.Formatter):
    """Writes a JSON object, without anything that looks like a token."""

    @override
    def format(self, record: logging.LogRecord) -> str:
        said = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": _without_secrets(record.getMessage()),
            **_about.get(),
        }
        if record.exc_info:
            said["error"] = _without_secrets(self.formatException(record.exc_info))
        return json.dumps(said, ensure_ascii=False)


def set_up(level: str, form: Form = "auto") -> None:
    """Send the log to standard error, from `level` up; of libraries, never below INFO.

    Below it they log what they handle: aiosqlite the values in a query, discord.py what people type into forms.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(SecretFreeJson() if is_json(form) else SecretFree(_TEXT, _SECONDS))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    logging.getLogger().setLevel(max(logging.INFO, logging.getLogger().level))
    for ours in _OURS:
        logging.getLogger(ours).setLevel(level)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logging.getLogger("discord.client").addFilter(_is_not_about_voice)
    atexit.register(_drop_unwritten)


def _drop_unwritten() -> None:
    """Drop lines that cannot be written, on a full disk or a closed pipe: else Python would exit with status 120."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.flush()
    except OSError:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def is_json(form: Form) -> bool:
    """Return whether the log is lines of JSON, which no other text should interrupt."""
    is_terminal = sys.stderr is not None and sys.stderr.isatty()  # None if it was closed, as by 2>&-
    return form == "json" or (form == "auto" and not is_terminal)


@contextmanager
def last_words() -> Generator[None]:
    """Log what would end the process or one of its threads with a traceback, and end the process with status 1."""
    before, threading.excepthook = threading.excepthook, _log_thread
    try:
        yield
    except Exception:  # anything unforeseen
        _logger.critical("ended by a fault", exc_info=True)
        sys.exit(1)
    finally:
        threading.excepthook = before


def _log_thread(failed: threading.ExceptHookArgs) -> None:
    error = failed.exc_value
    if error is not None:
        _logger.error("a thread ended by a fault", exc_info=(failed.exc_type, error, failed.exc_traceback))


def _without_secrets(text: str) -> str:
    return _SECRET.sub(lambda match: f"{match[1] or ''}[removed]", text)


def _is_not_about_voice(record: logging.LogRecord) -> bool:
    return not str(record.msg).endswith(_VOICE)
