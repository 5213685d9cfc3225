"""Three charts for today, chosen by the viewer's expected scores."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.api.cache import AnswerCache
from bot.base.memo import Memo
from bot.base.worker import run_in_worker
from bot.domain.coach.feeling import FeltByMember
from bot.domain.coach.player_model import PlayerModel
from bot.domain.filters import Filter, parse_filter
from bot.domain.gains import PlayEffect, RatingSlots, gains_of
from bot.domain.game_rating import Explanation
from bot.domain.ids import GuildId, MemberId
from bot.domain.practice import PracticeAim, PracticePools, PracticeTarget, find_pools
from bot.features.shared.reports import PlayerReport
from bot.features.shared.studies import Studies, Study

MAX_POOLS_BYTES: Final = 6_000_000
"""The most bytes of cached pools, with the models of players: those of some thirty-five members."""
_BYTES_A_TARGET: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeReport(PlayerReport):
    """The content of `/practice`."""

    wanted: Filter
    drills: Mapping[PracticeAim, PracticeTarget]
    effects: Mapping[PracticeAim, PlayEffect]
    """The effect of each drill on the rating, after those before it."""
    explanation: Explanation
    charts: int
    """The number of charts that pass the filter."""
    is_known: bool
    """Whether anything is known about the viewer's scores."""
    is_all_maximum: bool = False
    """Whether nothing is known because all scores are the maximum."""


class _Found(NamedTuple):
    model: PlayerModel
    pools: PracticePools
    charts: int

    @property
    def weight(self) -> int:
        """The size in bytes."""
        return self.model.weight + _BYTES_A_TARGET * sum(map(len, self.pools.by_aim.values()))


class Practice:
    """Draws charts."""

    def __init__(self, studies: Studies, cache: AnswerCache) -> None:
        self._studies = studies
        self._found = Memo[_Found](MAX_POOLS_BYTES, lambda found: found.weight)
        cache.on_drop(self._found.drop_all)

    async def report(self, viewer: MemberId, text: str, seed: int, guild: GuildId | None) -> PracticeReport:
        """Return drills among the charts that pass a filter; the same for the same seed.

        Raises: BadFilter, NotLinked, and errors of the service.
        """
        wanted = parse_filter(text)
        study = await self._studies.make(viewer, guild)
        felt = await self._studies.feel(study, wanted)
        found = await self._find(study, wanted, felt)
        drawn = found.pools.draw(seed)
        return PracticeReport(
            player=study.player,
            wanted=wanted,
            drills=drawn,
            effects=drill_effects(study.slots, drawn),
            explanation=study.explanation,
            charts=found.charts,
            is_known=bool(study.model.predictions),
            is_all_maximum=study.model.is_all_maximum,
            region=study.asker.link.region,
            age=study.age,
            audience=study.asker.audience_of(study.player),
        )

    async def _find(self, study: Study, wanted: Filter, felt: FeltByMember | None) -> _Found:
        """Return the pools to draw from; without a filter they are cached, as the next draw uses the same."""

        async def find() -> _Found:
            return await run_in_worker(_pooled, study, wanted, felt)

        if wanted != parse_filter(""):
            return await find()
        # The model is cached in the value, so its id stays unique; other records have another model.
        version = study.explanation.worked_out.version
        return await self._found.get((id(study.model), study.asker.locked, version), find)


def _pooled(study: Study, wanted: Filter, felt: FeltByMember | None) -> _Found:
    entries = study.open_to_play(wanted, felt)
    return _Found(study.model, find_pools(entries, study.model, study.slots), len(entries))


def drill_effects(
    slots: RatingSlots, drawn: Mapping[PracticeAim, PracticeTarget]
) -> Mapping[PracticeAim, PlayEffect]:
    """Return the effect of each drill on the rating, after those before it; drills that count nowhere are left out."""
    plays = {
        aim: play
        for aim, drill in drawn.items()
        if (play := slots.play_on(drill.entry.song, drill.entry.chart, drill.score, drill.entry.region))
    }
    return dict(zip(plays, gains_of(slots, plays.values()), strict=True))
