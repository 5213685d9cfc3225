"""bot/domain/standings.py: who stands where in a post, and what is told of whom."""

from dataclasses import replace
from datetime import timedelta

import careers
import pytest
from chronicles import NOW, state

from bot.domain.charts import MASTER
from bot.domain.chronicle.session import compare
from bot.domain.chronicle.state import RecordMark, RecordsState, marks_of
from bot.domain.ids import JP2, MemberId, SongId
from bot.domain.numbers import Hundredths
from bot.domain.scores import Record
from bot.domain.standings import (
    Feats,
    Standing,
    chosen,
    feats_of,
    gained,
    in_order,
    outstanding,
    played_since,
)

DAY = timedelta(days=1)


def standing(number: int, rating: int, change: int | None = 0, **facts: object) -> Standing:
    moved = None if change is None else Hundredths(change)
    return Standing(
        member=MemberId(number), player_name=f"player {number}", rating=Hundredths(rating), until=NOW, change=moved, **facts  # type: ignore[arg-type]
    )  # fmt: skip


def at(days: float, before: RecordsState | None = None, **played: tuple[int, float]) -> RecordsState:
    """Return what is known after some days, with the score of each chart and after how many days it was played."""
    marks = {
        (SongId(name), MASTER): RecordMark(score, 1, 1400, int((NOW + when * DAY).timestamp()) if when else 0)
        for name, (score, when) in played.items()
    }
    return replace(state({**before.marks, **marks} if before else marks), taken_at=NOW + days * DAY)


def test_equal_ratings_share_a_place() -> None:
    placed = in_order([standing(1, 1500), standing(2, 1600), standing(3, 1500), standing(4, 1400)])
    assert [(place, each.member) for place, each in placed] == [(1, 2), (2, 1), (2, 3), (4, 4)]


def test_of_many_those_who_gained_most_are_chosen_in_the_order_of_their_places() -> None:
    played = feats_of(compare(at(0), at(1, a=(1_000_000, 1))).achievements, JP2, Hundredths(1500))
    members = [
        standing(1, 1600, None),
        standing(2, 1500, -3),
        standing(3, 1400, 0, feats=played),
        standing(4, 1300, 5),
        standing(5, 1200, 0),
        standing(6, 1100, 7),
    ]
    places = {1: 1, 2: 2, 3: 3, 4: 4, 6: 6}
    for most, left in (
        (9, [1, 2, 3, 4, 6]),
        (5, [1, 2, 3, 4, 6]),
        (4, [2, 3, 4, 6]),
        (3, [3, 4, 6]),
        (1, [6]),
    ):
        found = chosen(members, most)
        assert found == [(places[number], members[number - 1]) for number in left]


def feats(before: list[Record], after: list[Record], rating: int = 1500) -> "tuple[int, int, int, str, int]":
    first = state(marks_of(before))
    found = feats_of(
        compare(first, state(marks_of(after, first.marks))).achievements, JP2, Hundredths(rating)
    )
    play = found.play
    return (
        found.bests, found.all_justices, found.mere_full_combos, play.change.chart[0] if play else "", play.above if play else 0,
    )  # fmt: skip


def test_what_was_played_is_counted() -> None:
    kept = careers.record("kept", 1400, 1_000_000)
    before = [kept, careers.record("risen", 1400, 1_000_000), careers.record("lit", 1400, 1_000_000)]
    after = [
        kept,
        careers.record("risen", 1400, 1_000_001),
        careers.record("lit", 1400, 1_000_000, lamps=careers.FULL_COMBO),
        careers.record("new", 1400, 1_009_000, lamps=careers.ALL_JUSTICE),
    ]
    assert feats(before, after) == (2, 1, 1, "new", 115)


@pytest.mark.parametrize(("constant", "told"), [(1301, "b"), (1299, "a")])
def test_the_play_furthest_above_ones_own_rating_stands_out(constant: int, told: str) -> None:
    rivals = [careers.record("a", 1300, 1_009_000), careers.record("b", constant, 1_009_000)]
    assert feats([], rivals)[3] == told


def test_a_chart_whose_constant_is_not_known_stands_out_nowhere() -> None:
    assert feats([], [careers.record("a", None, 1_009_000)]) == (1, 0, 0, "", 0)


def test_of_each_member_one_play_stands_out() -> None:
    played = compare(at(0), at(1, a=(1_009_000, 1), b=(1_000_000, 1))).achievements
    strong, weak = (
        standing(number, rating, feats=feats_of(played, JP2, Hundredths(rating)))
        for number, rating in ((1, 1600), (2, 1200))
    )
    found = outstanding([strong, weak, standing(3, 1500)])
    assert [(each.member, play.above) for each, play in found] == [(2, 415), (1, 15)]


def charts(*states: RecordsState) -> list[str]:
    return sorted(change.chart[0] for change in played_since(NOW, *states))


def test_what_was_played_between_two_looks_is_told() -> None:
    last = at(0, old=(1_000_000, 0))
    assert charts(at(1, last, old=(1_000_001, 0.5), new=(1_000_000, 0)), last) == ["new", "old"]


def test_what_an_earlier_version_has_let_a_later_look_of_the_day_replace_is_told_by_when_it_was_played() -> (
    None
):
    before = at(-1)
    last = at(0.03, before, earlier=(1_000_000, -0.1), later=(1_000_000, 0.02), untimed=(1_000_000, 0))
    now = at(1, last, newest=(1_000_000, 0.9))
    assert charts(now, before, replace(last, stands_for_day=True)) == ["later", "newest"]
    assert charts(now, before, last) == ["earlier", "later", "newest", "untimed"]


def test_of_who_is_new_all_since_their_first_look_is_told() -> None:
    first = at(0.1, old=(1_000_000, 0))
    assert charts(at(1, first, newest=(1_000_000, 0.9)), first, first) == ["newest"]


def test_what_was_uploaded_late_is_told() -> None:
    last = at(-1)
    assert charts(at(1, last, late=(1_000_000, -0.5)), last) == ["late"]


@pytest.mark.parametrize(
    ("rating", "bests", "is_lowered", "told"),
    [(1590, 0, False, 0), (1600, 0, False, 0), (1605, 0, False, 0), (1608, 0, False, 3), (1602, 1, False, 2),
     (1602, 1, True, 0), (1608, 1, True, 3)],
)  # fmt: skip
def test_what_passes_the_best_is_gained_and_what_is_known_to_be_played_for(
    rating: int, bests: int, told: int, *, is_lowered: bool
) -> None:
    feats = Feats(bests=bests, all_justices=0, mere_full_combos=0, play=None, is_lowered=is_lowered)
    assert gained(Hundredths(rating), Hundredths(1600), Hundredths(1605), feats) == told


def test_a_record_that_fell_lowers_a_state_where_it_would_count() -> None:
    last = at(0, a=(1_009_000, 0), b=(900_000, 0))
    assert not last.is_lowered
    for name, score in (("a", 1_000_000), ("b", 899_999)):
        key = (SongId(name), MASTER)
        fallen = {**last.marks, key: RecordMark(score, 1, 1400, 0).after(last.marks[key])}
        assert replace(last, marks=fallen).is_lowered
