"""A database that takes nothing, and disks with little room."""

import sqlite3
import subprocess
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import event
from world import World

from bot.database import free_space as room


@asynccontextmanager
async def read_only(world: World) -> AsyncGenerator[None]:
    """Every connection is one that may only read."""
    with _each_connection(world, "PRAGMA query_only = ON", "PRAGMA query_only = OFF"):
        yield


@asynccontextmanager
async def full(world: World) -> AsyncGenerator[None]:
    """The database may not grow by one page, and has none to spare."""
    await world.change_database("VACUUM")
    with closing(sqlite3.connect(world.database)) as database:
        ((pages,),) = database.execute("PRAGMA page_count")
    with _each_connection(world, f"PRAGMA max_page_count = {pages}", "PRAGMA max_page_count = 4294967294"):
        yield


async def refused_for_want_of_room(world: World) -> None:
    """Have people set what does not find room any more."""
    number, reply = 0, ""
    while "Nothing can be saved" not in reply:
        person = world.discord.person(f"Somebody {number}")
        said = await person.slash(
            world.discord.channel, "settings", timezone="America/Argentina/Buenos_Aires"
        )
        number, reply = number + 1, said.everything


@contextmanager
def _each_connection(world: World, begin: str, end: str) -> Generator[None]:
    engine = world.bot.features.accounts._store._database._engine.sync_engine

    troubled = [True]

    def take(connection: Any, _record: Any, _proxy: Any) -> None:
        if troubled:
            cursor = connection.cursor()
            cursor.execute(begin)
            cursor.close()

    def give_back(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        cursor.execute(end)
        cursor.close()

    event.listen(engine, "checkout", take)
    event.listen(engine, "checkin", give_back)
    try:
        yield
    finally:
        troubled.clear()  # they are not taken away: a connection may be handed out in this very moment


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Generator[Path]:
    """Have a disk of its own at a folder; the test is skipped where this user may not mount one."""
    folder.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder]
    try:
        mounted = subprocess.run(mount, check=False, capture_output=True).returncode == 0
    except FileNotFoundError:
        mounted = False
    if not mounted:
        pytest.skip("no disk can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def fill(folder: Path) -> Path:
    """Fill a disk to its last byte, and return the file that does."""
    file = folder / "filling"
    with file.open("ab", buffering=0) as filling:
        for block in (1 << 20, 1 << 12, 1):
            while True:
                try:
                    filling.write(bytes(block))
                except OSError:
                    break
    return file


def leave_free(patch: pytest.MonkeyPatch, size: int) -> None:
    """Have every disk say that so many bytes of it are free."""

    def disk_usage(_path: Path) -> SimpleNamespace:
        return SimpleNamespace(free=size)

    patch.setattr(room.shutil, "disk_usage", disk_usage)
