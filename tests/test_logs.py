"""Holds `bot/base/logs.py`."""

import asyncio
import io
import json
import logging
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rigged import running_rig, started

from bot.base.logs import SecretFree, SecretFreeJson, note

TOKEN = "0123456789abcdef" * 4


TEXT = SecretFree("%(message)s%(about)s")


def logged(message: str, *values: object, form: logging.Formatter = TEXT) -> str:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(form)
    logger = logging.Logger("test")  # noqa: LOG001 - one that no other test sees
    logger.addHandler(handler)
    logger.warning(message, *values)
    return stream.getvalue()


def test_what_looks_like_a_token_does_not_reach_the_log() -> None:
    assert (
        logged("GET /2.0/x.json?region=jp2&token=abc&n=1")
        == "GET /2.0/x.json?region=jp2&token=[removed]&n=1\n"
    )
    assert TOKEN not in logged("failed for %s", TOKEN)


def test_everything_else_does() -> None:
    assert logged("server %s", 12) == "server 12\n"


def test_a_line_of_json_says_when_in_utc_and_stays_json_without_its_secrets() -> None:
    said = json.loads(logged('"token=%s" of %s', "abc", TOKEN, form=SecretFreeJson()))
    assert said.keys() == {"time", "level", "logger", "message"}
    assert said["message"] == '"token=[removed]" of [removed]'
    assert said["time"].endswith("+00:00")


def test_a_fault_is_part_of_its_line() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(SecretFreeJson())
    logger = logging.Logger("test")  # noqa: LOG001 - as above
    logger.addHandler(handler)
    try:
        int(TOKEN)
    except ValueError:
        logger.exception("fault")
    (line,) = stream.getvalue().splitlines()
    assert "Traceback" in json.loads(line)["error"]
    assert TOKEN not in line


async def test_what_a_line_is_about_is_that_of_its_task_alone() -> None:
    async def say(command: str, *, form: logging.Formatter) -> str:
        note(command=command, shard=None)
        await asyncio.sleep(0)
        note(interaction=1)
        return logged("said", form=form)

    text, line = await asyncio.gather(say("best", form=TEXT), say("song", form=SecretFreeJson()))
    assert text == "said command=best interaction=1\n"
    assert json.loads(line)["command"] == "song"
    assert logged("said") == "said\n"


SAYING = "import logging; from bot.base import logs; logs.set_up('INFO', '{form}'); logging.getLogger('bot').info('here')"


@pytest.mark.parametrize(("form", "is_json"), [("auto", True), ("json", True), ("text", False)])
def test_what_nobody_sits_before_is_json(form: str, *, is_json: bool) -> None:
    code = [sys.executable, "-c", SAYING.format(form=form)]
    said = subprocess.run(code, capture_output=True, text=True, check=True).stderr
    assert said.startswith("{") is is_json
    assert is_json or said.endswith("Z INFO bot: here\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk here that is always full")
def test_what_finds_no_room_is_no_failure() -> None:
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    code = [sys.executable, "-c", SAYING.format(form="auto")]
    with Path("/dev/full").open("w") as disk:
        ended = subprocess.run(code, stderr=disk, env=buffered, check=False)
    assert ended.returncode == 0


def test_on_a_terminal_it_is_text() -> None:
    ours, theirs = pty.openpty()
    subprocess.run([sys.executable, "-c", SAYING.format(form="auto")], stderr=theirs, check=True)
    os.close(theirs)
    with os.fdopen(ours, "rb") as terminal:
        assert terminal.readline().endswith(b"INFO bot: here\r\n")


@pytest.mark.parametrize("form", ["auto", "json", "text"])
def test_whose_standard_error_was_closed_goes_on_without_a_log(form: str) -> None:
    """As a scheduler or `2>&-` starts it: what cannot be said ends nothing."""
    saying = [sys.executable, "-c", SAYING.format(form=form) + "\nprint('and on')"]
    code = ["sh", "-c", 'exec "$@" 2>&-', "sh", *saying]
    assert subprocess.run(code, stdout=subprocess.PIPE, text=True, check=True).stdout == "and on\n"


@pytest.mark.processes
async def test_a_bot_that_is_ready_says_so_in_one_line(tmp_path: Path) -> None:
    async with running_rig(shards=1, guilds=3) as rig, started(rig, "one", tmp_path, LOG_LEVEL="INFO") as bot:
        assert bot.stderr is not None
        said = ""
        while not said.startswith("ready: "):
            said = json.loads(await bot.stderr.readline())["message"]
    assert re.fullmatch(
        r"ready: Kiroku .+ in 3 servers on 1 of 1 shards, SQLite at revision \d{4}, no songs yet", said
    )


VOICE = """
import asyncio, discord, logging
from bot.base import logs

async def main():
    discord.Client(intents=discord.Intents.none())
    logging.getLogger("discord.client").warning("heard of %s", "this")

{set_up}
asyncio.run(main())
"""


@pytest.mark.parametrize("set_up", ["logging.basicConfig(level='INFO')", "logs.set_up('INFO')"])
def test_an_operator_is_not_warned_of_voice_which_no_command_uses(set_up: str) -> None:
    """The library warns once in a process: hence one of its own, and one that shows what it would say."""
    code = VOICE.format(set_up=set_up)
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr
    assert "heard of this" in said
    assert ("voice will NOT be supported" in said) is ("basicConfig" in set_up)


SPEAKING = """
import asyncio, logging
from bot.base import logs
from bot.domain.ids import GuildId, SongId
from bot.store import Alias, Store, Vault, new_key

async def main():
    async with Store("sqlite+aiosqlite://", Vault([new_key()])) as store:
        await store.aliases.save(GuildId(1), "folded", Alias("a name that somebody typed", SongId("0")))
    logging.getLogger("bot.anything").debug("heard of this")

logs.set_up("DEBUG")
asyncio.run(main())
"""


def test_what_is_written_into_the_database_is_not_written_into_the_log() -> None:
    code = [sys.executable, "-c", SPEAKING]
    said = subprocess.run(code, capture_output=True, text=True, check=True).stderr
    assert "heard of this" in said
    assert "somebody typed" not in said
