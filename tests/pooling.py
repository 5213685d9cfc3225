"""PgBouncer between the bot and the tests' own PostgreSQL."""

import os
import shutil
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cluster import OWNER, name_of

DEMANDED = "KIROKU_TEST_DEMANDS_PGBOUNCER"
"""The variable that makes a failure of what is skipped where PgBouncer is not installed."""
_SETTINGS = """[databases]
* = host={folder} user={owner}
[pgbouncer]
listen_addr =
unix_socket_dir = {own}
auth_type = any
pool_mode = {mode}
pidfile =
logfile =
"""


def find_pgbouncer() -> str:
    """Return where the program is: Debian has it where root alone looks."""
    found = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
    if found is None and os.environ.get(DEMANDED):
        pytest.fail("pgbouncer is not installed")
    if found is None:
        pytest.skip("pgbouncer is not installed")
    return found


@contextmanager
def pooled(url: str, cluster: Path, mode: str) -> Generator[str]:
    """Return the address of a database behind a pooler that is in a mode, for a block."""
    program = find_pgbouncer()
    user = "postgres" if os.geteuid() == 0 else None  # root it does not serve
    own = cluster / f"{name_of(url)}-{mode}"
    own.mkdir()
    settings = own / "pgbouncer.ini"
    settings.write_text(_SETTINGS.format(folder=cluster, owner=OWNER, own=own, mode=mode))
    if user:
        shutil.chown(own, user)
    running = subprocess.Popen([program, "--quiet", settings], user=user, stderr=subprocess.DEVNULL)
    try:
        while not (own / ".s.PGSQL.6432").exists():
            assert running.poll() is None, "pgbouncer does not run"
            time.sleep(0.01)
        yield f"postgresql+asyncpg://{OWNER}@/{name_of(url)}?host={own}&port=6432"
    finally:
        running.terminate()
        running.wait()
        shutil.rmtree(own)
