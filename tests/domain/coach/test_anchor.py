"""From which rating charts are seen."""

import pytest

from bot.domain.coach.anchor import anchor_rating
from bot.domain.coach.usual import usual_loss


@pytest.mark.parametrize(
    ("rating", "worths", "anchor"),
    [
        (15.2, [], 15.2),
        (15.2, [14.0, 13.0], 15.2),
        (0.7, [14.0], 15.3),
        (10.25, [17.0] * 30 + [3.0] * 900, 17.0),
        (17.1, [17.0] * 30, 17.1),
    ],
    ids=["nothing", "few records", "empty places", "a version has turned", "a full slot"],
)
def test_the_rating_or_what_the_best_records_show(rating: float, worths: list[float], anchor: float) -> None:
    assert anchor_rating(rating, worths, []) == pytest.approx(anchor)


def test_few_records_tell_as_good_as_whom_somebody_is() -> None:
    """Of charts that are too easy for them, too: a rating of five places of forty says nothing."""
    constants = [6.0, 8.5, 10.0, 11.0, 12.0]
    losses = [(constant, usual_loss(constant - 15.0)) for constant in constants]
    worths = [constant + 2 for constant in constants]
    assert anchor_rating(1.2, worths, losses) == pytest.approx(15.0, abs=0.7)
    thirty = [0.3 * place for place in range(1, 31)]
    wide = [(constant, usual_loss(constant - 15.0)) for constant in thirty]
    assert anchor_rating(6.6, [constant + 2 for constant in thirty], wide) > 14, "thirty of them are few too"
    dropped = [*losses[:-1], (12.0, 13.0)]
    assert anchor_rating(1.2, worths, dropped) > 13.5
