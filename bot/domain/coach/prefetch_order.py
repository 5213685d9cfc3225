"""The order in which charts' statistics are requested from the service."""

from collections.abc import Collection, Container
from heapq import nsmallest

from bot.domain.charts import LETTERS, Catalogue
from bot.domain.history import ChartKey
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE
from bot.domain.rating import song_rating


def next_to_fetch(
    catalogue: Catalogue, settled: Container[ChartKey], ratings: Collection[Hundredths], most: int
) -> list[ChartKey]:
    """Return charts that are not settled: first those within reach of members of these ratings, hardest first.

    Charts without a known constant are left out, and ULTIMA, for which the service has no statistics.
    """
    constants = {
        (song.id, chart.difficulty): chart.constant
        for song in catalogue.songs
        for chart in song.charts
        if chart.constant is not None and chart.difficulty in LETTERS
    }
    reached = {
        constant
        for constant in {*constants.values()}
        if any(constant <= rating <= song_rating(constant, MAX_SCORE, catalogue.region) for rating in ratings)
    }
    return nsmallest(
        most,
        (key for key in constants if key not in settled),
        key=lambda key: (constants[key] not in reached, -constants[key], key),
    )
