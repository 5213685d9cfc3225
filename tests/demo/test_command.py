"""The demo as a program: what it says, how it ends, what it leaves behind."""

import asyncio
import importlib.util
import signal
import sys
from pathlib import Path
from socket import create_server

import pytest
from aiohttp import ClientSession
from click.testing import CliRunner
from demonstration import TOKEN, demonstration

from bot.__main__ import main


@pytest.mark.processes
async def test_it_says_that_it_is_ready_once_and_when_it_is(tmp_path: Path) -> None:
    async with demonstration(tmp_path) as demo:
        assert [line.startswith("ready: ") for line in demo.said] == [False, True]
        assert "/link" in demo.said[0]
        async with ClientSession() as session, session.get(demo.url) as reply:
            assert reply.status == 200


@pytest.mark.processes
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
async def test_it_ends_without_a_word_and_leaves_nothing(tmp_path: Path, sent: signal.Signals) -> None:
    async with demonstration(tmp_path) as demo:
        assert demo.databases()
        assert await demo.stop(sent) == 0
        assert demo.log == ""
        assert not demo.databases()


@pytest.mark.processes
async def test_no_token_is_in_a_log_or_a_database(tmp_path: Path) -> None:
    async with demonstration(tmp_path) as demo:
        databases = demo.databases()
        assert {"kiroku.db", "service.db"} <= databases.keys()
        for content in databases.values():
            assert not TOKEN.search(content.decode("latin-1"))
        assert not TOKEN.search(demo.log)


def test_a_taken_port_is_one_sentence() -> None:
    with create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = CliRunner().invoke(main, ["demo", "--port", str(port)])
    assert result.exit_code == 1
    assert result.output == f"Error: Port {port} is in use. Choose another one with --port.\n"


def test_a_broken_catalogue_is_one_sentence(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{}")
    result = CliRunner().invoke(main, ["demo", "--port", "0", "--no-browser", "--catalogue", str(broken)])
    assert result.exit_code == 1
    reason = "expected a list of songs: Input should be a valid tuple"
    assert result.output == f"Error: {broken} is not a reply of music/showall: {reason}.\n"


def find_nothing(_name: str) -> None:
    return None


def test_without_simcord_it_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", find_nothing)
    result = CliRunner().invoke(main, ["demo"])
    assert result.exit_code == 1
    assert (
        result.output
        == "Error: The demo needs simcord. Install it beside the bot with: ops/install FOLDER demo\n"
    )


@pytest.mark.processes
async def test_the_other_commands_do_not_need_simcord() -> None:
    program = "import sys; import bot.__main__; sys.exit('simcord' in sys.modules)"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", program)
    assert await process.wait() == 0
