"""Locks on bytes of a file, which Linux takes from a process that ends: a lifeline beside SQLite's file."""

import asyncio
import fcntl
import os
import struct
from collections.abc import Collection
from pathlib import Path
from typing import Final

from bot.cluster.leases import ProcessId
from bot.database.engine import OWNER_ALONE
from bot.database.file_identity import identity_of

_FLOCK: Final = "hhqqi"
"""The system's struct flock: kind, whence, from which byte, how many, whose."""


_WIDTH: Final = 64
"""Bytes at the beginning, which say which file the database is."""
_SHAPE: Final = ProcessId(2**62)
"""The byte of a lock that is no process's: their ids are all below."""


class FileLivenessLock:
    """A lock of the open file, so that two bots of one process are two as well."""

    def __init__(self, file: Path, database: Path) -> None:
        """Of `database`, which is written down: whoever looks on can tell whether it stands there still."""
        self._path = file
        self._database = database
        self._file: int | None = None
        self.is_held = True
        """As LivenessLock.is_held: nobody can break it."""

    async def acquire(self, process: ProcessId) -> bool:
        """As LivenessLock.hold. Raises: OSError where the file or its system takes no locks."""
        if self._file is None:
            self._file = _open(self._path)
            os.pwrite(self._file, f"{identity_of(self._database):<{_WIDTH}}".encode(), 0)
        fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, _on(fcntl.F_WRLCK, process))
        return True

    async def until_broken(self) -> None:
        """As LivenessLock.until_broken."""
        await asyncio.Event().wait()

    async def find_dead(self, others: Collection[ProcessId]) -> set[ProcessId]:
        """As LivenessLock.find_gone."""
        return {each for each in others if self._file is not None and _is_free(self._file, each)}

    async def close(self) -> None:
        """As LivenessLock.close."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


class FileSchemaLock:
    """The lock of the database's shape, on a byte of the same file; none where its folder takes no files or no locks."""

    def __init__(self, file: Path) -> None:
        self._path = file
        self._file: int | None = None

    def acquire_shared(self) -> bool:
        """As Lock.share."""
        return self._lock(fcntl.F_RDLCK)

    async def acquire_exclusive(self) -> bool:
        """As Lock.take."""
        return self._lock(fcntl.F_WRLCK)

    async def release(self) -> None:
        """As Lock.free."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _lock(self, kind: int) -> bool:
        try:
            if self._file is None:
                self._file = _open(self._path)
            fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, _on(kind, _SHAPE))
        except (BlockingIOError, PermissionError):
            return self._file is None
        except OSError:
            pass
        return True


def is_displaced(file: Path, database: Path) -> bool:
    """Return whether a bot runs that has opened another file than what stands at `database` now, if anything does."""
    try:
        opened = os.open(file, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        known = os.pread(opened, _WIDTH, 0).decode("ascii", "replace").strip()
        held = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)  # any byte of it
        kind, *_ = struct.unpack(_FLOCK, fcntl.fcntl(opened, fcntl.F_OFD_GETLK, held))
    finally:
        os.close(opened)
    return kind != fcntl.F_UNLCK and bool(known) and known != identity_of(database)


def _open(file: Path) -> int:
    return os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_ALONE)


def _is_free(file: int, process: ProcessId) -> bool:
    kind, *_ = struct.unpack(_FLOCK, fcntl.fcntl(file, fcntl.F_OFD_GETLK, _on(fcntl.F_WRLCK, process)))
    return kind == fcntl.F_UNLCK


def _on(kind: int, process: ProcessId) -> bytes:
    return struct.pack(_FLOCK, kind, os.SEEK_SET, process, 1, 0)
