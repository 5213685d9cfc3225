import io
import logging
import subprocess
import sys

import pytest

from bot.logs import SecretFree

TOKEN = "0123456789abcdef" * 4


def logged(message: str, *values: object) -> str:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(SecretFree("%(message)s"))
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


VOICE = """
import asyncio, discord, logging
from bot import logs

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
from bot import logs
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
