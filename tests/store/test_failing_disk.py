"""A disk that was mounted read-only, as Linux does with one that fails: what is on it is told, and given out."""

import sqlite3
import subprocess
import sys
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from troubled import small_disk

from bot.__main__ import main
from bot.store import new_key, save_copy

pytestmark = pytest.mark.sqlite

KEY = new_key()
IN_USE = """
import os, sqlite3, sys
file = sqlite3.connect(sys.argv[1], isolation_level=None)
file.execute("PRAGMA journal_mode = WAL")
file.execute("CREATE TABLE late (number)")
os._exit(0)
"""
"""Ends as a bot does that is killed: what it has written last stands in the log beside the database."""


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    with small_disk(tmp_path / "disk", 16) as folder:
        monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{folder}/kiroku.db")
        monkeypatch.setenv("TOKEN_KEYS", KEY)
        yield folder


def fail(disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)


def test_an_empty_one_is_named(disk: Path) -> None:
    fail(disk)
    result = CliRunner().invoke(main, ["db", "upgrade"])
    assert result.exit_code == 1
    assert "is mounted read-only. Find out why" in result.output


@pytest.mark.parametrize("was_killed", [False, True])
def test_a_database_on_it_can_be_copied(tmp_path: Path, disk: Path, *, was_killed: bool) -> None:
    assert CliRunner().invoke(main, ["db", "upgrade"]).exit_code == 0
    if was_killed:
        subprocess.run([sys.executable, "-c", IN_USE, disk / "kiroku.db"], check=True)
    fail(disk)
    if not was_killed:  # else SQLite has no file to make beside it
        assert "cannot be opened. Check whose" in CliRunner().invoke(main, ["db", "upgrade"]).output
    save_copy(disk / "kiroku.db", tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        tables = {name for (name,) in copy.execute("SELECT name FROM sqlite_master")}
    assert "links" in tables
    assert ("late" in tables) == was_killed
