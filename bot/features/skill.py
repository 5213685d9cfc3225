"""The viewer's strengths and weaknesses by kind of chart, relative to all their charts."""

from dataclasses import dataclass

from bot.base.worker import run_in_worker
from bot.domain.coach.player_model import PlayerModel
from bot.domain.ids import GuildId, MemberId
from bot.features.shared.reports import PlayerReport
from bot.features.shared.studies import Studies


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillReport(PlayerReport):
    """The content of `/skill`."""

    model: PlayerModel
    played: int
    """The number of played charts with a known constant behind it."""


class Skills:
    """Reports what members are good at."""

    def __init__(self, studies: Studies) -> None:
        self._studies = studies

    async def report(self, viewer: MemberId, guild: GuildId | None) -> SkillReport:
        """Return the viewer's strengths and weaknesses. Raises: NotLinked, and errors of the service."""
        study = await self._studies.make(viewer, guild)
        await run_in_worker(study.model.learn_coefficients)
        played = {(each.song_id, each.difficulty) for each in study.records if each.is_played}
        return SkillReport(
            player=study.player,
            model=study.model,
            played=len(played & study.model.features.positions.keys()),
            region=study.asker.link.region,
            age=study.age,
            audience=study.asker.audience_of(study.player),
        )
