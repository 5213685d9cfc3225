"""Copies of the database: taken in use, checked, and brought back."""

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from shapes import shape_as

from bot.__main__ import main
from bot.database.migrate import known_revisions
from bot.domain.ids import GuildId, SongId
from bot.store import Alias, CopyFailed, Store, StoreTooNew, Vault, compact, new_key, restore_copy, save_copy
from bot.store.backup import (
    delete_copies_of_upgrades,
    find_last_copy,
    save_before_upgrade,
    save_in_turn,
)

pytestmark = pytest.mark.sqlite

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
KEY = new_key()
ROOT = Path(__file__).parents[2]
COPIES = 20


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "data" / "kiroku.db"


def opened(database: Path) -> Store:
    return Store(f"sqlite+aiosqlite:///{database}", Vault([KEY]))


async def write(store: Store, *numbers: int) -> None:
    for number in numbers:
        await store.aliases.save(GuildId(1), f"alias{number}", Alias(f"alias{number}", SongId("x" * 60)))


async def filled(database: Path, count: int = 1) -> None:
    """Make a database with so many aliases in it, of which nobody has it open."""
    async with opened(database) as store:
        await write(store, 0)
    more = [(f"alias{number}",) * 2 for number in range(1, count)]
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executemany(
            "INSERT INTO aliases SELECT guild_id, ?, ?, song_id FROM aliases LIMIT 1", more
        )


def aliases(database: Path) -> set[str]:
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return {name for (name,) in connection.execute("SELECT folded FROM aliases")}


def size_of(file: Path) -> int:
    return file.stat().st_size


def modes(folder: Path) -> set[int]:
    return {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir() if file.is_file()}


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def command(name: str, copy: Path, database: Path) -> subprocess.CompletedProcess[str]:
    """Run `kiroku db` as a program of its own, as an operator does."""
    words = [sys.executable, "-m", "bot", "db", name, str(copy)]
    settings = {"DATABASE_URL": f"sqlite+aiosqlite:///{database}", "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        words, capture_output=True, text=True, check=False, env=settings, cwd=database.parent
    )


async def test_the_database_and_what_stands_beside_it_are_for_their_owner_alone(database: Path) -> None:
    async with opened(database) as store:
        await write(store, 1)
        assert names(database.parent) == ["kiroku.db", "kiroku.db-shm", "kiroku.db-wal"]
        assert modes(database.parent) == {0o600}


def open_to_all(database: Path) -> None:
    database.chmod(0o644)


async def test_a_database_that_others_could_read_is_closed_to_them(database: Path) -> None:
    await filled(database)
    open_to_all(database)
    async with opened(database) as store:
        await write(store, 1)
        assert modes(database.parent) == {0o600}


@pytest.mark.heavy
async def test_twenty_copies_during_writes(database: Path, tmp_path: Path) -> None:
    """Each is whole, and holds everything that was answered before it was begun."""
    written = 0
    wrote = asyncio.Event()

    async def keep_writing(store: Store) -> None:
        nonlocal written
        while True:
            await write(store, written)
            written += 1
            wrote.set()

    async with opened(database) as store:
        writing = asyncio.create_task(keep_writing(store))
        for number in range(COPIES):
            wrote.clear()
            await wrote.wait()
            answered = {f"alias{each}" for each in range(written)}
            copy = tmp_path / f"copy{number}.db"
            await asyncio.to_thread(save_copy, database, copy)
            assert answered <= aliases(copy)
            assert not writing.done()
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
    assert modes(tmp_path) == {0o600}
    assert names(tmp_path) == sorted(["data", *(f"copy{number}.db" for number in range(COPIES))])


@pytest.mark.processes
async def test_a_copy_by_the_command_line_while_a_bot_writes(database: Path, tmp_path: Path) -> None:
    async with opened(database) as store:
        await write(store, 1)
        done = await asyncio.to_thread(command, "backup", tmp_path / "copy.db", database)
        assert done.returncode == 0, done.stderr
        assert "key" in done.stdout
    assert aliases(tmp_path / "copy.db") == {"alias1"}


async def test_a_copy_comes_back_and_the_former_database_stays(database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    async with opened(database) as store:
        await write(store, 1)
        save_copy(database, copy)
        await write(store, 2)
    former = restore_copy(copy, database, NOW)
    assert former is not None
    assert former.name == "kiroku.db.before-20261101-120000"
    assert aliases(former) == {"alias1", "alias2"}
    assert modes(database.parent) == {0o600}
    async with opened(database) as store:
        assert list(await store.aliases.fetch(GuildId(1))) == ["alias1"]
    assert aliases(copy) == {"alias1"}


async def test_a_copy_comes_to_where_there_is_no_database(database: Path, tmp_path: Path) -> None:
    await filled(database)
    save_copy(database, tmp_path / "copy.db")
    elsewhere = tmp_path / "new" / "kiroku.db"
    assert restore_copy(tmp_path / "copy.db", elsewhere, NOW) is None
    assert aliases(elsewhere) == {"alias0"}


def overwrite(database: Path) -> None:
    database.write_bytes(b"no database" * 999)
    database.with_name("kiroku.db-wal").write_bytes(b"a log of something else" * 999)


async def test_a_copy_takes_the_place_of_a_damaged_database(database: Path, tmp_path: Path) -> None:
    await filled(database)
    save_copy(database, tmp_path / "copy.db")
    overwrite(database)
    former = restore_copy(tmp_path / "copy.db", database, NOW)
    assert former is not None
    assert former.read_bytes().startswith(b"no database")
    assert aliases(database) == {"alias0"}


@pytest.mark.processes
async def test_a_database_in_use_is_left_alone(database: Path, tmp_path: Path) -> None:
    """Another store in the same process must not let go of the locks: closing any handle of the file would."""
    copy = tmp_path / "copy.db"
    async with opened(database) as store:
        await write(store, 1)
        async with opened(database):
            pass
        save_copy(database, copy)
        await write(store, 2)
        done = await asyncio.to_thread(command, "restore", copy, database)
        assert done.returncode == 1
        assert done.stderr == f"{database} is in use. End the bot, and try again.\n"
        await write(store, 3)
        assert len(await store.aliases.fetch(GuildId(1))) == 3
    assert names(database.parent) == ["kiroku.db"]


async def outdated(database: Path) -> None:
    """Make a database of the shape before."""
    database.parent.mkdir()
    await shape_as(f"sqlite+aiosqlite:///{database}", known_revisions()[-2])
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("INSERT INTO aliases VALUES (1, 'alias0', 'alias0', 'a song')")


async def test_an_upgrade_makes_a_copy_first_or_changes_nothing(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await outdated(database)

    def refuse(*_: object) -> None:
        raise CopyFailed("There is no room.")

    with monkeypatch.context() as refusing:
        refusing.setattr("bot.store.backup.save_copy", refuse)
        with pytest.raises(CopyFailed, match=r"nothing was changed\. There is no room\. .* --no-copy`"):
            async with opened(database):
                pass
    assert revision(database) == known_revisions()[-2]
    async with opened(database):
        pass
    (copy,) = database.parent.glob("*.at-*")
    assert (revision(copy), revision(database)) == tuple(known_revisions()[-2:])
    assert aliases(copy) == {"alias0"}


async def test_who_wants_no_copy_makes_none(database: Path) -> None:
    await outdated(database)
    settings = {"DATABASE_URL": f"sqlite+aiosqlite:///{database}", "TOKEN_KEYS": KEY}
    upgrading = ["db", "upgrade", "--no-copy"]
    done = await asyncio.to_thread(CliRunner().invoke, main, upgrading, env=settings)
    assert done.exit_code == 0, done.output
    assert [*database.parent.glob("*.at-*")] == []


async def test_a_copy_of_an_upgrade_is_forgotten_after_a_month(database: Path) -> None:
    await filled(database)
    new = save_before_upgrade(database, "0001", NOW)
    old = save_before_upgrade(database, "0002", NOW)
    os.utime(new, (NOW.timestamp(), NOW.timestamp() - timedelta(days=29).total_seconds()))
    os.utime(old, (NOW.timestamp(), NOW.timestamp() - timedelta(days=31).total_seconds()))
    delete_copies_of_upgrades(database, NOW)
    assert names(database.parent) == ["kiroku.db", new.name]


async def test_the_last_few_copies_stay_and_nothing_that_is_called_otherwise(
    database: Path, tmp_path: Path
) -> None:
    await filled(database)
    folder = tmp_path / "copies"
    assert find_last_copy(folder) is None
    for hour in range(4):
        save_in_turn(database, folder, 2, NOW + timedelta(hours=hour))
        (folder / "kiroku-first.db").touch()
    assert names(folder) == ["kiroku-20261101-140000.db", "kiroku-20261101-150000.db", "kiroku-first.db"]
    assert folder.stat().st_mode & 0o777 == 0o700
    assert aliases(folder / "kiroku-20261101-150000.db") == {"alias0"}
    assert find_last_copy(folder) == NOW + timedelta(hours=3)


async def test_a_copy_in_turn_from_the_terminal(database: Path, tmp_path: Path) -> None:
    await filled(database)
    settings = {
        "DATABASE_URL": f"sqlite+aiosqlite:///{database}",
        "BACKUP_FOLDER": str(tmp_path / "copies"),
    }
    done = CliRunner().invoke(main, ["db", "backup", "--keep", "14"], env=settings)
    assert done.exit_code == 0, done.output
    assert len(names(tmp_path / "copies")) == 1
    unclear = CliRunner().invoke(main, ["db", "backup"], env=settings)
    assert unclear.stderr == "Name a file, or say by --keep how many copies stay in BACKUP_FOLDER.\n"
    closed = CliRunner().invoke(
        main, ["db", "backup", "--keep", "1"], env={**settings, "BACKUP_FOLDER": f"{database}/in"}
    )
    assert closed.stderr.startswith(f"The folder {database}/in cannot be made (Not a directory).")


def revision(database: Path) -> str:
    with closing(sqlite3.connect(database)) as connection:
        return str(*connection.execute("SELECT version_num FROM alembic_version").fetchone())


def broken(copy: Path) -> None:
    whole = copy.read_bytes()
    copy.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))


def cut(copy: Path) -> None:
    copy.write_bytes(copy.read_bytes()[:-8192])


def empty(copy: Path) -> None:
    copy.write_bytes(b"")


def text(copy: Path) -> None:
    copy.write_text("hello, this is no database" * 99)


def foreign(copy: Path) -> None:
    copy.unlink()
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("CREATE TABLE links (id INTEGER)")


def newer(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


@pytest.mark.parametrize("harm", [broken, cut, empty, text, foreign, newer, Path.unlink])
async def test_what_is_no_whole_database_of_ours_is_not_brought_back(
    database: Path, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    copy = tmp_path / "copy.db"
    await filled(database, 300)
    save_copy(database, copy)
    harm(copy)
    with pytest.raises((CopyFailed, StoreTooNew)):
        restore_copy(copy, database, NOW)
    assert len(aliases(database)) == 300
    assert names(database.parent) == ["kiroku.db"]


async def test_nothing_is_written_over(database: Path, tmp_path: Path) -> None:
    await filled(database)
    there = tmp_path / "there.db"
    text(there)
    with pytest.raises(CopyFailed, match="is there already"):
        save_copy(database, there)
    assert there.read_text().startswith("hello")


async def test_a_copy_of_what_is_damaged_is_not_left(database: Path, tmp_path: Path) -> None:
    await filled(database, 300)
    broken(database)
    with pytest.raises(CopyFailed):
        save_copy(database, tmp_path / "copy.db")
    assert names(tmp_path) == ["data"]


async def test_a_database_is_no_copy_of_itself(database: Path, tmp_path: Path) -> None:
    await filled(database, 3)
    (tmp_path / "other.db").symlink_to(database)
    for named in (database, tmp_path / "other.db"):
        result = await asyncio.to_thread(command, "restore", named, database)
        assert result.returncode == 1
        assert "is the database itself" in str(result.stderr)
    assert names(database.parent) == ["kiroku.db"]


@pytest.mark.parametrize(
    ("name", "url", "said"),
    [
        ("backup", "sqlite+aiosqlite:///none.db", "There is no database at"),
        ("restore", "sqlite+aiosqlite:///none.db", "There is no database at"),
        ("restore", "postgresql+asyncpg://h/db", "SQLite"),
    ],
)
def test_where_there_is_nothing_to_copy(
    name: str, url: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["db", name, "copy.db"], env={"DATABASE_URL": url})
    assert result.exit_code == 1
    assert said in result.stderr
    assert list(tmp_path.iterdir()) == []


async def test_holes_are_in_no_copy_and_can_be_taken_out(database: Path, tmp_path: Path) -> None:
    await filled(database, 3000)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("DELETE FROM aliases WHERE folded != 'alias7'")
    large = size_of(database)
    copy = tmp_path / "copy.db"
    assert (await asyncio.to_thread(command, "backup", copy, database)).returncode == 0
    assert size_of(copy) < large / 1.3
    assert aliases(copy) == {"alias7"}
    async with opened(database):
        with pytest.raises(CopyFailed, match="is in use"):
            compact(database)
    before, after = compact(database)
    assert before == large
    assert after == size_of(database) < large / 1.3
    assert aliases(database) == {"alias7"}
