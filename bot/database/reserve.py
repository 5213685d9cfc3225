"""Space reserved beside an SQLite database, and released on a full disk to erase data, or to start.

Erasing writes to SQLite's write-ahead log first, which needs as much space as is overwritten; SQLite also creates the log
and its index to read the database.
"""

import contextlib
import logging
import os
from pathlib import Path
from typing import Final

from bot.database.engine import OWNER_ALONE

_logger = logging.getLogger(__name__)

BYTES: Final = 8 * 1024 * 1024
"""More than is stored of a member who has used the bot for years."""


class DiskReserve:
    """A file that only reserves space."""

    def __init__(self, database: Path) -> None:
        self._file = database.with_name(f"{database.name}-reserve")

    def fill(self) -> None:
        """Reserve the space; if there is none now, a later call reserves it."""
        if self._file.exists() and self._file.stat().st_size >= BYTES:
            return
        try:
            handle = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ALONE)
            try:
                os.posix_fallocate(handle, 0, BYTES)
            finally:
                os.close(handle)
        except (OSError, AttributeError):  # a full or read-only disk, or a system without it
            _logger.debug("no room can be kept for what has to be erased")
            self.release()

    def release(self) -> bool:
        """Release the space; return whether there was any."""
        with contextlib.suppress(OSError):
            size = self._file.stat().st_size
            self._file.unlink()
            return size > 0
        return False
