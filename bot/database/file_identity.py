"""Whether the file of an SQLite database is still the one that was opened.

A file that is deleted or replaced is written to as before, as long as it is open, and all of that is lost at the end.
"""

import logging
from pathlib import Path
from typing import Final

_logger = logging.getLogger(__name__)

_GONE: Final = (
    "the file of the database was deleted or replaced: nothing is read from or written to what stands there now. "
    "Put the former file back, or end the bot and start it anew with this one"
)


class FileReplaced(OSError):
    """Another file stands where the database was opened, or none."""

    def __init__(self) -> None:
        super().__init__("the database file was deleted or replaced")


class FileIdentity:
    """Where a file stands, and which it was."""

    def __init__(self) -> None:
        self._file: Path | None = None
        self._known = ""
        self.is_displaced = False
        """As of the last look."""

    def remember(self, file: Path) -> None:
        """Remember which file stands there: it has just been opened."""
        self._file = file.absolute()
        self._known = identity_of(self._file)
        self.is_displaced = False

    def look(self) -> None:
        """Look at it, and say in the log where that has changed."""
        if self._file is None:
            return
        is_displaced = identity_of(self._file) != self._known
        if is_displaced and not self.is_displaced:
            _logger.error(_GONE)
        elif self.is_displaced and not is_displaced:
            _logger.warning("the file of the database is back: it is written again")
        self.is_displaced = is_displaced

    def check(self) -> None:
        """Look at it. Raises: FileReplaced."""
        self.look()
        if self.is_displaced:
            raise FileReplaced


def identity_of(file: Path) -> str:
    """Return what tells a file from every other one that is there; empty where there is none."""
    try:
        found = file.stat()
    except OSError:
        return ""
    return f"{found.st_dev}:{found.st_ino}"


def check_no_folder(file: Path) -> None:
    """Raise IsADirectoryError where a folder stands in the place of a database's file: it is not ours to close to others."""
    if file.is_dir():
        raise IsADirectoryError
