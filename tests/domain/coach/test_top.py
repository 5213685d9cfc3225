"""What would raise a rating is as rare on the next constant as a score there that earns as much."""

from collections.abc import Sequence

import pytest

from bot.domain.coach.curve import OwnCurve
from bot.domain.coach.losses import log_points_lost
from bot.domain.coach.score_table import SCORES, Observation, score_table
from bot.domain.coach.top import RatingTop
from bot.domain.ids import JP, JP2, Region
from bot.domain.ranks import MAX_SCORE

BORDERS = (900_000, 975_000, 1_000_000, 1_005_000, 1_007_500, 1_009_000, MAX_SCORE)
VALUES = tuple(float(at) for at in range(len(BORDERS)))


def seen(harder: float, away: int, region: Region = JP2) -> Sequence[float]:
    return RatingTop(BORDERS, region, [harder]).as_seen_from(0, away, VALUES)


def test_one_constant_higher_a_score_earns_what_a_better_one_earns_below() -> None:
    # SS of a chart one higher earns what a constant plus 2.00 earns: SSS.
    assert seen(0.0, 10)[BORDERS.index(1_000_000)] == BORDERS.index(1_007_500)
    # Half a unit higher SS earns what SS+ earns.
    assert seen(0.0, 5)[BORDERS.index(1_000_000)] == BORDERS.index(1_005_000)
    assert seen(0.0, -5)[BORDERS.index(1_005_000)] == BORDERS.index(1_000_000)


def test_where_it_would_raise_no_rating_scores_stand_for_themselves() -> None:
    assert seen(-5.0, 5) == VALUES
    assert seen(0.0, 0) == VALUES
    begun = seen(-1.8, 1)
    assert begun[:3] == list(VALUES[:3]), "SS there is far below the rating"
    assert begun[4] > VALUES[4], "SSS is above it"


@pytest.mark.parametrize("region", [JP, JP2])
@pytest.mark.parametrize("away", [-7, -1, 1, 7])
def test_what_earns_the_most_is_told_apart_by_the_score_alone(region: Region, away: int) -> None:
    assert seen(2.0, away, region)[-1] == VALUES[-1]
    assert list(seen(2.0, away, region)) == sorted(seen(2.0, away, region))


def test_sss_below_a_cliff_promises_none_above_it() -> None:
    """Nine of ten SSS where they earn the rating, none that earn 0.15 more: so there will be few a step above."""
    rows = 60
    harder = [(row - 40) / 10 for row in range(rows)]
    flat = OwnCurve(losses=[log_points_lost(1_006_500)] * rows, spreads=[0.8] * rows, doubts=[0.2] * rows)
    reached = sum(score <= 1_007_600 for score in SCORES)
    observations = [Observation(20, reached, 1.0)] * 27 + [Observation(20, reached - 3, 1.0)] * 3
    sss = SCORES.index(1_007_500)
    above = score_table(flat, observations, RatingTop(SCORES, JP2, harder)).quantiles[22][sss]
    as_everywhere = score_table(flat, observations, RatingTop(SCORES, JP2, [-9.0] * rows)).quantiles[22][sss]
    assert above > 0.5 + as_everywhere


def test_what_is_worth_more_than_any_record_is_as_rare_as_one_more_of_those_that_could_be() -> None:
    known = [*[(-1.8, 0.1)] * 39, (-4.0, -1.9)]
    top = RatingTop(SCORES, JP2, [-5.0, -1.9, -1.7], known)
    sss, sure = SCORES.index(1_007_500), [1.0] * len(SCORES)
    assert top.held_down(0, sure) == sure, "what is worth less than their best, anybody may have"
    assert top.held_down(1, sure)[sss - 1] == 1, "it is worth less than the best"
    assert top.held_down(2, sure)[sss] == 1 / 40
    assert top.held_down(2, [0.01] * len(SCORES))[sss] == 0.01, "it is no likelier for that"
    assert RatingTop(SCORES, JP2, [-1.7], known[:9]).held_down(0, sure)[sss] == 1, "few have missed it"
    half = OwnCurve(losses=[log_points_lost(1_007_500)] * 3, spreads=[1] * 3, doubts=[0] * 3)
    quantiles = score_table(half, [], top).quantiles
    assert quantiles[0][sss] < 0.1
    assert quantiles[2][sss] > 1.8
