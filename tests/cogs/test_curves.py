"""`/history`: whose figures, of which days, and what is asked for them."""

import asyncio
import re
from datetime import timedelta
from decimal import Decimal

import pytest
from dailies import settled
from door import Door
from explained import explain_player
from harness import Person, Reply
from turning import begin_version
from world import World

from bot.database.tables import SNAPSHOTS
from bot.demo.days import play_day
from bot.domain.ids import JP, JP2, MemberId
from bot.domain.members import Visibility


async def history(person: Person, world: World, **options: object) -> Reply:
    return await person.slash(world.discord.channel, "history", **options)  # pyright: ignore[reportArgumentType]  # whatever is tried


async def remembered(world: World, name: str, player: str, visibility: Visibility) -> Person:
    """Return somebody who looked on three days, on each of which their figures were others."""
    person = world.discord.person(name)
    await world.link(person, player, visibility)
    for day in range(3):
        await person.slash(world.discord.channel, "session")
        await asyncio.gather(*world.bot.features.chronicle._notes)
        await world.change_database(
            f"UPDATE snapshots SET rating = {1500 + day}, best_average = {150_000 + day}, over_power = {9_000 + day}"  # noqa: S608 - numbers of ours
            f" WHERE member_id = {person.id} AND taken_at >= '{world.clock.now():%Y-%m-%d}'"
        )
        world.bot.features.chronicle._noted.clear()  # what it has noted is not what stands there now
        world.clock.advance(86_400)
    return person


async def test_where_no_song_counts_as_new_that_is_said_and_not_offered(world: World) -> None:
    ken = world.discord.person("Ken")
    await world.link(ken, "DrBeat", Visibility.SERVERS)
    await world.bot.features.preferences.set_game(MemberId(ken.id), JP, None)
    await history(ken, world)
    none = "No songs count as new in this game version"
    assert none in (await history(ken, world, what="new")).everything
    assert "New average" not in (await history(ken, world)).component("What is shown").options
    board = await ken.slash(world.discord.channel, "leaderboard", what="new")
    assert none in board.everything
    assert "/session" not in board.everything
    await world.bot.features.preferences.set_game(MemberId(ken.id), JP2, None)
    shown = await history(ken, world, what="new")
    assert none not in shown.everything
    assert "New average" in shown.component("What is shown").options


@pytest.fixture
async def alice(world: World) -> Person:
    return await remembered(world, "Alice", "DrBeat", Visibility.SERVERS)


async def test_others_are_told_of_from_memory(world: World, alice: Person) -> None:
    bob = world.discord.person("Bob")
    await world.link(bob, "minamo_plays", Visibility.ANYONE)
    began = world.clock.now() - timedelta(days=3)
    await bob.slash(world.discord.channel, "rating")
    await world.stop_service()
    shown = await history(bob, world, member=alice)
    assert not shown.is_private
    assert "15.00" in shown.everything
    assert "**15.02**" in shown.everything
    assert "+0.02" in shown.everything
    (picture,) = shown.files
    assert "Alice: 15.00 on " in str(picture.description)
    turned = await bob.click(shown, "For phones")
    (phone,) = turned.files
    assert turned.component("Wide")
    assert world.discord.content(phone) != world.discord.content(picture)
    assert "**15.0002**" in (await history(bob, world, member=alice, what="best")).everything
    assert "**9.002**" in (await history(bob, world, member=alice, what="overpower")).everything
    both = await history(bob, world, member=alice, member2=bob)
    assert "Only one day" in both.everything
    later = (began + timedelta(days=1, hours=9)).date()
    part = await history(bob, world, **{"member": alice, "from": later.isoformat()})
    assert "15.01" in part.everything
    assert "15.00" not in part.everything
    assert "+0.01" in part.everything
    one = await history(bob, world, **{"member": alice, "from": later.isoformat(), "to": f"{later:%Y/%m/%d}"})
    assert "Only one day" in one.everything
    assert not one.files
    wrong = await history(bob, world, **{"member": alice, "from": "2026-11-02", "to": "2026-11-01"})
    assert "`from` is after" in wrong.posts[-1].text
    for typed in ("soon", "2001-01-01"):
        refused = (await history(bob, world, to=typed)).posts[-1].text.replace("\\", "")
        assert re.search(r"`to` is not valid\. It takes: 20\d\d-\d\d-\d\d – 20\d\d-\d\d-\d\d", refused)


async def test_ones_own_history_ends_today_for_few_questions(world: World) -> None:
    door = Door(lambda _path: False, 1)
    asked: list[str] = []
    door.passed = asked.append
    async with world.behind(door):
        alice = await remembered(world, "Alice", "DrBeat", Visibility.ONLY_ME)
        questions = {"rating": ["users/me"], "best": ["users/me"], "overpower": ["users/me"]}
        for what, paths in questions.items():
            world.clock.advance(3600)
            asked.clear()
            shown = await history(alice, world, what=what)
            assert shown.is_private
            found = [each for each in asked if "music" not in each]  # which is not theirs alone
            assert len(found) == len(paths)
            assert all(any(path in each for each in found) for path in paths)
            assert "15.02**" not in shown.everything


async def test_the_slot_of_new_songs_is_worked_out_of_the_looks_of_the_past(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    averages = list[str]()
    for day in range(3):
        if day:
            world.clock.advance(86_400)
            await asyncio.to_thread(play_day, world.service_database, ["DrBeat"], world.clock.now())
        await alice.slash(world.discord.channel, "session")
        await settled(world)
        slots = explain_player(world.service_database, "DrBeat").worked_out
        averages.append(f"{Decimal(sum(entry.rating for entry in slots.new)) / 2000:.4f}")
    shown = await history(alice, world, what="new")
    assert averages[0] in shown.everything
    assert f"**{averages[-1]}**" in shown.everything
    kept = await world.rows(SNAPSHOTS)
    # As an earlier version has left them: with the best slot of all songs.
    for table in ("snapshots", "earlier_looks"):
        await world.change_database(f"UPDATE {table} SET new_average = NULL, best_average = 1")  # noqa: S608 - names of ours
    await world.start_bot()
    again = await history(alice, world, what="new")
    assert again.everything == shown.everything
    assert await world.rows(SNAPSHOTS) == kept


async def test_a_version_that_begins_is_a_chapter_of_a_history(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    version = begin_version(world, monkeypatch, days=2)
    ratings = list[int]()
    for _ in range(4):
        await alice.slash(world.discord.channel, "session")
        await settled(world)
        ratings.append(explain_player(world.service_database, "DrBeat").worked_out.sum)
        world.clock.advance(86_400)
        await asyncio.to_thread(play_day, world.service_database, ["DrBeat"], world.clock.now())
    shown = await history(alice, world)
    assert f"**{version.name}** began on" in shown.everything
    assert "ratings start over" in shown.everything
    assert "−" not in shown.everything
    (picture,) = shown.files
    assert f"{version.name} began on" in str(picture.description)


async def test_who_does_not_let_others_look_is_told_of_to_nobody(world: World, alice: Person) -> None:
    bob = await remembered(world, "Bob", "minamo_plays", Visibility.ANYONE)
    refused = "has not linked an account that you may look up"
    hidden = world.discord.person("Carol")
    await world.link(hidden, "mio")
    said = await history(bob, world, member=alice, member2=hidden)
    assert refused in said.posts[-1].text
    assert "15.0" not in said.everything
    links = world.bot.features.accounts._store.links
    link = (await world.bot.features.accounts._store.members.get(MemberId(alice.id))).link
    assert link is not None
    await links.set_protected(link, is_protected=True)
    assert (
        "What is remembered of them is shown to nobody else"
        in (await history(bob, world, member=alice)).posts[-1].text
    )
    assert "15.0" in (await history(alice, world, member=alice)).everything


@pytest.mark.parametrize(
    ("locale", "what", "days", "best", "all_days", "week"),
    [
        ("en-US", "What is shown", "Which days", "Best average", "All days", "The last 7 days"),
        ("ja", "表示する数値", "表示する期間", "ベスト枠平均", "全期間", "直近7日間"),
    ],
)
async def test_what_is_shown_and_its_days_are_chosen_from_menus(  # noqa: PLR0917 - words of two languages
    world: World, alice: Person, locale: str, what: str, days: str, best: str, all_days: str, week: str
) -> None:
    bob = world.discord.person("Bob", locale=locale)
    await world.link(bob, "minamo_plays", Visibility.ANYONE)
    shown = await history(bob, world, member=alice, member2=bob)
    assert (shown.component(days).chosen, "**15.02**" in shown.everything) == ((all_days,), True)
    turned = await bob.choose(shown, what, best)
    assert "Alice" in turned.everything
    assert "**15.0002**" in turned.everything
    assert turned.component(what).chosen == (best,)
    world.clock.advance(5 * 86_400)
    later = await bob.choose(turned, days, week)
    assert (later.component(what).chosen, later.component(days).chosen) == ((best,), (week,))
    assert "15.0002" in later.everything
    assert "15.0000" not in later.everything
    alice.leave(world.discord.home)
    gone = await bob.choose(later, days, all_days)
    assert "15.0002" not in gone.posts[-1].text


async def test_the_days_that_were_typed_stay_a_choice(world: World, alice: Person) -> None:
    first = (world.clock.now() - timedelta(days=2) + timedelta(hours=9)).date()
    typed = await history(alice, world, **{"from": first.isoformat()})
    (chosen,) = typed.component("Which days").chosen
    assert chosen.startswith("Since ")
    turned = await alice.choose(typed, "What is shown", "OVER POWER")
    assert turned.component("Which days").chosen == (chosen,)
    assert "Alice: 9.00 on " not in turned.everything
    whole = await alice.choose(turned, "Which days", "All days")
    assert "Alice: 9.00 on " in whole.everything


async def test_where_discord_says_no_names_again_there_is_no_menu(world: World, alice: Person) -> None:
    bob = world.discord.person("Bob")
    await world.link(bob, "minamo_plays", Visibility.ANYONE)
    assert len((await history(bob, world, member=alice)).components) == 3
    await world.bot.features.accounts._store.links.set_visibility(MemberId(alice.id), Visibility.ANYONE)
    elsewhere = await bob.slash(bob.direct, "history", member=alice)
    assert "15.0" in elsewhere.everything
    assert elsewhere.components == ()
    assert len((await bob.slash(bob.direct, "history")).components) == 2


async def test_in_japanese(world: World, alice: Person) -> None:
    alice.speaks("ja")
    assert "最高" in (await history(alice, world)).everything
