"""Finds charts on which one missing record would explain a profile's rating that is higher than the records explain."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.domain.charts import Catalogue, Chart, Song
from bot.domain.game_rating import BEST_PLACES, NEW_PLACES, PLACES, SlotEntry, WorkedOut
from bot.domain.history import ChartKey
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE
from bot.domain.rating import constants_of, least_score, song_rating
from bot.domain.scores import Record

NAMED: Final = 3
"""The number of candidate charts that are named; the others are counted."""
_UNUSUAL_HUNDREDTHS: Final = 20
"""A record that would have to be this much above the player's best is unlikely to be the missing one."""


@dataclass(frozen=True, slots=True)
class RecordsGap:
    """The gap between records and a higher rating, and the ratings that would close it."""

    sum: Hundredths
    """The least amount that the sum of both slots lacks."""
    on_old: Hundredths
    """The rating that one record on an older song outside the slots needs to close the gap."""
    on_new: Hundredths
    """The same on a new song."""
    may_be_old: bool
    """Whether a record on an older song can plausibly close it, without being far above all existing ones."""
    may_be_new: bool

    @property
    def is_of_one(self) -> bool:
        """Whether a single record can plausibly close it."""
        return self.may_be_old or self.may_be_new


class MissingRecord(NamedTuple):
    """A chart on which one record would close the gap."""

    song: Song
    chart: Chart
    score: int
    """The least score that closes it."""


class MissingRecords(NamedTuple):
    """The charts on which one record would close the gap."""

    likeliest: tuple[MissingRecord, ...]
    total: int
    """The number of such charts."""


def find_gap(worked_out: WorkedOut, rating: Hundredths) -> RecordsGap | None:
    """Return the gap between records and a profile's rating; None if there is none with some possible constants."""
    short = rating * PLACES - worked_out.highest_sum
    if short <= 0:
        return None
    on_old, on_new = _floor(worked_out.best, BEST_PLACES) + short, _floor(worked_out.new, NEW_PLACES) + short
    highest = max((entry.highest for entry in (*worked_out.best, *worked_out.new)), default=0)
    return RecordsGap(
        sum=Hundredths(short),
        on_old=Hundredths(on_old),
        on_new=Hundredths(on_new),
        may_be_old=on_old <= highest + _UNUSUAL_HUNDREDTHS,
        may_be_new=on_new <= highest + _UNUSUAL_HUNDREDTHS,
    )


def find_missing(
    worked_out: WorkedOut, gap: RecordsGap, records: Iterable[Record], catalogue: Catalogue
) -> MissingRecords:
    """Return the charts on which one record would close a gap, the likeliest first.

    New songs without a record come first, the newest first, then charts that need the smallest increase.
    """
    version, region = worked_out.version, catalogue.region
    scores = {(record.song_id, record.difficulty): record.score for record in records if record.is_played}
    counted = {entry.key: entry.rating for entry in (*worked_out.best, *worked_out.new)}
    found: list[tuple[int, Song, Chart, Hundredths]] = []
    for song in catalogue.songs:
        is_new = version is not None and version.is_new(song.released_on)
        for chart in () if song.is_worlds_end else song.charts:
            key: ChartKey = (song.id, chart.difficulty)
            floor = gap.on_new if is_new else gap.on_old
            needed = Hundredths(counted[key] + gap.sum if key in counted else floor)
            _, constant = constants_of(chart.constant, chart.level)
            if not constant or song_rating(constant, MAX_SCORE, region) < needed:
                continue
            if is_new and key not in scores and song.released_on is not None:
                order = -song.released_on.toordinal()
            else:
                order = needed - song_rating(constant, scores.get(key, 0), region)
            found.append((order, song, chart, needed))
    found.sort(key=lambda each: each[0])
    named = (
        MissingRecord(
            song, chart, least_score(constants_of(chart.constant, chart.level)[1], needed, region) or 0
        )
        for _, song, chart, needed in found[:NAMED]
    )
    return MissingRecords(tuple(named), len(found))


def _floor(slot: Sequence[SlotEntry], places: int) -> int:
    """Return the rating that a record must exceed to enter a slot; 0 if a place is empty."""
    return slot[-1].highest if len(slot) == places else 0
