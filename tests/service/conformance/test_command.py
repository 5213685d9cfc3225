import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from scripted import scripted_service

from bot.__main__ import main
from bot.wire.endpoints import ENDPOINTS
from service.conformance.rules import RULES
from service.options import ServiceOptions
from service.seed import SeedReport
from service.server import running

UNPACED = ServiceOptions(quick_seconds=0)
TOKEN = "0123456789abcdef+/secret"


async def check(address: str, token: str, *options: str) -> Result:
    command: Sequence[str] = ["service", "check", address, "--pause", "0", *options]
    return await asyncio.to_thread(CliRunner().invoke, main, command, env={"RECORD_TOKEN": token})


async def test_our_service_passes_and_what_this_account_cannot_tell_is_said(
    seeded: tuple[Path, SeedReport],
) -> None:
    database, report = seeded
    async with running(database, options=UNPACED) as address:
        result = await check(address, report.players[0].token)
    assert result.exit_code == 0, result.output
    assert "differs" not in result.output
    assert "not checked: name a protected player who is no friend by --stranger" in result.output
    cases = len(ENDPOINTS) + len(RULES)
    assert f"{cases} cases: {cases - 1} as specified, 0 differ, 1 not checked;" in result.output
    assert report.players[0].token not in result.output


async def test_what_differs_is_listed_with_how_often(seeded: tuple[Path, SeedReport]) -> None:
    database, report = seeded
    limited = ServiceOptions(quick_seconds=0, limits={"2.0": 120, "1.3": 300, "1.0": 200})
    async with running(database, options=limited) as address:
        result = await check(address, report.players[0].token)
    assert result.exit_code == 1
    assert "differs      the limits are 120 requests" in result.output
    assert "- version 1.3: X-Rate-Limit-Limit is 300, not 120 (" in result.output


async def test_a_service_that_is_not_there_is_one_sentence() -> None:
    result = await check("http://127.0.0.1:1", TOKEN)
    assert result.exit_code == 1
    assert "not checked: the service cannot be reached" in result.output
    assert "0 requests" in result.output
    assert "secret" not in result.output


async def test_a_service_that_says_the_token_back_does_not_get_it_printed() -> None:
    async with scripted_service() as service:
        service.says({"records": TOKEN, TOKEN: TOKEN}, 200, {"X-Rate-Limit-Limit": TOKEN})
        result = await check(service.url, TOKEN)
    assert result.exit_code == 1
    assert "records is a text, not an array" in result.output
    assert "secret" not in result.output


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["http://records.example", "--token", TOKEN], "plain http would show the token"),
        (["https://records.example"], "no token: give --token-file, or set RECORD_TOKEN"),
    ],
)
def test_what_is_missing_is_said(options: list[str], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RECORD_TOKEN", raising=False)
    result = CliRunner().invoke(main, ["service", "check", *options])
    assert result.exit_code == 1
    assert said in result.output
    assert "secret" not in result.output


async def test_the_token_can_stand_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f"{TOKEN}\n", encoding="utf-8")
    async with scripted_service() as service:
        service.says({}, 429)
        await check(service.url, "", "--token-file", str(tmp_path / "token"))
        assert service.requests[0].query["token"] == TOKEN


def test_a_file_that_holds_no_text_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "token").write_bytes(b"\xff\xfe\x00")
    result = CliRunner().invoke(
        main, ["service", "check", "http://127.0.0.1:1", "--token-file", str(tmp_path / "token")]
    )
    assert (result.exit_code, isinstance(result.exception, SystemExit)) == (1, True)
    assert "cannot be read as UTF-8 text" in result.output
