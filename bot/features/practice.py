"""Three charts for today, chosen by what the viewer is likely to score."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.base.worker import run_in_worker
from bot.domain.age import Age
from bot.domain.coach import FeltByMember
from bot.domain.filters import Filter, parse_filter
from bot.domain.gains import PlayEffect, RatingSlots, gains_of
from bot.domain.game_rating import Explanation
from bot.domain.ids import GuildId, MemberId, Region
from bot.domain.members import Audience
from bot.domain.players import Player
from bot.domain.practice import PracticeAim, PracticeTarget, drills
from bot.features.shared.studies import Studies, Study


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeReport:
    """What `/practice` shows."""

    player: Player
    wanted: Filter
    drills: Mapping[PracticeAim, PracticeTarget]
    effects: Mapping[PracticeAim, PlayEffect]
    """What each does to the rating, after those before it."""
    explanation: Explanation
    charts: int
    """How many pass the filter."""
    is_known: bool
    """Whether anything is known of what the viewer scores."""
    region: Region
    age: Age
    audience: Audience


class Practice:
    """Draws charts."""

    def __init__(self, studies: Studies) -> None:
        self._studies = studies

    async def report(self, viewer: MemberId, text: str, seed: int, guild: GuildId | None) -> PracticeReport:
        """Return what to play among the charts that a filter lets through; the same for the same seed.

        Raises: BadFilter, NotLinked, and what the service answers.
        """
        wanted = parse_filter(text)
        study = await self._studies.make(viewer, guild)
        felt = await self._studies.feel(study, wanted)
        drawn, charts = await run_in_worker(_drawn, study, wanted, felt, seed)
        return PracticeReport(
            player=study.player,
            wanted=wanted,
            drills=drawn,
            effects=drill_effects(study.slots, drawn),
            explanation=study.explanation,
            charts=charts,
            is_known=bool(study.coach.outlooks),
            region=study.asker.link.region,
            age=study.age,
            audience=study.asker.audience_of(study.player),
        )


def _drawn(
    study: Study, wanted: Filter, felt: FeltByMember | None, seed: int
) -> tuple[Mapping[PracticeAim, PracticeTarget], int]:
    """Return what is drawn, and among how many charts."""
    entries = study.open_to_play(wanted, felt)
    return drills(entries, study.coach, study.slots, seed), len(entries)


def drill_effects(
    slots: RatingSlots, drawn: Mapping[PracticeAim, PracticeTarget]
) -> Mapping[PracticeAim, PlayEffect]:
    """Return what each does to the rating after those before it; of what counts nowhere nothing."""
    plays = {
        aim: play
        for aim, drill in drawn.items()
        if (play := slots.play_on(drill.entry.song, drill.entry.chart, drill.score, drill.entry.region))
    }
    return dict(zip(plays, gains_of(slots, plays.values()), strict=True))
