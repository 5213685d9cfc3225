from datetime import timedelta
from typing import cast
from zoneinfo import ZoneInfo

import pytest
from world import World

from bot.client import KirokuBot
from bot.domain.members import Visibility
from cogs.daily import DailyCog

TOKYO = ZoneInfo("Asia/Tokyo")


async def tick(bot: KirokuBot) -> None:
    """Do what the loop does at each look at the clock."""
    # Not an isinstance check: loading a cog makes its module, and so its class, anew.
    cog = cast("DailyCog", bot.get_cog("DailyCog"))
    await cog._tick.coro(cog)


def at_nine(world: World) -> None:
    """Move to the next 21:00 in Tokyo."""
    now = world.clock.now().astimezone(TOKYO)
    nine = now.replace(hour=21, minute=0, second=0, microsecond=0)
    world.clock.advance((nine - now + timedelta(days=nine <= now)).total_seconds())


async def test_each_day_a_post_with_the_ratings_of_those_who_joined(world: World) -> None:
    boss = world.discord.person("Boss", manager=True)
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "minamo_plays")
    await world.link(bob, "DrBeat", Visibility.SERVERS)
    set_up = await boss.slash(
        world.discord.channel, "daily channel", channel=world.discord.channel, time="21:00"
    )
    assert set_up.is_private
    assert "Asia/Tokyo" in set_up.everything.replace("\\", "")
    for person in (alice, bob):
        joined = await person.slash(world.discord.channel, "daily join")
        assert joined.is_private
        assert world.discord.channel.mention in joined.everything
    at_nine(world)
    await tick(world.bot)
    first = (await world.discord.post(world.discord.channel)).embeds[0]
    assert "first day" in str(first.description)
    assert str(first.description).index("Dr") < str(first.description).index("ＭＩＮＡＭＯ")
    world.clock.advance(timedelta(days=1).total_seconds())
    await tick(world.bot)
    second = (await world.discord.post(world.discord.channel, after=1)).embeds[0]
    assert str(second.description).startswith("No change: ")


async def test_only_managers_set_it_up(world: World) -> None:
    alice = world.discord.person("Alice", locale="ja")
    reply = await alice.slash(
        world.discord.channel, "daily channel", channel=world.discord.channel, time="21:00"
    )
    assert reply.is_private
    assert "管理権限" in reply.text


@pytest.mark.parametrize(
    ("time", "timezone", "named"),
    [("25:00", "Asia/Tokyo", "`time`"), ("21:00", "Mars/Olympus", "`timezone`")],
)
async def test_what_is_no_time_or_zone(world: World, time: str, timezone: str, named: str) -> None:
    boss = world.discord.person("Boss", manager=True)
    reply = await boss.slash(
        world.discord.channel, "daily channel", channel=world.discord.channel, time=time, timezone=timezone
    )
    assert reply.is_private
    assert named in reply.text


async def test_joining_wants_a_post_and_a_link(world: World) -> None:
    boss = world.discord.person("Boss", manager=True)
    alice = world.discord.person("Alice")
    assert "no daily post" in (await alice.slash(world.discord.channel, "daily join")).text
    await boss.slash(world.discord.channel, "daily channel", channel=world.discord.channel, time="9:30")
    assert "/link" in (await alice.slash(world.discord.channel, "daily join")).text


async def test_leaving_and_turning_off(world: World) -> None:
    boss = world.discord.person("Boss", manager=True)
    await world.link(boss, "mio")
    await boss.slash(world.discord.channel, "daily channel", channel=world.discord.channel, time="21")
    await boss.slash(world.discord.channel, "daily join")
    assert "no more" in (await boss.slash(world.discord.channel, "daily leave")).everything
    assert "were not in" in (await boss.slash(world.discord.channel, "daily leave")).everything
    assert "turned off" in (await boss.slash(world.discord.channel, "daily off")).everything
    assert "no daily post" in (await boss.slash(world.discord.channel, "daily off")).text


async def test_time_zones_are_suggested(world: World) -> None:
    boss = world.discord.person("Boss", manager=True)
    choices = await boss.autocomplete(world.discord.channel, "daily channel", timezone="tokyo")
    assert {"name": "Asia/Tokyo", "value": "Asia/Tokyo"} in choices


async def test_no_post_while_the_service_is_away(world: World) -> None:
    boss = world.discord.person("Boss", manager=True)
    await world.link(boss, "mio")
    await boss.slash(world.discord.channel, "daily channel", channel=world.discord.channel, time="21:00")
    await boss.slash(world.discord.channel, "daily join")
    await world.stop_service()
    at_nine(world)
    daily = world.bot.features.daily
    (post,) = await daily.find_due()
    await tick(world.bot)
    assert "a daily post waits" in world.log.text
    assert await daily.find_due() == []
    world.clock.advance(601)
    assert await daily.find_due() == [post]
    assert world.discord.channel.posts() == []
