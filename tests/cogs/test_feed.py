"""`/feed`: who is told of, what, where, and that it is told once."""

import asyncio
import re
import sqlite3
from collections.abc import Callable, Coroutine, Mapping
from contextlib import closing
from typing import Any, Final

import discord
import pytest
from dailies import TOKYO, at_nine, play, settled
from harness import Channel, Person
from world import World

from bot.database.tables import FEED_MEMBERS, POST_PLANS, POSTS, SITTINGS
from bot.domain.ids import MemberId
from bot.domain.members import Visibility

HOUR = 3600
JOIN = "Let members of servers we share look, and join"


async def start_feed(world: World, player: str = "DrBeat", **worth: Any) -> Person:
    """Set a feed up that a player has joined whose records are known; return them."""
    boss = world.discord.person("Boss", manager=True)
    await boss.slash(world.discord.channel, "feed channel", channel=world.discord.channel, **worth)
    person = world.discord.person(player)
    await world.link(person, player, Visibility.SERVERS)
    await person.slash(world.discord.channel, "feed join")
    await look(world, person)
    return person


async def look(world: World, person: Person) -> None:
    """Have somebody look at their records, some minutes after they last did."""
    world.clock.advance(600)
    await person.slash(person.direct, "session")
    await settled(world)


async def played(world: World, person: Person, *, points: int = 1) -> None:
    """Have somebody play, and look at it."""
    await play(world, "DrBeat", points=points)
    await look(world, person)


async def told(world: World, channel: Channel | None = None) -> list[str]:
    """Let an hour go by; return what was posted until then."""
    world.clock.advance(HOUR)
    await world.tick()
    posts = (channel or world.discord.channel).posts()
    return [f"{post.embeds[0].title}\n{post.embeds[0].description}" for post in posts]


async def states(world: World) -> list[tuple[object, object]]:
    """Return what became of the messages, the first one first."""
    rows = sorted((row for row in await world.rows(POSTS) if row["part"]), key=lambda row: str(row["due_at"]))
    return [(row["state"], row["reason"]) for row in rows]


async def test_what_somebody_plays_is_told_once_they_have_stopped(world: World) -> None:
    beat = await start_feed(world)
    assert await told(world) == []  # the first look is no session
    world.clock.advance(24 * HOUR)
    await played(world, beat)
    await world.tick()
    assert world.discord.channel.posts() == []
    (said,) = await told(world)
    assert said.startswith(f"New bests of Dr.Beat\n<@{beat.id}> Rating **")
    assert re.search(r"\n\*\*.+\*\*\n<:MAS_k", said)
    assert "(+1)" in said
    assert len(await told(world)) == 1
    assert await states(world) == [("sent", None)]
    assert await world.rows(SITTINGS) == []
    (message,) = world.discord.channel.posts()
    kept = world.discord.wire.backend.messages[world.discord.channel.id].values()
    assert not any(post.allowed_mentions.allows_user(beat.id) for post in kept)
    session = await beat.click(world.discord.seen(message), "Session")
    assert session.is_private
    assert "(+1)" in (await beat.click(session, "List")).everything


async def test_what_is_found_while_it_waits_is_told_with_it(world: World) -> None:
    beat = await start_feed(world)
    for points in (1, 2):
        await played(world, beat, points=points)
        world.clock.advance(HOUR / 2)
        await world.tick()
    (said,) = await told(world)
    assert "(+3)" in said
    assert await states(world) == [("sent", None)]
    await played(world, beat, points=4)
    assert ["(+4)" in each for each in await told(world)] == [False, True]


async def test_a_sitting_that_goes_on_just_before_it_is_sent_is_sent_whole(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    beat = await start_feed(world)
    await played(world, beat)
    world.clock.advance(HOUR)
    gather = world.bot.features.feed.gather

    async def gathered(*arguments: Any) -> Any:
        found = await gather(*arguments)
        await played(world, beat, points=2)
        return found

    with monkeypatch.context() as patch:
        patch.setattr(world.bot.features.feed, "gather", gathered)
        await world.tick()
    assert world.discord.channel.posts() == []
    (said,) = await told(world)
    assert "(+3)" in said


@pytest.mark.parametrize(
    ("worth", "count"),
    [({"rank": "SSS_PLUS"}, 0), ({"lamp": "ALL_JUSTICE"}, 0), ({"gain": 50.0}, 0), ({"rank": "SSS"}, 1)],
)
async def test_a_channel_is_told_what_is_worth_it_there(
    world: World, worth: Mapping[str, Any], count: int
) -> None:
    beat = await start_feed(world, **worth)
    await played(world, beat, points=await points_to(world, 1_007_500))
    assert len(await told(world)) == count
    assert await states(world) == [("sent", None) if count else ("skipped", "nothing")]


async def points_to(world: World, score: int) -> int:
    """Return how far the record that is raised is from a score."""

    def lowest() -> int:
        with closing(sqlite3.connect(world.service_database)) as database:
            ((found,),) = database.execute(
                "SELECT min(score) FROM records JOIN charts USING (chart_id) JOIN accounts USING (user_id)"
                " WHERE user_name = 'DrBeat' AND difficulty = 'MAS' AND region = 'jp2' AND constant > 0"
            )
            return int(found)

    return score - await asyncio.to_thread(lowest)


async def test_each_channel_tells_what_was_set_for_it(world: World) -> None:
    beat = await start_feed(world)
    other = world.discord.home.channel("other")
    boss = world.discord.person("Other", manager=True)
    listed = await boss.slash(world.discord.channel, "feed channel", channel=other, lamp="ALL_JUSTICE")
    assert other.mention in listed.everything
    assert "· AJ" in listed.everything
    assert "every new best" in listed.everything
    await played(world, beat)
    assert (len(await told(world)), len(await told(world, other))) == (1, 0)
    await boss.slash(world.discord.channel, "feed channel", channel=other, rank="S", gain=0.05)
    seen = await beat.slash(world.discord.channel, "feed list")
    assert seen.is_private
    assert "You are in it" in seen.everything
    assert "rating +0.05 or more / S or higher" in seen.everything
    assert not seen.components
    left = await boss.slash(world.discord.channel, "feed off")
    assert "You are in it" not in left.everything
    (menu,) = left.components
    left = await boss.choose(left, menu.custom_id, menu.options[0])
    assert world.discord.channel.mention not in left.everything
    assert "turned off" in (await boss.slash(world.discord.channel, "feed off")).everything
    assert "no feed" in (await beat.slash(world.discord.channel, "feed list")).text


async def test_nothing_is_told_but_of_who_joined_and_from_then_on(world: World) -> None:
    beat = await start_feed(world)
    mio = world.discord.person("mio")
    await world.link(mio, "mio", Visibility.ANYONE)
    await look(world, mio)
    await play(world, "mio")
    await look(world, mio)
    assert await told(world) == []
    await beat.slash(world.discord.channel, "feed leave")
    await play(world, "DrBeat", points=1)
    world.clock.advance(60)
    joined = await beat.slash(world.discord.channel, "feed join")
    assert joined.is_private
    assert world.discord.channel.mention in joined.everything
    await look(world, beat)
    assert await told(world) == []
    await played(world, beat, points=2)
    (said,) = await told(world)
    assert "(+2)" in said


async def test_one_set_to_only_me_is_asked_before_they_join(world: World) -> None:
    boss = world.discord.person("Boss", manager=True)
    alice = world.discord.person("Alice")
    assert "no feed" in (await alice.slash(world.discord.channel, "feed join")).text
    await boss.slash(world.discord.channel, "feed channel", channel=world.discord.channel)
    assert "/link" in (await alice.slash(world.discord.channel, "feed join")).text
    await world.link(alice, "DrBeat")
    question = await alice.slash(world.discord.channel, "feed join")
    for part in ("Discord name", "rating", world.discord.channel.mention):
        assert part in question.everything
    assert await world.rows(FEED_MEMBERS) == []
    assert "You are in" in (await alice.click(question, JOIN)).everything
    assert len(await world.rows(FEED_MEMBERS)) == 1
    assert "You are out" in (await alice.slash(world.discord.channel, "feed leave")).everything
    assert "were not in" in (await alice.slash(world.discord.channel, "feed leave")).everything


async def hide(_: World, beat: Person) -> None:
    settings = await beat.slash(beat.direct, "settings")
    await beat.choose(settings, "Who may look you up", "Only me")


async def leave(world: World, beat: Person) -> None:
    beat.leave(world.discord.home)


async def erase(_: World, beat: Person) -> None:
    question = await beat.slash(beat.direct, "privacy erase")
    await beat.click(question, "Erase everything")


def used(command: str) -> Callable[[World, Person], Coroutine[None, None, None]]:
    async def use(world: World, beat: Person) -> None:
        await beat.slash(world.discord.channel, command)

    return use


ENDS: Final = {
    "hides": hide,
    "leaves the server": leave,
    "erases": erase,
    "unlinks": used("unlink"),
    "leaves the feed": used("feed leave"),
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
async def test_who_is_gone_is_not_told_of_and_nothing_of_them_stays(
    world: World, end: Callable[[World, Person], Coroutine[None, None, None]]
) -> None:
    beat = await start_feed(world)
    await played(world, beat)
    assert len(await world.rows(SITTINGS)) == 1
    await end(world, beat)
    assert await told(world) == []
    assert await states(world) == [("skipped", "nothing")]
    for table in (FEED_MEMBERS, SITTINGS):
        assert await world.rows(table) == []
    assert str(beat.id) not in str(await world.rows(POSTS))


async def test_who_hides_just_before_is_not_told_of_though_other_posts_are_gathered(world: World) -> None:
    beat = await start_feed(world)
    await played(world, beat)
    world.clock.advance(HOUR - 60)
    posts = await world.rest_posts()
    await posts.prepare_upcoming()
    await hide(world, beat)
    assert await told(world) == []


async def test_a_look_waits_for_nobody(world: World) -> None:
    """It says nothing, so that a server out of sight keeps nobody waiting for it."""
    await start_feed(world)
    guild = world.bot.get_guild(world.discord.home.id)
    assert guild is not None
    guild.unavailable = True
    world.clock.advance(24 * HOUR)
    await world.tick()
    assert world.bot.features.posts.waiting == 0
    assert world.bot.features.posts.counts.total() == 0


async def test_what_is_exported_has_what_waits_to_be_told(world: World) -> None:
    beat = await start_feed(world)
    await played(world, beat)
    exported = await world.bot.features.privacy.export(MemberId(beat.id))
    assert [len(exported.tables[name]) for name in ("feed_members", "sittings")] == [1, 1]
    kept = await beat.slash(beat.direct, "privacy show")
    assert "In the feed of 1 server" in kept.everything
    assert "In the feed of 1 server" in (await beat.slash(beat.direct, "account")).everything


async def test_a_lost_reply_costs_no_message_and_makes_no_second_one(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    beat = await start_feed(world)
    await played(world, beat)
    send = discord.abc.Messageable.send

    async def lost(channel: Any, *arguments: Any, **options: Any) -> discord.Message:
        await send(channel, *arguments, **options)
        raise OSError

    with monkeypatch.context() as losing:
        losing.setattr(discord.abc.Messageable, "send", lost)
        assert len(await told(world)) == 1
    assert await states(world) == [("due", "discord")]
    await played(world, beat, points=2)  # which is another sitting: the first may stand
    assert ["(+1)" in each for each in await told(world)] == [True, False]
    assert await states(world) == [("sent", "discord"), ("sent", None)]


async def test_a_bot_that_was_away_tells_it_for_six_hours(world: World) -> None:
    beat = await start_feed(world)
    for hours, count in ((5, 1), (7, 1)):
        await played(world, beat)
        world.clock.advance(hours * HOUR)
        await world.start_bot()
        assert len(await told(world)) == count
    assert await states(world) == [("sent", None), ("skipped", "away")]
    assert await world.rows(SITTINGS) == []


async def test_a_channel_that_takes_nothing_is_given_up_after_three_days_not_three_messages(
    world: World,
) -> None:
    beat = await start_feed(world)
    mio = world.discord.person("mio")
    await world.link(mio, "mio", Visibility.SERVERS)
    await mio.slash(world.discord.channel, "feed join")
    await look(world, mio)
    managers = world.discord.home.channel("managers")
    world.discord.wire.backend.guilds[world.discord.home.id].system_channel_id = managers.id
    path = f"/channels/{world.discord.channel.id}/messages"
    for day in range(3):
        assert managers.posts() == []
        at_nine(world)
        await played(world, beat)
        world.clock.advance(HOUR / 2)
        await play(world, "mio")
        await look(world, mio)
        for _ in (beat, mio):
            world.discord.wire.inject_error("POST", path, status=403, times=1)
            world.clock.advance(HOUR / 2)
            await world.tick()
            assert world.discord.channel.posts() == []
            world.clock.advance(HOUR / 2)
        (plan,) = await world.rows(POST_PLANS)
        assert plan["refused"] == day + 1
    (said,) = managers.posts()
    assert "Feed turned off" in str(said.embeds[0].title)
    await played(world, beat)
    assert await told(world) == []
    assert await world.rows(SITTINGS) == []
    boss = world.discord.person("Boss2", manager=True)
    listed = await boss.slash(world.discord.channel, "feed list")
    assert "off: I could not write there" in listed.everything
    await boss.slash(world.discord.channel, "feed channel", channel=world.discord.channel)
    await played(world, beat)
    assert len(await told(world)) == 1


async def test_who_does_not_look_is_looked_at_once_a_day(world: World) -> None:
    await start_feed(world)
    await play(world, "DrBeat", points=1)
    now = world.clock.now().astimezone(TOKYO)
    evening = now.replace(hour=22, minute=50, second=0)
    world.clock.advance((evening - now).total_seconds() % (24 * HOUR))
    await world.bot.features.refresh.run_once()
    (said,) = await told(world)
    assert "(+1)" in said
    looks = [row for row in await world.rows(POSTS) if not row["part"]]
    assert {row["reason"] for row in looks if row["state"] != "due"} == {"nothing"}
    assert world.bot.features.posts.counts["skipped"] == 0


async def test_a_server_that_the_bot_leaves_takes_its_feed_along(world: World) -> None:
    beat = await start_feed(world)
    await played(world, beat)
    await world.bot.features.servers.leave(world.bot.guilds[0].id)  # type: ignore[arg-type]  # an id is an id
    for table in (FEED_MEMBERS, SITTINGS, POST_PLANS, POSTS):
        assert await world.rows(table) == []
