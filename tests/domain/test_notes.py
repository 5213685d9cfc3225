import careers
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.notes import (
    JUDGEMENTS,
    Judgement,
    count_for,
    loss_of_one,
    notes_to_improve,
)
from bot.domain.ranks import MAX_SCORE
from bot.domain.scores import Lamps

judgements = st.sampled_from(JUDGEMENTS)
notes = st.integers(1, 6000)


@pytest.mark.parametrize(
    ("judgement", "points"),
    [(Judgement.JUSTICE, 1000), (Judgement.ATTACK, 51_000), (Judgement.MISS, 101_000)],
)
def test_what_one_note_of_a_thousand_costs(judgement: Judgement, points: int) -> None:
    assert loss_of_one(judgement, 1000) == points


@pytest.mark.parametrize(
    ("points", "judgement", "count"),
    [
        (0, Judgement.JUSTICE, 0),
        (1, Judgement.JUSTICE, 1),
        (10, Judgement.JUSTICE, 1),
        (11, Judgement.JUSTICE, 2),
        (510, Judgement.ATTACK, 1),
        (511, Judgement.ATTACK, 2),
        (1010, Judgement.MISS, 1),
        (1011, Judgement.MISS, 2),
    ],
)
def test_points_as_notes_of_a_thousand(points: int, judgement: Judgement, count: int) -> None:
    assert count_for(points, judgement, 1000) == count


@given(st.integers(1, MAX_SCORE), judgements, notes)
def test_the_count_for_points_is_the_least_that_covers_them(
    points: int, judgement: Judgement, notes: int
) -> None:
    count = count_for(points, judgement, notes)
    assert (count - 1) * judgement.value < points * notes <= count * judgement.value


J, A, M = JUDGEMENTS


@pytest.mark.parametrize(
    ("lamps", "score", "goal", "counts"),
    [
        (careers.CLEAR, 974_000, 975_000, {J: 100, A: 2, M: 1}),
        (None, 974_000, 975_000, {J: 100, A: 2, M: 1}),
        (careers.FULL_COMBO, 974_000, 975_000, {J: 100, A: 2}),
        (careers.ALL_JUSTICE, 1_008_000, 1_009_000, {J: 100}),
        # 1,000 points were lost in all: a MISS would have cost more, and so would two ATTACK.
        (careers.CLEAR, 1_009_000, 1_010_000, {J: 100}),
        # To the point what one ATTACK costs, or one MISS, and one point less.
        (careers.CLEAR, 1_009_490, 1_010_000, {J: 51, A: 1}),
        (careers.CLEAR, 1_009_491, 1_010_000, {J: 51}),
        (careers.CLEAR, 1_008_990, 1_010_000, {J: 101, M: 1}),
        (careers.CLEAR, 1_008_991, 1_009_000, {J: 1, A: 1}),
        (careers.CLEAR, 1_008_989, 1_009_000, {J: 2, A: 1, M: 1}),
    ],
)
def test_what_could_be_improved_is_what_the_play_can_hold(
    lamps: Lamps | None, score: int, goal: int, counts: dict[Judgement, int]
) -> None:
    assert notes_to_improve(score, goal, 1000, lamps) == counts
