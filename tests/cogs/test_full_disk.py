"""Erasing, unlinking and starting work where nothing else can be written, with room that is kept for them."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, exc
from world import World

from bot.database import engine
from bot.database.sqlite_driver import SqliteConnection
from bot.database.tables import LINKS, SNAPSHOTS
from bot.database.trouble import StoreUnavailable

pytestmark = pytest.mark.sqlite


@contextmanager
def full_but_for(world: World, reserve: Path) -> Generator[None]:
    """Have the disk full for as long as a file stands there: what begins to write is refused as SQLite does."""

    def refuse(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith(("INSERT", "UPDATE", "DELETE")) and reserve.exists():
            full = sqlite3.OperationalError("database or disk is full")
            full.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise exc.OperationalError(statement, {}, full)

    used = world.bot.features.accounts._store._database._engine.sync_engine
    event.listen(used, "before_cursor_execute", refuse)
    try:
        yield
    finally:
        event.remove(used, "before_cursor_execute", refuse)


async def test_what_is_kept_can_be_erased_on_a_full_disk(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "minamo_plays")
    await world.link(bob, "DrBeat")
    channel = world.discord.channel
    for person in (alice, bob):
        await person.slash(channel, "session")
    question = await alice.slash(channel, "privacy erase")
    reserve = world.database.with_name("kiroku.db-reserve")
    assert reserve.stat().st_mode & 0o777 == 0o600
    with full_but_for(world, reserve):
        refused = await bob.slash(channel, "settings", timezone="Europe/Paris")
        assert "Nothing can be saved right now" in refused.everything
        await alice.click(question, "Erase everything")
        assert reserve.exists(), "the room is kept again"
        await bob.slash(channel, "unlink")
    assert await world.rows(LINKS) == []
    assert await world.rows(SNAPSHOTS) == []
    assert "with the room that was kept for that" in world.log.text
    assert "fault" not in world.log.text


async def test_a_full_disk_keeps_nobody_from_starting(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite makes files beside the database to read it: they take the room that is kept for erasing."""
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    await world.discord.stop()
    reserve, refused = world.database.with_name("kiroku.db-reserve"), list[str]()
    opens = engine.open_sqlite

    async def refuse(*arguments: Any, **options: Any) -> SqliteConnection:
        if reserve.exists() and not refused:
            refused.append("as long as there is no room")
            await refuse_always()
        return await opens(*arguments, **options)

    monkeypatch.setattr(engine, "open_sqlite", refuse)
    await world.start_bot()
    assert refused
    assert "the room kept for erasing is given up to open the database" in world.log.text
    assert "rating" in (await alice.slash(world.discord.channel, "rating")).everything.lower()
    assert reserve.exists(), "the room is kept again"
    await world.discord.stop()
    refused.clear()
    reserve.unlink()
    monkeypatch.setattr(engine, "open_sqlite", refuse_always)
    with pytest.raises(StoreUnavailable, match="The disk of the database"):
        await world.start_bot()


async def refuse_always(*_arguments: Any, **_options: Any) -> None:
    """Say what SQLite says where it cannot make the file of its index."""
    full = sqlite3.OperationalError("disk I/O error")
    full.sqlite_errorcode, full.sqlite_errorname = sqlite3.SQLITE_IOERR_SHMSIZE, "SQLITE_IOERR_SHMSIZE"
    raise full
