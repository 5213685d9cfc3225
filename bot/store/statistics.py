"""Statistics of all players on each chart, as last sent by the service: nobody's personal data."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import func, select, tuple_

from bot.database.engine import COURTESY_SECONDS, Database
from bot.database.tables import CHART_STATISTICS
from bot.database.upsert import upsert
from bot.domain.charts import Difficulty
from bot.domain.coach.summaries import ChartSummary
from bot.domain.history import ChartKey
from bot.domain.ids import SongId

_CHARTS_AT_ONCE: Final = 500
"""Charts whose rows are read in one turn of the event loop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsExtent:
    """How many charts have statistics, and how old they are."""

    charts: int
    oldest: datetime | None
    """The time of the oldest of them; None if there are none."""


class KeptStatistics:
    """The repository of statistics."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, chart: ChartKey, summary: ChartSummary | None, at: datetime) -> None:
        """Save the statistics of a chart; None for an unreadable reply, which keeps the former ones. Raises: CannotKeep."""
        row = _asked(chart, at) if summary is None else _told(chart, summary, at)
        async with self._database.write(seconds=COURTESY_SECONDS) as connection:
            await upsert(connection, CHART_STATISTICS, row)

    async def save_all(self, summaries: Mapping[ChartKey, ChartSummary], at: datetime) -> None:
        """Save the statistics of many charts. Raises: CannotKeep."""
        async with self._database.write() as connection:
            rows = (_told(chart, summary, at) for chart, summary in summaries.items())
            await upsert(connection, CHART_STATISTICS, *rows)

    async def is_settled(self, chart: ChartKey, since: datetime) -> bool:
        """Return whether the service was asked about a chart since a moment."""
        table = CHART_STATISTICS.c
        song, difficulty = chart
        is_it = (table.song_id == song) & (table.difficulty == difficulty)
        query = select(table.asked_at).where(is_it, table.asked_at >= since)
        return await self._database.find(query) is not None

    async def fetch_settled(self, since: datetime) -> set[ChartKey]:
        """Return the charts about which the service was asked since a moment."""
        table = CHART_STATISTICS.c
        query = select(table.song_id, table.difficulty).where(table.asked_at >= since)
        return {
            (SongId(row.song_id), Difficulty(row.difficulty)) for row in await self._database.fetch(query)
        }

    async def count(self, *, since: datetime | None = None) -> StatisticsExtent:
        """Return the number of charts with statistics, or with statistics since a moment."""
        fetched_at = CHART_STATISTICS.c.fetched_at
        query = select(func.count(fetched_at).label("charts"), func.min(fetched_at).label("oldest"))
        if since is not None:
            query = query.where(fetched_at >= since)
        async with self._database.read() as connection:
            row = (await connection.execute(query)).one()
        return StatisticsExtent(charts=row.charts, oldest=row.oldest)

    async def fetch_all(self) -> dict[ChartKey, ChartSummary]:
        """Return all statistics, read in batches so that the event loop stays responsive."""
        table = CHART_STATISTICS.c
        rows = select(table.song_id, table.difficulty, table.players, table.averages)
        query = rows.where(table.fetched_at.is_not(None)).order_by(table.song_id, table.difficulty)
        summaries: dict[ChartKey, ChartSummary] = {}
        last: ChartKey = SongId(""), Difficulty("")
        while True:
            part = query.where(tuple_(table.song_id, table.difficulty) > last).limit(_CHARTS_AT_ONCE)
            found = await self._database.fetch(part)
            for row in found:
                last = SongId(row.song_id), Difficulty(row.difficulty)
                summaries[last] = ChartSummary(row.players, row.averages)
            if len(found) < _CHARTS_AT_ONCE:
                return summaries


def _asked(chart: ChartKey, at: datetime) -> dict[str, object]:
    song, difficulty = chart
    return {"song_id": song, "difficulty": difficulty, "asked_at": at}


def _told(chart: ChartKey, summary: ChartSummary, at: datetime) -> dict[str, object]:
    return _asked(chart, at) | {"players": summary.players, "averages": summary.averages, "fetched_at": at}
