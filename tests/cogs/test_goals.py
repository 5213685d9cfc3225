import asyncio
import re
import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest
from dailies import at_nine, next_day, settled, start_daily
from explained import explain_player
from harness import Person, Reply
from turning import begin_version, go_to
from world import World

from bot.database.tables import GOALS, SNAPSHOTS
from bot.demo.days import play_day
from bot.domain.ids import MemberId
from bot.domain.members import Visibility
from bot.store import key_of
from service.accounts import get_account

pytestmark = pytest.mark.shared


@pytest.mark.parametrize(
    ("locale", "listing", "said"),
    [
        ("en-US", "50% of the way from {start}", "rating 17.31: 50%"),
        ("ja", "{start} からの進み 50%", "レーティング 17.31: 50%"),
    ],
)
@pytest.mark.own
async def test_a_goals_bar_begins_where_it_was_set(
    world: World, locale: str, listing: str, said: str
) -> None:
    alice = await linked(world, "DrBeat", locale)
    added = await add(world, alice, "rating 17.31")
    now = re.search(r"\*\*(1\d\.\d\d)\*\*", added.everything)
    assert now is not None
    start = 2 * float(now[1]) - 17.31
    await world.change_database(f"UPDATE goals SET start = {round(start * 100)}")  # noqa: S608 - a number
    listed = await alice.slash(world.discord.channel, "goal list")
    assert listing.format(start=f"{start:.2f}") in plain(listed)
    assert said in str(listed.files[0].description)
    again = await add(world, alice, "rating 17.31")
    assert f"{start:.2f}" in plain(again)
    await world.change_database("UPDATE goals SET start = NULL")
    listed = await alice.slash(world.discord.channel, "goal list")
    assert re.search(r"\*\*1\d\.\d\d\*\* / 17\.31 \(\d+ ?%\)", plain(listed))


async def linked(world: World, player: str, locale: str = "en-US") -> Person:
    person = world.discord.person(player, locale=locale)
    await world.link(person, player, Visibility.ANYONE)
    return person


async def add(world: World, person: Person, goal: str) -> Reply:
    return await person.slash(world.discord.channel, "goal add", goal=goal)


def plain(reply: Reply) -> str:
    return reply.everything.replace("\\", "")


def code_in(reply: Reply) -> str:
    found = re.search(r"`([0-9a-f]{18})`", reply.everything)
    assert found is not None
    return found[1]


async def test_a_goal_is_set_shown_as_a_bar_and_removed(world: World) -> None:
    alice = await linked(world, "DrBeat")
    added = await add(world, alice, "level>=13 rank>=sss 100%")
    assert added.is_private
    assert "level>=13 rank>=sss 100%" in plain(added)
    assert re.search(r"\*\*\d+\*\* / \d+ \(0% of the way from \d+\) · of \d+ charts", added.everything)
    await add(world, alice, "rating 17.31")
    await add(world, alice, "op level>=13 99%")
    listed = await alice.slash(world.discord.channel, "goal list")
    assert not listed.is_private
    assert re.search(r"\*\*1\d\.\d\d\*\* / 17\.31 \(0% of the way from 1\d\.\d\d\)", listed.everything)
    (file,) = listed.files
    assert re.search(
        r"Goals of .+\. 1\. level>=13 rank>=sss 100%: 0%, 2\. rating 17.31: 0%", str(file.description)
    )  # by the numbers of the list, for long ones are cut
    choices = await alice.autocomplete(world.discord.channel, "goal remove", goal="rat")
    assert [choice["name"] for choice in choices] == ["rating 17.31"]
    removed = await alice.slash(world.discord.channel, "goal remove", goal=str(choices[0]["value"]))
    assert "rating 17.31" in plain(removed)
    assert "17.31" not in (await alice.slash(world.discord.channel, "goal list")).everything


async def test_a_rating_has_a_way_and_scores_have_charts_that_come_next(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    goals = ("rating 16.50", "level:13 rank>=sss count:20", "op level:13 99%", "level:13 lamp:aj count:20")
    for goal in goals:
        await alice.slash(world.discord.channel, "goal add", goal=goal)
    report = await world.bot.features.goals.report(MemberId(alice.id))
    assert [str(each.goal) for each in report.standings if each.climb] == ["rating 16.50"]
    assert [str(each.goal) for each in report.standings if each.nearest] == ["level:13 rank>=sss count:20"]


async def test_one_that_is_reached_at_first_sight_says_so(world: World) -> None:
    alice = await linked(world, "DrBeat")
    assert "It has been reached already" in (await add(world, alice, "rating 1.00")).everything
    assert "Goal reached" not in (await alice.slash(world.discord.channel, "session")).everything
    assert "reached" in (await alice.slash(world.discord.channel, "goal list")).everything


async def test_others_copy_it_with_its_code(world: World) -> None:
    alice, hanako = await linked(world, "DrBeat"), await linked(world, "minamo_plays", "ja")
    code = code_in(await add(world, alice, "level:14 lamp>=aj count:3"))
    copied = await hanako.slash(world.discord.channel, "goal copy", code=code.upper())
    assert "レベル:14 ランプ>=AJ 譜面数:3" in plain(copied)
    unknown = await hanako.slash(world.discord.channel, "goal copy", code="nothing")
    assert "発行されるコード" in unknown.everything


async def test_no_more_than_ten_and_none_that_nobody_can_reach(world: World) -> None:
    alice = await linked(world, "sora_ch")
    for number in range(10):
        await add(world, alice, f"rating 17.{number:02}")
    assert "Goal set" in (await add(world, alice, "rating 17.00")).everything, "which is there already"
    assert "reached the limit of goals" in (await add(world, alice, "rating 17.20")).everything
    assert "No chart matches" in (await add(world, alice, "const>=99 rank>=s")).everything
    assert re.search(
        r"Only \d+ charts match", (await add(world, alice, "const>=12 rank>=s count:9999")).everything
    )
    assert "does not say what to reach" in (await add(world, alice, "level:14")).everything
    for high in ("17.46", "99.99"):
        assert "is worth 17.45. Set a lower one." in (await add(world, alice, f"rating {high}")).everything


async def test_without_goals_and_without_an_account(world: World) -> None:
    alice = await linked(world, "mio")
    assert "No goals yet." in (await alice.slash(world.discord.channel, "goal list")).everything
    stranger = world.discord.person("Stranger")
    for command, options in (("add", {"goal": "rating 15"}), ("list", {}), ("remove", {"goal": "a"})):
        reply = await stranger.slash(world.discord.channel, f"goal {command}", **options)
        assert re.search("have not linked|You have no goals to remove", reply.everything)


async def test_a_goal_is_removed_by_the_words_in_which_it_is_shown_or_the_goals_are_named(
    world: World,
) -> None:
    minji = world.discord.person("Minji", locale="ko")
    await world.link(minji, "DrBeat")
    await add(world, minji, "레이팅 17.31")
    await add(world, minji, "레벨:14 랭크>=sss 채보수:20")
    refused = await minji.slash(world.discord.channel, "goal remove", goal="레이팅 17.30")
    assert "`레이팅 17.31`" in refused.text
    assert "`레벨:14 랭크>=sss 채보수:20`" in refused.text
    await minji.slash(world.discord.channel, "goal remove", goal=" 레이팅  17.31")
    listed = (await minji.slash(world.discord.channel, "goal list")).everything
    assert "17.31" not in listed
    assert "채보수" in listed


@pytest.mark.own
@pytest.mark.parametrize("locale", ["en-US", "ja"])
async def test_one_that_another_version_has_written_costs_itself_alone(world: World, locale: str) -> None:
    alice = await linked(world, "DrBeat", locale)
    channel = world.discord.channel
    await alice.slash(channel, "session")
    await add(world, alice, "rating 17.31")
    await add(world, alice, "level>=13 rank>=sss 100%")
    await world.change_database("UPDATE goals SET text = 'mood:great 50%' WHERE text LIKE 'rating%'")
    await next_day(world, "DrBeat", points=1)
    assert "1 higher score" in (await alice.slash(channel, "session")).everything or locale == "ja"
    assert len(await world.rows(SNAPSHOTS)) == 2
    listed = await alice.slash(channel, "goal list")
    assert "mood:great 50%" in plain(listed)
    assert ("can no longer read this goal" if locale != "ja" else "読み取れ") in listed.everything
    assert "rank>=sss" in plain(listed) or "ランク" in plain(listed)
    choices = await alice.autocomplete(channel, "goal remove", goal="mood")
    assert [choice["name"] for choice in choices] == ["mood:great 50%"]
    assert "mood" in plain(await alice.slash(channel, "goal remove", goal=str(choices[0]["value"])))
    assert "mood" not in plain(await alice.slash(channel, "goal list"))


@pytest.mark.own
class TestReached:
    """Told once, by the session that first sees it."""

    async def nearly_reached(self, world: World, person: Person, player: str) -> None:
        """Set a goal that the next play will reach: of all MASTER charts the lowest is short of it by a point."""

        def lowest() -> int:
            with closing(sqlite3.connect(world.service_database)) as service:
                ((score,),) = service.execute(
                    "SELECT min(score) FROM records JOIN charts USING (chart_id) WHERE user_id = ?"
                    " AND difficulty = 'MAS' AND region = 'jp2' AND constant > 0",
                    [get_account(service, player).user_id],
                )
            return int(score)

        wanted = f"diff:mas score>={await asyncio.to_thread(lowest) + 1}"
        found = re.search(r"\*\*([\d,]+)\*\* / ", (await add(world, person, f"{wanted} 100%")).everything)
        assert found is not None
        await add(world, person, f"{wanted} count:{int(found[1].replace(',', '')) + 1}")

    async def test_by_one_session_however_often_that_is_told(self, world: World) -> None:
        alice = await linked(world, "DrBeat")
        channel = world.discord.channel
        await alice.slash(channel, "session")
        await self.nearly_reached(world, alice, "DrBeat")
        assert "Goal reached" not in (await alice.slash(channel, "session")).everything
        await next_day(world, "DrBeat", points=1)
        assert "reached" in (await alice.slash(channel, "goal list")).everything
        for _ in range(2):
            assert (await alice.slash(channel, "session")).everything.count("Goal reached") == 1
        moments = await self.moments(world)
        await world.start_bot()  # as after a crash: what was noted stays
        assert (await alice.slash(channel, "session")).everything.count("Goal reached") == 1
        assert await self.moments(world) == moments
        await next_day(world, "DrBeat", points=1)
        assert "Goal reached" not in (await alice.slash(channel, "session")).everything

    async def test_also_where_the_bot_ended_before_it_could_be_told(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        alice = await linked(world, "DrBeat")
        channel = world.discord.channel
        await alice.slash(channel, "session")
        await self.nearly_reached(world, alice, "DrBeat")
        await next_day(world, "DrBeat", points=1)
        with monkeypatch.context() as patched:
            patched.setattr("cogs.chronicle.session_embed", None)
            assert "Goal reached" not in (await alice.slash(channel, "session")).everything
        assert [moment for moment in await self.moments(world) if moment], "noted before it was to be told"
        assert (await alice.slash(channel, "session")).everything.count("Goal reached") == 1

    async def test_not_by_what_was_known_before_the_service_went_away(self, world: World) -> None:
        alice = await linked(world, "DrBeat")
        channel = world.discord.channel
        await alice.slash(channel, "session")
        await self.nearly_reached(world, alice, "DrBeat")
        before = await self.moments(world)
        await next_day(world, "DrBeat", points=1)
        await world.stop_service()
        world.clock.advance(3600)
        assert "Goal reached" not in (await alice.slash(channel, "session")).everything
        assert await self.moments(world) == before
        await world.restart_service()
        world.clock.advance(3600)
        assert (await alice.slash(channel, "session")).everything.count("Goal reached") == 1

    async def test_also_where_a_look_in_the_background_was_the_first(self, world: World) -> None:
        alice = await linked(world, "DrBeat")
        channel = world.discord.channel
        await alice.slash(channel, "session")
        await self.nearly_reached(world, alice, "DrBeat")
        await next_day(world, "DrBeat", points=1)
        await world.bot.features.chronicle.look_at(MemberId(alice.user.id))
        assert any(await self.moments(world))
        assert (await alice.slash(channel, "session")).everything.count("Goal reached") == 1

    async def test_by_one_post_of_each_plan(self, world: World) -> None:
        (alice,) = await start_daily(world, "DrBeat")
        channel = world.discord.channel
        await alice.slash(channel, "session")
        await self.nearly_reached(world, alice, "DrBeat")
        at_nine(world)
        for told in (0, 1, 0):
            before = len(channel.posts())
            await world.tick()
            post = (await world.discord.post(channel, after=before)).embeds[0]
            assert str(post.description).count("Goal reached") == told
            await next_day(world, "DrBeat", points=1)
            await alice.slash(channel, "session")
            await settled(world)

    async def test_a_session_of_somebody_elses_tells_no_goals(self, world: World) -> None:
        alice, bob = await linked(world, "DrBeat"), await linked(world, "minamo_plays")
        channel = world.discord.channel
        await alice.slash(channel, "session")
        await self.nearly_reached(world, alice, "DrBeat")
        await next_day(world, "DrBeat", points=1)
        await alice.slash(channel, "session")
        assert "Goal reached" not in (await bob.slash(channel, "session", member=alice)).everything

    async def moments(self, world: World) -> list[object]:
        return sorted((row["reached_at"] for row in await world.rows(GOALS)), key=str)

    async def test_not_by_a_session_that_was_over_before(self, world: World) -> None:
        """As where constants have changed since, and with them a rating, though nothing was played."""
        alice = await linked(world, "DrBeat")
        channel = world.discord.channel
        await alice.slash(channel, "session")
        await self.nearly_reached(world, alice, "DrBeat")
        await next_day(world, "DrBeat", points=1)
        assert (await alice.slash(channel, "session")).everything.count("Goal reached") == 1
        later = world.clock.now() + timedelta(days=1)
        await world.change_database(
            f"UPDATE goals SET reached_at = '{later:%Y-%m-%d %H:%M:%S.%f}' WHERE reached_at IS NOT NULL"  # noqa: S608 - a time of ours
        )
        assert "Goal reached" not in (await alice.slash(channel, "session")).everything


async def test_a_goal_that_is_too_long_as_it_would_be_kept_is_refused(world: World) -> None:
    """The text of a filter has room for a thousand characters, and its code can be copied as a goal."""
    alice = await linked(world, "DrBeat")
    wanted = "diff:" + ",".join(["bas"] * 99) + " rank>=s"
    await alice.slash(world.discord.channel, "search", filter=wanted.replace("bas", "緑"))
    refused = await alice.slash(world.discord.channel, "goal copy", code=key_of(wanted))
    assert "Make it shorter" in refused.everything
    assert "room for 255" in refused.everything
    assert "bas" not in (await alice.slash(world.discord.channel, "goal list")).everything


@pytest.mark.own
async def test_a_version_that_begins_is_a_chapter_and_no_loss(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = await linked(world, "DrBeat")
    rating = explain_player(world.service_database, "DrBeat").worked_out.rating or 0
    await add(world, alice, "rating 17.31")
    await add(world, alice, f"rating {(rating - 100) / 100:.2f}")
    version = begin_version(world, monkeypatch, days=2)
    go_to(world, version.begins_at + timedelta(hours=1))
    await asyncio.to_thread(play_day, world.service_database, ["DrBeat"], world.clock.now())
    first = explain_player(
        world.service_database, "DrBeat", version.first_day, world.bot.features.game_ratings.versions
    )
    told = await alice.slash(world.discord.channel, "session")
    await settled(world)
    listed = await alice.slash(world.discord.channel, "goal list")
    assert first.is_explained, told.everything
    begun = f"{(first.worked_out.rating or 0) / 100:.2f}"
    assert f"(0% of the way from {begun}, a new chapter since {version.name} has begun)" in plain(listed)
    assert f"**{begun}** / {(rating - 100) / 100:.2f} · reached on" in plain(listed)
    assert "100%" in str(listed.files[0].description)
