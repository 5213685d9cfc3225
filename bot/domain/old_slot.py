"""Detects a best slot of older songs only: the records missing from it show which songs are new."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.domain.charts import Catalogue
from bot.domain.game_rating import BEST_PLACES, WorkedOut, work_out_once
from bot.domain.game_versions import GameVersion
from bot.domain.history import ChartKey
from bot.domain.numbers import Hundredths
from bot.domain.scores import Record


@dataclass(frozen=True, slots=True)
class OldSongsSlot:
    """A best slot that lacks charts which would be in it if it were of all songs."""

    inside: tuple[ChartKey, ...] = field(repr=False)
    """Charts of older songs."""
    outside: tuple[ChartKey, ...] = field(repr=False)
    """Charts of new songs."""
    catalogue: Catalogue = field(repr=False)

    def fits(self, version: GameVersion) -> bool:
        """Return whether a version divides old and new songs as the slot does."""

        def is_new(chart: ChartKey) -> bool:
            song = self.catalogue.by_id.get(chart[0])
            return song is not None and version.is_new(song.released_on)

        return all(map(is_new, self.outside)) and not any(map(is_new, self.inside))


def find_old_slot(
    best: Iterable[Record],
    records: Iterable[Record],
    catalogue: Catalogue,
    known: dict[GameVersion | None, WorkedOut],
) -> OldSongsSlot | None:
    """Return what the service's best slot proves, compared with all records: None if it may be of all songs.

    Records of unknown constant prove nothing. `known` is as for `explain`.
    """
    inside: dict[ChartKey, Hundredths] = {
        (record.song_id, record.difficulty): record.rating for record in best if record.song_id is not None
    }
    if len(inside) < BEST_PLACES:
        return None
    lowest = min(inside.values())
    best_of_all = work_out_once(records, catalogue, None, known).best
    outside = tuple(
        entry.key
        for entry in best_of_all
        if entry.is_certain and entry.rating > lowest and entry.key not in inside
    )
    return OldSongsSlot(tuple(inside), outside, catalogue) if outside else None
