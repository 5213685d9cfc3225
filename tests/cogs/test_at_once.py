"""A profile and the records beside it are asked for at once: whoever waits, waits for the slower alone."""

import pytest
from door import Door
from world import World

AT_ONCE = 2


@pytest.fixture
def door() -> Door:
    return Door(lambda path: path.startswith(("/1.3/users/", "/2.0/records/")), AT_ONCE)


@pytest.mark.parametrize("command", ["rating", "best", "plan", "overpower"])
async def test_both_are_under_way_at_once(world: World, door: Door, command: str) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    async with world.behind(door):
        reply = await alice.slash(world.discord.channel, command)
    assert "ＭＩＮＡＭＯ" in reply.everything
    assert door.most == AT_ONCE


async def test_what_goes_wrong_with_both_is_told_once(world: World, door: Door) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    async with world.behind(door):
        reply = await alice.slash(world.discord.channel, "rating", player="nobody_of_that_name")
    assert reply.is_private
    assert "Check the spelling" in reply.text
    assert door.most == AT_ONCE


async def test_who_refreshes_waits_for_the_slower_alone_too(world: World, door: Door) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    async with world.behind(door):
        reply = await alice.slash(world.discord.channel, "rating")
        door.shut()
        await alice.click(reply, "Refresh")
    assert door.most == AT_ONCE
