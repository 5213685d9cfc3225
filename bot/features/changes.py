"""Changes in the catalogue, and how many new charts have a known felt difficulty."""

from collections.abc import Iterable
from dataclasses import replace

from bot.domain.charts import WORLDS_END, Chart, Song
from bot.domain.history import ChartKey
from bot.domain.ids import MemberId
from bot.features.shared.catalogues import ChangesReport
from bot.features.shared.library import SongLibrary
from bot.features.shared.player_models import PlayerModels


class Changes:
    """Reports the last change of the catalogue."""

    def __init__(self, library: SongLibrary, player_models: PlayerModels) -> None:
        self._library = library
        self._player_models = player_models

    async def report(self, viewer: MemberId) -> ChangesReport:
        """Return the last change of the catalogue of the viewer's region. Raises: as `SongLibrary.visit`."""
        found = await self._library.changes(viewer)
        charts = _added(found)
        if not charts:
            return found
        visit = await self._library.visit(viewer, None)
        return replace(
            found,
            charts=len(charts),
            felt=await self._player_models.count_felt(visit.loaded.catalogue, charts),
        )


def _added(found: ChangesReport) -> list[ChartKey]:
    """Return all new charts except World's End."""
    new: Iterable[tuple[Song, Chart]] = (
        *((song, chart) for song in found.changes.added for chart in song.charts),
        *found.changes.new_charts,
    )
    return [(song.id, chart.difficulty) for song, chart in new if chart.difficulty != WORLDS_END]
