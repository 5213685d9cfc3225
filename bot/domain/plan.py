"""What raises the best average soonest, by what a try is likely to gain. Source: specification, "Rating data", and the game's rating table.

The best average is the mean rating of the BEST slot. A score raises it where its chart stands in the slot and
earns more, or where its chart stands outside and earns more than the last place. Sums of ratings are in
hundredths. The player's own rating is never derived: the newest game counts slots that the service does not send.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.domain.charts import Catalogue, Chart, Difficulty, Song
from bot.domain.coach import Prediction
from bot.domain.ids import JP, Region, SongId
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE, ranks_of
from bot.domain.rating import least_score, song_rating
from bot.domain.scores import RatingData, Record, SlotName

ChartKey = tuple[SongId | None, Difficulty]


class TargetMeasure(StrEnum):
    """What a target is one of."""

    BEST_AVERAGE = "best"
    RATING = "rating"


_BEST_PLACES: Final = 30
_RECENT_PLACES: Final = 10
_NEW_PLACES: Final = 20
_SEEN_FROM: Final = 1.0
"""Hundredths: a try that gains less of a song rating on average shows nowhere."""
_OUTSIDE: Final = (SlotName.CANDIDATES, SlotName.CANDIDATES_BELOW_SSS, SlotName.OUTSIDE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slots:
    """What can be planned with: the best slot, and the charts just outside it."""

    best: tuple[Record, ...]
    empty: int
    """Places of the best slot that are not filled."""
    outside: tuple[Record, ...]
    """Charts of the candidates and outside slots, each once; none while the best slot has empty places."""
    region: Region

    @property
    def sum(self) -> int:
        """Sum of the ratings in the best slot, in hundredths."""
        return sum(record.rating for record in self.best)

    @property
    def last(self) -> Hundredths:
        """The lowest rating in the best slot; 0 for an empty one."""
        return min((record.rating for record in self.best), default=Hundredths(0))

    @property
    def threshold(self) -> Hundredths:
        """The rating beyond which a chart outside the best slot enters it."""
        return Hundredths(0) if self.empty else self.last

    @property
    def assumed_places(self) -> int:
        """How many places a rating is taken to be the mean of: of those that are not the best slot's nothing is derived.

        Source: the game; the older one counts ten recent places, the newest one twenty that the service does not send.
        """
        return _BEST_PLACES + (_RECENT_PLACES if self.region == JP else _NEW_PLACES)

    @property
    def reachable(self) -> Hundredths:
        """The rating with the best chart played into all ten recent places, floored.

        Source: the game's older weighting, best 30 and recent 10; the newest one is another.
        """
        highest = max((record.rating for record in self.best), default=0)
        return Hundredths((self.sum + _RECENT_PLACES * highest) // (_BEST_PLACES + _RECENT_PLACES))


def slots_of(data: RatingData, region: Region) -> Slots:
    """Return what the five slots of a player hold for planning."""
    slot = data[SlotName.BEST]
    best = slot.records
    taken = {chart_key(record) for record in best}
    outside: dict[ChartKey, Record] = {}
    empty = len(slot.entries) - len(best)
    if not empty:
        for name in _OUTSIDE:
            for record in data[name].records:
                if chart_key(record) not in taken:
                    outside.setdefault(chart_key(record), record)
    return Slots(best=best, empty=empty, outside=tuple(outside.values()), region=region)


def chart_key(record: Record) -> ChartKey:
    """Return what tells a record's chart from all others of its region."""
    return record.song_id, record.difficulty


def with_all_charts(slots: Slots, catalogue: Catalogue, records: Iterable[Record]) -> Slots:
    """Return slots outside of which stands every chart that can enter the best slot, played or not."""
    played = {chart_key(record): record for record in records if record.is_played}
    taken = {chart_key(record) for record in (*slots.best, *slots.outside)}
    others = [
        played.get((song.id, chart.difficulty)) or _unplayed(song, chart)
        for song in catalogue.songs
        for chart in song.charts
        if chart.constant is not None
        and (song.id, chart.difficulty) not in taken
        and song_rating(chart.constant, MAX_SCORE, slots.region) > slots.threshold
    ]
    return replace(slots, outside=(*slots.outside, *others))


def _unplayed(song: Song, chart: Chart) -> Record:
    return Record(
        song_id=song.id,
        title=song.title,
        difficulty=chart.difficulty,
        level=chart.level,
        constant=chart.constant,
        score=0,
        rating=Hundredths(0),
        is_estimated=chart.is_estimated,
        lamps=None,
        is_played=False,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStep:
    """A chart, and the score to reach on it."""

    record: Record
    is_in_best: bool
    least: int
    """The least score that raises the best average at all."""
    score: int
    rating: Hundredths
    """Of `score`."""
    gain: Hundredths
    """What it alone adds to the sum of the best slot."""
    chance: float | None = None
    """That the next try reaches the score, 0 to 1; None where nobody has said."""

    @property
    def missing(self) -> int:
        """Points from the record to the score."""
        return self.score - self.record.score

    @property
    def worth(self) -> float:
        """What one try gains on average, in hundredths of the slot's sum."""
        return self.gain * (self.chance or 0.0)

    @property
    def is_small(self) -> bool:
        """Whether what one try gains on average shows nowhere."""
        return self.worth < _SEEN_FROM


def steps(slots: Slots, outlooks: Mapping[tuple[SongId, Difficulty], Prediction]) -> list[PlanStep]:
    """Return for each chart that can raise the best average the rank that is worth most; most worth first.

    Charts without a known constant, those that earn all they can, and those of which nothing is expected are left out.
    """
    found: list[PlanStep] = []
    for chart in open_charts(slots):
        song, difficulty = chart_key(chart.record)
        outlook = outlooks.get((song, difficulty)) if song is not None else None
        if outlook is None:
            continue
        worth, score = max(
            (
                ((rating - chart.floor) * outlook.next_try.chance(score), score)
                for score, rating in goals(chart, slots.region)
            ),
            default=(0.0, 0),
        )
        if worth > 0:
            found.append(replace(step_to(chart, score, slots.region), chance=outlook.next_try.chance(score)))
    return sorted(found, key=_most_worth_first)


def _most_worth_first(step: PlanStep) -> tuple[float, int, str]:
    return -step.worth, step.missing, step.record.title


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenChart:
    """A chart that may be raised."""

    record: Record
    constant: Hundredths
    is_in_best: bool
    floor: Hundredths
    """The rating beyond which it adds to the best average."""


def open_charts(slots: Slots) -> Iterator[OpenChart]:
    """Yield the charts of the slots whose constant is known."""
    for is_in_best, records in ((True, slots.best), (False, slots.outside)):
        for record in records:
            if record.constant is not None:
                floor = record.rating if is_in_best else slots.threshold
                yield OpenChart(record=record, constant=record.constant, is_in_best=is_in_best, floor=floor)


def goals(chart: OpenChart, region: Region) -> Iterator[tuple[int, Hundredths]]:
    """Yield the ranks above the record that gain something, as score and rating, lowest first.

    The last one earns all that the chart can: no rating grows beyond the highest rank's least score.
    """
    for rank in ranks_of(region):
        rating = song_rating(chart.constant, rank.least_score, region)
        if rank.least_score > chart.record.score and rating > chart.floor:
            yield rank.least_score, rating


def step_to(chart: OpenChart, score: int, region: Region) -> PlanStep:
    """Return the step from a chart's record to a score above it."""
    rating = song_rating(chart.constant, score, region)
    least = least_score(chart.constant, Hundredths(chart.floor + 1), region) or score
    return PlanStep(
        record=chart.record,
        is_in_best=chart.is_in_best,
        least=max(least, chart.record.score + 1),
        score=score,
        rating=rating,
        gain=Hundredths(max(0, rating - chart.floor)),
    )
