"""All charts that a filter lets through, with what the viewer has scored on each."""

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
    """What `/table` shows."""

    wanted: Filter
    count: int
    """How many charts the filter lets through."""
    summary: Summary
    """A summary of those among them that were played."""
    rows: tuple[CompletionRow, ...]
    """The rows of the table; empty where no chart passes, or more than one picture holds."""
    by_felt: bool
    """Whether rows are by difficulty as felt, and not by constant."""
    levels: tuple[Hundredths, ...]
    """All levels that charts of the catalogue have, highest first."""


class Completions:
    """Lays charts out in rows."""

    def __init__(self, studies: Studies) -> None:
        self._studies = studies

    async def report(
        self, viewer: MemberId, text: str, guild: GuildId | None, *, by_felt: bool = False
    ) -> CompletionReport:
        """Return all charts of the catalogue that a filter lets through, with the viewer's own records.

        Raises: BadFilter, NotLinked, FeltNotKnown, and what the service answers.
        """
        wanted = parse_filter(text)
        look = await self._studies.look(viewer, guild)
        felt = await self._studies.feel(look, wanted, Order.FELT_DOWN if by_felt else None)
        # Some thousand charts take longer to go through than one turn of the event loop should.
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
    by_felt: bool,  # noqa: FBT001 - for the worker
) -> tuple[int, tuple[CompletionRow, ...], Summary, tuple[Hundredths, ...]]:
    chosen = look.passing(wanted, felt)
    rows = completion_rows(chosen, by_felt=by_felt) if len(chosen) <= MAX_TABLE_CHARTS else ()
    summary = summarise((entry.record for entry in chosen if entry.record), look.visit.region)
    charts = (chart for song in look.visit.loaded.catalogue.songs for chart in song.charts)
    levels = {chart.level for chart in charts if chart.difficulty != WORLDS_END}
    return len(chosen), rows, summary, tuple(sorted(levels, reverse=True))
