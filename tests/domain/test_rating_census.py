import pytest

from bot.domain.rating_census import RatingCensus


@pytest.mark.parametrize(
    ("counts", "is_outdated"),
    [
        ((0, 0, 0), False),
        ((0, 2, 0), False),
        ((0, 3, 0), True),
        ((0, 0, 3), True),
        ((2, 2, 0), False),
        ((2, 3, 0), True),
        ((1, 2, 2), False),
        ((9, 0, 10), True),
    ],
)
def test_more_than_half_in_one_direction_says_that_a_version_is_not_known(
    counts: tuple[int, int, int], *, is_outdated: bool
) -> None:
    assert RatingCensus(*counts).is_outdated == is_outdated
