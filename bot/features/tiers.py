"""Charts in rows from easy to hard for the viewer's next rank."""

from dataclasses import dataclass

from bot.base.worker import run_in_worker
from bot.domain.age import Age
from bot.domain.coach import Coach, FeltByMember
from bot.domain.filters import Filter, parse_filter
from bot.domain.ids import GuildId, MemberId, Region
from bot.domain.members import Audience
from bot.domain.players import Player
from bot.domain.ranks import Rank
from bot.domain.tiers import Tier, tiers_of, usual_rank
from bot.features.shared.studies import MemberLook, Studies


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

    def __init__(self, studies: Studies) -> None:
        self._studies = studies

    async def report(
        self, viewer: MemberId, text: str, rank: Rank | None, guild: GuildId | None
    ) -> TiersReport:
        """Return the charts that a filter lets through, in rows for a rank, or for the viewer's next one.

        Raises: BadFilter, NotLinked, and what the service answers.
        """
        wanted = parse_filter(text)
        look = await self._studies.look(viewer, guild)
        coached, felt = await self._studies.coach(look), await self._studies.feel(look, wanted)
        # Some thousand charts take longer to go through than one turn of the event loop should.
        rank, rows, count = await run_in_worker(_laid_out, look, wanted, felt, coached, rank)
        return TiersReport(
            player=look.player,
            wanted=wanted,
            rank=rank,
            rows=rows,
            count=count,
            region=look.visit.region,
            age=look.age,
            audience=look.asker.audience_of(look.player),
        )


def _laid_out(
    look: MemberLook, wanted: Filter, felt: FeltByMember | None, coached: Coach, rank: Rank | None
) -> tuple[Rank, tuple[Tier, ...], int]:
    chosen = look.open_to_play(wanted, felt)
    rank = rank or usual_rank(chosen, look.visit.region)
    return rank, tiers_of(chosen, coached.outlooks, rank), len(chosen)
