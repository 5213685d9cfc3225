"""A PostgreSQL of the tests' own, by what the machine has installed: in a folder of its own, and gone with the tests.

with Cluster() as cluster:
    url = create_database(cluster.folder, "mine")
"""

import ctypes
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import Thread
from typing import IO, Final, Self

from sqlalchemy import make_url

OWNER: Final = "kiroku"
"""Who may do everything and needs no password; all others need one."""
_ACCESS: Final = f"local all {OWNER} trust\nlocal all all scram-sha-256\n"
_SETTINGS: Final = (
    "listen_addresses=",  # a socket in the folder is enough, and nobody else can have taken it
    "fsync=off",
    "full_page_writes=off",
    "shared_buffers=32MB",
    "max_connections=200",
    "max_wal_size=128MB",  # of memory
)
_ORDER: Final = ("--locale-provider=icu", "--icu-locale=ja")
"""An order of texts that is not that of code points, as most databases have one."""
_PR_SET_PDEATHSIG: Final = 1
_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
"""A file system in memory: each test has a database of three hundred files, which a disk takes twice as long for."""
_ROOM_BYTES: Final = 2 * 1024**3
"""Hundreds of databases and the log of what was written; where memory has less room, or there is none, the disk has it."""


@cache
def _find_psql() -> Path | str:
    """Return the program itself: what Debian has in the path is one in Perl that looks for it, in five times the time."""
    programs = find_programs()
    return programs / "psql" if programs is not None and (programs / "psql").exists() else "psql"


def find_programs() -> Path | None:
    """Return where PostgreSQL's programs are: Debian has a folder for each version, beside the path."""
    found = [Path(initdb)] if (initdb := shutil.which("initdb")) else []
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda each: int(each.parts[4]))
    return found[-1].parent if found else None


def find_memory() -> Path | None:
    """Return a folder in memory for a server of many databases; None where there is none, or no room.

    Benchmarks and drills have theirs on the disk, as servers do.
    """
    has_room = os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free >= _ROOM_BYTES
    return _MEMORY if has_room else None


class Cluster:
    """A server with any number of databases."""

    def __init__(self, room: Path | None = None) -> None:
        """Have its folder in another one; None is where temporary files usually are."""
        programs = find_programs()
        assert programs is not None, "PostgreSQL is not installed"
        self._programs = programs
        self._user = "postgres" if os.geteuid() == 0 else None  # root it does not serve
        self.folder = Path(tempfile.mkdtemp(prefix="kiroku-", dir=room))
        if self._user:
            shutil.chown(self.folder, self._user)

    def __enter__(self) -> Self:
        initdb = [
            self._programs / "initdb",
            "-D",
            self.folder / "data",
            "-U",
            OWNER,
            "--no-sync",
            "-E",
            "UTF8",
        ]
        subprocess.run(
            [*initdb, "--locale=C.UTF-8", *_ORDER],
            check=True,
            capture_output=True,
            user=self._user,
            cwd=self.folder,
        )
        (self.folder / "data" / "pg_hba.conf").write_text(_ACCESS)
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self) -> None:
        """Start the server, and wait until it can be asked; it ends with this process, whatever ends that."""
        self._server = subprocess.Popen(
            [
                *(self._programs / "postgres", "-D", self.folder / "data", "-k", self.folder),
                *(word for setting in _SETTINGS for word in ("-c", setting)),
            ],
            stderr=subprocess.PIPE,
            user=self._user,
            cwd=self.folder,
            preexec_fn=_end_with_parent,  # noqa: PLW1509 - one system call, which takes no lock
        )
        assert self._server.stderr is not None
        said = b""
        while b"ready to accept connections" not in said:
            line = self._server.stderr.readline()
            assert line, said.decode()
            said += line
        Thread(target=_drain, args=[self._server.stderr], daemon=True).start()

    def stop(self, sent: signal.Signals = signal.SIGINT) -> None:
        """End the server: SIGINT has it close its sessions, SIGQUIT breaks them off as a crash does."""
        self._server.send_signal(sent)
        self._server.wait()

    @contextmanager
    def stopped(self) -> Generator[None]:
        """End the server, and start it again afterwards."""
        self.stop()
        try:
            yield
        finally:
            self.start()

    @contextmanager
    def paused(self) -> Generator[None]:
        """Have the server and all its sessions stand still meanwhile."""
        try:
            self._send_all(signal.SIGSTOP)
            yield
        finally:
            self._send_all(signal.SIGCONT)

    def _send_all(self, sent: signal.Signals) -> None:
        for pid in (self._server.pid, *self.list_sessions()):
            # A session may end once it is listed; the server stands still by then, and must be woken by whoever ends it.
            with suppress(ProcessLookupError):
                os.kill(pid, sent)

    def list_sessions(self) -> list[int]:
        """Return the numbers of the server's own processes."""
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self._server.pid)], capture_output=True, text=True, check=True
        )
        return [*map(int, listed.stdout.split())]


def create_database(folder: Path, name: str, *, like: str = "template1") -> str:
    """Make a database in the cluster of a folder, and return its address."""
    run_sql(folder, f'CREATE DATABASE "{name}" TEMPLATE "{like}"')
    return url_of(folder, name)


def drop_database(folder: Path, name: str) -> None:
    """Take a database away, and whoever has it open."""
    run_sql(folder, f'DROP DATABASE "{name}" WITH (FORCE)')


def url_of(folder: Path, name: str, *, user: str = OWNER) -> str:
    """Return the address of a database, by which the bot finds it."""
    return f"postgresql+asyncpg://{user}@/{name}?host={folder}"


def name_of(url: str) -> str:
    """Return the name of the database of an address."""
    return make_url(url).database or ""


def run_sql(folder: Path, *statements: str, database: str = "postgres") -> str:
    """Do something in the cluster of a folder, and return what that says."""
    words = [_find_psql(), "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", folder, "-U", OWNER, database]
    commands = [word for statement in statements for word in ("-c", statement)]
    done = subprocess.run([*words, *commands], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _drain(stream: IO[bytes]) -> None:
    with stream:
        stream.read()


def _end_with_parent() -> None:
    if os.uname().sysname == "Linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGINT)
