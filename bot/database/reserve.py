"""Room that is kept beside an SQLite database, and given up on a full disk to erase something, or to start.

What is erased goes through SQLite's write-ahead log first, which takes as much room as was written over; the log and its
index are files that SQLite makes to read the database too.
"""

import contextlib
import logging
import os
from pathlib import Path
from typing import Final

from bot.database.engine import OWNER_ALONE

_logger = logging.getLogger(__name__)

BYTES: Final = 8 * 1024 * 1024
"""More than what is kept of a member who has used the bot for years."""


class DiskReserve:
    """A file that holds nothing but room."""

    def __init__(self, database: Path) -> None:
        self._file = database.with_name(f"{database.name}-reserve")

    def fill(self) -> None:
        """Have the room kept; where there is none, it is when it is asked again."""
        if self._file.exists() and self._file.stat().st_size >= BYTES:
            return
        try:
            handle = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ALONE)
            try:
                os.posix_fallocate(handle, 0, BYTES)
            finally:
                os.close(handle)
        except (OSError, AttributeError):  # full, read-only, or a system that cannot
            _logger.debug("no room can be kept for what has to be erased")
            self.release()

    def release(self) -> bool:
        """Give the room up; return whether there was some."""
        with contextlib.suppress(OSError):
            size = self._file.stat().st_size
            self._file.unlink()
            return size > 0
        return False
