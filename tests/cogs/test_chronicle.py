"""`/session`: what was played since, to whom it is told, and what is said where there is nothing."""

import asyncio
import re
import sqlite3
from collections.abc import Collection, Mapping
from contextlib import closing
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from dailies import change_records, next_day, play, settle_posts, settled
from harness import Person, Reply, Value
from patience import PATIENT_SECONDS
from world import World

from bot.api.answer import Answer
from bot.database.tables import SNAPSHOTS
from bot.domain.ids import JP2, ChannelId, GuildId, MemberId
from bot.domain.members import Visibility
from bot.domain.players import Player, Target
from bot.features.shared.askers import Asker
from bot.features.shared.subjects import Neighbour
from bot.store import Store

_DAY = 86_400


def store_of(world: World) -> Store:
    return world.bot.features.accounts._store


async def session(person: Person, world: World, **options: object) -> Reply:
    """Return what `/session` says in words, of which its picture has a part."""
    reply = await person.slash(world.discord.channel, "session", **options)  # pyright: ignore[reportArgumentType]  # whatever is tried
    listed = next((each for each in reply.components if each.label in {"List", "一覧"}), None)
    return reply if listed is None else await person.click(reply, listed.label)


@pytest.fixture
async def alice(world: World) -> Person:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    return alice


async def test_the_first_look_announces_nothing(world: World, alice: Person) -> None:
    first = await session(alice, world)
    assert "remembered from now on" in first.everything
    assert not first.embed.fields
    again = await session(alice, world)
    assert "remembered from now on" in again.everything


async def test_a_session_tells_what_has_risen_and_when(world: World, alice: Person) -> None:
    await session(alice, world)
    await next_day(world, "DrBeat", points=1)
    told = await session(alice, world)
    assert "1 higher score" in told.everything
    assert "(+1)" in told.everything
    assert "Played " in told.everything
    assert "new record" not in str(told.embed.description)


async def test_what_was_played_is_told_with_icons(world: World, alice: Person) -> None:
    await session(alice, world)
    await next_day(world, "DrBeat")
    told = await session(alice, world)
    (embed,) = told.post.handle.embeds
    assert re.search(r"^<:[A-Z]{3}_k\w{8}:\d+> \d+\.\d · \*\*", str(embed.description), re.MULTILINE)
    world.bot.languages.icons.clear()
    (embed,) = (await session(alice, world)).post.handle.embeds
    assert re.search(r"^[A-Z]+ \d+\.\d · \*\*", str(embed.description), re.MULTILINE)


async def test_a_session_comes_with_its_picture_in_the_readers_words(world: World, alice: Person) -> None:
    assert not (await session(alice, world)).files
    await next_day(world, "DrBeat", points=1, title="Never * the * same")
    shown = await alice.slash(world.discord.channel, "session")
    (picture,) = shown.files
    assert picture.filename == "kiroku.png"
    said = str(picture.description)
    assert "1 higher score, " in said
    assert "Never * the * same" in said
    assert "Never" not in str(shown.embed.description)
    assert "(+1)" in (await alice.click(shown, "List")).everything


async def test_the_last_session_is_told_until_there_is_another(world: World, alice: Person) -> None:
    await session(alice, world)
    await next_day(world, "DrBeat")
    assert "(+500)" in (await session(alice, world)).everything
    world.clock.advance(_DAY)
    assert "(+500)" in (await session(alice, world)).everything


async def test_a_day_on_which_nothing_was_played_hides_no_session(world: World, alice: Person) -> None:
    await session(alice, world)
    await next_day(world, "DrBeat")
    assert "(+500)" in (await session(alice, world)).everything

    def harder() -> None:
        with closing(sqlite3.connect(world.service_database)) as database, database:
            database.execute("UPDATE charts SET constant = constant + 10 WHERE constant > 0")

    await asyncio.to_thread(harder)
    world.clock.advance(_DAY)
    await world.bot.features.catalogues.refresh(JP2)
    assert "(+500)" in (await session(alice, world)).everything
    assert len([row for row in await world.rows(SNAPSHOTS) if row["whole_day"]]) == 3


async def test_nobody_waits_for_those_who_are_asked_about_behind_a_post(
    world: World, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose requests are used up may be waited for all day; neither a session does so nor the end of the bot."""
    features, asked = world.bot.features, asyncio.Event()
    asker = await features.accounts._askers.get(MemberId(alice.id))
    profile = await asker.fetch_player(Target())

    async def wait(*_: object) -> None:
        asked.set()
        await asyncio.Event().wait()

    with monkeypatch.context() as patch:
        patch.setattr(asker, "fetch_records", wait)
        features.chronicle.follow([(asker, profile)])
        await asked.wait()
    assert "remembered from now on" in (await session(alice, world)).everything
    async with asyncio.timeout(PATIENT_SECONDS):
        await world.discord.stop()


async def test_who_was_looked_at_by_the_same_profile_is_not_behind_a_post(
    world: World, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A post of a thousand members reads once when they were looked at, not once for each."""
    features, bob = world.bot.features, world.discord.person("Bob")
    await world.link(bob, "mio")
    followed: list[MemberId] = []

    async def follow(asker: Asker, _profile: object) -> None:
        followed.append(asker.link.member)

    monkeypatch.setattr(features.chronicle, "_follow", follow)
    await features.chronicle.look_at(MemberId(alice.id))
    profiles: list[tuple[Asker, Answer[Player]]] = []
    for person in (alice, bob):
        asker = await features.accounts._askers.get(MemberId(person.id))
        profiles.append((asker, await asker.fetch_player(Target())))
    await features.chronicle._follow_all(profiles)
    assert followed == [bob.id]


async def test_since_a_day_counts_from_its_beginning(world: World, alice: Person) -> None:
    began = world.clock.now()
    await session(alice, world)
    for points in (10, 20):
        await next_day(world, "DrBeat", points=points)
        await session(alice, world)
    first = (began + timedelta(hours=9)).date()
    later = await session(alice, world, since=(first + timedelta(days=1)).isoformat())
    assert "(+20)" in later.everything
    assert "from before that day" not in later.everything
    whole = await session(alice, world, since=first.isoformat())
    assert "(+30)" in whole.everything
    assert "from before that day" in whole.everything
    none = await session(alice, world, since=(first + timedelta(days=2)).isoformat())
    assert "Nothing new" in none.everything  # what was found on that day was played on the one before
    long_ago = await session(alice, world, since="2020/1/31")
    assert "(+30)" in long_ago.everything
    assert "from before that day" in long_ago.everything
    assert "A day" not in long_ago.everything


@pytest.mark.parametrize(
    "since",
    ["yesterday", "2026-13-01", "2026-11", "0001-01-01", "9999-12-31", "2015-07-15", "99999999999-1-1"],
)
async def test_what_is_no_day_is_refused(world: World, alice: Person, since: str) -> None:
    assert "`since`" in (await session(alice, world, since=since)).posts[-1].text


async def test_the_first_look_stays_the_baseline_whatever_follows_that_day(
    world: World, alice: Person
) -> None:
    """Between the morning (15:00 in Tokyo) and midnight there, and on the day after."""
    first = world.clock.now()
    await session(alice, world)
    world.clock.advance(2 * 3600)
    await play(world, "DrBeat", points=31)
    world.clock.advance(2 * 3600)
    told = await session(alice, world)
    assert "(+31)" in told.everything
    world.clock.advance(3600)
    await play(world, "DrBeat", points=11)
    world.clock.advance(3600)
    for hours in (0, 17):
        world.clock.advance(hours * 3600)
        again = await session(alice, world)
        assert "(+42)" in again.everything
        assert "Between " + world.bot.languages["en-US"].moment(first) in again.everything


async def test_a_day_is_that_of_whoever_asks(world: World, alice: Person) -> None:
    """The morning of 06:00 UTC is one day in Tokyo, and the evening before in Honolulu."""
    await alice.slash(world.discord.channel, "settings")
    preferences = world.bot.features.preferences
    await preferences.change(MemberId(alice.id), timezone="Pacific/Honolulu")
    await session(alice, world)
    for hours, points in ((2, 31), (3, 11)):  # 22:00 and 01:00 there
        world.clock.advance(hours * 3600)
        await play(world, "DrBeat", points=points)
        await session(alice, world)
    today = world.clock.now().astimezone(ZoneInfo("Pacific/Honolulu")).date()
    assert "(+11)" in (await session(alice, world)).everything
    assert "(+11)" in (await session(alice, world, since=today.isoformat())).everything
    yesterday = today - timedelta(days=1)
    assert "(+42)" in (await session(alice, world, since=yesterday.isoformat())).everything
    await preferences.change(MemberId(alice.id), timezone="Asia/Tokyo")
    assert "(+42)" in (await session(alice, world, since=today.isoformat())).everything
    assert "(+42)" in (await session(alice, world)).everything


async def test_what_was_uploaded_late_is_not_told_since_a_later_day(world: World, alice: Person) -> None:
    """Beside what was played on that day, found by the same look."""
    await session(alice, world)
    await next_day(world, "DrBeat", points=50_000)
    await play(world, "DrBeat", points=11)
    told = await session(alice, world, since=(world.clock.now() + timedelta(hours=9)).date().isoformat())
    assert "(+11)" in told.everything
    assert "(+50,000)" not in told.everything


async def test_a_score_that_falls_and_is_back_is_no_news(world: World, alice: Person) -> None:
    await session(alice, world)
    await next_day(world, "DrBeat", points=31)
    assert "(+31)" in (await session(alice, world)).everything
    for change in (
        "score = score - 20000",
        "score = score + 20000",
        "score = score - 5",
        "score = score + 7",
    ):
        await change_records(world, "DrBeat", change)
        world.clock.advance(_DAY)
        told = await session(alice, world)
        assert ("(+31)" in told.everything) is (change != "score = score + 7")
    assert "(+2)" in told.everything


async def test_nothing_played_since_is_said(world: World, alice: Person) -> None:
    await session(alice, world)
    await next_day(world, "DrBeat")
    await session(alice, world)
    since = (world.clock.now() + timedelta(hours=9)).date()
    told = await session(alice, world, since=since.isoformat())
    assert "Nothing new was uploaded in this time" in told.everything
    assert "remembered" not in told.everything


async def test_a_day_that_is_nowhere_yet_is_refused(world: World, alice: Person) -> None:
    since = (world.clock.now() + timedelta(days=2)).date()
    assert "`since`" in (await session(alice, world, since=since.isoformat())).text


async def test_any_answer_with_all_records_is_remembered(world: World, alice: Person) -> None:
    commands: list[tuple[str, dict[str, Value]]] = [
        ("overpower", {}),
        ("scores", {}),
        ("compare", {"player": "minamo_plays"}),
        ("stats", {"song": "AETHER"}),
        ("plan", {}),
    ]
    for count, (command, options) in enumerate(commands, 1):
        await next_day(world, "DrBeat")
        await alice.slash(world.discord.channel, command, **options)
        await settled(world)
        states = await store_of(world).chronicle.fetch(MemberId(alice.id), JP2, most=9)
        assert len(states) == count, command


async def test_an_answer_with_the_slots_is_remembered_too(world: World, alice: Person) -> None:
    """The average of the recent slot no other look sees."""
    await alice.slash(world.discord.channel, "rating")
    (look,) = await store_of(world).chronicle.fetch_looks(
        [MemberId(alice.id)], JP2, first=date.min, last=date.max
    )
    assert look.taken_at == world.clock.now()
    assert look.recent_average


async def test_an_answer_that_is_kept_is_noted_once(world: World, alice: Person) -> None:
    for _ in range(2):
        await alice.slash(world.discord.channel, "overpower")
        await settled(world)
    world.bot.features.chronicle._note_door = None  # type: ignore[assignment]  # whoever notes now, fails
    await alice.slash(world.discord.channel, "overpower")
    await settled(world)
    assert "was not saved" not in world.log.text


async def test_of_two_looks_that_come_at_once_the_newer_is_kept(
    world: World, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The older one would take its place, having found nothing before it, and tell what was played a second time."""
    chronicle = world.bot.features.chronicle
    asker = await world.bot.features.accounts._askers.get(MemberId(alice.id))
    looks = [await chronicle.fetch(asker)]
    await settled(world)
    await world.change_database("DELETE FROM snapshots")
    await play(world, "DrBeat")
    world.clock.advance(3600)
    # Another question, for the patience of the first one is over by now.
    asker = await world.bot.features.accounts._askers.get(MemberId(alice.id))
    looks.append(await chronicle.fetch(asker))
    await settled(world)
    await world.change_database("DELETE FROM snapshots")
    older, newer = looks
    assert older.age.fetched_at < newer.age.fetched_at
    writing: dict[datetime, asyncio.Task[None] | None] = {}

    async def wait_for_the_newer(
        _link: object, _player: object, _records: object, taken_at: datetime
    ) -> None:
        if taken_at == older.age.fetched_at and (task := writing[newer.age.fetched_at]) is not None:
            await task

    monkeypatch.setattr(chronicle, "_when_moved", wait_for_the_newer)
    chronicle._noted.clear()
    for each in (newer, older):
        writing[each.age.fetched_at] = chronicle.note(asker.link, *each.value, each.age)
    await settled(world)
    kept = await store_of(world).chronicle.find(asker.link.member, asker.link.region)
    assert kept is not None
    assert kept.taken_at == newer.age.fetched_at


async def test_others_see_it_where_they_may_look(world: World, alice: Person) -> None:
    bob = world.discord.person("Bob")
    await world.link(bob, "minamo_plays")
    assert "None of their records" in (await session(bob, world, member=alice)).everything
    await session(alice, world)
    await next_day(world, "DrBeat")
    await session(alice, world)
    assert "(+500)" in (await session(bob, world, member=alice)).everything
    await store_of(world).links.set_visibility(MemberId(alice.id), Visibility.ONLY_ME)
    hidden = await session(bob, world, member=alice)
    assert "(+500)" not in hidden.everything


async def test_a_song_of_any_title_stays_text(world: World, alice: Person) -> None:
    await session(alice, world)
    await next_day(world, "DrBeat", title="**[x](https://example.org)** `" + "長" * 300)
    await world.restart_service()
    told = await session(alice, world)
    assert "(+500)" in told.everything
    assert "](https://" not in str(told.embed.description)


async def test_in_japanese(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    await world.link(hanako, "minamo_plays")
    assert "記録" in (await session(hanako, world)).everything
    await next_day(world, "minamo_plays")
    assert "スコア更新" in (await session(hanako, world)).everything


async def test_what_is_erased_is_forgotten(world: World, alice: Person) -> None:
    await session(alice, world)
    question = await alice.slash(world.discord.channel, "privacy erase")
    await alice.click(question, question.components[0].custom_id)
    assert [*await world.rows(SNAPSHOTS)] == []


async def test_who_joined_the_daily_post_is_remembered_where_they_have_uploaded(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    member, guild, features = MemberId(alice.id), GuildId(77), world.bot.features
    await features.daily.set_up(guild, ChannelId(78), time(21), "Asia/Tokyo")
    await features.daily.join(guild, member)
    plan = await store_of(world).plans.find(guild)
    assert plan is not None

    async def is_noted() -> bool:
        before = dict(features.chronicle._noted)
        await features.daily.gather(plan, features.daily._today(plan), among)
        await settled(world)
        return features.chronicle._noted != before

    async def among(members: Collection[MemberId]) -> Mapping[MemberId, Neighbour]:
        return {member: Neighbour(str(member)) for member in members}

    assert await is_noted()
    world.clock.advance(_DAY)
    assert not await is_noted()
    await next_day(world, "DrBeat", points=700)
    assert await is_noted()
    world.clock.advance(_DAY)
    assert not await is_noted()
    assert "(+700)" in (await session(alice, world)).everything


async def test_a_member_is_looked_at_in_the_background_for_the_post(world: World, alice: Person) -> None:
    """By one request, and one more where they have played; the post takes none, after a restart neither."""
    await world.rest_posts()  # which would find that the bot is not in that server
    guild = GuildId(77)
    in_six_hours = (world.clock.now() + timedelta(hours=6)).time().replace(second=0, microsecond=0)
    await world.bot.features.daily.set_up(guild, ChannelId(78), in_six_hours, "UTC")
    await world.bot.features.daily.join(guild, MemberId(alice.id))

    async def among(members: Collection[MemberId]) -> Mapping[MemberId, Neighbour]:
        return {member: Neighbour(str(member)) for member in members}

    async def look() -> int:
        """Look at whoever is due just before the next post, and return how many requests that took."""
        plan = await store_of(world).plans.find(guild)
        assert plan is not None
        due_at = await store_of(world).posts.find_next(plan.id)
        assert due_at is not None
        world.clock.advance((due_at - world.clock.now()).total_seconds() - 300)
        refresh = world.bot.features.refresh
        before = refresh._requests["sent"]
        await refresh.run_once()
        return refresh._requests["sent"] - before

    async def post() -> int:
        """Make the post, and return how many requests about people it took."""
        features = world.bot.features
        world.clock.advance(330)
        await features.catalogues.get(JP2, patience=30)
        before = features.refresh._requests["sent"]
        (due,) = await features.posts.find_due(world.bot.share)
        await features.daily.gather(due.plan, due.day, among)
        await settled(world)
        await settle_posts(store_of(world), world.clock.now())
        return features.refresh._requests["sent"] - before

    assert (await look(), await post()) == (2, 0)
    assert await look() == 1
    await world.start_bot()
    await world.rest_posts()
    await world.bot.features.catalogues.get(JP2, patience=30)
    assert await post() == 0
    await next_day(world, "DrBeat", points=700)
    assert await post() == 2  # nobody was looked at in time
    assert (await look(), await post()) == (1, 0)
    assert "(+700)" in (await session(alice, world)).everything
