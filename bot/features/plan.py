"""What raises the best average soonest."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bot.base.worker import run_in_worker
from bot.domain.age import Age
from bot.domain.borders import learn_mix
from bot.domain.charts import Catalogue
from bot.domain.ids import GuildId, MemberId, Region
from bot.domain.notes import Judgement
from bot.domain.numbers import Hundredths
from bot.domain.plan import (
    ChartKey,
    PlanStep,
    Slots,
    TargetMeasure,
    chart_key,
    slots_of,
    steps,
    with_all_charts,
)
from bot.domain.players import Player, Target
from bot.domain.ranks import MAX_SCORE
from bot.domain.route import PlanRoute, likeliest_route
from bot.domain.scores import Record
from bot.features.shared.askers import Askers, ask_both
from bot.features.shared.chronicle import Chronicles
from bot.features.shared.coaches import Coaches
from bot.features.shared.history import History
from bot.features.shared.library import SongLibrary
from bot.features.shared.paging import RECORDS, Part, part_of


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanReport:
    """What `/plan` shows."""

    player: Player
    slots: Slots
    aim: TargetMeasure
    target: Hundredths | None
    """What to reach of that; None where nothing was named."""
    outside_only: bool
    """Charts in the best slot are left out of the steps."""
    route: PlanRoute | None
    """To the target, or as far towards it as is likely enough; None without one."""
    part: Part[PlanStep]
    """Without a target of everything that helps, most worth a try first; with one of the way there."""
    small: int
    """How many charts more could help by less than anybody would see."""
    losses: Mapping[ChartKey, Mapping[Judgement, int]]
    """What each step of the part allows to lose, in the player's own mix; none where that is not known."""
    counted: int
    """Of how many charts it is known what all players score."""
    region: Region
    age: Age

    @property
    def is_reached(self) -> bool:
        """Whether the route leads to the target."""
        return self.route is not None and self.target is not None and self.after >= self.target

    @property
    def after(self) -> Hundredths:
        """What becomes of what is aimed at by the route, floored."""
        total = self.slots.sum if self.route is None else self.route.sum
        if self.aim is TargetMeasure.RATING:
            return Hundredths(self.player.rating + (total - self.slots.sum) // self.slots.assumed_places)
        return Hundredths(total // max(1, len(self.slots.best)))


class Plans:
    """Makes plans for the asker's own best slot."""

    def __init__(
        self, askers: Askers, library: SongLibrary, history: History, chronicle: Chronicles, coaches: Coaches
    ) -> None:
        self._askers = askers
        self._history = history
        self._chronicle = chronicle
        self._library = library
        self._coaches = coaches
        self._searching = asyncio.Lock()

    async def report(
        self,
        viewer: MemberId,
        target: Hundredths | None,
        guild: GuildId | None,
        number: int = 0,
        *,
        aim: TargetMeasure | None = None,
        outside_only: bool = False,
    ) -> PlanReport:
        """Return one page of what to play, or of the likeliest way to a target.

        Where nobody says what that is one of, it is of the best average, or of the rating once that is there.
        Raises: NotLinked, and what the service answers.
        """
        asker = await self._askers.get(viewer)
        region = asker.link.region
        standing = ask_both(asker.fetch_owner(Target()), asker.fetch_rating_data(Target(), region))
        answer = await ask_both(standing, asker.fetch_records(Target(), region))
        (player, data), records = answer.value
        self._chronicle.note(asker.link, player, records, answer.age)
        await self._history.note(asker.link, player, data, answer.age)
        catalogue = (await self._library.enter(asker, guild)).loaded.catalogue
        coached = await self._coaches.coach(catalogue, player.rating, records)
        slots = slots_of(data, region)
        # While places are empty, any chart fills one: the average may fall by it.
        wide = (
            slots
            if slots.empty and target
            else await run_in_worker(with_all_charts, slots, catalogue, records)
        )
        aim = aim or _meant(target, slots, player)
        route, small = None, 0
        if target is None:
            helpful = await run_in_worker(steps, wide, coached.outlooks)
            wanted = [step for step in helpful if not (outside_only and step.is_in_best)]
            found = tuple(step for step in wanted if not step.is_small)
            small = len(wanted) - len(found)
        else:
            total = _total_for(target, aim, slots, player)
            # A far target is a second's work: beside what is done apart, and no two of them side by side.
            async with self._searching:
                route = await asyncio.to_thread(likeliest_route, wide, coached.outlooks, total)
            found = route.steps
        part = part_of(found, RECORDS, number)
        return PlanReport(
            player=player,
            slots=slots,
            aim=aim,
            target=target,
            outside_only=outside_only,
            route=route,
            part=part,
            small=small,
            losses=await run_in_worker(_losses, part.items, records, catalogue),
            counted=coached.counted,
            region=region,
            age=answer.age,
        )


def _meant(target: Hundredths | None, slots: Slots, player: Player) -> TargetMeasure:
    if target is None or target <= player.rating or target * len(slots.best) > slots.sum:
        return TargetMeasure.BEST_AVERAGE
    return TargetMeasure.RATING


def _total_for(target: Hundredths, aim: TargetMeasure, slots: Slots, player: Player) -> int:
    """Return the sum of the best slot at which a target is reached for certain, in hundredths."""
    if aim is TargetMeasure.RATING:
        return slots.sum + (target - player.rating) * slots.assumed_places
    return target * len(slots.best)


def _losses(
    found: Iterable[PlanStep], records: Iterable[Record], catalogue: Catalogue
) -> Mapping[ChartKey, Mapping[Judgement, int]]:
    mix = learn_mix(records, catalogue)
    losses: dict[ChartKey, Mapping[Judgement, int]] = {}
    for step in found:
        song = catalogue.by_id.get(step.record.song_id) if step.record.song_id else None
        for chart in song.charts if song else ():
            if mix and chart.max_combo and chart.difficulty == step.record.difficulty:
                losses[chart_key(step.record)] = mix.spend(MAX_SCORE - step.score, chart.max_combo)
    return losses
