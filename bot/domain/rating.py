"""Single-song rating, in hundredths, and the rating's colours. Source: the game, by region."""

from bisect import bisect_right
from itertools import pairwise
from typing import Final, NamedTuple

from bot.domain.charts import WORLDS_END, Chart
from bot.domain.ids import JP, Region
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE
from bot.domain.scores import Record

_Knots = tuple[tuple[int, int], ...]

_TOP_JP2: Final[_Knots] = ((1_007_500, 200), (1_009_000, 215))
_TOP_JP: Final[_Knots] = ((1_007_500, 200),)
_MIDDLE: Final[_Knots] = ((975_000, 0), (1_000_000, 100), (1_005_000, 150))
_LOW_JP2: Final[_Knots] = ((900_000, -500),)
_LOW_JP: Final[_Knots] = ((900_000, -500), (925_000, -300))
_FADING_FROM: Final = 500_000
_HALVED_FROM: Final = 800_000
_FULL_FROM: Final = 900_000


class _Line:
    """The bonuses that scores add to a constant from `_FULL_FROM` on, as straight lines between knots."""

    def __init__(self, knots: _Knots) -> None:
        self._begins = [score for score, _ in knots]
        self._parts = [
            (score, bonus, bonus_to - bonus, score_to - score)
            for (score, bonus), (score_to, bonus_to) in pairwise((*knots, (MAX_SCORE + 1, knots[-1][1])))
        ]

    def bonus(self, score: int) -> int:
        """Return the bonus of a score, in hundredths, floored."""
        score_from, bonus, rise, width = self._parts[bisect_right(self._begins, score) - 1]
        return bonus + (score - score_from) * rise // width


_LINES: Final = {JP: _Line(_LOW_JP + _MIDDLE + _TOP_JP)}
_LINE: Final = _Line(_LOW_JP2 + _MIDDLE + _TOP_JP2)
_BAND_WIDTH: Final = 40
"""A level's constants reach from its own number to 0.4 above: 13+ is 13.5 to 13.9."""
MAX_ADDED_HUNDREDTHS: Final = 215
"""The most that a score adds to a constant in any region, in hundredths."""


def song_rating(constant: Hundredths, score: int, region: Region) -> Hundredths:
    """Return the rating of one score on one chart, floored to 0.01, never below 0.

    From 900,000 on it is a straight line between knots, each of a score and its bonus to the constant; below that, it
    is a share of half of (constant - 5).
    """
    if score >= _FULL_FROM:
        return Hundredths(max(0, constant + _LINES.get(region, _LINE).bonus(score)))
    return Hundredths(max(0, _low(constant, score)))


def _low(constant: int, score: int) -> int:
    base = constant - 500
    if score >= _HALVED_FROM:
        return base * (100_000 + score - _HALVED_FROM) // 200_000
    if score >= _FADING_FROM:
        return base * (score - _FADING_FROM) // 600_000
    return 0


def least_score(constant: Hundredths, rating: Hundredths, region: Region) -> int | None:
    """Return the least score that earns `rating` on a chart, or None if no score does."""
    if song_rating(constant, MAX_SCORE, region) < rating:
        return None
    low, high = 0, MAX_SCORE
    while low < high:
        middle = (low + high) // 2
        if song_rating(constant, middle, region) >= rating:
            high = middle
        else:
            low = middle + 1
    return low


RATING_COLOURS: Final[tuple[tuple[str, int], ...]] = (
    ("blue", 0), ("green", 200), ("orange", 400), ("red", 700), ("purple", 1000), ("copper", 1200),
    ("silver", 1325), ("gold", 1450), ("platinum", 1525), ("rainbow", 1600), ("kiwami", 1700),
)  # fmt: skip
"""A colour's name and its lowest rating, in hundredths; lowest first."""
_LOWEST: Final = [lowest for _, lowest in RATING_COLOURS]


class RatingStep(NamedTuple):
    """A colour of the game; if it has stars, with a number of them."""

    colour: str
    stars: int
    lowest: Hundredths
    """The lowest rating of the step."""


_STARS: Final = {"rainbow": (1600, 1625, 1650, 1675)}
"""The lowest rating of each star. Source: the game since 2024-12-12: a star at every 0.25 from 16.00 on."""
RATING_STEPS: Final = tuple(
    RatingStep(colour, stars, Hundredths(least))
    for colour, lowest in RATING_COLOURS
    for stars, least in (enumerate(_STARS[colour], start=1) if colour in _STARS else [(0, lowest)])
)
"""All steps, lowest first."""


def rating_step(rating: Hundredths) -> RatingStep:
    """Return the colour and stars with which the game shows a player's rating."""
    return next((step for step in reversed(RATING_STEPS) if rating >= step.lowest), RATING_STEPS[0])


def next_rating_step(rating: Hundredths) -> RatingStep | None:
    """Return the first step above a rating; None above the last."""
    return next((step for step in RATING_STEPS if step.lowest > rating), None)


def rating_colour(rating: Hundredths) -> str:
    """Return the name of the colour in which the game shows a player's rating."""
    return rating_step(rating).colour


def constants_of(constant: Hundredths | None, level: Hundredths) -> tuple[Hundredths, Hundredths]:
    """Return the least and the highest constant that a chart may have; 0 if neither constant nor level is known."""
    if constant is not None:
        return constant, constant
    return (level, Hundredths(level + _BAND_WIDTH)) if level > 0 else (Hundredths(0), Hundredths(0))


def ratings_within(chart: Chart | Record, score: int, region: Region) -> tuple[Hundredths, Hundredths]:
    """Return the least and the most that a score on a chart may count for; 0 if neither constant nor level is known."""
    least, most = constants_of(chart.constant, chart.level)
    if not most:
        return most, most
    return song_rating(least, score, region), song_rating(most, score, region)


def rating_bounds(record: Record, region: Region) -> tuple[Hundredths, Hundredths]:
    """Return the least and the most that a record counts for: they differ if its constant is unknown; 0 if unrated."""
    if record.constant is not None or record.difficulty == WORLDS_END:
        return record.rating, record.rating
    least, most = ratings_within(record, record.score, region)
    return (least, most) if record.rating in {0, least} else (record.rating, record.rating)
