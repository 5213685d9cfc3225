"""The effect of a new game version on a player's rating: on the day after, which charts move, and what restores it.

Source: the game: a new version makes all earlier songs older ones, so the places of new songs are empty.
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
"""The most points that a chart within reach may lack: twice the distance between two ranks near the top."""
_MILESTONES: Final = (1, 5, 10, NEW_PLACES)
"""The numbers of charts of new songs for which the restored rating is shown."""


class MovedChart(NamedTuple):
    """A chart of a new song that is among the older ones once the next version begins."""

    place: int
    """The place in the best slot after that, from 1."""
    entry: SlotEntry


class NearChart(NamedTuple):
    """A chart of a new song that would be in that slot with a better score."""

    record: Record
    least: int
    """The least score for a place."""

    @property
    def missing(self) -> int:
        """The points missing to that score."""
        return self.least - self.record.score


@dataclass(frozen=True, slots=True, kw_only=True)
class Turnover:
    """The current rating, and that on the day after the next version begins if nothing else is played."""

    now: WorkedOut = field(repr=False)
    then: WorkedOut = field(repr=False)
    moved: tuple[MovedChart, ...]
    """The charts that move, highest first."""
    near: tuple[NearChart, ...]
    """The charts within reach of moving, nearest first."""


def turn_over(
    records: Sequence[Record], catalogue: Catalogue, played: GameVersion, first_day: date
) -> Turnover:
    """Return the effect of a version that begins on a day on records that count by another version until then."""
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
    """The rating from filling the empty places of new songs with a player's usual scores."""

    usual: SlotEntry
    """The lowest entry of their best slot: they have reached this rating on each chart in it."""
    ratings: Mapping[int, Hundredths]
    """The player's rating by the number of such charts added."""


def come_back(found: WorkedOut) -> Comeback | None:
    """Return what filling the empty places of new songs gives; None if none is empty, or nothing was played."""
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
