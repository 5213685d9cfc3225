"""From which rating charts are seen."""

import pytest

from bot.domain.coach.anchor import anchor_rating


@pytest.mark.parametrize(
    ("rating", "worths", "anchor"),
    [
        (15.2, [], 15.2),
        (15.2, [14.0, 13.0], 15.2),
        (0.7, [14.0], 14.3),
        (10.25, [17.0] * 30 + [3.0] * 900, 17.0),
        (17.1, [17.0] * 30, 17.1),
    ],
    ids=["nothing", "few records", "empty places", "a version has turned", "a full slot"],
)
def test_the_rating_or_what_the_best_records_show(rating: float, worths: list[float], anchor: float) -> None:
    assert anchor_rating(rating, worths) == pytest.approx(anchor)
