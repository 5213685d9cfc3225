"""Answers made of several questions: asked side by side, and over when the patience for the whole answer is."""

import time
from datetime import UTC, datetime

import pytest
from world import World

from bot.clock import ManualClock
from bot.domain.ids import MemberId, UserName
from bot.features.askers import Subject
from service.options import ServiceOptions

DELAY = 1.0
"""Seconds that the service takes for each reply."""


class RunningClock(ManualClock):
    """Goes on by itself where waiting is measured."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()


@pytest.fixture
def options() -> ServiceOptions:
    return ServiceOptions(quick_seconds=0, delay_seconds=DELAY)


async def ready(world: World, *, patience: float) -> MemberId:
    """Link somebody, and have the catalogue fetched, so that it costs the answers no time."""
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    world.clock = RunningClock(world.clock.now())
    world.settings = world.settings.model_copy(update={"patience_seconds": patience})
    await world.start_bot()
    page = await world.bot.features.about.page()
    assert page.age is not None
    return MemberId(alice.id)


async def test_a_comparison_takes_as_long_as_few_of_its_questions(world: World) -> None:
    alice = await ready(world, patience=10)
    began = time.perf_counter()
    page = await world.bot.features.comparisons.page(alice, Subject(player=UserName("mio")), "")
    assert page.part.items
    assert time.perf_counter() - began < 4 * DELAY  # one after another they took six times as long


async def test_the_scores_of_friends_are_asked_side_by_side(world: World) -> None:
    alice = await ready(world, patience=10)
    song = (await world.bot.features.library.suggest(alice, "", None))[0]
    began = time.perf_counter()
    found = await world.bot.features.songs.friends(alice, song.id, None)
    assert found.asked >= 3
    assert time.perf_counter() - began < 4 * DELAY


async def test_of_many_friends_the_highest_ratings_are_asked(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.features.songs.FRIENDS_ASKED", 2)
    alice = await ready(world, patience=10)
    song = (await world.bot.features.library.suggest(alice, "", None))[0]
    page = await world.bot.features.friends.page(alice)
    listed = [friend for friend in page.part.items if friend.is_accepted]
    found = await world.bot.features.songs.friends(alice, song.id, None)
    assert (found.asked, found.left_out) == (2, len(listed) - 2)
    highest = sorted((friend.rating for friend in listed), reverse=True)[:2]
    assert {score.friend.rating for score in found.friends} <= set(highest)


async def test_one_patience_for_the_whole_answer(world: World) -> None:
    alice = await ready(world, patience=1.9 * DELAY)
    song = (await world.bot.features.library.suggest(alice, "", None))[0]
    began = time.perf_counter()
    found = await world.bot.features.songs.friends(alice, song.id, None)
    # The list took one second, and what is left is too short for anybody's scores.
    assert found.asked == 0
    assert found.left_out >= 1
    assert time.perf_counter() - began < 4 * DELAY


async def test_the_trouble_of_one_question_is_told_as_it_is(world: World) -> None:
    await ready(world, patience=10)
    alice = world.discord.person("Bob")
    await world.link(alice, "DrBeat")
    reply = await alice.slash(world.discord.channel, "compare", player="nobody_at_all")
    assert "Check the spelling" in reply.text
    assert "fault" not in world.log.text
