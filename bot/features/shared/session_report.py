"""The report of a player's last session."""

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
    """The content of `/session`."""

    session: SessionDiff | None
    """The session; None if nothing earlier is stored."""
    remembered_since: datetime | None
    """The first stored look; None if there is none."""
    is_from_first: bool
    """Whether the requested time begins earlier than the first look, so that the report begins there."""
    effects: RatingEffects | None = None
    """The effects on the rating; None without a session or a catalogue, which tells new songs from old."""
    songs: Mapping[SongId, Song]
    """The songs of the catalogue; empty if it is unavailable."""
