import asyncio
import re
import sqlite3
from contextlib import closing
from datetime import timedelta
from typing import Any

import discord
import pytest
from dailies import (
    TOKYO,
    at_nine,
    change_records,
    change_score,
    next_day,
    no_pictures,
    play,
    posted,
    settled,
    start_daily,
)
from harness import Channel
from statements import statements_of
from world import World

from bot.domain.daily import DailyMember
from bot.domain.ids import GuildId
from bot.domain.members import Visibility
from bot.domain.posts import Post, PostKind, PostOption, PostPlan
from bot.features.daily import DailyPost
from bot.store.daily import DailyMembers
from bot.ui.daily_card import daily_card
from service.accounts import get_account


async def test_each_day_a_post_with_the_ratings_of_those_who_joined(world: World) -> None:
    boss = world.discord.person("Boss", manager=True)
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "minamo_plays", Visibility.SERVERS)
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
    await world.tick()
    first = await world.discord.post(world.discord.channel)
    (picture,) = first.attachments
    assert str(picture.description).index("Dr") < str(picture.description).index("ＭＩＮＡＭＯ")
    assert "first day" in str(picture.description)
    assert f"With news: <@{bob.id}> Dr.Beat, <@{alice.id}> ＭＩＮＡＭＯ" in str(first.embeds[0].description)
    world.clock.advance(timedelta(days=1).total_seconds())
    await world.tick()
    second = (await world.discord.post(world.discord.channel, after=1)).embeds[0]
    assert str(second.description).startswith("No change: `1` Dr")
    assert second.image.url is None
    kept = world.discord.wire.backend.messages[world.discord.channel.id].values()
    assert not any(post.allowed_mentions.allows_user(alice.id) for post in kept)


async def test_only_managers_set_it_up(world: World) -> None:
    alice = world.discord.person("Alice", locale="ja")
    reply = await alice.slash(
        world.discord.channel, "daily channel", channel=world.discord.channel, time="21:00"
    )
    assert reply.is_private
    assert "管理権限" in reply.text


async def test_a_zone_is_told_by_its_own_name_however_it_was_typed(world: World) -> None:
    mona = world.discord.person("Mona", manager=True)
    for typed in ("asia/tokyo", " ASIA/TOKYO "):
        reply = await mona.slash(
            world.discord.channel,
            "daily channel",
            channel=world.discord.channel,
            time="21:00",
            timezone=typed,
        )
        assert "(Asia/Tokyo)" in reply.everything


@pytest.mark.parametrize(
    ("time", "timezone", "named"),
    [
        ("25:00", "Asia/Tokyo", "`time`"),
        ("21:00", "Mars/Olympus", "`timezone`"),
        ("21:00", "localtime", "`timezone`"),
        ("21:00", "Factory", "`timezone`"),
    ],
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


async def test_a_day_of_playing_is_an_event(world: World) -> None:
    _, beat = await start_daily(world, "mio", "DrBeat")
    await posted(world)
    await settled(world)  # what is remembered behind the first post is what the second is compared with
    await next_day(world, "DrBeat", points=1, title="Never * the * same")
    await beat.slash(beat.direct, "session")
    at_nine(world)
    await world.tick()
    post = await world.discord.post(world.discord.channel, after=1)
    (short,) = post.embeds
    assert f"With news: <@{beat.id}>" in str(short.description)
    (picture,) = post.attachments
    told = str(picture.description)
    assert "1 new best" in told
    assert "Play of the day: Never * the * same MAS" in told
    assert "±0, 2 mio" in told
    session = await beat.click(world.discord.seen(post), "My session")
    assert session.is_private
    assert "(+1)" in (await beat.click(session, "List")).everything
    carol = world.discord.person("Carol")
    await world.link(carol, "minamo_plays")
    question = await carol.click(world.discord.seen(post), "Join")
    assert question.is_private
    assert "You are in" not in question.everything
    assert "You are in" in (await carol.click(question, JOIN)).everything


async def test_where_no_files_may_be_attached_the_post_comes_without_its_picture(world: World) -> None:
    await start_daily(world, "mio")
    world.discord.wire.inject_error("POST", "/channels/*/messages", status=403, times=1)
    at_nine(world)
    await world.tick()
    (post,) = world.discord.channel.posts()
    assert "mio" in str(post.embeds[0].description)
    assert (post.attachments, post.embeds[0].image.url) == ([], None)


JOIN = "Let members of servers we share look, and join"


async def test_one_set_to_only_me_is_asked_before_they_join(world: World) -> None:
    await start_daily(world, "mio")
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    question = await alice.slash(world.discord.channel, "daily join")
    assert question.is_private
    for part in ("Discord name", "rating", world.discord.channel.mention):
        assert part in question.everything
    assert "You are in" not in question.everything
    assert "Dr" not in await posted(world)
    joined = await alice.click(question, JOIN)
    assert "You are in" in joined.everything
    assert "Members of servers" in (await alice.slash(world.discord.channel, "account")).everything
    assert "Dr" in await posted(world)
    settings = await alice.slash(world.discord.channel, "settings")
    await alice.choose(settings, "Who may look you up", "Only me")
    assert "Dr" not in await posted(world)


async def test_no_row_puts_one_set_to_only_me_on_a_board(world: World) -> None:
    await start_daily(world, "mio", "DrBeat")
    await world.change_database("UPDATE links SET visibility = 'me' WHERE user_name = 'DrBeat'")
    said = await posted(world)
    assert "Dr" not in said
    assert "could not be asked" not in said


async def test_who_left_the_server_is_in_its_post_no_more(world: World) -> None:
    await start_daily(world, "mio")
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    await alice.slash(world.discord.channel, "daily join")
    alice.leave(world.discord.home)
    said = await posted(world)
    assert "Dr" not in said
    assert "could not be asked" not in said
    alice.join(world.discord.home)
    assert "In no daily post" in (await alice.slash(world.discord.channel, "account")).everything
    assert "Dr" not in await posted(world)


async def test_a_post_waits_where_nobody_can_be_told_from_one_who_left(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await start_daily(world, "mio", "DrBeat")

    async def unknown(*_: object, **__: object) -> list[discord.Member]:
        raise TimeoutError

    with monkeypatch.context() as away:
        away.setattr(discord.Guild, "query_members", unknown)
        at_nine(world)
        await world.tick()
    assert world.discord.channel.posts() == []
    world.clock.advance(11)
    await world.tick()
    said = (await world.discord.post(world.discord.channel)).embeds[0]
    assert "Dr" in str(said.description)


@pytest.mark.parametrize("how", ["hide", "unlink", "daily leave"])
async def test_who_leaves_while_a_post_is_made_is_not_in_it(world: World, how: str) -> None:
    await start_daily(world, "mio")
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    await alice.slash(world.discord.channel, "daily join")
    settings = await alice.slash(world.discord.channel, "settings")
    async with world.unanswered():
        posting = asyncio.create_task(posted(world))
        under_way = world.bot.features.best._askers._cache._flights
        while not any(key.account for key in under_way):  # noqa: ASYNC110 - nobody is told when a request begins
            await asyncio.sleep(0)
        if how == "hide":
            await alice.choose(settings, "Who may look you up", "Only me")
        else:
            await alice.slash(world.discord.channel, how)
    assert "Dr" not in await posting


async def test_leaving_and_turning_off(world: World) -> None:
    boss = world.discord.person("Boss", manager=True)
    await world.link(boss, "mio", Visibility.SERVERS)
    await boss.slash(world.discord.channel, "daily channel", channel=world.discord.channel, time="21")
    await boss.slash(world.discord.channel, "daily join")
    assert "no longer" in (await boss.slash(world.discord.channel, "daily leave")).everything
    again = await boss.slash(world.discord.channel, "daily leave")
    assert again.embed.title == "You were not in"
    assert "were not in this server's daily post" in again.everything
    off = await boss.slash(world.discord.channel, "daily off")
    assert "turned off" in off.everything
    assert off.is_private
    assert "no daily post" in (await boss.slash(world.discord.channel, "daily off")).text


async def test_in_a_thread_the_form_keeps_the_time_that_was_typed_and_a_feed_asks_for_a_channel(
    world: World,
) -> None:
    boss = world.discord.person("Boss", manager=True)
    thread = world.discord.channel.thread("chat", boss)
    shown = await boss.slash(thread, "daily channel", time="8:30", timezone="Europe/Paris")
    assert "08:30 Europe/Paris" in str(shown.result.modal)
    wrong = await boss.slash(thread, "daily channel", time="noon")
    assert "`time`" in wrong.text
    refused = await boss.slash(thread, "feed channel")
    assert "Posts appear in a text channel" in refused.text
    assert "`channel`" in refused.text
    set_up = await boss.slash(thread, "feed channel", channel=world.discord.channel)
    assert world.discord.channel.mention in set_up.everything


class TestSeveralPosts:
    async def test_a_form_asks_for_all_of_a_post(self, world: World) -> None:
        boss = world.discord.person("Boss", manager=True)
        channel, other = world.discord.channel, world.discord.home.channel("other")
        await boss.slash(channel, "daily channel", channel=channel, time="21:00")
        for what in ("weekly", "monthly", "weekly"):
            form = await boss.slash(channel, "daily channel", timezone="Europe/Paris")
            listed = await boss.submit(
                form,
                {
                    "channel": other, "what": [what], "at": "9:30 europe/paris", "language": ["ja"],
                    "content": ["no_picture", "light"],
                },
            )  # fmt: skip
            assert listed.is_private
        assert listed.everything.count(other.mention) == 2
        assert listed.everything.count("Every Monday") == 1
        assert "9:30 AM (Europe/Paris)" in listed.everything.replace("\\", "")
        plans = [
            each.plan for each in await world.bot.features.daily.fetch_plans(GuildId(world.discord.home.id))
        ]
        assert [plan.what for plan in plans] == [PostKind.DAILY, PostKind.WEEKLY, PostKind.MONTHLY]
        assert plans[1].options == {PostOption.LIGHT, PostOption.NO_PLAYS, PostOption.QUIET}

        alice = world.discord.person("Alice")
        seen = await alice.slash(channel, "daily list")
        assert seen.is_private
        assert not seen.components
        choices = await boss.autocomplete(channel, "daily now", post="month")
        assert [choice["name"] for choice in choices] == [
            "3. On the 1st, about the month, 9:30\u202fAM (Europe/Paris)"
        ]
        left = await boss.choose(await boss.slash(channel, "daily off"), "Remove one", "1. ")
        assert "Every day" not in left.everything
        left = await boss.choose(left, "Remove one", "2. ")
        assert "turned off" in (await boss.slash(channel, "daily off")).everything
        assert "no daily post" in (await boss.slash(channel, "daily list")).text

    async def test_what_is_typed_wrong_is_told(self, world: World) -> None:
        boss = world.discord.person("Boss", manager=True)
        for at, named in (("noon Asia/Tokyo", "`time`"), ("21:00 Mars/Olympus", "`timezone`")):
            form = await boss.slash(world.discord.channel, "daily channel")
            values = {"channel": world.discord.channel, "what": ["daily"], "at": at, "language": ["auto"]}
            assert named in (await boss.submit(form, values)).text

    async def test_who_manages_no_more_sets_nothing_up(self, world: World) -> None:
        boss = world.discord.person("Boss", manager=True)
        form = await boss.slash(world.discord.channel, "daily channel")
        boss.join(world.discord.home)
        values = {
            "channel": world.discord.channel, "what": ["daily"], "at": "21 Asia/Tokyo", "language": ["auto"],
        }  # fmt: skip
        assert "manage" in (await boss.submit(form, values)).text
        assert await world.bot.features.daily.fetch_plans(GuildId(world.discord.home.id)) == []


class TestDirect:
    async def test_whoever_wants_it_is_written_to_alone(self, world: World) -> None:
        alice = world.discord.person("Alice")
        assert "/link" in (await alice.slash(world.discord.channel, "daily direct", every="daily")).text
        await world.link(alice, "DrBeat")
        assert "None: " in (await alice.slash(alice.direct, "settings")).everything
        set_up = await alice.slash(world.discord.channel, "daily direct", every="daily", time="21:00")
        assert set_up.is_private
        assert "Every day, 9" in (await alice.slash(alice.direct, "settings")).everything
        assert "Every day" in set_up.everything
        at_nine(world)
        await world.tick()
        (post,) = alice.direct.posts()
        (picture,) = post.attachments
        assert re.fullmatch(r".*\. Dr.Beat \d+.\d\d first day\.", str(picture.description))
        assert [button.label for button in world.discord.seen(post).components] == ["My session"]
        assert world.discord.channel.posts() == []
        at_nine(world)
        await world.tick()  # a day without news
        assert len(alice.direct.posts()) == 1
        told = await alice.slash(world.discord.channel, "daily direct", every="never")
        assert "do not message you" in told.everything

    async def test_who_takes_no_messages_is_told_where_they_look(self, world: World) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "DrBeat")
        await alice.slash(world.discord.channel, "daily direct", every="daily", time="21:00")
        await world.change_database("UPDATE post_plans SET refused = 2")
        world.discord.wire.inject_error("POST", "/channels/*/messages", status=403, times=2)
        at_nine(world)
        await world.tick()
        assert "did not deliver" in (await alice.slash(world.discord.channel, "daily direct")).everything
        assert "Stopped" in (await alice.slash(alice.direct, "settings")).everything
        assert "Stopped: Discord did not deliver" in (await alice.slash(alice.direct, "account")).everything
        await alice.slash(world.discord.channel, "daily direct", every="daily", time="21:00")
        assert "Every day" in (await alice.slash(world.discord.channel, "daily direct")).everything
        assert "Every day" in (await alice.slash(alice.direct, "account")).everything

    async def test_who_unlinks_is_written_to_no_more(self, world: World) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "DrBeat")
        await alice.slash(world.discord.channel, "daily direct", every="daily", time="21:00")
        await alice.slash(world.discord.channel, "unlink")
        at_nine(world)
        await world.tick()
        assert alice.direct.posts() == []
        assert "do not message" in (await alice.slash(world.discord.channel, "daily direct")).everything


async def test_a_manager_sees_what_would_be_posted(world: World) -> None:
    await start_daily(world, "mio")
    boss = world.discord.person("Boss2", manager=True)
    shown = await boss.slash(world.discord.channel, "daily preview")
    assert shown.is_private
    assert "mio" in shown.everything
    assert shown.files
    assert world.discord.channel.posts() == []
    at_nine(world)
    await world.tick()
    assert "mio" in str((await world.discord.post(world.discord.channel)).embeds[0].description)
    alice = world.discord.person("Alice")
    for command in ("daily preview", "daily now"):
        assert "manage" in (await alice.slash(world.discord.channel, command)).text


async def test_a_preview_is_what_the_post_will_be_but_for_plays_not_looked_at_yet(world: World) -> None:
    (beat,) = await start_daily(world, "DrBeat")
    boss = world.discord.person("Boss2", manager=True, locale="ja")
    await beat.slash(beat.direct, "session")
    await posted(world)
    await settled(world)
    await next_day(world, "DrBeat", points=1)
    said: list[str] = []
    for _ in range(2):
        async with no_pictures(world):
            previewed = await boss.slash(world.discord.channel, "daily preview")
        shown, _, note = str(previewed.embed.description).rpartition("\n\n")
        assert note.startswith("-# プレビュー")
        said.append(shown)
        await settled(world)
    assert "new best" not in said[0]
    assert "(1 new best)" in said[1]
    assert re.sub(r"<:MAS_\w+:\d+>", "MASTER", await posted(world)) == said[1]


async def test_what_a_member_has_played_for_is_weighed_once_and_forgotten_with_them(world: World) -> None:
    (beat,) = await start_daily(world, "DrBeat")
    boss = world.discord.person("Boss2", manager=True)
    await beat.slash(beat.direct, "session")
    await posted(world)
    await settled(world)
    await next_day(world, "DrBeat", points=1)
    await beat.slash(beat.direct, "session")
    read: list[int] = []
    for _ in range(2):
        await settled(world)
        with statements_of(world.bot.features.accounts._store) as sent:
            shown = await boss.slash(world.discord.channel, "daily preview")
        assert "1 new best" in shown.everything
        read.append(sum("snapshots.records" in statement for statement, _ in sent))
    assert read[0] > 0
    assert read[1] == 0, "nothing has changed since"
    feats = world.bot.features.daily._feats._weighed
    assert len(feats) == 1
    await beat.slash(beat.direct, "unlink")
    assert len(feats) == 0


async def test_a_post_that_is_wanted_now_is_that_of_today(world: World) -> None:
    at_nine(world)
    world.clock.advance(3600)  # the next 21:00 is another day's
    await start_daily(world, "mio")
    boss = world.discord.person("Boss2", manager=True)
    assert "within half a minute" in (await boss.slash(world.discord.channel, "daily now")).everything
    await world.tick()
    assert "mio" in str((await world.discord.post(world.discord.channel)).embeds[0].description)
    assert "already" in (await boss.slash(world.discord.channel, "daily now")).everything
    world.clock.advance(3600 * 12)
    await world.tick()
    assert len(world.discord.channel.posts()) == 1
    at_nine(world)
    await world.tick()
    assert len(world.discord.channel.posts()) == 2


async def test_a_preview_of_many_is_made_of_what_was_seen_in_the_background(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (mio,) = await start_daily(world, "mio")
    boss = world.discord.person("Boss2", manager=True)
    await mio.slash(mio.direct, "account")
    await rate(world, "mio", 1701)
    world.clock.advance(600)
    for most, is_asked in ((0, False), (1, True)):
        monkeypatch.setattr("bot.features.daily._ASKED_ANEW", most)
        shown = await boss.slash(world.discord.channel, "daily preview")
        assert ("17.01" in shown.everything) is is_asked


async def test_members_of_a_post_are_read_together(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what is kept of their profiles, as far as nobody is asked anew."""
    await start_daily(world, "mio", "DrBeat")
    store = world.bot.features.accounts._store
    boss = world.discord.person("Boss2", manager=True)
    shown = await boss.slash(world.discord.channel, "daily preview")
    await settled(world)
    monkeypatch.setattr("bot.features.daily._ASKED_ANEW", 0)
    store.members.at_hand.drop_all()
    world.bot.features.accounts._askers._cache.drop_all()
    with statements_of(store) as sent:
        again = await boss.slash(world.discord.channel, "daily preview")
    assert again.everything == shown.everything
    read = [values for statement, values in sent if "FROM preferences" in statement]
    assert sorted(map(len, read)) == [1, 2]  # who asks, and those who have joined
    assert [len(values) - 2 for statement, values in sent if "FROM kept_answers" in statement] == [2]


async def test_whoever_waits_for_a_post_sees_how_members_stand_now(world: World) -> None:
    """As far as the service says it: what was seen in the background would have done at the post's time."""
    (mio,) = await start_daily(world, "mio")
    boss = world.discord.person("Boss2", manager=True)
    for rating in (1701, 1702):
        await mio.slash(mio.direct, "account")
        await rate(world, "mio", rating)
        world.clock.advance(600)
        if rating == 1701:
            shown = await boss.slash(world.discord.channel, "daily preview")
            assert "17.01" in shown.everything
    await boss.slash(world.discord.channel, "daily now")
    await world.tick()
    (picture,) = (await world.discord.post(world.discord.channel)).attachments
    assert "17.02" in str(picture.description)
    await world.stop_service()
    world.clock.advance(600)
    shown = await boss.slash(world.discord.channel, "daily preview")
    assert "17.02" in shown.everything


async def test_what_was_gathered_for_another_time_is_gathered_anew(world: World) -> None:
    await start_daily(world, "mio")
    at_nine(world)
    world.clock.set_back(300)
    posts = await world.rest_posts()
    await posts.prepare_upcoming()
    await rate(world, "mio", 1701)
    await world.bot.features.posts.keep_until(world.clock.now() + timedelta(days=1))
    world.clock.advance(24 * 3600)
    await world.tick()
    (picture,) = (await world.discord.post(world.discord.channel)).attachments
    assert "17.01" in str(picture.description)


async def rate(world: World, player: str, rating: int) -> None:
    """Have the service say another rating of a player."""

    def rated() -> None:
        with closing(sqlite3.connect(world.service_database)) as database, database:
            user = get_account(database, player).user_id
            database.execute("UPDATE accounts SET rating = ? WHERE user_id = ?", [rating, user])

    await asyncio.to_thread(rated)


@pytest.mark.parametrize(("rating", "said"), [(None, "(first day)"), (1701, "(+")])
async def test_who_looked_earlier_on_the_day_of_their_first_post_is_new_there(
    world: World, rating: int | None, said: str
) -> None:
    """What has changed since that look is told all the same."""
    at_nine(world)
    (mio,) = await start_daily(world, "mio")
    await mio.slash(mio.direct, "session")
    await settled(world)
    if rating is not None:
        await rate(world, "mio", rating)
    post = await posted(world)
    assert said in post
    assert "No change" not in post


async def test_who_is_new_is_not_credited_with_what_was_before_the_last_post(world: World) -> None:
    """Of a look before that post nobody knows what has come between the two."""
    await start_daily(world, "DrBeat")
    mio = world.discord.person("mio")
    await world.link(mio, "mio", Visibility.SERVERS)
    await mio.slash(mio.direct, "session")
    await settled(world)
    world.clock.advance(3 * 24 * 3600)
    await posted(world)
    await play(world, "mio")
    await rate(world, "mio", 1701)
    await mio.slash(world.discord.channel, "daily join")
    world.clock.advance(24 * 3600)
    joined = await posted(world)
    assert re.search(r"mio \*\*17.01\*\* \(first day\)", joined)
    assert "MASTER" not in joined
    await rate(world, "mio", 1703)
    world.clock.advance(24 * 3600)
    assert "(+0.02)" in await posted(world)


async def test_what_is_found_while_a_post_is_gathered_is_told_by_the_next_alone(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (beat,) = await start_daily(world, "DrBeat")
    await posted(world)
    await settled(world)
    await next_day(world, "DrBeat", points=1)
    await beat.slash(beat.direct, "session")
    await settled(world)
    find_reached = world.bot.features.goals.find_reached

    async def found_meanwhile(*arguments: Any) -> Any:
        monkeypatch.undo()  # once
        await change_records(world, "DrBeat", "score = score + 1")
        world.clock.advance(600)
        await beat.slash(beat.direct, "session")
        await settled(world)
        return await find_reached(*arguments)

    at_nine(world)
    monkeypatch.setattr(world.bot.features.goals, "find_reached", found_meanwhile)
    async with no_pictures(world):
        await world.tick()
        at_nine(world)
        await world.tick()
    _, first, second = (str(post.embeds[0].description) for post in world.discord.channel.posts())
    assert "(1 new best)" in first
    assert "new bests)" in second


async def test_time_zones_are_suggested(world: World) -> None:
    boss = world.discord.person("Boss", manager=True)
    choices = await boss.autocomplete(world.discord.channel, "daily channel", timezone="tokyo")
    assert {"name": "Asia/Tokyo", "value": "Asia/Tokyo"} in choices


async def due(world: World) -> list[Post]:
    await world.rest_posts()
    return await world.bot.features.posts.find_due(world.bot.share)


async def test_no_post_while_the_service_is_away(world: World) -> None:
    await start_daily(world, "mio")
    await world.stop_service()
    at_nine(world)
    (post,) = await due(world)
    await world.tick()
    assert "a post waits" in world.log.text
    assert await due(world) == []
    world.clock.advance(601)
    assert [each.key for each in await due(world)] == [post.key]
    assert world.discord.channel.posts() == []


async def test_a_member_who_cannot_be_asked_is_left_out_and_counted(world: World) -> None:
    await start_daily(world, "minamo_plays", "mio")
    await world.change_database("UPDATE links SET token = substr(token, 1, 1) WHERE user_name = 'mio'")
    at_nine(world)
    await world.tick()
    description = str(world.discord.channel.posts()[0].embeds[0].description)
    assert "ＭＩＮＡＭＯ" in description
    assert "1 member could not be asked about" in description


async def test_a_channel_in_which_the_bot_may_not_post_is_not_taken(world: World) -> None:
    boss = world.discord.person("Boss", manager=True)
    everyone, mute = world.discord.home.guild.default_role, discord.PermissionOverwrite(send_messages=False)
    quiet = Channel(world.discord.home.guild.create_text_channel("quiet", overwrites={everyone: mute}))
    told = await boss.slash(world.discord.channel, "daily channel", channel=quiet, time="21:00")
    assert "I cannot post there" in told.text


async def test_a_channel_that_is_gone_is_noted_once_a_day(world: World) -> None:
    await start_daily(world, "mio")
    await world.change_database("UPDATE post_plans SET channel_id = 1")
    at_nine(world)
    for _ in range(3):
        await world.tick()
    assert world.log.text.count("a post is not made") == 1


async def test_a_new_time_after_the_post_of_today_is_for_tomorrow(world: World) -> None:
    await start_daily(world, "mio")
    at_nine(world)
    await world.tick()
    boss = world.discord.person("Boss2", manager=True)
    await boss.slash(world.discord.channel, "daily channel", channel=world.discord.channel, time="21:30")
    world.clock.advance(3600)
    assert await due(world) == []
    world.clock.advance(24 * 3600)
    assert len(await due(world)) == 1


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("timezone", "Mars/Olympus"),
        ("timezone", "../x"),
        pytest.param("post_at", "nine", marks=pytest.mark.sqlite),  # which takes anything as a time
    ],
)
async def test_a_row_that_cannot_be_read_stops_nobody_elses_post(
    world: World, column: str, value: str
) -> None:
    await start_daily(world, "mio")
    away = world.discord.server("Away")
    channel = away.channel("away")
    boss = world.discord.person("AwayBoss", server=away, manager=True)
    boss.join(world.discord.home)
    await boss.slash(channel, "daily channel", channel=channel, time="21:00")
    await world.change_database(
        f"UPDATE post_plans SET {column} = '{value}' WHERE guild_id = {away.id}"  # noqa: S608 - of this test
    )
    assert "mio" in await posted(world)
    assert "mio" in await posted(world)
    assert channel.posts() == []
    assert world.log.text.count("cannot be read") == 1
    # It is no more than a server without a post: whoever manages it sets it up anew.
    await world.link(boss, "DrBeat", Visibility.SERVERS)
    assert "no daily post" in (await boss.slash(channel, "daily join")).text
    await boss.slash(channel, "daily channel", channel=channel, time="21:00")
    await boss.slash(channel, "daily join")
    await posted(world)
    assert "Dr" in str((await world.discord.post(channel)).embeds[0].description)


@pytest.mark.sqlite
async def test_a_member_who_cannot_be_read_costs_the_others_nothing(world: World) -> None:
    await start_daily(world, "mio", "DrBeat")
    await world.change_database("UPDATE links SET linked_at = 'long ago' WHERE user_name = 'DrBeat'")
    await world.start_bot()
    said = await posted(world)
    assert "mio" in said
    assert "1 member could not be asked about" in said


async def test_what_is_found_behind_a_post_is_looked_for_once_its_own_looks_are_read(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await start_daily(world, "minamo_plays", "mio")
    daily, order = world.bot.features.daily, list[str]()
    read, follow = daily._looks, daily._chronicle.follow

    async def looks(*args: Any) -> Any:
        found = await read(*args)
        order.append("read")
        return found

    def followed(*args: Any) -> None:
        order.append("followed")
        follow(*args)

    monkeypatch.setattr(daily, "_looks", looks)
    monkeypatch.setattr(daily._chronicle, "follow", followed)
    await posted(world)
    assert order[:2] == ["read", "followed"]


async def test_who_could_not_be_asked_and_leaves_meanwhile_is_not_counted(world: World) -> None:
    minamo, mio = await start_daily(world, "minamo_plays", "mio")
    await world.change_database("UPDATE links SET token = substr(token, 1, 1) WHERE user_name = 'mio'")
    world.clock.advance(24 * 3600)  # the profile that made the link is too old for a post
    daily = world.bot.features.daily
    (planned,) = await daily.get_plans(GuildId(world.discord.home.id))
    post = await daily.gather(planned.plan, world.clock.now().date(), None)
    assert post is not None
    again = await daily.look_again(post)
    assert (len(again.standings), again.left_out) == (1, 1)
    await mio.slash(world.discord.channel, "daily leave")
    again = await daily.look_again(post)
    assert (len(again.standings), again.left_out) == (1, 0)
    await minamo.slash(world.discord.channel, "daily leave")
    again = await daily.look_again(post)
    assert (len(again.standings), again.left_out) == (0, 0)


async def test_who_joins_while_a_post_is_made_is_nobody_who_could_not_be_asked(world: World) -> None:
    await start_daily(world, "minamo_plays")
    daily = world.bot.features.daily
    (planned,) = await daily.get_plans(GuildId(world.discord.home.id))
    post = await daily.gather(planned.plan, world.clock.now().date(), None)
    assert post is not None
    mio = world.discord.person("mio")
    await world.link(mio, "mio", Visibility.SERVERS)
    await mio.slash(world.discord.channel, "daily join")
    again = await daily.look_again(post)
    assert (len(again.standings), again.left_out) == (1, 0)


async def test_a_rating_that_falls_and_is_back_is_no_gain(world: World) -> None:
    await start_daily(world, "mio")
    await rate(world, "mio", 1700)
    await posted(world)
    said: list[str] = []
    for rating in (1695, 1698, 1700, 1703):
        await settled(world)
        world.clock.advance(3600)
        await rate(world, "mio", rating)
        said.append(await posted(world))
    assert "Lower than before: `1` mio 16.95" in said[0]
    assert [each.partition(":")[0] for each in said[1:3]] == ["No change", "No change"]
    assert "mio **17.03** (+0.03)" in said[3]
    assert not any("−" in each for each in said)


async def test_what_is_back_in_the_slot_of_new_songs_is_no_gain(world: World) -> None:
    """However low it stands beside older songs: what was played meanwhile has not moved the rating by that."""
    (mio,) = await start_daily(world, "mio")
    listed = await world.best(mio, slot="new")
    title = next(title for difficulty, title in reversed(listed.charts) if difficulty == "MASTER")
    await rate(world, "mio", 1700)
    await posted(world)
    said: list[str] = []
    for points, rating in ((-9_000, 1695), (9_000, 1702)):
        await settled(world)
        world.clock.advance(3600)
        await change_score(world, "mio", title, points)
        if points > 0:
            await play(world, "mio")
        await rate(world, "mio", rating)
        await mio.slash(mio.direct, "session")
        await settled(world)
        said.append(await posted(world))
    assert "Lower than before: `1` mio 16.95" in said[0]
    assert "mio **17.02** (+0.02)" in said[1]


async def test_what_was_played_after_a_fall_is_a_gain(world: World) -> None:
    """A new version of the game lets ratings fall, and what is played then is news."""
    (mio,) = await start_daily(world, "mio")
    await rate(world, "mio", 1700)
    await posted(world)
    await settled(world)
    await rate(world, "mio", 1650)
    await posted(world)
    await settled(world)
    world.clock.advance(3600)
    await play(world, "mio")
    await rate(world, "mio", 1652)
    await mio.slash(mio.direct, "session")
    await settled(world)
    assert "mio **16.52** (+0.02)" in await posted(world)


async def test_of_who_was_left_out_all_since_their_own_last_line_is_told_and_said_so(world: World) -> None:
    await start_daily(world, "minamo_plays", "mio")
    await posted(world)
    daily = world.bot.features.daily
    (planned,) = await daily.get_plans(GuildId(world.discord.home.id))
    world.clock.advance(24 * 3600)
    usual = await daily.gather(planned.plan, world.clock.now().astimezone(TOKYO).date(), None)
    assert usual is not None
    assert not usual.has_returned
    await world.change_database(
        "UPDATE posted_ratings SET until = '2020-01-01 00:00:00.000000'"
        " WHERE member_id = (SELECT member_id FROM links WHERE user_name = 'mio')"
    )
    post = await daily.gather(planned.plan, world.clock.now().astimezone(TOKYO).date(), None)
    assert post is not None
    assert post.has_returned
    for code, said in (("en", "or since last shown"), ("ja", "前回の掲載以降")):
        assert said in daily_card(world.bot.languages[code], post).foot


async def test_members_of_few_posts_are_read_at_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifty posts of one minute would else each begin in the same turn of the event loop, which stood still for long."""
    await start_daily(world, "mio")
    daily, reading = world.bot.features.daily, list[int]()
    (plan,) = [each.plan for each in await daily.get_plans(GuildId(world.discord.home.id))]
    post = DailyPost(plan=plan, day=world.clock.now().date(), since=world.clock.now(), standings=())
    fetch, under_way = DailyMembers.fetch_members, set[int]()

    async def fetch_and_count(members: DailyMembers, wanted: PostPlan) -> list[DailyMember]:
        number = len(reading)
        under_way.add(number)
        reading.append(len(under_way))
        found = await fetch(members, wanted)
        under_way.remove(number)
        return found

    monkeypatch.setattr(DailyMembers, "fetch_members", fetch_and_count)
    await asyncio.gather(*(daily.look_again(post) for _ in range(30)))
    assert len(reading) == 30
    assert 1 < max(reading) <= 8
