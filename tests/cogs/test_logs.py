"""What the log says of who asked what, where something went wrong."""

import io
import json
import logging

import pytest
from world import World

from bot.base.logs import SecretFreeJson
from bot.features.about import About


async def test_a_line_says_which_command_it_is_about(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(_about: About) -> None:
        raise RuntimeError

    monkeypatch.setattr(About, "report", fail)
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(SecretFreeJson())
    logging.getLogger("bot.chat.answers").addHandler(handler)
    await world.discord.person("Alice").slash(world.discord.channel, "about")
    logging.getLogger("bot.chat.answers").removeHandler(handler)
    said = json.loads(stream.getvalue())
    assert (said["command"], said["shard"]) == ("about", 0)
    assert said["interaction"] > 0
