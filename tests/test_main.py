"""The command line, as an operator meets it."""

import asyncio
import re
import resource
import stat
import subprocess
import sys
from base64 import b64encode
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from pydantic import SecretStr

from bot.__main__ import main
from bot.base.config import Settings, read_settings
from bot.domain.ids import JP2, MemberId, UserId, UserName
from bot.domain.kept import KeptAnswer
from bot.domain.members import AccountLink, Visibility
from bot.program.questions import find_invite
from bot.store import Store, Vault, new_key

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in an empty folder with nothing set."""
    monkeypatch.chdir(tmp_path)
    for name in ("DISCORD_TOKEN", "RECORD_API_URL", "TOKEN_KEYS", "DATABASE_URL", "LOG_LEVEL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({}, "DISCORD_TOKEN is not set"),
        ({"DISCORD_TOKEN": "x"}, "RECORD_API_URL is not set"),
        ({"DISCORD_TOKEN": "x", "RECORD_API_URL": "http://example.com"}, "RECORD_API_URL"),
        ({"LOG_LEVEL": "LOUD"}, "LOG_LEVEL"),
        ({"FRESH_SECONDS": "soon"}, "FRESH_SECONDS"),
    ],
)
def test_run_says_which_setting_is_wrong(settings: dict[str, str], named: str) -> None:
    result = CliRunner().invoke(main, ["run"], env=settings)
    assert result.exit_code == 1
    assert named in result.stderr
    assert "Traceback" not in result.output


def test_upgrade_makes_the_database_and_a_key_for_its_owner_alone(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["db", "upgrade"])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "data" / "kiroku.db").exists()
    assert stat.S_IMODE((tmp_path / "data" / "kiroku.key").stat().st_mode) == 0o600


def test_questions_make_a_file_of_settings_that_nobody_else_can_read(tmp_path: Path) -> None:
    asked = ["a.b'c", "ftp://nowhere", "https://records.example", "", "https://records.example/token", ""]
    result = CliRunner().invoke(main, ["init"], input="".join(f"{line}\n" for line in asked))
    assert result.exit_code == 0, result.output
    assert "is not right" in result.output  # of the first address
    assert "a.b'c" not in result.output
    file = tmp_path / ".env"
    assert file.stat().st_mode & 0o777 == 0o600
    assert read_settings() == Settings(
        discord_token=SecretStr("a.b'c"),
        record_api_url="https://records.example",
        token_url="https://records.example/token",
    )
    again = CliRunner().invoke(main, ["init"])
    assert (again.exit_code, again.stderr.count("already")) == (1, 1)


def test_questions_about_a_server_make_a_key_too() -> None:
    url = "postgresql+asyncpg://user:p#w@host/db"
    CliRunner().invoke(main, ["init"], input=f"t\nhttps://records.example\n\n\n{url}\n")
    settings = read_settings()
    assert settings.database_url == url
    assert Vault(settings.token_keys_in_clear)


def test_questions_end_with_the_address_to_invite_the_bot_by(tmp_path: Path) -> None:
    number = b64encode(b"123456789012345678").decode().rstrip("=")
    token = f"{number}.G00d.signature"
    result = CliRunner().invoke(main, ["init"], input=f"{token}\nhttps://records.example\n\n\n\n")
    (address,) = re.findall(r"https://discord\.com/\S+", result.output)
    page = (ROOT / "docs/hosting.md").read_text(encoding="utf-8")
    assert address.replace("123456789012345678", "ID") in page
    assert f"# The bot is invited by {address}\n" in (tmp_path / ".env").read_text()
    assert find_invite("no token") == find_invite("") == find_invite("w6Qx.y") == ""


def test_questions_for_containers_put_each_secret_into_a_file_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "t.o.k\nhttps://records.example\nown\nhttps://records.example/token\n"
    result = CliRunner().invoke(main, ["init", "--secrets", "secrets"], input=said)
    assert result.exit_code == 0, result.output
    folder = tmp_path / "secrets"
    assert folder.stat().st_mode & 0o777 == 0o700
    named = {"discord_token", "record_token", "token_keys", "database_password"}
    assert {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()} == dict.fromkeys(
        named, 0o444
    )
    assert {line.partition("=")[0] for line in (tmp_path / ".env").read_text().splitlines()[1:]} == {
        "RECORD_API_URL",
        "TOKEN_URL",
    }
    for name in named:
        monkeypatch.setenv(f"{name}_FILE".upper(), str(folder / name))
    monkeypatch.setenv("DATABASE_URL", "postgresql+asyncpg://kiroku@database/kiroku")
    settings = read_settings()
    assert settings.discord_token.get_secret_value() == "t.o.k"
    assert settings.database_url.startswith("postgresql+asyncpg://kiroku:")
    assert Vault(settings.token_keys_in_clear)
    (tmp_path / ".env").unlink()
    again = CliRunner().invoke(main, ["init", "--secrets", "secrets"])
    assert again.stderr == "There is something in secrets already: name another folder.\n"


def test_a_folder_that_is_closed_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("bot.base.new_files.os.open", refuse)
    result = CliRunner().invoke(main, ["init"], input="t\nhttps://records.example\n\n\n\n")
    assert result.exit_code == 1
    assert (
        result.stderr
        == "The file .env cannot be written (Permission denied). Start this in a folder of yours.\n"
    )


def test_a_disk_without_room_leaves_no_half_file_of_settings(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, before[1]))
    try:
        full = CliRunner().invoke(main, ["init"], input="t\nhttps://records.example\n\n\n\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (
        full.stderr == "The file .env cannot be written (File too large). Start this in a folder of yours.\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_with_keys_of_the_operator_no_key_is_made(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["db", "upgrade"], env={"TOKEN_KEYS": new_key()})
    assert result.exit_code == 0, result.output
    assert [file.name for file in (tmp_path / "data").iterdir()] == ["kiroku.db"]


@pytest.mark.parametrize("command", [["db", "upgrade"], ["keys", "rotate"]])
def test_what_is_no_key_is_refused(command: list[str]) -> None:
    result = CliRunner().invoke(main, command, env={"TOKEN_KEYS": "not-a-key"})
    assert result.exit_code == 1
    assert "kiroku keys new" in result.stderr
    assert "not-a-key" not in result.output


@pytest.mark.parametrize(
    "url",
    [
        "garbage",
        "sqlite+aiosqlite:////proc/nowhere/kiroku.db",
        "sqlite+aiosqlite:///not-a-database",
        "nosuchdialect://user:secret@host/db",
    ],
)
@pytest.mark.parametrize("command", [["db", "upgrade"], ["run"]])
def test_a_database_that_cannot_be_opened(tmp_path: Path, command: list[str], url: str) -> None:
    (tmp_path / "not-a-database").write_text("hello, this is a text of some length, and no database at all")
    settings = {
        "DATABASE_URL": url,
        "DISCORD_TOKEN": "x",
        "RECORD_API_URL": "https://records.example",
        "TOKEN_KEYS": new_key(),
    }
    result = CliRunner().invoke(main, command, env=settings)
    assert result.exit_code == 1
    assert "DATABASE_URL" in result.stderr
    assert "secret" not in result.output
    assert isinstance(result.exception, SystemExit)


def test_a_new_key_can_be_used() -> None:
    key = CliRunner().invoke(main, ["keys", "new"]).output.strip()
    CliRunner().invoke(main, ["db", "upgrade"], env={"TOKEN_KEYS": key})
    result = CliRunner().invoke(main, ["keys", "rotate"], env={"TOKEN_KEYS": key})
    assert result.exit_code == 0, result.output
    assert result.output.startswith("0 tokens")


def test_new_keys_leave_no_answer_under_the_former_ones(tmp_path: Path) -> None:
    now, old, url = (
        datetime(2026, 11, 1, tzinfo=UTC),
        new_key(),
        f"sqlite+aiosqlite:///{tmp_path / 'kiroku.db'}",
    )
    link = AccountLink(
        member=MemberId(1), user_id=UserId(7), user_name=UserName("alice"), region=JP2,
        visibility=Visibility.SERVERS, linked_at=now,
    )  # fmt: skip
    answer = KeptAnswer(account=link.user_id, question="player", body=b"{}", fetched_at=now)

    async def keep() -> None:
        async with Store(url, Vault([old])) as store:
            await store.links.save(link, "5d" * 32)
            await store.answers.save(answer, since=now)

    async def fetch() -> Sequence[KeptAnswer]:
        async with Store(url, Vault([old])) as store:
            return await store.answers.fetch_all(link.user_id)

    asyncio.run(keep())
    assert asyncio.run(fetch()) == [answer]
    settings = {"TOKEN_KEYS": f"{new_key()},{old}", "DATABASE_URL": url}
    assert CliRunner().invoke(main, ["keys", "rotate"], env=settings).output.startswith("1 token")
    assert asyncio.run(fetch()) == []


def test_the_migrations_are_checked() -> None:
    assert CliRunner().invoke(main, ["db", "check"]).exit_code == 0


def run_python(code: str, *words: str) -> list[str]:
    """Return the last line that a new interpreter prints, in words."""
    program = [sys.executable, "-c", code, *words]
    said = subprocess.run(program, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    return said.splitlines()[-1].split()


HEAVY = {"discord", "sqlalchemy", "aiohttp", "pydantic", "cryptography"}


@pytest.mark.parametrize(
    ("command", "spared"),
    [
        ("--help", {*HEAVY, "asyncio", "sqlite3", "bot.program.command", "service"}),
        ("run --help", HEAVY),
        ("db restore --help", HEAVY),
        ("keys --help", HEAVY),
        ("service --help", HEAVY - {"pydantic"}),
        ("service check --help", HEAVY - {"pydantic"}),
        ("service polite --help", HEAVY - {"pydantic"}),
        ("demo --help", HEAVY - {"pydantic"}),
        ("api --help", {"discord", "sqlalchemy", "cryptography"}),
        ("keys new", {"discord", "aiohttp"}),
        ("mcp --help", {*HEAVY, "mcp"} - {"pydantic"}),
        ("db check", {"discord", "aiohttp"}),
    ],
)
def test_a_command_waits_for_nothing_that_another_needs(command: str, spared: set[str]) -> None:
    code = "import sys; from bot.__main__ import main; main(standalone_mode=False); print(*sys.modules)"
    loaded = run_python(code, *command.split())
    assert "click" in loaded
    assert spared.isdisjoint(loaded)


def test_what_a_bot_at_rest_does_without_is_loaded_when_it_is_needed() -> None:
    code = (
        "import sys, bot.program.app, bot.program.process; from bot.chat.registration import cog_names; "
        "[__import__(name) for name in cog_names()]; print(*sys.modules)"
    )
    loaded = run_python(code)
    assert {"bot.program.app", "cogs.best"} <= {*loaded}
    later = {
        "PIL",
        "alembic",
        "aiohttp.web",
        "prometheus_client",
        "sqlalchemy.dialects.postgresql",
    }
    assert later.isdisjoint(loaded)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk here that is always full")
@pytest.mark.parametrize("asked", ["keys new", "--help", "--version", "db --help"])
def test_what_is_written_to_a_full_disk_is_refused_in_one_sentence(asked: str) -> None:
    with Path("/dev/full").open("w") as disk:
        program = [sys.executable, "-m", "bot", *asked.split()]
        ended = subprocess.run(program, stdout=disk, stderr=subprocess.PIPE, text=True, check=False, cwd=ROOT)
    assert ended.stderr == (
        "Error: What this command writes finds no room (No space left on device). Make room, and try again.\n"
    )
    assert ended.returncode == 1
