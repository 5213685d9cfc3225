"""What is left of a copy whose maker was killed is deleted: it holds what members have erased since, and takes room."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.store.backup import delete_copies_of_upgrades, save_before_upgrade, save_in_turn

pytestmark = pytest.mark.sqlite

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
KILLED = """
import os, sys
from pathlib import Path
from bot.store import backup
backup._flush_folder = lambda file: None
Path.rename = lambda *_: os._exit(9)
getattr(backup, sys.argv[1])(Path(sys.argv[2]), *eval(sys.argv[3]))
"""
"""Is killed when its copy is whole and has not got its name yet; the last argument is what else is handed over."""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    file = tmp_path / "data" / "kiroku.db"
    file.parent.mkdir()
    with closing(sqlite3.connect(file)) as made:
        made.executescript("CREATE TABLE alembic_version (version_num); CREATE TABLE links (member_id)")
    return file


def leave(database: Path, function: str, rest: str, folder: Path) -> Path:
    """Have somebody killed in the middle; return what is left, with what SQLite has beside it."""
    given = f"({rest} backup.datetime.fromisoformat('{NOW.isoformat()}'))"
    killed = [sys.executable, "-c", KILLED, function, str(database), given]
    assert subprocess.run(killed, check=False, cwd=Path(__file__).parents[2]).returncode == 9
    (left,) = folder.glob(".kiroku*")
    left.with_name(f"{left.name}-journal").touch()
    return left


def age(left: Path, hours: int) -> None:
    then = (NOW - timedelta(hours=hours)).timestamp()
    for each in (left, left.with_name(f"{left.name}-journal")):
        os.utime(each, (then, then))


def hidden(folder: Path) -> set[str]:
    return {each.name for each in folder.glob(".*")}


def test_that_of_an_upgrade_is_deleted_a_day_later(database: Path) -> None:
    folder = database.parent
    left = leave(database, save_before_upgrade.__name__, "'0033',", folder)
    others = {".kiroku.db.mine", ".other.db.at-0033-20261101-120000.abcdefgh", ".env"}
    for name in others:
        (folder / name).touch()
        os.utime(folder / name, (0, 0))
    age(left, 23)
    delete_copies_of_upgrades(database, NOW)
    assert hidden(folder) == {left.name, f"{left.name}-journal", *others}  # it may be under way
    age(left, 25)
    begun = folder / ".kiroku.db.a1b2_c3d"  # by `kiroku db restore`
    begun.touch()
    os.utime(begun, (0, 0))
    delete_copies_of_upgrades(database, NOW)
    assert hidden(folder) == others


def test_that_of_a_nightly_copy_is_deleted_with_the_old_ones(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    left = leave(database, save_in_turn.__name__, f"Path({str(folder)!r}), 2,", folder)
    age(left, 25)
    save_in_turn(database, folder, 2, NOW)
    assert {each.name for each in folder.iterdir()} == {"kiroku-20261101-120000.db"}


def test_an_upgrade_that_is_begun_anew_leaves_one_copy_of_the_same(database: Path) -> None:
    first, second = (
        save_before_upgrade(database, "0033", NOW + timedelta(minutes=minutes)) for minutes in (0, 2)
    )
    assert (first.exists(), second.exists()) == (False, True)
    with closing(sqlite3.connect(database)) as changed, changed:
        changed.execute("INSERT INTO links VALUES (1)")
    save_before_upgrade(database, "0033", NOW + timedelta(minutes=4))
    save_before_upgrade(database, "0034", NOW + timedelta(minutes=6))
    assert len([*database.parent.glob("*.at-*")]) == 3
