"""bot/domain/chronicle/session.py: what somebody has played for, and what only looks like it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import careers
import pytest
from chronicles import BOOKS, NOW, state
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.charts import MASTER
from bot.domain.chronicle.session import SessionDiff, applied, compare, told_since
from bot.domain.chronicle.state import LampFlags, RecordsState, marks_of
from bot.domain.history import ChartKey
from bot.domain.ids import JP, JP2, SongId
from bot.domain.numbers import Hundredths
from bot.domain.ranks import Rank
from bot.domain.scores import Lamps, Record

PLAYED = NOW - timedelta(hours=2)


def key(name: str) -> ChartKey:
    return SongId(name), MASTER


def session(before: list[Record], after: list[Record]) -> SessionDiff:
    first = state(marks_of(before))
    return compare(first, state(marks_of(after, first.marks)))


@given(BOOKS, BOOKS, st.integers(0, 2000))
def test_a_session_applied_to_the_first_state_gives_the_second(
    before: object, after: object, rating: int
) -> None:
    first, second = state(before), state(after, rating=rating)  # type: ignore[arg-type]
    assert applied(compare(first, second), first) == second


@given(BOOKS)
def test_nothing_differs_from_itself(marks: object) -> None:
    found = compare(state(marks), state(marks))  # type: ignore[arg-type]
    assert found.is_empty
    assert not found.changes


def test_a_first_record_of_a_chart_is_new() -> None:
    found = session([], [careers.record("a", 1400, 1_000_000)])
    assert [each.chart for each in found.achievements] == [key("a")]
    assert (found.new_records, found.gains, found.ranks) == (1, 0, 1)
    assert found.entered == {key("a")}


@pytest.mark.parametrize(("score", "gain"), [(1_000_001, 1), (1_000_000, 0), (999_999, 0)])
def test_a_record_gains_where_it_rises(score: int, gain: int) -> None:
    found = session([careers.record("a", 1400, 1_000_000)], [careers.record("a", 1400, score)])
    assert sum(each.gain for each in found.achievements) == gain
    assert found.gains == (gain > 0)


@pytest.mark.parametrize(
    ("before", "after", "earned"),
    [
        (careers.CLEAR, careers.ALL_JUSTICE, LampFlags.FULL_COMBO | LampFlags.ALL_JUSTICE),
        (careers.FULL_COMBO, careers.ALL_JUSTICE, LampFlags.ALL_JUSTICE),
        (careers.ALL_JUSTICE, careers.CLEAR, LampFlags(0)),
        (None, careers.ALL_JUSTICE, LampFlags(0)),
        (careers.CLEAR, None, LampFlags(0)),
        (replace(careers.CLEAR, is_clear=None), careers.CLEAR, LampFlags(0)),
        (replace(careers.CLEAR, is_clear=False), careers.CLEAR, LampFlags.CLEAR),
    ],
)
def test_a_lamp_is_new_where_it_is_known_to_have_been_dark(
    before: Lamps | None, after: Lamps | None, earned: LampFlags
) -> None:
    found = session(
        [careers.record("a", 1400, 1_000_000, lamps=before)],
        [careers.record("a", 1400, 1_000_000, lamps=after)],
    )
    assert [each.lamps for each in found.achievements] == ([earned] if earned else [])


@pytest.mark.parametrize(
    ("before", "after", "rank"), [(999_999, 1_000_000, Rank.SS), (1_000_000, 1_004_999, None)]
)
def test_a_rank_is_new_from_its_score_on(before: int, after: int, rank: Rank | None) -> None:
    found = session([careers.record("a", 1400, before)], [careers.record("a", 1400, after)])
    assert [each.rank(JP2) for each in found.achievements] == [rank]


def test_ranks_are_those_of_the_region() -> None:
    (change,) = session(
        [careers.record("a", 1400, 1_008_000)], [careers.record("a", 1400, 1_009_000)]
    ).achievements
    assert (change.rank(JP2), change.rank(JP)) == (Rank.SSS_PLUS, None)


def test_a_song_that_goes_and_comes_back_is_no_achievement() -> None:
    there = [careers.record("a", 1400, 1_000_000)]
    first = state(marks_of(there))
    gone = state(marks_of([], first.marks))
    back = state(marks_of(there, gone.marks))
    for before, after in ((first, gone), (gone, back)):
        assert compare(before, after).changes
        assert compare(before, after).is_empty
    better = state(marks_of([careers.record("a", 1400, 1_000_500)], gone.marks))
    assert [each.gain for each in compare(gone, better).achievements] == [500]


def looks(*scores: int | None) -> list[RecordsState]:
    """Return what looks find of one record with these scores, or none."""
    states: list[RecordsState] = []
    for score in scores:
        there = [] if score is None else [careers.record("a", 1400, score)]
        states.append(state(marks_of(there, states[-1].marks if states else None)))
    return states


@pytest.mark.parametrize(
    "scores",
    [(980_000, 1_010_000), (None, 1_010_000), (980_000, None, 990_000, 1_010_000), (1_010_000, 980_000)],
)
def test_a_score_that_falls_or_goes_and_is_back_is_no_news(scores: tuple[int | None, ...]) -> None:
    found = looks(1_010_000, *scores)
    for before in found:
        for after in found[found.index(before) :]:
            assert not compare(before, after).achievements
            assert compare(before, after).fallen == (before != after)


def test_only_what_passes_the_best_is_news() -> None:
    found = looks(1_000_000, 980_000, 1_000_400)
    for before in found[:2]:
        (change,) = compare(before, found[2]).achievements
        assert (change.gain, change.rank(JP2)) == (400, None)


def test_what_was_played_and_is_missing_is_told() -> None:
    """Once it is back it would be no news."""
    for later in (None, 980_000):
        found = looks(1_000_000, 1_009_000, later)
        (change,) = compare(found[0], found[2]).achievements
        assert (change.gain, change.after and change.after.score) == (9_000, 1_009_000)
        assert not compare(found[0], found[2]).entered


def test_a_constant_that_moves_the_rating_is_said_to() -> None:
    first = state(marks_of([careers.record("a", 1400, 1_000_000)]))
    second = state(marks_of([careers.record("a", 1420, 1_000_000)], first.marks), rating=1602)
    found = compare(first, second)
    assert (found.rating_change, len(found.moved_constants), found.achievements) == (2, 1, ())
    assert not found.is_empty


def test_a_constant_that_becomes_known_is_no_gain_and_moves_no_rating() -> None:
    found = session([careers.record("a", None, 1_000_000)], [careers.record("a", 1400, 1_000_100)])
    (change,) = found.achievements
    assert change.rating_gain(JP2) == 1
    assert not found.moved_constants  # the game has counted by it before


@pytest.mark.parametrize(
    ("score", "points"), [(1_007_499, 1), (1_007_000, 500), (1_006_999, None), (1_007_500, None)]
)
def test_a_near_miss_is_a_few_points_short_of_a_rank(score: int, points: int | None) -> None:
    miss = session([], [careers.record("a", 1400, score)]).nearest_miss
    assert (miss and miss.points) == points


def test_a_low_rank_is_not_worth_missing() -> None:
    assert session([], [careers.record("a", 1400, 949_999)]).nearest_miss is None


class TestTimes:
    def at(self, moment: datetime | None, score: int = 1_000_000) -> list[Record]:
        return [replace(careers.record("a", 1400, score), updated_at=moment)]

    def test_what_was_played_since_has_its_time(self) -> None:
        assert session(self.at(PLAYED - timedelta(days=9)), self.at(PLAYED, 1_000_500)).played_at == (
            PLAYED,
            PLAYED,
        )

    @pytest.mark.parametrize("moment", [None, datetime.fromtimestamp(0, UTC)])
    def test_an_unknown_time_is_told_as_none(self, moment: datetime | None) -> None:
        found = session(self.at(PLAYED), self.at(moment, 1_000_500))
        assert found.achievements
        assert found.played_at is None

    def test_a_record_that_was_only_seen_again_has_not_changed(self) -> None:
        assert not session(self.at(PLAYED), self.at(PLAYED + timedelta(days=1))).changes

    def test_a_record_that_comes_back_was_not_played_since(self) -> None:
        there = marks_of(self.at(PLAYED))
        assert marks_of(self.at(NOW), marks_of([], there)) == there

    def test_since_a_moment_counts_what_was_played_then_and_what_has_no_time(self) -> None:
        for moment, count in ((PLAYED, 1), (PLAYED - timedelta(seconds=1), 0), (None, 1)):
            found = session(self.at(PLAYED - timedelta(days=9)), self.at(moment, 1_000_500))
            since = told_since(found, PLAYED)
            assert (len(since.achievements), since.rating_change) == (count, found.rating_change)

    def test_of_the_baseline_no_time_is_kept(self) -> None:
        assert [mark.played_at for mark in marks_of(self.at(PLAYED)).values()] == [0]


def test_what_counts_most_comes_first() -> None:
    after = [
        careers.record(name, constant, 1_000_000)
        for name, constant in (("a", 1300), ("b", 1400), ("c", None))
    ]
    assert [each.chart for each in session([], after).achievements] == [key("b"), key("a"), key("c")]


def test_entries_are_of_the_thirty_best() -> None:
    many = [careers.record(f"{number:016x}", 1400, 1_000_000) for number in range(30)]
    better, worse = careers.record("better", 1410, 1_000_000), careers.record("worse", 1390, 1_000_000)
    risen = careers.record(f"{0:016x}", 1400, 1_000_001)
    assert session(many, [risen, *many[1:], better, worse]).entered == {key("better")}


def test_a_rating_that_moves_alone_is_told() -> None:
    first, second = state({}), state({}, rating=1601)
    assert compare(first, second).rating_change == Hundredths(1)
    assert not compare(first, second).is_empty
