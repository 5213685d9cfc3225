"""The free space for an SQLite database, and whether something can really be written there."""

import errno
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.base.config import CannotStart

TRIAL_BYTES: Final = 4 * 1024 * 1024
"""The size of a trial write, and the free space that a database needs to continue for a while."""
_BLOCK_BYTES: Final = 64 * 1024

_CAUSES: Final[Mapping[int, str]] = {
    errno.ENOSPC: "The disk of the database is full, with {free} left. Make room there.",
    errno.EDQUOT: "The quota of the user who runs the bot is used up on the disk of the database. Raise it, or make room.",
    errno.EFBIG: "Files may not grow as large as the database has to (`ulimit -f`, LimitFSIZE). Raise that limit.",
    errno.EROFS: "The disk of the database is mounted read-only. Find out why, and remount it for writing.",
    errno.EACCES: "Nothing can be written in the folder of the database. Check whose it is.",
    errno.EPERM: "Nothing can be written in the folder of the database. Check whose it is.",
    errno.EIO: "The disk of the database fails: the system's log says how. Make a copy, and replace the disk.",
}


@dataclass(frozen=True, slots=True)
class FreeSpace:
    """The space on the disk of a database, in bytes."""

    free: int | None
    """The bytes that this process's user may still fill; None for a server, which does not tell."""
    used: int
    """The bytes that the database takes, with the files beside it."""


class NoRoom(CannotStart):
    """A trial write failed; the text says why."""


def find_room(*files: Path) -> FreeSpace:
    """Return the free space where the first file is, or will be, and the size of all files. Raises: OSError."""
    return FreeSpace(_find_free(files[0]), sum(each.stat().st_size for each in files if each.exists()))


def _find_free(file: Path) -> int:
    return shutil.disk_usage(folder_of(file)).free


def folder_of(file: Path) -> Path:
    """Return the folder of a file, or its nearest existing parent."""
    return next(each for each in file.absolute().parents if each.exists())


def try_to_write(file: Path) -> FreeSpace:
    """Write some megabytes beside a file, at the offset where that file ends, and remove them; return the space.

    The trial file has no name, so that nothing is left if this is killed. Raises: NoRoom, OSError.
    """
    room = find_room(file)
    try:
        with tempfile.TemporaryFile(dir=folder_of(file)) as trial:
            trial.seek(room.used)  # the gap before takes no space
            for _ in range(TRIAL_BYTES // _BLOCK_BYTES):
                trial.write(os.urandom(_BLOCK_BYTES))
            trial.flush()
            os.fsync(trial.fileno())
    except OSError as error:
        if error.errno not in _CAUSES:
            raise
        raise NoRoom(_CAUSES[error.errno].format(free=in_words(_find_free(file)))) from None
    return room


def in_words(size: int) -> str:
    """Return a number of bytes for people: 12 kB, 3.4 MB, 78 GB."""
    number = float(size)
    for unit in ("bytes", "kB", "MB"):
        if number < 1000:  # noqa: PLR2004 - as disks are sold
            return f"{number:.0f} {unit}"
        number /= 1000
    return f"{number:.1f} GB"
