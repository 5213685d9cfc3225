"""All charts that a filter lets through, with what the viewer has scored on each."""

import asyncio
from dataclasses import dataclass

from bot.base.worker import run_in_worker
from bot.domain.age import Age, oldest
from bot.domain.charts import WORLDS_END
from bot.domain.completion import MOST_CHARTS, CompletionRow, completion_rows
from bot.domain.entries import catalogue_entries
from bot.domain.filters import Filter, parse_filter
from bot.domain.ids import GuildId, MemberId, Region
from bot.domain.members import Audience
from bot.domain.numbers import Hundredths
from bot.domain.players import Player, Target
from bot.domain.scores import Record
from bot.domain.summary import Summary, summarise
from bot.features.shared.askers import Askers
from bot.features.shared.asking import ask_both
from bot.features.shared.chronicle import Chronicles
from bot.features.shared.library import SongLibrary, SongLookup


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionReport:
    """What `/table` shows."""

    player: Player
    wanted: Filter
    count: int
    """How many charts the filter lets through."""
    summary: Summary
    """Of those among them that were played."""
    rows: tuple[CompletionRow, ...]
    """None where no chart passes, or more than one picture holds."""
    levels: tuple[Hundredths, ...]
    """All that charts of the catalogue have, highest first."""
    region: Region
    age: Age
    audience: Audience


class Completions:
    """Lays charts out in rows."""

    def __init__(self, askers: Askers, library: SongLibrary, chronicle: Chronicles) -> None:
        self._askers = askers
        self._chronicle = chronicle
        self._library = library

    async def report(self, viewer: MemberId, text: str, guild: GuildId | None) -> CompletionReport:
        """Return all charts of the catalogue that a filter lets through, with the viewer's own records.

        Raises: BadFilter, NotLinked, and what the service answers.
        """
        wanted = parse_filter(text)
        asker = await self._askers.get(viewer)
        region = asker.link.region
        visit, answer = await asyncio.gather(
            self._library.enter(asker, guild),
            ask_both(asker.fetch_owner(Target()), asker.fetch_all_records(Target(), region)),
        )
        player, records = answer.value
        self._chronicle.note(asker.link, player, records, answer.age)
        # Some thousand charts take longer to go through than one turn of the event loop should.
        count, rows, summary, levels = await run_in_worker(_laid_out, visit, records, wanted)
        return CompletionReport(
            player=player,
            wanted=wanted,
            count=count,
            summary=summary,
            rows=rows,
            levels=levels,
            region=region,
            age=oldest(visit.loaded.age, answer.age),
            audience=asker.audience_of(player),
        )


def _laid_out(
    visit: SongLookup, records: tuple[Record, ...], wanted: Filter
) -> tuple[int, tuple[CompletionRow, ...], Summary, tuple[Hundredths, ...]]:
    wanted = wanted.searched(visit.matches)
    chosen = wanted.passing(catalogue_entries(visit.loaded.catalogue, records))
    rows = completion_rows(chosen) if len(chosen) <= MOST_CHARTS else ()
    summary = summarise((entry.record for entry in chosen if entry.record), visit.region)
    charts = (chart for song in visit.loaded.catalogue.songs for chart in song.charts)
    levels = {chart.level for chart in charts if chart.difficulty != WORLDS_END}
    return len(chosen), rows, summary, tuple(sorted(levels, reverse=True))
