"""Liveness and schema locks beside an SQLite database: locks on bytes of a file, which Linux releases when a process ends."""

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
"""The system's struct flock: kind, whence, first byte, number of bytes, process."""
_IDENTITY_BYTES: Final = 64
"""The file begins with this many bytes that say which file the database is."""
_SCHEMA_BYTE: Final = ProcessId(2**62)
"""The schema lock is on this byte: the ids of processes are all below."""


class FileLivenessLock:
    """The liveness lock of one process: a lock on the byte that its id numbers, held by the open file until that is closed."""

    def __init__(self, file: Path, database: Path) -> None:
        """Open nothing yet; `acquire` writes into `file` which file `database` is, so that others can tell whether it is replaced."""
        self._path = file
        self._database = database
        self._file: int | None = None
        self.is_held = True
        """Always true, as nothing breaks such a lock."""

    async def acquire(self, process: ProcessId) -> bool:
        """Take the lock of a process until `close`; return True. Raises: OSError where the file or its system takes no locks."""
        if self._file is None:
            self._file = _open(self._path)
            os.pwrite(self._file, f"{identity_of(self._database):<{_IDENTITY_BYTES}}".encode(), 0)
        fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, _on(fcntl.F_WRLCK, process))
        return True

    async def until_broken(self) -> None:
        """Wait forever, as nothing breaks such a lock."""
        await asyncio.Event().wait()

    async def find_dead(self, others: Collection[ProcessId]) -> set[ProcessId]:
        """Return those processes whose lock nobody holds."""
        return {each for each in others if self._file is not None and _is_free(self._file, each)}

    async def close(self) -> None:
        """Release the lock."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


class FileSchemaLock:
    """The schema lock, on a byte of the same file; it is always granted where the folder takes no files or no locks."""

    def __init__(self, file: Path) -> None:
        self._path = file
        self._file: int | None = None

    def acquire_shared(self) -> bool:
        """Share the lock, until `release`; return whether nobody has it exclusively."""
        return self._lock(fcntl.F_RDLCK)

    async def acquire_exclusive(self) -> bool:
        """Take the lock exclusively, until `release`; return whether nobody else has it at all."""
        return self._lock(fcntl.F_WRLCK)

    async def release(self) -> None:
        """Release the lock."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _lock(self, kind: int) -> bool:
        try:
            if self._file is None:
                self._file = _open(self._path)
            fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, _on(kind, _SCHEMA_BYTE))
        except (BlockingIOError, PermissionError):
            return self._file is None
        except OSError:
            pass
        return True


def is_displaced(lock_file: Path, database: Path) -> bool:
    """Return whether a running bot, which noted in `lock_file` what it has open, has another file than is at `database` now."""
    try:
        opened = os.open(lock_file, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        known = os.pread(opened, _IDENTITY_BYTES, 0).decode("ascii", "replace").strip()
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
