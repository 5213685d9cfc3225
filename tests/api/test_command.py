import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner, Result
from scripted import Scripted

from bot.__main__ import main
from service.seed import SeededPlayer, seed
from service.server import running


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RECORD_TOKEN", raising=False)
    monkeypatch.delenv("RECORD_API_URL", raising=False)


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SeededPlayer]:
    database = tmp_path_factory.mktemp("command") / "records.db"
    return database, seed(database, players=5).players[0]


@pytest.fixture
async def address(seeded: tuple[Path, SeededPlayer]) -> AsyncIterator[str]:
    async with running(seeded[0]) as address:
        yield address


@pytest.fixture
def token_file(seeded: tuple[Path, SeededPlayer], tmp_path: Path) -> str:
    file = tmp_path / "token"
    file.write_text(seeded[1].token + "\n")
    return str(file)


async def run(*arguments: str, **environment: str) -> Result:
    """Run `kiroku api` in a thread of its own: it starts a loop, and the service needs the test's."""
    return await asyncio.to_thread(CliRunner().invoke, main, ["api", *arguments], env=environment)


@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        (("2.0", "records/rating_data", "--region", "jp2"), "best"),
        (("1.3", "users/me"), "account"),
        (("1.0", "records/filter", "--min-score", "1000000", "--max_level", "13.5"), "scores"),
    ],
)
async def test_one_endpoint_of_each_version_answers(
    address: str, token_file: str, arguments: tuple[str, ...], key: str
) -> None:
    result = await run(*arguments, "--token-file", token_file, "--base-url", address)
    assert result.exit_code == 0, result.output
    assert key in orjson.loads(result.stdout)
    assert "budget: 1" in result.stderr


async def test_raw_is_the_body_as_it_came(scripted: Scripted) -> None:
    scripted.says(b'{"later":  true}')
    environment = {"RECORD_TOKEN": "t0ken", "RECORD_API_URL": scripted.url}
    result = await run("1.3", "users/me", "--raw", **environment)
    assert result.stdout == '{"later":  true}\n'
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("2.0", "records/showall", "--region", "jp2"), "no token: name a file"),
        (("2.0", "records/nothing"), "version 2.0 has no records/nothing: choose one of records/showall"),
        (("1.3", "users/me", "--region", "jp2"), "users/me takes no region; it takes nothing"),
        (("1.3", "users/show", "--user-id", "me"), "user_id takes a value of type integer"),
    ],
)
async def test_a_wrong_question_is_told_before_anything_is_sent(
    arguments: tuple[str, ...], said: str
) -> None:
    result = await run(*arguments)
    assert result.exit_code == 1
    assert said in result.stderr


@pytest.mark.parametrize(
    ("base_url", "said"),
    [
        ("http://records.example", "plain http would show every member's token"),
        ("", "is not a URL"),
        ("http://127.0.0.1:1", "the service is not available (connection refused)"),
    ],
)
async def test_a_wrong_address_is_told(base_url: str, said: str) -> None:
    result = await run("1.3", "users/me", "--base-url", base_url, RECORD_TOKEN="t0ken")
    assert result.exit_code == 1
    assert said in result.stderr
    assert "t0ken" not in result.output


async def test_a_wrong_token_is_told(address: str) -> None:
    result = await run("1.3", "users/me", "--base-url", address, RECORD_TOKEN="wr0ng")
    assert result.exit_code == 1
    assert "the service rejected the token" in result.stderr
    assert "wr0ng" not in result.output


async def test_a_token_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_bytes(b"t0ken\xff\xfe")
    result = await run("1.3", "users/me", "--token-file", str(file))
    assert result.exit_code == 1
    assert "cannot be read as UTF-8 text" in result.stderr
    assert "t0ken" not in result.output


async def test_help_says_what_a_name_means_where() -> None:
    text = " ".join((await run("--help")).output.split())
    assert "one-letter difficulty (music/stat); letters of b, a, e, m, joined (records/filter)" in text


@pytest.mark.parametrize("raw", [(), ("--raw",)])
async def test_html_is_told(scripted: Scripted, raw: tuple[str, ...]) -> None:
    scripted.says(b"<html>down</html>", 404 if raw else 200)
    result = await run("1.3", "users/me", "--base-url", scripted.url, *raw, RECORD_TOKEN="t0ken")
    assert result.exit_code == 1
    assert ("status: 404" if raw else "the reply is not the specification's") in result.stderr
