"""What a version of the game that begins does to a player's rating: the day after, what moves, and what brings it back.

Source: the game: a version that begins makes all songs of before older ones, and its places of new songs are empty then.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final, NamedTuple

from bot.domain.charts import Catalogue
from bot.domain.gains import RatingSlots
from bot.domain.game_rating import NEW_PLACES, PLACES, SlotEntry, WorkedOut, work_out
from bot.domain.game_versions import GameVersion
from bot.domain.history import ChartKey
from bot.domain.numbers import Hundredths
from bot.domain.scores import Record

MAX_MISSING_POINTS: Final = 5_000
"""Points to a place that are within reach: half of them lie between two ranks near the top."""
_MILESTONES: Final = (1, 5, 10, NEW_PLACES)
"""Charts of new songs, of which it is said what they bring back."""


class MovedChart(NamedTuple):
    """A chart of a new song that stands among the older ones once the next version begins."""

    place: int
    """The place in the best slot then, from 1."""
    entry: SlotEntry


class NearChart(NamedTuple):
    """A chart of a new song that would stand there with a better score."""

    record: Record
    least: int
    """The least score that does."""

    @property
    def missing(self) -> int:
        """The points to it."""
        return self.least - self.record.score


@dataclass(frozen=True, slots=True, kw_only=True)
class Turnover:
    """The rating as it is, and on the day after the next version has begun if nothing else is played."""

    now: WorkedOut = field(repr=False)
    then: WorkedOut = field(repr=False)
    moved: tuple[MovedChart, ...]
    """The highest first."""
    near: tuple[NearChart, ...]
    """Those within reach of moving, the nearest first."""


def turn_over(
    records: Sequence[Record], catalogue: Catalogue, played: GameVersion, first_day: date
) -> Turnover:
    """Return what a version that begins on a day does to records that count by another one until then."""
    now = work_out(records, catalogue, played)
    then = work_out(records, catalogue, replace(played, first_day=first_day, new_since=first_day))
    slots = RatingSlots.of(then)
    new = {song.id: song for song in catalogue.songs if played.is_new(song.released_on)}
    moved = [
        MovedChart(place, entry) for place, entry in enumerate(then.best, start=1) if entry.key[0] in new
    ]
    standing = {chart.entry.key for chart in moved}
    near: list[NearChart] = []
    for key, record in _best_of(records).items():
        song = new.get(key[0])
        chart = song and song.find_chart(key[1])
        if song is None or chart is None or key in standing:
            continue
        least = slots.least_score_for(song, chart, catalogue.region)
        if least is not None and record.score < least <= record.score + MAX_MISSING_POINTS:
            near.append(NearChart(record, least))
    near.sort(key=lambda chart: (chart.missing, -chart.record.score))
    return Turnover(now=now, then=then, moved=tuple(moved), near=tuple(near))


class Comeback(NamedTuple):
    """What the places of new songs that are empty give, filled with what a player usually scores."""

    usual: SlotEntry
    """The lowest of their best slot: they have come to this much on each chart there."""
    ratings: Mapping[int, Hundredths]
    """The player's rating after this many such charts more."""


def come_back(found: WorkedOut) -> Comeback | None:
    """Return what fills the empty places of new songs; None where none is empty, or nothing was played."""
    free = NEW_PLACES - len(found.new)
    if not found.best or found.rating is None or not free:
        return None
    usual = found.best[-1]
    counts = [count for count in _MILESTONES if count < free] + [free]
    return Comeback(
        usual, {count: Hundredths((found.sum + count * usual.rating) // PLACES) for count in counts}
    )


def _best_of(records: Iterable[Record]) -> Mapping[ChartKey, Record]:
    """Return the best record of each chart that was played."""
    found: dict[ChartKey, Record] = {}
    for record in records:
        if record.song_id is None or not record.is_played:
            continue
        key = record.song_id, record.difficulty
        if key not in found or found[key].score < record.score:
            found[key] = record
    return found
