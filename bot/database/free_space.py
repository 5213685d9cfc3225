"""How much room there is for a database of files, and whether something can be written there in fact."""

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
"""What is written to see whether it can be, and what must be free for a database to go on for a while."""
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
    """What the disk of a database has, in bytes."""

    free: int | None
    """The bytes that whoever runs this process may still fill; None where a server keeps that to itself."""
    used: int
    """The bytes that the database takes, with what stands beside it."""


class NoRoom(CannotStart):
    """Something that was tried cannot be written; the text says why."""


def find_room(*files: Path) -> FreeSpace:
    """Return what is free where the first of some files is, or is to be, and how large all are. Raises: OSError."""
    return FreeSpace(_find_free(files[0]), sum(each.stat().st_size for each in files if each.exists()))


def _find_free(file: Path) -> int:
    return shutil.disk_usage(folder_of(file)).free


def folder_of(file: Path) -> Path:
    """Return the folder of a file, or the nearest one above that is there."""
    return next(each for each in file.absolute().parents if each.exists())


def try_to_write(file: Path) -> FreeSpace:
    """Write some megabytes beside a file, as far into a file as that one reaches, and take them away; return the room.

    They have no name: whoever kills this leaves nothing. Raises: NoRoom, OSError.
    """
    room = find_room(file)
    try:
        with tempfile.TemporaryFile(dir=folder_of(file)) as trial:
            trial.seek(room.used)  # what is left out before takes no room
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
