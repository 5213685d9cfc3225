"""Answers made of several questions: asked side by side, and over when the patience for the whole answer is."""

import pytest
from door import Door
from harness import Person
from world import World

from bot.domain.ids import MemberId, UserName
from bot.features.shared.subjects import Subject

PATIENCE = 10


@pytest.fixture
async def alice(world: World) -> Person:
    """Somebody with a link, where the catalogue has been fetched, so that no answer waits for it."""
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    world.settings = world.settings.model_copy(update={"patience_seconds": PATIENCE})
    await world.discord.stop()
    return alice


async def with_catalogue(world: World) -> None:
    report = await world.bot.features.about.report()
    assert report.age is not None


def is_about_records(path: str) -> bool:
    return path.startswith("/2.0/records/")


async def test_the_questions_of_a_comparison_are_asked_side_by_side(world: World, alice: Person) -> None:
    door = Door(is_about_records, 2)
    async with world.behind(door):
        await with_catalogue(world)
        report = await world.bot.features.comparison.report(
            MemberId(alice.id), Subject(player=UserName("mio")), ""
        )
    assert report.part.items
    assert door.most == 2


async def test_the_scores_of_friends_are_asked_side_by_side(world: World, alice: Person) -> None:
    door = Door(is_about_records, 3)
    async with world.behind(door):
        await with_catalogue(world)
        song = (await world.bot.features.library.suggest(MemberId(alice.id), "", None))[0]
        found = await world.bot.features.songs.report_friends(MemberId(alice.id), song.id, None)
    assert found.asked >= 3
    assert door.most >= 3


async def test_of_many_friends_the_highest_ratings_are_asked(
    world: World, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.features.songs.FRIENDS_ASKED", 2)
    await world.start_bot()
    await with_catalogue(world)
    song = (await world.bot.features.library.suggest(MemberId(alice.id), "", None))[0]
    report = await world.bot.features.friends.report(MemberId(alice.id))
    listed = [friend for friend in report.part.items if friend.is_accepted]
    found = await world.bot.features.songs.report_friends(MemberId(alice.id), song.id, None)
    assert (found.asked, found.left_out) == (2, len(listed) - 2)
    highest = sorted((friend.rating for friend in listed), reverse=True)[:2]
    assert {score.friend.rating for score in found.friends} <= set(highest)


async def test_one_patience_for_the_whole_answer(world: World, alice: Person) -> None:
    door = Door(is_about_records, 100)  # nobody's scores come
    async with world.behind(door):
        await with_catalogue(world)
        song = (await world.bot.features.library.suggest(MemberId(alice.id), "", None))[0]

        def list_takes_long(path: str) -> None:
            if "friends" in path:
                world.clock.advance(PATIENCE)

        door.passed = list_takes_long
        found = await world.bot.features.songs.report_friends(MemberId(alice.id), song.id, None)
    assert door.most >= 1
    assert found.asked == 0  # each was given up before the door would have let it through
    assert found.left_out >= 1


async def test_the_trouble_of_one_question_is_told_as_it_is(world: World) -> None:
    bob = world.discord.person("Bob")
    await world.link(bob, "DrBeat")
    reply = await bob.slash(world.discord.channel, "compare", player="nobody_at_all")
    assert "Check the spelling" in reply.text
    assert "fault" not in world.log.text
