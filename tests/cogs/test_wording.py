"""What every answer says, whole: sentences that code puts together are read here, not the catalogue alone."""

import re

import pytest
from walk import walk
from world import World

from bot.domain.members import Visibility


@pytest.mark.heavy
async def test_answers_in_japanese_read_as_japanese(world: World) -> None:
    hanako, bob = world.discord.person("Hanako", locale="ja", manager=True), world.discord.person("Bob")
    await world.link(bob, "minamo_plays", Visibility.SERVERS)
    await world.link(hanako, "DrBeat", Visibility.SERVERS)
    public = 0
    async for name, reply in walk(world, hanako, world.discord.channel, bob):
        said = reply.everything
        assert re.findall(r"\S*[。、！？] .{9}", said) == [], name
        if not reply.is_private:
            public += 1
            # Everyone reads it: whose own score it is must be plain.
            assert "自分" not in said.replace("（自分は ", ""), name
    assert public > 5
