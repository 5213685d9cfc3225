"""All charts that pass a filter, with the viewer's scores."""

from dataclasses import dataclass

from bot.base.worker import run_in_worker
from bot.domain.charts import WORLDS_END
from bot.domain.coach.feeling import FeltByMember
from bot.domain.completion import MAX_TABLE_CHARTS, CompletionRow, completion_rows
from bot.domain.entries import Order
from bot.domain.filters import Filter, parse_filter
from bot.domain.ids import GuildId, MemberId
from bot.domain.numbers import Hundredths
from bot.domain.summary import Summary, summarise
from bot.features.shared.reports import PlayerReport
from bot.features.shared.studies import MemberLook, Studies


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionReport(PlayerReport):
    """The content of `/table`."""

    wanted: Filter
    count: int
    """The number of charts that pass the filter."""
    summary: Summary
    """A summary of the played ones among them."""
    rows: tuple[CompletionRow, ...]
    """The rows of the table; empty if no chart passes, or more than one picture holds."""
    by_felt: bool
    """Whether rows are by felt difficulty instead of constant."""
    levels: tuple[Hundredths, ...]
    """All levels of charts in the catalogue, highest first."""


class Completions:
    """Arranges charts in rows."""

    def __init__(self, studies: Studies) -> None:
        self._studies = studies

    async def report(
        self, viewer: MemberId, text: str, guild: GuildId | None, *, by_felt: bool = False
    ) -> CompletionReport:
        """Return all charts of the catalogue that pass a filter, with the viewer's own records.

        Raises: BadFilter, NotLinked, FeltNotKnown, and errors of the service.
        """
        wanted = parse_filter(text)
        look = await self._studies.look(viewer, guild)
        felt = await self._studies.feel(look, wanted, Order.FELT_DOWN if by_felt else None)
        # Going through thousands of charts would block the event loop for too long.
        count, rows, summary, levels = await run_in_worker(_laid_out, look, wanted, felt, by_felt)
        return CompletionReport(
            player=look.player,
            wanted=wanted,
            count=count,
            summary=summary,
            rows=rows,
            by_felt=by_felt,
            levels=levels,
            region=look.visit.region,
            age=look.age,
            audience=look.asker.audience_of(look.player),
        )


def _laid_out(
    look: MemberLook,
    wanted: Filter,
    felt: FeltByMember | None,
    by_felt: bool,  # noqa: FBT001 - the worker passes by position
) -> tuple[int, tuple[CompletionRow, ...], Summary, tuple[Hundredths, ...]]:
    chosen = look.passing(wanted, felt)
    rows = completion_rows(chosen, by_felt=by_felt) if len(chosen) <= MAX_TABLE_CHARTS else ()
    summary = summarise((entry.record for entry in chosen if entry.record), look.visit.region)
    charts = (chart for song in look.visit.loaded.catalogue.songs for chart in song.charts)
    levels = {chart.level for chart in charts if chart.difficulty != WORLDS_END}
    return len(chosen), rows, summary, tuple(sorted(levels, reverse=True))
