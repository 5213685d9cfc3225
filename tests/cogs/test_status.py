"""`kiroku status` beside a bot that runs, one that does not, and none yet: `bot.program.status`."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner
from scraping import free_port
from world import World

from bot.__main__ import main
from bot.base.build import find_build
from bot.base.config import Settings


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in an empty folder with nothing set."""
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


async def look(settings: Mapping[str, str]) -> list[str]:
    done = await asyncio.to_thread(CliRunner().invoke, main, ["status"], env=settings)
    assert done.exit_code == 0, done.output
    return done.output.splitlines()


@pytest.mark.own
@pytest.mark.sqlite
async def test_how_a_bot_is_that_runs(own_world: World, tmp_path: Path) -> None:
    own_world.settings = own_world.settings.model_copy(update={"metrics_port": free_port()})
    await own_world.start_bot()
    await own_world.begun()
    await own_world.link(own_world.discord.person("Alice"), "minamo_plays")
    copies = tmp_path / "copies"
    copies.mkdir()
    (copies / "kiroku-20261101-043000.dump").touch()
    port = str(own_world.settings.metrics_port)
    settings = {
        "DATABASE_URL": own_world.settings.database_url,
        "METRICS_PORT": port,
        "METRICS_HOST": "0.0.0.0",  # noqa: S104 - as in a container
        "BACKUP_FOLDER": str(copies),
    }
    said = await look(settings)
    assert said[:3] == [f"version: {find_build().in_words()}", "bot: ready", "servers: 1"]
    assert said[3].startswith("requests left: the least is ")
    assert said[4] == "posts: none is late"
    assert said[5].startswith("database: SQLite at revision 00")
    assert said[6] == "members: 1 have linked an account"
    assert said[7].startswith("disk: ")
    assert said[8:] == ["last copy: 2026-11-01 04:30 UTC"]
    await own_world.discord.stop()
    assert f"bot: none answers on port {port}" in await look(settings)


async def test_what_is_not_there_yet_is_said() -> None:
    assert (await look({}))[1:] == [
        "bot: cannot be asked, for METRICS_PORT is not set",
        "database: SQLite, still empty",
        "members: 0 have linked an account",
        "last copy: none in data/copies",
    ]


def test_a_database_that_cannot_be_read_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("this is no database at all, but a text of some length")
    done = CliRunner().invoke(main, ["status"], env={"DATABASE_URL": "sqlite+aiosqlite:///text"})
    assert done.exit_code == 1
    assert "DATABASE_URL" in done.stderr
