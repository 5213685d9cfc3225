"""Charts in rows from easy to hard, for the viewer's next rank."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from bot.base.worker import run_in_worker
from bot.domain.age import oldest
from bot.domain.coach.feeling import FeltByMember
from bot.domain.coach.player_model import PlayerModel
from bot.domain.filters import Filter, parse_filter
from bot.domain.history import ChartKey
from bot.domain.ids import GuildId, MemberId
from bot.domain.members import Audience
from bot.domain.numbers import Hundredths, to_hundredths
from bot.domain.players import Player
from bot.domain.ranks import Rank
from bot.domain.tiers import Tier, tiers_of, usual_rank
from bot.features.shared.reports import PlayerReport
from bot.features.shared.studies import MemberLook, Studies
from bot.features.shared.subjects import Subject

_NOBODY: Final = Subject()


@dataclass(frozen=True, slots=True, kw_only=True)
class TiersReport(PlayerReport):
    """The content of `/tiers`."""

    wanted: Filter
    rank: Rank
    rows: tuple[Tier, ...]
    """The rows, easiest first."""
    count: int
    """The number of charts that pass the filter."""
    is_known: bool
    """Whether there are predictions for any chart."""
    is_all_maximum: bool = False
    """Whether nothing is known because all scores are the maximum."""
    of_all: bool
    """Whether rows are for all players of a rating, regardless of the viewer's own records."""
    level: Hundredths
    """The rating for which the rows are: the viewer's, or what their records show if that comes from an empty slot."""
    other: Player | None = None
    """The player to compare with."""
    other_scores: Mapping[ChartKey, int] = field(default_factory=dict[ChartKey, int])
    """The other player's scores on these charts."""


class Tiers:
    """Arranges charts from easy to hard."""

    def __init__(self, studies: Studies) -> None:
        self._studies = studies

    async def report(
        self,
        viewer: MemberId,
        text: str,
        rank: Rank | None,
        guild: GuildId | None,
        *,
        of_all: bool = False,
        subject: Subject = _NOBODY,
    ) -> TiersReport:
        """Return the charts that pass a filter, in rows for a rank, by default for the viewer's next one.

        `of_all` uses the scores of all players of the viewer's rating; `subject` is the player to compare with. Raises:
        BadFilter, NotLinked, and errors of the service.
        """
        wanted = parse_filter(text)
        look = await self._studies.look(viewer, guild)
        beside = None if subject == _NOBODY else await self._studies.look_at(look, subject)
        model = await self._studies.get_model(look, of_all=of_all)
        felt = await self._studies.feel(look, wanted)
        # Going through thousands of charts would block the event loop for too long.
        rank, rows, count = await run_in_worker(_laid_out, look, wanted, felt, model, rank)
        report = TiersReport(
            player=look.player,
            wanted=wanted,
            rank=rank,
            rows=rows,
            count=count,
            is_known=bool(model.predictions),
            is_all_maximum=model.is_all_maximum,
            of_all=of_all,
            level=to_hundredths(model.level),
            region=look.visit.region,
            age=look.age,
            audience=look.asker.audience_of(look.player),
        )
        if beside is None or beside.value[0].user_id == look.player.user_id:
            return report
        other, theirs = beside.value
        return replace(
            report,
            other=other,
            other_scores={
                (each.song_id, each.difficulty): each.score
                for each in theirs
                if each.song_id and each.is_played
            },
            age=oldest(look.age, beside.age),
            audience=max(report.audience, look.asker.audience_of(other), key=list(Audience).index),
        )


def _laid_out(
    look: MemberLook, wanted: Filter, felt: FeltByMember | None, model: PlayerModel, rank: Rank | None
) -> tuple[Rank, tuple[Tier, ...], int]:
    chosen = look.open_to_play(wanted, felt)
    rank = rank or usual_rank(chosen, look.visit.region)
    return rank, tiers_of(chosen, model.predictions, rank), len(chosen)
