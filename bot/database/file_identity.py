"""Whether the file of an SQLite database is still the one that was opened.

Writes to a deleted or replaced file succeed as long as it is open, and all of them are lost in the end.
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
    """Another file is in the place of the opened database, or none."""

    def __init__(self) -> None:
        super().__init__("the database file was deleted or replaced")


class FileIdentity:
    """The path of a file, and its identity when it was opened."""

    def __init__(self) -> None:
        self._file: Path | None = None
        self._known = ""
        self.is_displaced = False
        """Whether another file, or none, was in its place at the last look."""

    def remember(self, file: Path) -> None:
        """Remember the identity of a file that has just been opened."""
        self._file = file.absolute()
        self._known = identity_of(self._file)
        self.is_displaced = False

    def look(self) -> None:
        """Compare the file with the opened one, and log a change."""
        if self._file is None:
            return
        is_displaced = identity_of(self._file) != self._known
        if is_displaced and not self.is_displaced:
            _logger.error(_GONE)
        elif self.is_displaced and not is_displaced:
            _logger.warning("the file of the database is back: it is written again")
        self.is_displaced = is_displaced

    def check(self) -> None:
        """Compare the file with the opened one. Raises: FileReplaced."""
        self.look()
        if self.is_displaced:
            raise FileReplaced


def identity_of(file: Path) -> str:
    """Return what identifies an existing file; empty if there is none."""
    try:
        found = file.stat()
    except OSError:
        return ""
    return f"{found.st_dev}:{found.st_ino}"


def check_no_folder(file: Path) -> None:
    """Raise IsADirectoryError if a folder is in the place of the database file: we must not change its mode."""
    if file.is_dir():
        raise IsADirectoryError
