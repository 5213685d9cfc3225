"""What is told of the last session that somebody played."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.domain.charts import Song
from bot.domain.chronicle.effects import RatingEffects
from bot.domain.chronicle.session import SessionDiff
from bot.domain.ids import SongId
from bot.features.shared.reports import PlayerReport


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionReport(PlayerReport):
    """What `/session` shows."""

    session: SessionDiff | None
    """What differs; None where nothing is remembered from before."""
    remembered_since: datetime | None
    """The first look that there is; None where there is none."""
    is_from_first: bool
    """What was asked for is from before that: what is shown is since then."""
    effects: RatingEffects | None = None
    """What the plays did to the rating; None without a session or a catalogue, without which no song is known for new."""
    songs: Mapping[SongId, Song]
    """The songs of the catalogue, as far as there is one."""
