"""The log: one line an event on standard error, and nothing secret in any of them."""

import logging
import re
from typing import Final

from typing_extensions import override

_FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"

_OURS: Final = ("bot", "cogs", "service")

_SECRET: Final = re.compile(r"(?i)(\btoken=)[^&\s\"']+|\b[0-9a-f]{64}\b")
"""A token in a query string, or what a token of the record service looks like anywhere."""


_VOICE: Final = "is not installed, voice will NOT be supported"
"""What discord.py warns of for each library of voice; no command here uses any."""


class SecretFree(logging.Formatter):
    """Takes out what looks like a token, as the last line of defence: nothing should have put it there."""

    @override
    def format(self, record: logging.LogRecord) -> str:
        return _SECRET.sub(lambda match: f"{match[1] or ''}[removed]", super().format(record))


def set_up(level: str) -> None:
    """Send the log to standard error, from `level` up; of libraries, from INFO up at most.

    Below it they log what they handle: aiosqlite the values in a query, discord.py what people type into forms.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(SecretFree(_FORMAT))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    logging.getLogger().setLevel(max(logging.INFO, logging.getLogger().level))
    for ours in _OURS:
        logging.getLogger(ours).setLevel(level)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logging.getLogger("stamina").setLevel(logging.ERROR)  # a retry is no news; giving up is told to who asked
    logging.getLogger("discord.client").addFilter(_is_not_about_voice)


def _is_not_about_voice(record: logging.LogRecord) -> bool:
    return not str(record.msg).endswith(_VOICE)
