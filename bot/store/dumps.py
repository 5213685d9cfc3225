"""Copies of a database on a PostgreSQL server, by its own pg_dump."""

import os
import shutil
import subprocess
import tempfile
from datetime import datetime
from pathlib import Path

from sqlalchemy import URL, make_url

from bot.database.trouble import told
from bot.store.backup import CopyFailed, delete_all_but_last, make_place


def dump(url: str, copy: Path) -> None:
    """Copy a database, in use or not, to a new file for pg_restore that only its owner can read.

    Raises: CopyFailed, StoreUnavailable.
    """
    with told():
        address = make_url(url)
    program = shutil.which("pg_dump")
    if program is None:
        message = "pg_dump is not installed here. Install the clients of PostgreSQL, at the server's version."
        raise CopyFailed(message)
    if copy.exists():
        message = f"{copy} is there already, and nothing is written over. Name another file."
        raise CopyFailed(message)
    try:
        handle, name = tempfile.mkstemp(dir=copy.parent, prefix=f".{copy.name}.")
    except OSError as error:
        message = f"{copy} cannot be written ({error.strerror}). Check its folder and the disk."
        raise CopyFailed(message) from None
    os.close(handle)
    made = Path(name)
    try:
        _run(program, address, made)
        made.rename(copy)
    finally:
        made.unlink(missing_ok=True)


def dump_in_turn(url: str, folder: Path, keep: int, now: datetime) -> Path:
    """Copy a database into a folder, and delete all copies there but the last few; return the new one. Raises: CopyFailed."""
    copy = make_place(folder, "dump", now)
    dump(url, copy)
    delete_all_but_last(folder, keep, now)
    return copy


def _run(program: str, address: URL, made: Path) -> None:
    host = str(address.query.get("host") or address.host or "")
    options = [f"--host={host}"] * bool(host) + [f"--port={address.port}"] * bool(address.port)
    options += [f"--username={address.username}"] * bool(address.username)
    # Not on the command line, which others on the machine can read.
    password = {"PGPASSWORD": str(address.password)} if address.password else {}
    done = subprocess.run(  # noqa: S603 - what stands in the settings, by whoever hosts the bot
        [program, "--format=custom", "--no-password", f"--file={made}", *options, str(address.database)],
        env=os.environ | password,
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        message = f"pg_dump could not copy the database: {reason.removeprefix('pg_dump: error: ')}"
        raise CopyFailed(message)
