"""An invented player, with whose data cards are shown to members who have none of their own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from random import Random
from typing import Final

from bot.domain.charts import DIFFICULTIES, WORLDS_END, Catalogue, Chart, Song
from bot.domain.history import ChartKey
from bot.domain.ids import Region
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE
from bot.domain.rating import song_rating
from bot.domain.scores import Lamps, Record, Slot

BEST: Final = 30
RECENT: Final = 10
"""The places of a slot. Source: the game."""
_CHARTS: Final = 60
"""The number of charts with records: twice as many as the best slot holds."""
_HARD: Final = range(1310, 1470)
"""The constants of the charts, if there are enough: those of a player whose level most members can follow."""
_MIDDLE, _SPREAD = 1_005_200, 2_600
"""The mean and the standard deviation of the scores."""
_LESS_POINTS: Final = 1_500
"""The most points that a recent score is below the record, or an earlier record below today's."""
_GAINS: Final = (3, 5, 2, 6, 0, 4, 7, 1, 3, 5, 2)
"""The hundredths by which the rating rose between two looks, newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Invented:
    """The data of an invented player."""

    best: Slot
    recent: Slot
    rating: Hundredths
    earlier: dict[ChartKey, int]
    """The scores at the look before."""
    ratings: tuple[Hundredths, ...]
    """The ratings, oldest first, up to today's."""


def invent(catalogue: Catalogue) -> Invented:
    """Return an invented player for a catalogue: always the same for the same songs."""
    chance = Random(20)  # noqa: S311 - an example is no secret
    known = [
        (song, chart)
        for song in catalogue.songs
        for chart in song.charts
        if chart.constant and chart.difficulty in DIFFICULTIES and chart.difficulty != WORLDS_END
    ]
    hard = [each for each in known if each[1].constant in _HARD]
    pool = hard if len(hard) >= _CHARTS else known
    region = catalogue.region
    records = [_record(*each, chance, region) for each in chance.sample(pool, min(_CHARTS, len(pool)))]
    best = sorted(records, key=lambda record: -record.rating)[:BEST]
    played = [_worse(each, chance, region) for each in chance.sample(best, min(RECENT, len(best)))]
    rating = Hundredths(int(_mean([*best, *played]) * 100))
    ratings = [rating]
    for gain in _GAINS:
        ratings.insert(0, Hundredths(max(0, ratings[0] - gain)))
    return Invented(
        best=_slot(best, BEST),
        recent=_slot(played, RECENT),
        rating=rating,
        earlier=_earlier(best, chance, region),
        ratings=tuple(ratings),
    )


def _record(song: Song, chart: Chart, chance: Random, region: Region) -> Record:
    score = min(MAX_SCORE, max(0, round(chance.gauss(_MIDDLE, _SPREAD))))
    constant = chart.constant or Hundredths(0)
    return Record(
        song_id=song.id,
        title=song.title,
        difficulty=chart.difficulty,
        level=chart.level,
        constant=constant,
        score=score,
        rating=song_rating(constant, score, region),
        is_estimated=chart.is_estimated,
        lamps=Lamps(
            is_clear=True,
            is_full_combo=score > _MIDDLE and chance.random() < 0.6,  # noqa: PLR2004 - three in five
            is_all_justice=score > MAX_SCORE - 1_000,
            is_full_chain=False,
        ),
        genre=song.genre,
    )


def _worse(record: Record, chance: Random, region: Region) -> Record:
    """Return a record as a slightly worse play, in the form of the recent slot: without lamps."""
    score = max(0, record.score - chance.randrange(_LESS_POINTS))
    rating = song_rating(record.constant or Hundredths(0), score, region)
    return replace(record, score=score, rating=rating, lamps=None)


def _earlier(records: Sequence[Record], chance: Random, region: Region) -> dict[ChartKey, int]:
    """Return the scores at the look before: most as today, some lower, and one in ten not played yet."""
    scores: dict[ChartKey, int] = {}
    for record in records:
        then, luck = record, chance.random()
        if luck < 0.2:  # noqa: PLR2004 - one in five
            then = _worse(record, chance, region)
        if record.song_id is not None and luck < 0.9:  # noqa: PLR2004 - all but one in ten
            key = record.song_id, record.difficulty
            scores[key] = max(then.score, scores.get(key, 0))
    return scores


def _slot(records: Sequence[Record], places: int) -> Slot:
    empty = (None,) * (places - len(records))
    return Slot(average=_mean(records) if records else None, entries=(*records, *empty))


def _mean(records: Sequence[Record]) -> Decimal:
    return Decimal(sum(record.rating for record in records)) / (100 * max(1, len(records)))
