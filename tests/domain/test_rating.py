import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.ids import JP, JP2, Region
from bot.domain.numbers import Hundredths, format_level, to_hundredths
from bot.domain.ranks import MAX_SCORE
from bot.domain.rating import least_score, next_rating_step, rating_colour, rating_step, song_rating

constants = st.integers(100, 1600).map(Hundredths)
scores = st.integers(0, MAX_SCORE)
regions = st.sampled_from([JP, JP2])


@pytest.mark.parametrize(
    ("constant", "score", "region", "rating"),
    [
        ("14.7", 1_008_295, JP2, "16.77"),
        ("14.1", 1_008_713, JP2, "16.22"),
        ("12.4", 1_009_211, JP, "14.40"),
        ("14.0", 1_010_000, JP2, "16.15"),
        ("14.0", 1_009_000, JP2, "16.15"),
        ("14.0", 1_008_999, JP2, "16.14"),
        ("14.0", 1_007_500, JP2, "16.00"),
        ("14.0", 1_007_499, JP2, "15.99"),
        ("14.0", 1_010_000, JP, "16.00"),
        ("14.0", 1_007_500, JP, "16.00"),
        ("14.0", 1_007_499, JP, "15.99"),
        ("14.0", 1_005_000, JP2, "15.50"),
        ("14.0", 1_004_999, JP2, "15.49"),
        ("14.0", 1_000_000, JP2, "15.00"),
        ("14.0", 999_999, JP2, "14.99"),
        ("14.0", 975_000, JP2, "14.00"),
        ("14.0", 974_999, JP2, "13.99"),
        ("14.0", 974_999, JP, "13.99"),
        ("14.0", 925_000, JP2, "10.66"),
        ("14.0", 925_000, JP, "11.00"),
        ("14.0", 924_999, JP, "10.99"),
        ("14.0", 900_000, JP2, "9.00"),
        ("14.0", 900_000, JP, "9.00"),
        ("14.0", 899_999, JP2, "8.99"),
        ("14.0", 800_000, JP2, "4.50"),
        ("14.0", 799_999, JP2, "4.49"),
        ("14.0", 500_000, JP2, "0"),
        ("14.0", 499_999, JP2, "0"),
        ("14.0", 0, JP2, "0"),
        ("3.0", 900_000, JP2, "0"),
        ("3.0", 850_000, JP2, "0"),
    ],
)
def test_rating_on_both_sides_of_every_cut_off(
    constant: str, score: int, region: Region, rating: str
) -> None:
    assert song_rating(to_hundredths(constant), score, region) == to_hundredths(rating)


@given(constants, scores, scores, regions)
def test_a_better_score_never_earns_less(constant: Hundredths, one: int, other: int, region: Region) -> None:
    low, high = sorted((one, other))
    if constant >= 500:
        assert song_rating(constant, low, region) <= song_rating(constant, high, region)


@given(constants.filter(lambda constant: constant >= 500), scores, regions)
def test_least_score_is_the_inverse(constant: Hundredths, score: int, region: Region) -> None:
    rating = song_rating(constant, score, region)
    least = least_score(constant, rating, region)
    assert least is not None
    assert least <= score
    assert song_rating(constant, least, region) >= rating
    assert least == 0 or song_rating(constant, least - 1, region) < rating


def test_no_score_earns_more_than_the_maximum() -> None:
    assert least_score(to_hundredths("14.0"), to_hundredths("16.16"), JP2) is None
    assert least_score(to_hundredths("14.0"), to_hundredths("16.01"), JP) is None


@pytest.mark.parametrize(
    ("rating", "colour"),
    [
        ("0", "blue"), ("1.99", "blue"), ("2", "green"), ("3.99", "green"), ("4", "orange"), ("6.99", "orange"),
        ("7", "red"), ("9.99", "red"), ("10", "purple"), ("11.99", "purple"), ("12", "copper"),
        ("13.24", "copper"), ("13.25", "silver"), ("14.49", "silver"), ("14.5", "gold"), ("15.24", "gold"),
        ("15.25", "platinum"), ("15.99", "platinum"), ("16", "rainbow"),
        ("16.99", "rainbow"), ("17", "kiwami"), ("17.5", "kiwami"),
    ],
)  # fmt: skip
def test_rating_colours(rating: str, colour: str) -> None:
    assert rating_colour(to_hundredths(rating)) == colour


@pytest.mark.parametrize(
    ("rating", "stars", "following"),
    [
        (0, 0, 200), (1599, 0, 1600), (1600, 1, 1625), (1624, 1, 1625), (1625, 2, 1650), (1650, 3, 1675),
        (1675, 4, 1700), (1699, 4, 1700), (1700, 0, None), (1800, 0, None),
    ],
)  # fmt: skip
def test_stars_from_sixteen_on(rating: int, stars: int, following: int | None) -> None:
    assert rating_step(Hundredths(rating)).stars == stars
    found = next_rating_step(Hundredths(rating))
    assert (found and found.lowest) == following


@pytest.mark.parametrize(("level", "shown"), [("13", "13"), ("13.5", "13+"), ("13.9", "13+"), ("0", "0")])
def test_levels_are_shown_as_players_write_them(level: str, shown: str) -> None:
    assert format_level(to_hundredths(level)) == shown


def test_hundredths_do_not_drift() -> None:
    assert to_hundredths(10.2) == 1020
    assert to_hundredths("16.7") == 1670


@given(scores, regions)
def test_least_score_inverts_the_rating_for_every_constant(score: int, region: Region) -> None:
    for tenths in range(10, 161):
        constant = Hundredths(tenths * 10)
        rating = song_rating(constant, score, region)
        least = least_score(constant, rating, region)
        assert least is not None
        assert least <= score
        assert song_rating(constant, least, region) >= rating
        assert least == 0 or song_rating(constant, least - 1, region) < rating
        above = least_score(constant, Hundredths(rating + 1), region)
        assert above is None or above > score
