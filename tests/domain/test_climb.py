"""The way to a rating: its steps add up, and it takes as many tries as it says."""

from datetime import date
from statistics import median

import careers
import pytest
from players import Arcade

from bot.domain.climb import MAX_CLIMB_TRIES, Climb, climb_to
from bot.domain.coach import ChartFeatureSet, PopulationModel, coach
from bot.domain.gains import RatingSlots, slots_after
from bot.domain.game_rating import work_out
from bot.domain.game_versions import Formula, GameVersion
from bot.domain.ids import JP2
from bot.domain.numbers import Hundredths
from bot.domain.rating import song_rating
from bot.domain.scores import Record

ARCADE = Arcade(11, songs=200)
PLAYER, CAREER = next(met for _ in range(99) if len((met := ARCADE.meet())[1].scores) > 300)
"""Of whom all places are filled."""
VERSION = GameVersion(
    name="today's",
    region=JP2,
    first_day=date(2025, 1, 1),
    formula=Formula.BEST_AND_NEW,
    new_since=date(2023, 1, 1),
)
_CONSTANTS = {
    (song.id, chart.difficulty): chart.constant or Hundredths(0)
    for song in ARCADE.catalogue.songs
    for chart in song.charts
}


def record_of(key: tuple[str, str], score: int) -> Record:
    song, code = next(each for each in _CONSTANTS if each == key)
    return Record(
        song_id=song,
        title=song,
        difficulty=code,
        level=_CONSTANTS[song, code],
        constant=_CONSTANTS[song, code],
        score=score,
        rating=song_rating(_CONSTANTS[song, code], score, JP2),
        is_estimated=False,
        lamps=careers.CLEAR,
    )


RECORDS = [record_of(key, score) for key, score in CAREER.scores.items()]
SLOTS = RatingSlots.of(work_out(RECORDS, ARCADE.catalogue, VERSION))
RATING = SLOTS.rating or Hundredths(0)
OUTLOOKS = coach(
    ChartFeatureSet.of(ARCADE.catalogue), PopulationModel.unknown(), RATING / 100, CAREER.scores
).outlooks


def climb(more: int, rating: Hundredths = RATING) -> Climb:
    return climb_to(SLOTS, rating, ARCADE.catalogue, OUTLOOKS, Hundredths(rating + more))


@pytest.mark.parametrize("more", [1, 5, 12])
def test_the_steps_lead_there_in_order_and_add_up(more: int) -> None:
    found = climb(more)
    assert found.is_reachable
    assert found.after >= RATING + more
    plays = [step.effect.play for step in found.steps]
    assert slots_after(SLOTS, plays).rating == found.after
    assert slots_after(SLOTS, plays[:-1]).rating != found.after, "no step more than it takes"
    assert sum(step.effect.sum_gain for step in found.steps) == slots_after(SLOTS, plays).sum - SLOTS.sum
    assert all(step.effect.sum_gain > 0 for step in found.steps)
    assert len({step.effect.play.key for step in found.steps}) == len(found.steps)
    for step in found.steps:
        assert step.chance == OUTLOOKS[step.effect.play.key].next_try.chance(step.score) > 0


def test_more_takes_more_tries() -> None:
    few, many = climb(2).tries, climb(12).tries
    assert few.half
    assert few.nine_in_ten
    assert many.half
    assert few.half < many.half <= MAX_CLIMB_TRIES
    assert few.half < few.nine_in_ten


def test_who_plays_the_steps_gets_there_in_about_as_many_tries() -> None:
    """By the player's own luck, of which the coach knows nothing; one player alone, so by a wide margin."""
    found = climb(8)
    taken: list[int] = []
    for _ in range(60):
        slots, tries = SLOTS, 0
        left = list(found.steps)
        while left and tries < MAX_CLIMB_TRIES and (slots.rating or 0) < found.target:
            for step in [*left]:
                tries += 1
                score = ARCADE.try_once(PLAYER, step.effect.play.key)
                play = slots.play_on(step.song, step.chart, score, JP2)
                slots = slots_after(slots, [play] if play else [])
                if (slots.rating or 0) >= found.target:
                    break
                if score >= step.score:
                    left.remove(step)
        taken.append(tries)
    assert found.tries.half
    assert 1 / 3 < median(taken) / found.tries.half < 3


def test_what_no_score_can_give_is_out_of_reach_and_nothing_else() -> None:
    highest = climb(1).highest
    assert climb(highest - RATING).is_reachable
    beyond = climb(highest - RATING + 1)
    assert not beyond.is_reachable
    assert beyond.tries.half is None
    assert beyond.after < beyond.target


def test_what_is_reached_takes_no_try() -> None:
    found = climb(0)
    assert not found.steps
    assert (found.tries.half, found.tries.nine_in_ten) == (0, 0)
    assert found.after == RATING


def test_a_rating_that_the_slots_do_not_explain_is_taken_at_its_word() -> None:
    found = climb(5, Hundredths(RATING + 30))
    assert found.after >= RATING + 35
    assert sum(step.effect.sum_gain for step in found.steps) >= 5 * SLOTS.places


def test_the_same_is_said_again() -> None:
    assert climb(5) == climb(5)
