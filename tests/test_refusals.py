"""What keeps `kiroku run` from serving, said by the program itself: one sentence with cause and next step, and status 1.

What every command says alike is in tests/test_start.py.
"""

import asyncio
import json
import sqlite3
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from pathlib import Path
from socket import create_server
from typing import Final

import pytest
from redirected import start_program

from bot.domain.ids import JP2, MemberId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.store import Store, open_vault

pytestmark = pytest.mark.processes
SECONDS: Final = 60.0
NO_DISCORD: Final = "http://127.0.0.1:1"
SETTINGS: Final = {"DISCORD_TOKEN": "x", "RECORD_API_URL": "https://records.example", "LOG_LEVEL": "INFO"}


@pytest.fixture
async def used(tmp_path: Path) -> Path:
    """Return a folder in which a bot has served: a database with a link, and the key that it needs."""
    link = AccountLink(
        member=MemberId(1),
        user_id=UserId(7),
        user_name=UserName("alice"),
        region=JP2,
        visibility=Visibility.ONLY_ME,
        linked_at=datetime(2026, 11, 1, tzinfo=UTC),
    )
    file = tmp_path / "data" / "kiroku.db"
    async with Store(f"sqlite+aiosqlite:///{file}", open_vault((), file)) as store:
        await store.links.save(link, "5d" * 32)
    return tmp_path


async def refused(folder: Path, settings: Mapping[str, str]) -> str:
    """Return the last sentence of a program that ends by itself, which stands in JSON once the log is set up."""
    program = await start_program(NO_DISCORD, "run", folder, {**SETTINGS, **settings})
    async with asyncio.timeout(SECONDS):
        _, said = await program.communicate()
    text = said.decode()
    assert program.returncode == 1, text
    assert "Traceback" not in text
    last = text.splitlines()[-1]
    return str(json.loads(last)["message"]) if last.startswith("{") else last


def nothing(_folder: Path) -> None:
    pass


def lose_the_key(folder: Path) -> None:
    (folder / "data" / "kiroku.key").unlink()


def spoil_the_key(folder: Path) -> None:
    (folder / "data" / "kiroku.key").write_bytes(b"\xff\xfe\x00")


def hide_the_driver(folder: Path) -> None:
    text = 'raise ModuleNotFoundError("No module named \'asyncpg\'", name="asyncpg")\n'
    (folder / "asyncpg.py").write_text(text)


@pytest.mark.parametrize(
    ("do", "settings", "said"),
    [
        pytest.param(nothing, {"PATIENCE_SECONDS": "inf"}, "PATIENCE_SECONDS", id="no time"),
        pytest.param(nothing, {"ALIAS_FILE": "none.txt"}, "ALIAS_FILE", id="no file of aliases"),
        pytest.param(nothing, {"GAME_VERSIONS": "none.txt"}, "GAME_VERSIONS", id="no file of versions"),
        pytest.param(lose_the_key, {}, "The key file data/kiroku.key is missing", id="lost key"),
        pytest.param(spoil_the_key, {}, "The key file data/kiroku.key holds something", id="binary key"),
        pytest.param(
            hide_the_driver,
            {"DATABASE_URL": "postgresql+asyncpg://host/db", "TOKEN_KEYS": "0" * 43 + "=", "PYTHONPATH": "."},
            "ops/install FOLDER postgres",
            id="no driver",
        ),
    ],
)
async def test_one_sentence_says_what_is_wrong(
    used: Path, do: Callable[[Path], None], settings: dict[str, str], said: str
) -> None:
    do(used)
    sentence = await refused(used, settings)
    assert said in sentence
    assert sentence.endswith(".")


async def test_a_taken_port(used: Path) -> None:
    with create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert (await refused(used, {"METRICS_PORT": str(port)})).startswith(f"Port {port} is in use.")


@asynccontextmanager
async def waiting(folder: Path, words: str) -> AsyncGenerator[None]:
    """Run the program until it says that it waits, and for a block; told to end, it does."""
    program = await start_program(NO_DISCORD, "run", folder, SETTINGS)
    try:
        assert program.stderr is not None
        async with asyncio.timeout(SECONDS):
            while words not in (line := (await program.stderr.readline()).decode()):
                assert line, "it has ended"
            yield
            program.terminate()
            await program.communicate()
        assert program.returncode == 0
    finally:
        if program.returncode is None:
            program.kill()
            await program.communicate()


async def test_before_a_newer_database_it_waits_and_changes_nothing(used: Path) -> None:
    with closing(sqlite3.connect(used / "data" / "kiroku.db")) as database:
        with database:
            database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.execute("PRAGMA user_version = 9999")  # no older version may serve beside it
        async with waiting(used, "newer than this version of Kiroku: waiting"):
            (version,) = database.execute("SELECT version_num FROM alembic_version").fetchone()
    assert version == "9999"
