"""The systems on which the bot runs: those that were tested, or lack nothing known to be needed."""

import sys
from typing import Final

from bot.base.config import CannotStart

_WORD: Final = 2**32
"""A limit that sys.maxsize of a 32-bit Python does not reach."""


def check_platform(platform: str = sys.platform, largest: int = sys.maxsize) -> None:
    """Refuse a system that lacks what serving needs. Raises: CannotStart."""
    if platform == "win32":
        message = (
            "The bot runs on Linux, and on Windows in a container or in WSL (docs/hosting.md): "
            "Windows itself has no locks that end with their process."
        )
        raise CannotStart(message)
    if largest < _WORD:
        message = "The bot needs a 64-bit Python: for 32-bit ones some of its packages are not to be had. Install a 64-bit system."
        raise CannotStart(message)
