"""What keeps `kiroku run` from starting, as an operator meets it: one sentence with the cause and the next step."""

import asyncio
import gc
import json
import sqlite3
import sys
import threading
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from functools import partialmethod
from pathlib import Path
from socket import create_server
from typing import cast

import discord
import pytest
from click.testing import CliRunner
from collector import walks
from redirected import start_program
from refusing import Refusing, refusing_discord
from yarl import URL

from bot.__main__ import main
from bot.base import logs
from bot.base.config import CannotStart, Settings
from bot.chat.answers import note_waiting
from bot.chat.client import KirokuBot
from bot.demo.redirected import redirected
from bot.domain.ids import JP2, MemberId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.program import process
from bot.program.app import create_bot
from bot.program.process import NEVER, QUIET_POLL_SECONDS, collect_when_quiet, run_until_signalled
from bot.store import Store, new_key, open_vault

SETTINGS = {"DISCORD_TOKEN": "x", "RECORD_API_URL": "https://records.example"}


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in an empty folder with nothing else set."""
    monkeypatch.chdir(tmp_path)
    for name in ("DISCORD_TOKEN", "RECORD_API_URL", "TOKEN_KEYS", "DATABASE_URL", "LOG_LEVEL"):
        monkeypatch.delenv(name, raising=False)


def refused(command: str, settings: Mapping[str, str] | None = None) -> str:
    """Return the one sentence with which a command ends; what is logged before it stands in lines of its own."""
    result = CliRunner().invoke(main, command.split(), env={**SETTINGS, **(settings or {})})
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == 1
    assert "Traceback" not in result.output
    sentence = result.stderr.splitlines()[-1]
    if command == "run" and sentence.startswith("{"):  # once the log is set up, all are lines of it
        sentence = json.loads(sentence)["message"]
    assert sentence.endswith("."), sentence
    return sentence


@pytest.mark.parametrize("name", ["PATIENCE_SECONDS", "FRESH_SECONDS"])
@pytest.mark.parametrize("value", ["inf", "nan", "1e300", "-1"])
def test_a_time_that_is_none(name: str, value: str) -> None:
    assert refused("run", {name: value}).startswith(f"These settings are not right: {name}.")


def test_an_env_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"LOG_LEVEL=\xff\xfe")
    assert refused("run").startswith("The file .env cannot be read.")


def missing(_path: Path) -> None:
    pass


def binary(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\x00")


def folder_of_folders(path: Path) -> None:
    (path / "pack.txt").mkdir(parents=True)


@pytest.mark.parametrize(
    ("make", "reason"),
    [(missing, "No such file"), (binary, "is no text in UTF-8"), (folder_of_folders, "Is a directory")],
)
def test_an_alias_file_that_cannot_be_read(make: Callable[[Path], None], reason: str, tmp_path: Path) -> None:
    make(tmp_path / "aliases.txt")
    said = refused("run", {"ALIAS_FILE": "aliases.txt"})
    assert "aliases.txt" in said
    assert reason in said
    assert "ALIAS_FILE" in said


def test_a_taken_port() -> None:
    with create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused("run", {"METRICS_PORT": str(port)})
    assert said == f"Port {port} is in use. Set METRICS_PORT to another one, or to 0 to do without."


@pytest.mark.parametrize(
    ("url", "cause"),
    [
        ("garbage", "is no address"),
        ("postgresql+asyncpg://user:secret@host:port/db", "is no address"),
        ("nosuchdialect://user:secret@host/db", "is not known"),
        ("postgresql+pg8000://user:secret@host/db", "is not installed (pg8000)"),
        ("postgresql+asyncpg://user:secret@127.0.0.1:1/db", "does not answer"),
        ("postgresql+asyncpg://user:secret@host/db?sslmode=require", "question mark"),
        ("sqlite:///data/kiroku.db", "cannot use"),
        ("sqlite+aiosqlite:///text", "is no SQLite database"),
        ("sqlite+aiosqlite:////proc/nowhere/kiroku.db", "folder"),
    ],
)
@pytest.mark.parametrize("command", ["db upgrade", "keys rotate"])
def test_a_database_that_cannot_be_opened(command: str, url: str, cause: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello, this is a text of some length, and no database at all" * 99)
    said = refused(command, {"DATABASE_URL": url, "TOKEN_KEYS": new_key()})
    assert "DATABASE_URL" in said
    assert cause in said
    assert "secret" not in said


@pytest.mark.parametrize("command", ["db upgrade", "keys rotate"])
def test_a_driver_that_is_not_installed(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    said = refused(command, {"DATABASE_URL": "postgresql+asyncpg://host/db", "TOKEN_KEYS": new_key()})
    assert "(asyncpg)" in said
    assert "ops/install FOLDER postgres" in said


def test_where_there_is_no_database_no_key_is_said_to_be_changed(tmp_path: Path) -> None:
    said = refused("keys rotate", {"DATABASE_URL": "sqlite+aiosqlite:///data/kiroku.db"})
    assert said.startswith("There is no database at data/kiroku.db,")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["run", "db upgrade", "keys rotate"])
@pytest.mark.parametrize(
    "url", ["nonsense", "postgres://u:p@h/db", "mysql://h/db", "postgresql+asyncpg://h:x/db"]
)
def test_of_an_address_that_is_none_it_is_said_before_keys_are_asked_for(command: str, url: str) -> None:
    said = refused(command, {"DATABASE_URL": url})
    assert "DATABASE_URL" in said
    assert "TOKEN_KEYS" not in said


@pytest.mark.parametrize("command", ["db upgrade", "keys rotate"])
def test_a_database_that_is_no_file_demands_keys(command: str, tmp_path: Path) -> None:
    """A key made on one machine would not open what another one keeps."""
    said = refused(command, {"DATABASE_URL": "postgresql+asyncpg://user:secret@127.0.0.1:1/db"})
    assert said.startswith("TOKEN_KEYS is not set")
    assert "kiroku keys new" in said
    assert "secret" not in said
    assert list(tmp_path.iterdir()) == []


def test_a_database_that_somebody_holds(tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["db", "upgrade"]).exit_code == 0
    with closing(sqlite3.connect(tmp_path / "data" / "kiroku.db")) as holder:
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        assert refused("db upgrade").startswith("Another program holds the database")


@pytest.mark.parametrize("command", ["db upgrade", "keys rotate"])
def test_a_database_newer_than_the_code(command: str, tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["db", "upgrade"]).exit_code == 0
    with closing(sqlite3.connect(tmp_path / "data" / "kiroku.db")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    assert refused(command).startswith("The database was made by a newer version of Kiroku.")


def save_a_link(tmp_path: Path, *keys: str) -> None:
    link = AccountLink(
        member=MemberId(1),
        user_id=UserId(7),
        user_name=UserName("alice"),
        region=JP2,
        visibility=Visibility.ONLY_ME,
        linked_at=datetime(2026, 11, 1, tzinfo=UTC),
    )
    path = tmp_path / "data" / "kiroku.db"

    async def save() -> None:
        async with Store(f"sqlite+aiosqlite:///{path}", open_vault(keys, path)) as store:
            await store.links.save(link, "5d" * 32)

    asyncio.run(save())


@pytest.mark.parametrize("command", ["db upgrade", "keys rotate"])
def test_a_lost_key_is_not_replaced_while_links_need_it(command: str, tmp_path: Path) -> None:
    save_a_link(tmp_path)
    key = tmp_path / "data" / "kiroku.key"
    kept = key.read_bytes()
    key.unlink()
    said = refused(command)
    assert said.startswith("The key file data/kiroku.key is missing")
    assert "kiroku keys new" in said
    assert not key.exists()
    key.write_bytes(kept)
    assert CliRunner().invoke(main, ["keys", "rotate"]).output.startswith("1 tokens")


def test_a_key_that_is_lost_for_good_is_replaced_on_purpose(tmp_path: Path) -> None:
    save_a_link(tmp_path)
    (tmp_path / "data" / "kiroku.key").unlink()
    assert CliRunner().invoke(main, ["db", "upgrade"], env={"TOKEN_KEYS": new_key()}).exit_code == 0


def test_a_key_file_goes_when_the_keys_are_the_operators(tmp_path: Path) -> None:
    save_a_link(tmp_path, new_key())
    assert not (tmp_path / "data" / "kiroku.key").exists()


@pytest.mark.parametrize("command", ["db upgrade", "keys rotate"])
@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"", b"not-a-key\n"])
def test_a_key_file_that_holds_no_key(command: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "kiroku.key").write_bytes(content)
    assert refused(command) == (
        "The key file data/kiroku.key holds something that is no key. Put it back from your backup."
    )


@pytest.fixture
async def refusing() -> AsyncGenerator[Refusing]:
    async with refusing_discord() as discord:
        yield discord


async def start(url: str, folder: Path) -> str:
    """Start the bot on that Discord, and return why it cannot."""
    database = f"sqlite+aiosqlite:///{folder / 'kiroku.db'}"
    bot = create_bot(Settings(record_api_url="https://records.example", database_url=database))
    with redirected(URL(url)), pytest.raises(CannotStart) as caught:
        await run_until_signalled(bot, "x")
    return str(caught.value)


async def test_once_it_has_logged_in_not_everything_is_walked_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    thresholds: list[int] = []

    async def login(_bot: KirokuBot, _token: str) -> None:
        thresholds.append(gc.get_threshold()[2])

    monkeypatch.setattr(KirokuBot, "login", login)
    monkeypatch.setattr(KirokuBot, "connect", partialmethod(login, ""))
    database = f"sqlite+aiosqlite:///{tmp_path / 'kiroku.db'}"
    bot = create_bot(Settings(record_api_url="https://records.example", database_url=database))
    before = gc.get_threshold()
    await run_until_signalled(bot, "x")
    assert thresholds == [before[2], NEVER]
    assert gc.get_threshold() == before


async def test_garbage_is_collected_while_nobody_waits_for_an_answer() -> None:
    async def answer() -> None:
        note_waiting(cast("discord.Interaction", None))
        assert await collect_when_quiet() == QUIET_POLL_SECONDS

    with walks() as noted:
        await asyncio.create_task(answer())
        assert 2 not in noted
        assert QUIET_POLL_SECONDS < await collect_when_quiet() <= 600  # rings would grow meanwhile
        assert 2 in noted


async def test_as_a_program_it_says_so_and_ends(refusing: Refusing, tmp_path: Path) -> None:
    program = await start_program(refusing.url, "run", tmp_path, {**SETTINGS, "LOG_LEVEL": "ERROR"})
    _, said = await asyncio.wait_for(program.communicate(), 60)
    assert program.returncode == 1
    (line,) = said.decode().splitlines()
    assert json.loads(line)["message"].startswith("Discord rejected DISCORD_TOKEN.")


@logs.last_words()
def fail() -> None:
    failing = threading.Thread(target=lambda: 1 // 0)
    failing.start()
    failing.join()
    raise LookupError


@pytest.mark.parametrize(("form", "is_text"), [("text", True), ("json", False), ("auto", False)])
def test_last_words_are_as_all_others(
    tmp_path: Path, form: str, capsys: pytest.CaptureFixture[str], *, is_text: bool
) -> None:
    """Of a fault that nobody has thought of, of a thread's, and of what keeps the bot from starting."""
    (tmp_path / "aliases.txt").mkdir()
    refused = CliRunner().invoke(
        main, ["run"], env={**SETTINGS, "LOG_FORMAT": form, "ALIAS_FILE": "aliases.txt"}
    )
    assert refused.exit_code == 1
    assert (refused.stderr.splitlines()[-1][0] != "{") == is_text
    logs.set_up("INFO", "json")
    with pytest.raises(SystemExit) as ended:
        fail()
    assert ended.value.code == 1
    thread, last = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert "ZeroDivisionError" in thread["error"]
    assert (last["level"], last["message"]) == ("CRITICAL", "ended by a fault")
    assert "LookupError" in last["error"]


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        (4004, "Discord rejected DISCORD_TOKEN."),
        (4010, "number of this connection"),
        (4011, "more servers"),
        (4013, "intents"),
        (4014, "developer portal"),
    ],
)
async def test_the_gateway_will_not_have_the_bot(
    refusing: Refusing, tmp_path: Path, code: int, cause: str
) -> None:
    refusing.close = code
    assert cause in await start(refusing.url, tmp_path)


INVALID = {
    "code": 50035,
    "message": "Invalid Form Body",
    "errors": {"0": {"name": {"_errors": [{"code": "X", "message": "Command name is invalid"}]}}},
}


@pytest.mark.parametrize(
    ("status", "body", "cause"),
    [
        (403, {"code": 50001, "message": "Missing Access"}, "register its commands (status 403, code 50001)"),
        (400, INVALID, "Command name is invalid"),
        (400, {"code": 30034, "message": "Max number of daily creates"}, "code 30034"),
    ],
)
async def test_discord_does_not_take_the_commands(
    refusing: Refusing, tmp_path: Path, status: int, body: object, cause: str
) -> None:
    refusing.commands = status, body
    assert cause in await start(refusing.url, tmp_path)


async def test_discord_rejects_the_token(refusing: Refusing, tmp_path: Path) -> None:
    refusing.logins = [401]
    assert (await start(refusing.url, tmp_path)).startswith("Discord rejected DISCORD_TOKEN.")


async def test_who_may_not_log_in_yet_tries_again(
    refusing: Refusing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_LOGIN_RETRY_SECONDS", 0.0)
    refusing.logins = [429, 429, 200]
    refusing.close = 4013
    assert "intents" in await start(refusing.url, tmp_path)


async def test_discord_cannot_be_reached(tmp_path: Path) -> None:
    assert (await start("http://127.0.0.1:1", tmp_path)).startswith("Discord cannot be reached.")


def test_intents_that_are_not_granted_are_named() -> None:
    said = process.refusal_of(discord.PrivilegedIntentsRequired(None))
    assert "intent" in said.lower()
