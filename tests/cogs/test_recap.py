"""`/recap`: what is told of a version and of a year, to whom, and what is asked for it."""

import asyncio
import re
from datetime import timedelta

import pytest
from dailies import play, settled
from harness import Person, Reply
from turning import begin_version, go_to
from world import World

from bot.demo.days import play_day
from bot.domain.members import Visibility

PLAYER = "DrBeat"


async def look(world: World, *people: Person) -> None:
    for person in people:
        await person.slash(world.discord.channel, "session")
    await settled(world)


async def evenings(world: World, *people: Person, days: int = 4) -> None:
    """Let days go by, on each of which the first plays between two looks."""
    for _ in range(days):
        await look(world, *people)
        world.clock.advance(3_600)
        await play(world, PLAYER)
        world.clock.advance(3_600)
        await look(world, *people)
        world.clock.advance(timedelta(hours=22).total_seconds())


async def recap(person: Person, world: World, **options: str) -> Reply:
    return await person.slash(world.discord.channel, "recap", **options)


async def pages(person: Person, shown: Reply, word: str = "Next") -> list[str]:
    """Return what all pages say."""
    told = [shown.everything]
    places = [re.fullmatch(r"1 / (\d+)", each.label) for each in shown.components]
    count = next((int(found[1]) for found in places if found), 1)
    for _ in range(1, count):
        shown = await person.click(shown, word)
        told.append(shown.everything)
    return told


@pytest.fixture
async def alice(world: World) -> Person:
    alice = world.discord.person("Alice")
    await world.link(alice, PLAYER, Visibility.SERVERS)
    return alice


async def test_nothing_known_is_said_in_a_sentence(world: World, alice: Person) -> None:
    nothing = await recap(alice, world)
    assert "None of your records are remembered yet" in nothing.everything
    assert "Share" not in [each.label for each in nothing.components]
    await look(world, alice)
    assert "Nothing that you played in this time is remembered" in (await recap(alice, world)).everything
    ended = (await recap(alice, world, period="last-year")).everything
    assert "Your records have been remembered since" in ended
    assert "from then on" not in ended, "nothing is played in a year that is over"


async def test_its_pages_are_private_ask_nothing_and_can_be_shared_each(world: World, alice: Person) -> None:
    await evenings(world, alice)
    await world.stop_service()
    shown = await recap(alice, world, period="year")
    assert shown.is_private
    told = await pages(alice, shown)
    assert 5 <= len(told) <= 10
    for word in ("At a glance", "The best day", "The biggest jump", "The best score", "The favourite chart"):
        assert sum(word in each for each in told) <= 1, word
    assert any("The biggest jump" in each and "(+500)" in each for each in told)
    assert re.search(r"At a glance\n.*Rating: \D*\d+\.\d\d", told[0])
    month = next(each for each in told if "The busiest month" in each)
    assert re.search(r"\*\*[A-Z][a-z]{2} 20\d\d\*\*", month)
    second = await alice.click(await recap(alice, world, period="year"), "Next")
    shared = await alice.click(second, "Share")
    assert not shared.is_private
    assert shared.components == ()
    assert shared.embed.description == second.embed.description


async def test_what_was_played_since_is_told_at_once(world: World, alice: Person) -> None:
    await evenings(world, alice, days=1)
    assert "1 better record" in (await recap(alice, world, period="year")).everything
    await evenings(world, alice, days=1)
    assert "2 better records" in (await recap(alice, world, period="year")).everything


async def test_a_rival_is_somebody_here_who_lets_others_look(world: World, alice: Person) -> None:
    bob, carol = world.discord.person("Bob"), world.discord.person("Carol")
    await world.link(bob, "minamo_plays", Visibility.SERVERS)
    await world.link(carol, "mio")
    await evenings(world, alice, bob, carol)
    for person, rating in ((alice, 1_500), (bob, 1_510), (carol, 1_501)):
        await world.change_database(f"UPDATE snapshots SET rating = {rating} WHERE member_id = {person.id}")  # noqa: S608 - numbers of ours
    told = "".join(await pages(alice, await recap(alice, world, period="year")))
    assert "**Bob**" in told
    assert "Carol" not in told
    bob.leave(world.discord.home)
    world.clock.advance(120)
    assert "**Bob**" not in "".join(await pages(alice, await recap(alice, world, period="year")))


async def test_while_a_version_is_new_the_one_before_is_told_of(
    world: World, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = begin_version(world, monkeypatch, days=10)
    await evenings(world, alice, days=2)
    before = await recap(alice, world)
    go_to(world, version.begins_at + timedelta(days=1))
    await asyncio.to_thread(play_day, world.service_database, [PLAYER], world.clock.now())
    world.clock.advance(3_600)
    await look(world, alice)
    after = await recap(alice, world)
    assert "2 better records" in after.everything
    assert str(after.embed.title) == str(before.embed.title)
    assert version.name not in str(after.embed.title)
    new = await alice.choose(after, "Look back at what?", "This version of the game")
    assert version.name in str(new.embed.title)
    assert "At a glance" in new.everything


@pytest.mark.parametrize(
    ("locale", "word", "said"),
    [("ja", "次へ", "振り返り"), ("ko", "다음", "돌아보기"), ("zh-TW", "下一頁", "回顧")],
)
async def test_in_other_languages(world: World, alice: Person, locale: str, word: str, said: str) -> None:
    await evenings(world, alice)
    alice.speaks(locale)
    told = await pages(alice, await recap(alice, world, period="year"), word)
    assert len(told) >= 5
    assert all(said in each for each in told)
