"""What to play for a rating: steps that lead there in order and add up, and as many tries as it takes."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import accumulate, pairwise
from statistics import fmean, median

import careers
import pytest
from players import Arcade

from bot.domain.climb import (
    MIN_CLIMB_STEPS,
    ClimbStep,
    StepChoice,
    TargetMeasure,
    climb_steps,
    highest_sum,
)
from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.player_model import fit_player
from bot.domain.coach.population import PopulationModel
from bot.domain.entries import ChartEntry, catalogue_entries
from bot.domain.gains import RatingSlots, slots_after, to_thousandths
from bot.domain.game_rating import work_out
from bot.domain.game_versions import Formula, GameVersion
from bot.domain.ids import JP2
from bot.domain.numbers import Hundredths
from bot.domain.rating import song_rating
from bot.domain.scores import Record, SlotName
from bot.domain.tries import EVENING_TRIES, MAX_CLIMB_TRIES, Climb, ClimbTarget, climb_to, evening_gain

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
ENTRIES = [*catalogue_entries(ARCADE.catalogue, RECORDS)]
SLOTS = RatingSlots.of(work_out(RECORDS, ARCADE.catalogue, VERSION))
RATING = SLOTS.rating or Hundredths(0)
OUTLOOKS = fit_player(
    ChartFeatureSet.of(ARCADE.catalogue), PopulationModel.unknown(), RATING / 100, CAREER.scores
).predictions


def climb(more: int, rating: Hundredths = RATING, entries: Sequence[ChartEntry] = ENTRIES) -> Climb:
    return climb_to(SLOTS, rating, entries, OUTLOOKS, ClimbTarget(Hundredths(rating + more)))


def evening(choice: StepChoice) -> list[ClimbStep]:
    return climb_steps(SLOTS, ENTRIES, OUTLOOKS, choice, lambda _slots: True)


@pytest.mark.parametrize("more", [1, 5, 12])
def test_the_steps_lead_there_in_order_and_add_up(more: int) -> None:
    found = climb(more)
    assert found.is_possible
    assert found.leads_there
    plays = [step.effect.play for step in found.steps]
    assert slots_after(SLOTS, plays).rating == found.after
    gained = slots_after(SLOTS, plays).sum - SLOTS.sum
    assert sum(step.effect.sum_gain for step in found.steps) == gained >= found.missing
    assert sum(step.effect.thousandths for step in found.steps) == to_thousandths(gained, SLOTS.places)
    assert all(step.effect.sum_gain > 0 for step in found.steps)
    assert len({step.key for step in found.steps}) == len(found.steps) >= MIN_CLIMB_STEPS
    for step in found.steps:
        assert step.chance == OUTLOOKS[step.key].next_try.chance(step.score) > 0


def test_of_a_long_way_no_more_is_named_than_it_takes() -> None:
    for more in (2, 30, 45):
        found = climb(more)
        sums = [*accumulate(step.effect.sum_gain for step in found.steps)]
        assert found.leads_there
        assert len(sums) <= 20 or sums[-2] < found.missing <= sums[-1]


def test_both_slots_are_climbed_in() -> None:
    slots = {step.effect.slot for step in climb(12).steps}
    assert slots == {SlotName.BEST, SlotName.NEW}
    assert all(step.effect.slot is SlotName.NEW for step in climb_of_new().steps)


def climb_of_new() -> Climb:
    target = ClimbTarget(Hundredths(RATING + 2))
    return climb_to(SLOTS, RATING, ENTRIES, OUTLOOKS, target, StepChoice(is_of_new_song))


def is_of_new_song(entry: ChartEntry) -> bool:
    return SLOTS.is_new(entry.song)


def test_a_best_average_is_made_of_older_songs_alone() -> None:
    now = sum(place.rating for place in SLOTS.best)
    target = ClimbTarget(Hundredths(now // 30 + 2), TargetMeasure.BEST_AVERAGE)
    found = climb_to(SLOTS, RATING, ENTRIES, OUTLOOKS, target)
    assert found.missing == target.value * 30 - now
    assert {step.effect.slot for step in found.steps} == {SlotName.BEST}
    assert found.after >= target.value


def test_more_takes_more_tries() -> None:
    few, many = climb(2).tries, climb(12).tries
    assert few.half
    assert few.nine_in_ten
    assert many.half
    assert few.half < many.half <= MAX_CLIMB_TRIES
    assert few.half < few.nine_in_ten


def test_who_plays_the_steps_gets_there_in_about_as_many_tries() -> None:
    """By the player's own luck, of which the model knows nothing; one player alone, so by a wide margin."""
    found = climb(8)
    taken: list[int] = []
    for _ in range(60):
        slots, tries = SLOTS, 0
        left = list(found.steps)
        while left and tries < MAX_CLIMB_TRIES and (slots.rating or 0) < found.target.value:
            for step in [*left]:
                tries += 1
                score = ARCADE.try_once(PLAYER, step.key)
                play = slots.play_on(step.entry.song, step.entry.chart, score, JP2)
                slots = slots_after(slots, [play] if play else [])
                if (slots.rating or 0) >= found.target.value:
                    break
                if score >= step.score:
                    left.remove(step)
        taken.append(tries)
    assert found.tries.half
    assert 1 / 3 < median(taken) / found.tries.half < 3


def test_an_evening_brings_about_what_it_says() -> None:
    steps = evening(StepChoice(fewest=EVENING_TRIES, most=EVENING_TRIES))
    said = evening_gain(SLOTS, steps, OUTLOOKS)
    assert said.tries == EVENING_TRIES
    assert 0 <= said.low < said.usual < said.high

    def played() -> int:
        slots = SLOTS
        for step in steps:
            score = ARCADE.try_once(PLAYER, step.key)
            play = slots.play_on(step.entry.song, step.entry.chart, score, JP2)
            slots = slots_after(slots, [play] if play else [])
        return to_thousandths(slots.sum - SLOTS.sum, SLOTS.places)

    assert 1 / 3 < fmean(played() for _ in range(80)) / said.usual < 3


def test_what_no_score_can_give_is_out_of_reach_and_nothing_else() -> None:
    highest = climb(1).highest
    assert climb(highest - RATING).is_possible
    beyond = climb(highest - RATING + 1)
    assert not beyond.is_possible
    assert beyond.tries.half is None
    assert not beyond.leads_there


def test_a_chart_whose_constant_nobody_knows_may_count_at_its_level() -> None:
    charts = [
        replace(ENTRIES[0].chart, level=Hundredths(1_600), constant=constant)
        for constant in (None, Hundredths(1_600))
    ]
    unknown, known = (highest_sum(SLOTS, [*ENTRIES, replace(ENTRIES[0], chart=chart)]) for chart in charts)
    assert unknown == known > highest_sum(SLOTS, ENTRIES)


def test_what_is_reached_takes_no_try() -> None:
    found = climb(0)
    assert found.is_reached
    assert not found.steps
    assert found.tries == (0, 0)
    assert found.after == RATING


def test_a_rating_that_the_slots_do_not_explain_is_taken_at_its_word() -> None:
    found = climb(5, Hundredths(RATING + 30))
    assert found.after >= RATING + 35
    assert found.missing == 5 * SLOTS.places


def test_the_same_is_said_again() -> None:
    assert climb(5) == climb(5)


def test_charts_never_played_are_not_all_in_front() -> None:
    steps = evening(StepChoice(fewest=30, most=30))
    unplayed = [step.entry.played is None for step in steps]
    assert any(unplayed)
    assert not any(all(unplayed[at : at + 3]) for at in range(15))


def test_charts_never_played_do_not_wait_for_what_is_worth_next_to_nothing() -> None:
    """As on the day after a version has begun: all its songs are to be played for the first time, for empty places."""
    entries = [
        replace(each, record=None) if is_of_new_song(each) else each
        for each in catalogue_entries(ARCADE.catalogue, RECORDS)
    ]
    begun = replace(SLOTS, new=())
    choice = StepChoice(fewest=12, most=12)
    steps = climb_steps(begun, entries, OUTLOOKS, choice, lambda _: True)
    assert all(step.effect.slot is SlotName.NEW and step.entry.played is None for step in steps)


def test_what_was_tried_lately_in_vain_steps_back() -> None:
    first = evening(StepChoice(fewest=20, most=20))
    weights = {step.key: 0.25 for step in first[:3]}
    then = [step.key for step in evening(StepChoice(weights=weights, fewest=20, most=20))]
    places = [then.index(key) if key in then else 99 for key in weights]
    assert min(places) > 2
    assert {step.key for step in first[3:6]} & set(then[:5])


def test_each_step_is_worth_no_more_than_those_before_it_were() -> None:
    """Of the same kind: what has been played, in one slot."""

    def is_of_one_kind(entry: ChartEntry) -> bool:
        return entry.played is not None and not is_of_new_song(entry)

    steps = evening(StepChoice(is_of_one_kind, fewest=20, most=20))
    worths = [step.effect.sum_gain * step.chance for step in steps]
    assert all(after <= 1.6 * before for before, after in pairwise(worths))
    assert worths[0] > worths[-1]


def test_charts_that_a_plan_may_not_hold_are_left_out() -> None:
    levels = {step.entry.chart.level for step in evening(StepChoice(fewest=40, most=40))}
    chosen = max(levels)

    def is_chosen(entry: ChartEntry) -> bool:
        return entry.chart.level == chosen

    steps = evening(StepChoice(is_chosen, fewest=40, most=40))
    assert {step.entry.chart.level for step in steps} == {chosen}


def test_who_has_no_records_fills_places() -> None:
    empty = replace(SLOTS, best=(), new=())
    entries = [*catalogue_entries(ARCADE.catalogue)]
    found = climb_to(empty, Hundredths(0), entries, OUTLOOKS, ClimbTarget(Hundredths(100)))
    assert found.leads_there
    assert all(step.effect.is_entry for step in found.steps)
