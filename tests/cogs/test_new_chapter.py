"""Posts around the day on which a version of the game begins, and that what feeds and posts tell adds up."""

import asyncio
import re
from datetime import timedelta
from decimal import Decimal

import pytest
from dailies import posted, settled, start_daily
from explained import explain_player, work_out_player
from turning import begin_version, go_to
from world import World

from bot.demo.days import play_day
from bot.domain.gains import to_thousandths
from bot.domain.game_rating import PLACES
from bot.domain.game_versions import game_day
from bot.domain.members import Visibility

pytestmark = pytest.mark.own
PLAYER = "minamo_plays"


async def test_a_channel_is_told_once_that_a_version_comes(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await start_daily(world, PLAYER)
    version = begin_version(world, monkeypatch, days=16)
    posts = [await posted(world) for _ in range(5)]
    assert [f"**{version.name}** begins on" in post for post in posts] == [False, True, False, False, False]
    assert "says what it does to your rating" in posts[1]


async def test_a_version_that_is_known_late_is_told_of_still(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await start_daily(world, PLAYER)
    await posted(world)
    begin_version(world, monkeypatch, days=5)
    assert ["begins on" in await posted(world) for _ in range(2)] == [True, False]


async def test_the_fall_is_no_loss_but_first_steps(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    (person,) = await start_daily(world, PLAYER)
    await person.slash(person.direct, "session")
    await posted(world)
    await settled(world)
    version = begin_version(world, monkeypatch)
    table = world.bot.features.game_ratings.versions
    world.clock.advance((version.begins_at - world.clock.now() + timedelta(hours=2)).total_seconds())
    turned = work_out_player(world.service_database, PLAYER, version)
    await asyncio.to_thread(play_day, world.service_database, [PLAYER], world.clock.now())
    after = explain_player(world.service_database, PLAYER, game_day(world.clock.now()), table).worked_out
    await person.slash(person.direct, "session")
    await settled(world)
    post = await posted(world)
    gained = Decimal((after.rating or 0) - (turned.rating or 0)) / 100
    expected = f"first steps in {version.name}: +{gained}" if gained else f"{version.name} has begun"
    assert expected in post
    assert "Lower than before" not in post
    assert "−" not in post
    assert version.name not in await posted(world)


@pytest.mark.parametrize("days", [1, 3])
async def test_what_a_feed_tells_adds_up(world: World, days: int) -> None:
    boss, person = world.discord.person("Boss", manager=True), world.discord.person(PLAYER)
    await boss.slash(world.discord.channel, "feed channel", channel=world.discord.channel)
    await world.link(person, PLAYER, Visibility.SERVERS)
    await person.slash(world.discord.channel, "feed join")
    await person.slash(person.direct, "session")
    await settled(world)
    before = explain_player(world.service_database, PLAYER)
    for _ in range(days):
        world.clock.advance(24 * 3600)
        await asyncio.to_thread(play_day, world.service_database, [PLAYER], world.clock.now())
    await person.slash(person.direct, "session")
    await settled(world)
    world.clock.advance(3600)
    await world.tick()
    (post,) = world.discord.channel.posts()
    said = str(post.embeds[0].description)
    after = explain_player(world.service_database, PLAYER)
    gains = [Decimal(gain) for gain in re.findall(r"\*\*\+(\d+\.\d{3})\*\*", said)]
    gained = to_thousandths(after.worked_out.sum - before.worked_out.sum, PLACES)
    assert len(gains) > 1
    assert sum(gains) == Decimal(gained) / 1000
    change = (after.worked_out.rating or 0) - (before.worked_out.rating or 0)
    assert f"(+{Decimal(change) / 100})" in said or not change


async def test_a_feed_tells_of_the_fall_as_a_chapter(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    boss, person = world.discord.person("Boss", manager=True), world.discord.person(PLAYER)
    await boss.slash(world.discord.channel, "feed channel", channel=world.discord.channel)
    await world.link(person, PLAYER, Visibility.SERVERS)
    await person.slash(world.discord.channel, "feed join")
    await person.slash(person.direct, "session")
    await settled(world)
    before = explain_player(world.service_database, PLAYER).worked_out.rating or 0
    version = begin_version(world, monkeypatch)
    go_to(world, version.begins_at + timedelta(hours=2))
    turned = work_out_player(world.service_database, PLAYER, version).rating or 0
    await asyncio.to_thread(play_day, world.service_database, [PLAYER], world.clock.now())
    table = world.bot.features.game_ratings.versions
    after = explain_player(world.service_database, PLAYER, game_day(world.clock.now()), table)
    await person.slash(person.direct, "session")
    await settled(world)
    world.clock.advance(3600)
    await world.tick()
    (post,) = world.discord.channel.posts()
    said = str(post.embeds[0].description)
    assert f"**{version.name}** has begun: {before / 100:.2f} → {turned / 100:.2f}" in said
    gained = (after.worked_out.rating or 0) - turned
    assert f"({f'+{gained / 100:.2f}' if gained else '±0'})" in said
    assert "−" not in said


async def test_card_and_plot_begin_anew(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, PLAYER)
    await alice.slash(world.discord.channel, "best")
    await settled(world)
    version = begin_version(world, monkeypatch, days=2)
    go_to(world, version.begins_at + timedelta(hours=2))
    await asyncio.to_thread(play_day, world.service_database, [PLAYER], world.clock.now())
    card = await alice.slash(world.discord.channel, "best")
    (picture,) = card.files
    assert "down" not in str(picture.description)
    assert "Came in" not in str(picture.description)
    await settled(world)
    assert not (await alice.slash(world.discord.channel, "rating")).files
