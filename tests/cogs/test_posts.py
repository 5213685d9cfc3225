"""How posts are made: once each, whatever goes wrong beside it."""

import asyncio
import json
import re
from argparse import Namespace
from datetime import datetime, time, timedelta
from typing import Any, cast

import discord
import pytest
from dailies import at_nine, start_daily
from discord.http import HTTPClient
from world import World

from bot.chat import post_delivery, post_pace, post_scheduler
from bot.cluster.member import ClusterMember
from bot.database.tables import POST_PLANS, POSTS
from bot.domain.errors import CannotRead
from bot.domain.ids import ChannelId, GuildId
from bot.domain.posts import PostFailure, PostPlan
from bot.features.daily import Daily
from bot.features.posts import ShardShare


def texts(world: World) -> list[str]:
    return [str(post.embeds[0].description) for post in world.discord.channel.posts()]


async def states(world: World) -> list[tuple[object, object]]:
    return [(row["state"], row["reason"]) for row in await world.rows(POSTS)]


async def lose_reply(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the next post made, and its reply lost."""
    send = discord.abc.Messageable.send

    async def lost(channel: Any, *arguments: Any, **options: Any) -> discord.Message:
        await send(channel, *arguments, **options)
        raise OSError

    with monkeypatch.context() as losing:
        losing.setattr(discord.abc.Messageable, "send", lost)
        await world.tick()


async def test_a_refused_post_is_tried_on_the_next_days_and_given_up_after_three(world: World) -> None:
    await start_daily(world, "mio")
    managers = world.discord.home.channel("managers")
    world.discord.wire.backend.guilds[world.discord.home.id].system_channel_id = managers.id
    at_nine(world)
    await world.tick()
    path = f"/channels/{world.discord.channel.id}/messages"
    for number in range(3):
        assert managers.posts() == []
        world.discord.wire.inject_error("POST", path, status=403, times=1)
        at_nine(world)
        for _ in range(2):
            await world.tick()
        assert (await states(world))[1:][: number + 1] == [("skipped", "refused")] * (number + 1)
    (told,) = managers.posts()
    assert world.discord.channel.mention in str(told.embeds[0].description)
    at_nine(world)
    await world.tick()
    assert len(texts(world)) == 1
    boss = world.discord.person("Boss2", manager=True)
    await boss.slash(world.discord.channel, "daily channel", channel=world.discord.channel, time="21:00")
    at_nine(world)
    await world.tick()
    assert len(texts(world)) == 2


@pytest.mark.parametrize("takes_messages", [True, False])
async def test_where_no_system_channel_takes_it_whoever_set_a_post_up_is_told_that_its_channel_is_gone(
    world: World, *, takes_messages: bool
) -> None:
    """Or the owner of the server, where they cannot be reached."""
    boss = world.discord.person("Boss", manager=True)
    owner, gone = world.discord.person("Owner"), world.discord.home.channel("gone")
    backend = world.discord.wire.backend
    backend.guilds[world.discord.home.id].owner_id = owner.id
    backend.guilds[world.discord.home.id].system_channel_id = gone.id if takes_messages else None
    await boss.slash(world.discord.channel, "daily channel", channel=gone, time="21:00")
    backend.delete_channel(gone.id)
    if not takes_messages:
        boss.leave(world.discord.home)
    for _ in range(3):
        assert [boss.direct.posts(), owner.direct.posts()] == [[], []]
        at_nine(world)
        await world.tick()
    reached, other = (boss, owner) if takes_messages else (owner, boss)
    (told,) = reached.direct.posts()
    assert "The channel of the daily post has been gone" in str(told.embeds[0].description)
    assert "This is about the server Home." in str(told.embeds[0].description)
    assert other.direct.posts() == []
    assert (await states(world))[:3] == [("skipped", "gone")] * 3


@pytest.mark.parametrize("how", ["daily", "form", "setup", "feed"])
async def test_who_sets_a_post_up_is_noted_until_they_have_it_erased(world: World, how: str) -> None:
    boss, channel = world.discord.person("Boss", manager=True), world.discord.channel
    values = {"what": ["daily"], "at": "21 UTC", "language": ["auto"], "channel": channel}
    match how:
        case "daily":
            await boss.slash(channel, "daily channel", channel=channel, time="21:00")
        case "form":
            await boss.submit(await boss.slash(channel, "daily channel"), values)
        case "setup":
            typed = {"daily": channel, "at": "21 UTC", "language": ["auto"], "first": []}
            await boss.submit(await boss.slash(channel, "setup"), typed)
        case _:
            await boss.slash(channel, "feed channel")
    assert [row["set_up_by"] for row in await world.rows(POST_PLANS)] == [boss.id]
    await boss.click(await boss.slash(channel, "privacy erase"), "Erase everything")
    assert [row["set_up_by"] for row in await world.rows(POST_PLANS)] == [None]


async def test_a_system_channel_that_takes_nothing_is_no_end(world: World) -> None:
    boss = world.discord.person("Boss", manager=True)
    managers = world.discord.home.channel("managers")
    world.discord.wire.backend.guilds[world.discord.home.id].system_channel_id = managers.id
    await boss.slash(world.discord.channel, "daily channel", channel=world.discord.channel, time="21:00")
    for channel in (world.discord.channel, managers):
        world.discord.wire.inject_error("POST", f"/channels/{channel.id}/messages", status=403, times=3)
    for _ in range(3):
        at_nine(world)
        await world.tick()
    (told,) = boss.direct.posts()
    assert world.discord.channel.mention in str(told.embeds[0].description)


async def test_what_may_stand_is_sent_again_at_once_and_looked_for_later(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await start_daily(world, "mio")
    at_nine(world)
    await lose_reply(world, monkeypatch)
    assert await states(world) == [("due", "discord")]
    world.clock.advance(600)
    await world.tick()
    assert len(texts(world)) == 1
    assert (await states(world))[0] == ("sent", "discord")


async def test_a_post_is_found_also_where_its_embeds_were_taken_away(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await start_daily(world, "mio")
    at_nine(world)
    await lose_reply(world, monkeypatch)
    (post,) = world.discord.channel.posts()
    world.discord.wire.backend.messages[world.discord.channel.id][post.id].embeds = []
    world.clock.advance(600)
    await world.tick()
    assert len(world.discord.channel.posts()) == 1
    assert (await states(world))[0] == ("sent", "discord")


async def test_what_is_sent_again_is_sent_under_the_same_nonce_of_which_discord_makes_one(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await start_daily(world, "mio")
    at_nine(world)
    sent: list[tuple[object, object]] = []
    send_message = HTTPClient.send_message

    def record(http: HTTPClient, channel: int, *, params: Any) -> Any:
        form = params.multipart
        payload = json.loads(form[0]["value"]) if form else params.payload
        sent.append((payload["nonce"], payload["enforce_nonce"]))
        return send_message(http, channel, params=params)

    monkeypatch.setattr(HTTPClient, "send_message", record)
    await lose_reply(world, monkeypatch)
    world.clock.advance(60)
    await world.tick()
    (nonce, _) = sent[0]
    assert nonce
    assert sent == [(nonce, True)] * 2


async def test_what_discord_has_refused_does_not_stand_and_the_log_says_what_it_was(world: World) -> None:
    await start_daily(world, "mio")
    at_nine(world)
    path = f"/channels/{world.discord.channel.id}/messages"
    world.discord.wire.inject_error(
        "POST", path, status=400, code=50035, message="Invalid Form Body", times=1
    )
    await world.tick()
    (row,) = await world.rows(POSTS)
    assert (row["state"], row["reason"], row["tried_at"]) == ("due", "broken", None)
    assert re.search(r"Discord did not accept a post: plan \d+, status 400, code 50035", world.log.text)
    world.clock.advance(601)
    await world.tick()
    assert len(texts(world)) == 1


async def test_a_post_of_which_the_reply_cannot_be_read_stands(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await start_daily(world, "mio")
    at_nine(world)
    send_message = HTTPClient.send_message

    async def odd(http: HTTPClient, channel: int, *, params: Any) -> Any:
        said: dict[str, Any] = dict(await send_message(http, channel, params=params))
        return said | {"attachments": [None]}

    monkeypatch.setattr(HTTPClient, "send_message", odd)
    await world.tick()
    assert len(texts(world)) == 1
    assert (await states(world))[0][0] == "sent"
    assert "a post stands that cannot be read" in world.log.text


async def test_no_mark_of_a_post_is_read_by_people_and_its_buttons_lead_on(world: World) -> None:
    (mio,) = await start_daily(world, "mio")
    at_nine(world)
    await world.tick()
    (post,) = world.discord.channel.posts()
    assert not post.embeds[0].footer
    seen = world.discord.seen(post)
    assert re.search(r"^aside@[0-9a-f]+-[0-9]{6}:", seen.components[0].custom_id)
    assert "You are in" in (await mio.click(seen, "Join")).everything


async def test_what_was_looked_for_in_vain_is_sent(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await start_daily(world, "mio")
    at_nine(world)
    await lose_reply(world, monkeypatch)
    for message in world.discord.channel.posts():
        await world.bot.http.delete_message(world.discord.channel.id, message.id)
    world.clock.advance(600)
    await world.tick()
    assert len(texts(world)) == 1
    row = (await world.rows(POSTS))[0]
    assert (row["state"], row["late"]) == ("sent", True)


async def test_a_post_that_cannot_be_looked_for_now_is_looked_for_soon(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord refuses to be asked so often, as when many posts are looked for after a death."""
    await start_daily(world, "mio")
    at_nine(world)
    await lose_reply(world, monkeypatch)
    world.clock.advance(600)
    world.discord.wire.inject_error("GET", "/channels/*/messages", status=429, times=1)
    await world.tick()
    assert (await states(world))[0] == ("due", "discord")
    world.clock.advance(60)
    await world.tick()
    assert (await states(world))[0] == ("sent", "discord")
    assert "Traceback" not in world.log.text


async def test_however_many_posts_are_looked_for_those_that_are_due_do_not_wait(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a death of whoever was posting: some are looked for now, others at the next look at the clock."""
    monkeypatch.setattr(post_scheduler, "_MAX_SEARCHES_PER_TICK", 1)
    await start_daily(world, "mio")
    second, third = (world.discord.home.channel(name) for name in ("second", "third"))
    for channel, at in ((second, time(21)), (third, time(21, 10))):
        plan = PostPlan(channel=ChannelId(channel.id), post_at=at, timezone="Asia/Tokyo")
        await world.bot.features.daily.add(GuildId(world.discord.home.id), plan)
    at_nine(world)
    await lose_reply(world, monkeypatch)
    world.clock.advance(600)
    for settled in (1, 2):
        await world.tick()
        assert len(third.posts()) == 1
        assert [state for state, reason in await states(world) if reason == "discord"].count(
            "sent"
        ) == settled
    assert [len(each.posts()) for each in (world.discord.channel, second)] == [1, 1]


async def test_a_database_that_cannot_be_read_for_a_moment_delays_a_post_by_a_moment(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await start_daily(world, "mio")
    at_nine(world)

    async def look_again(_daily: Daily, _post: object) -> None:
        raise CannotRead

    with monkeypatch.context() as reading:
        reading.setattr(Daily, "look_again", look_again)
        await world.tick()
    assert await states(world) == [("due", "away")]
    world.clock.advance(15)
    await world.tick()
    assert len(texts(world)) == 1
    assert "Traceback" not in world.log.text


async def test_what_may_stand_where_the_bot_may_not_look_is_not_sent_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await start_daily(world, "mio")
    at_nine(world)
    await lose_reply(world, monkeypatch)
    world.clock.advance(600)
    world.discord.wire.inject_error("GET", "/channels/*/messages", status=403, times=1)
    for _ in range(3):
        await world.tick()
        world.clock.advance(600)
    assert len(texts(world)) == 1
    assert (await states(world))[0] == ("skipped", "unknown")


@pytest.mark.parametrize("newer", [1, 2, 3])
async def test_what_may_stand_beneath_more_messages_than_are_looked_through_is_not_sent_again(
    world: World, monkeypatch: pytest.MonkeyPatch, newer: int
) -> None:
    monkeypatch.setattr(post_delivery, "_MAX_MESSAGES_SEARCHED", 2)
    (mio,) = await start_daily(world, "mio")
    at_nine(world)
    await lose_reply(world, monkeypatch)
    for _ in range(newer):
        await mio.say(world.discord.channel, "gg")
    world.clock.advance(600)
    for _ in range(2):
        await world.tick()
    assert sum(bool(each.embeds) for each in world.discord.channel.posts()) == 1
    assert (await states(world))[0] == (("sent", "discord") if newer < 2 else ("skipped", "unknown"))


async def test_a_process_that_others_may_have_taken_for_dead_sends_no_post(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has taken it for dead makes its posts."""
    await start_daily(world, "mio")
    at_nine(world)
    with monkeypatch.context() as dead:
        dead.setattr(ClusterMember, "is_within_ttl", False)
        await world.tick()
    assert texts(world) == []
    assert await states(world) == [("due", "away")]
    world.clock.advance(15)
    await world.tick()
    assert len(texts(world)) == 1


@pytest.mark.parametrize(
    "trouble", [OSError(), discord.HTTPException(cast("Any", Namespace(status=429, reason="")), "")]
)
@pytest.mark.heavy
async def test_trouble_of_discord_is_waited_for_until_it_is_too_late(
    world: World, monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    await start_daily(world, "mio")
    at_nine(world)

    async def broken(*_: object, **__: object) -> discord.Message:
        raise trouble

    with monkeypatch.context() as away:
        away.setattr(discord.abc.Messageable, "send", broken)
        waits: list[float] = []
        while await states(world) in ([("due", None)], [("due", "discord")]):
            await world.tick()
            (row, *_) = await world.rows(POSTS)
            if row["look_at"] is not None:
                waits.append((cast("datetime", row["look_at"]) - world.clock.now()).total_seconds())
                world.clock.advance(waits[-1])
    assert (await states(world))[0] == ("skipped", "discord")
    assert waits[:3] == [20, 40, 80]
    assert max(waits) == 600
    assert world.bot.features.posts.counts["lost"] == 1
    assert world.bot.features.posts.waiting == 0


async def test_a_process_that_was_slow_makes_nobody_wait_however_often_its_post_was_claimed(
    world: World,
) -> None:
    await start_daily(world, "mio")
    await world.rest_posts()
    at_nine(world)
    posts, share = world.bot.features.posts, world.bot.share
    for _ in range(8):
        (mine,) = await posts.claim(await posts.find_due(share), share)
        await posts.retry_later(mine, PostFailure.AWAY)
        world.clock.advance(10)
    assert len(await posts.find_due(share)) == 1


async def test_a_server_out_of_sight_has_its_post_once_it_is_back(world: World) -> None:
    await start_daily(world, "mio")
    at_nine(world)
    guild = world.bot.get_guild(world.discord.home.id)
    assert guild is not None
    guild.unavailable = True
    for _ in range(3):
        await world.tick()
        world.clock.advance(3600)
    assert await states(world) == [("due", "unseen")]
    guild.unavailable = False
    await world.tick()  # after midnight
    row = (await world.rows(POSTS))[0]
    assert (row["state"], row["late"]) == ("sent", True)
    world.clock.advance(24 * 3600)
    guild.unavailable = True
    await world.tick()
    world.clock.advance(6 * 3600)
    await world.tick()
    assert ("skipped", "unseen") in await states(world)
    assert len(texts(world)) == 1


async def test_one_server_in_trouble_keeps_no_other_from_its_post(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await start_daily(world, "mio")
    away = world.discord.server("Away")
    boss = world.discord.person("AwayBoss", server=away, manager=True)
    boss.join(world.discord.home)
    channel = away.channel("away")
    await boss.slash(channel, "daily channel", channel=channel, time="21:00")
    at_nine(world)
    find = world.bot.served_guilds.find

    async def broken(guild: int) -> discord.Guild | None:
        if guild == away.id:
            raise RuntimeError
        return await find(guild)

    monkeypatch.setattr(world.bot.served_guilds, "find", broken)
    await world.tick()
    assert len(texts(world)) == 1
    assert "a post failed" in world.log.text
    assert sorted(await states(world), key=str) == [("due", "broken"), ("due", None), ("sent", None)]


async def test_a_post_is_one_call_to_discord_at_its_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it says was gathered before, and who is still in the server was asked over the gateway."""
    await start_daily(world, "mio", "DrBeat")
    at_nine(world)
    world.clock.set_back(300)
    posts = await world.rest_posts()
    await posts.prepare_upcoming()
    assert texts(world) == []
    await world.stop_service()
    world.clock.advance(300)
    called: list[str] = []
    request = world.bot.http.request

    async def counted(route: Any, **options: Any) -> Any:
        called.append(route.url)
        return await request(route, **options)

    monkeypatch.setattr(world.bot.http, "request", counted)
    await world.tick()
    assert len(called) == 1
    (said,) = texts(world)
    assert "mio" in said


@pytest.mark.parametrize("days", [1, 40, 20_000])
async def test_a_clock_that_was_ahead_for_one_tick_stops_no_later_post(world: World, days: int) -> None:
    """What it made too soon is not made again, what it skipped is."""
    await start_daily(world, "mio")
    at_nine(world)
    await world.tick()
    ahead = timedelta(days=days, minutes=1).total_seconds()
    world.clock.advance(ahead)
    await world.tick()
    world.clock.set_back(ahead)
    for _ in range(4):
        await world.tick()
        world.clock.advance(400)
    assert len(texts(world)) == 2
    for _ in range(2):
        at_nine(world)
        await world.tick()
    assert len(texts(world)) == (3 if days == 1 else 4)


async def test_a_clock_that_is_behind_for_a_moment_repeats_no_post(world: World) -> None:
    await start_daily(world, "mio")
    at_nine(world)
    await world.tick()
    for behind in (3 * 24 * 3600, 50 * 365 * 24 * 3600):
        world.clock.set_back(behind)
        await world.tick()
        world.clock.advance(60)
        world.clock.set_back(-behind)
        await world.tick()
        world.clock.advance(601)
        await world.tick()
    assert len(texts(world)) == 1


async def test_a_post_is_made_at_its_time_where_a_zone_has_other_rules_than_when_it_was_set_up(
    world: World,
) -> None:
    await start_daily(world, "mio")
    (row,) = await world.rows(POSTS)
    due_at = cast("datetime", row["due_at"]) + timedelta(hours=3)
    await world.change_database(f"UPDATE posts SET due_at = '{due_at}', look_at = '{due_at}'")  # noqa: S608 - of this test
    await world.start_bot()
    at_nine(world)
    await world.tick()
    assert len(texts(world)) == 1


async def test_posts_of_one_minute_are_sent_apart_as_a_process_has_its_share(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By tests/test_post_pace.py no second has more than Discord takes."""
    await start_daily(world, "mio")
    others = [world.discord.home.channel(f"posts-{number}") for number in range(2)]
    for channel in others:
        plan = PostPlan(channel=ChannelId(channel.id), post_at=time(21), timezone="Asia/Tokyo")
        await world.bot.features.daily.add(GuildId(world.discord.home.id), plan)
    sent_at: list[float] = []
    send, loop = discord.abc.Messageable.send, asyncio.get_running_loop()

    async def send_and_note(channel: Any, *arguments: Any, **options: Any) -> discord.Message:
        sent_at.append(loop.time())
        return await send(channel, *arguments, **options)

    monkeypatch.setattr(discord.abc.Messageable, "send", send_and_note)
    monkeypatch.setattr(post_pace, "MAX_POSTS_PER_SECOND", 2)
    monkeypatch.setattr(ShardShare, "part", 0.5)  # another process sends the others
    monkeypatch.setattr(post_pace, "MAX_CATCH_UP_SECONDS", 0.0)
    at_nine(world)
    await world.tick()
    assert all(len(channel.posts()) == 1 for channel in (world.discord.channel, *others))
    assert sent_at[-1] - sent_at[0] > 1.9
