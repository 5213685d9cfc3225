"""Charts in rows from easy to hard for the viewer's next rank."""

import asyncio
from dataclasses import dataclass

from bot.base.worker import run_in_worker
from bot.domain.age import Age, oldest
from bot.domain.coach import Coach
from bot.domain.entries import catalogue_entries
from bot.domain.filters import Filter, parse_filter
from bot.domain.ids import GuildId, MemberId, Region
from bot.domain.members import Audience
from bot.domain.players import Player, Target
from bot.domain.ranks import Rank
from bot.domain.scores import Record
from bot.domain.tiers import Tier, tiers_of, usual_rank
from bot.features.shared.askers import Askers
from bot.features.shared.asking import ask_both
from bot.features.shared.chronicle import Chronicles
from bot.features.shared.coaches import Coaches
from bot.features.shared.library import SongLibrary, SongLookup


@dataclass(frozen=True, slots=True, kw_only=True)
class TiersReport:
    """What `/tiers` shows."""

    player: Player
    wanted: Filter
    rank: Rank
    rows: tuple[Tier, ...]
    """The easiest first."""
    count: int
    """How many charts the filter lets through."""
    region: Region
    age: Age
    audience: Audience


class Tiers:
    """Lays charts out from easy to hard."""

    def __init__(self, askers: Askers, library: SongLibrary, chronicle: Chronicles, coaches: Coaches) -> None:
        self._askers = askers
        self._chronicle = chronicle
        self._coaches = coaches
        self._library = library

    async def report(
        self, viewer: MemberId, text: str, rank: Rank | None, guild: GuildId | None
    ) -> TiersReport:
        """Return the charts that a filter lets through, in rows for a rank, or for the viewer's next one.

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
        coached = await self._coaches.coach(visit.loaded.catalogue, player.rating, records, asker.link)
        # Some thousand charts take longer to go through than one turn of the event loop should.
        rank, rows, count = await run_in_worker(_laid_out, visit, records, wanted, coached, rank)
        return TiersReport(
            player=player,
            wanted=wanted,
            rank=rank,
            rows=rows,
            count=count,
            region=region,
            age=oldest(visit.loaded.age, answer.age),
            audience=asker.audience_of(player),
        )


def _laid_out(
    visit: SongLookup, records: tuple[Record, ...], wanted: Filter, coached: Coach, rank: Rank | None
) -> tuple[Rank, tuple[Tier, ...], int]:
    wanted = wanted.searched(visit.matches)
    chosen = wanted.passing(catalogue_entries(visit.loaded.catalogue, records))
    rank = rank or usual_rank(chosen, visit.region)
    return rank, tiers_of(chosen, coached.outlooks, rank), len(chosen)
