"""Plans of what to play next, for an evening or towards a target."""

from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.api.cache import AnswerCache
from bot.base.clock import Clock
from bot.base.memo import Memo
from bot.base.worker import run_in_worker
from bot.domain.borders import Mix
from bot.domain.charts import WORLDS_END
from bot.domain.climb import ClimbStep, StepChoice, climb_steps
from bot.domain.coach.player_model import PlayerModel
from bot.domain.entries import ChartEntry
from bot.domain.gains import RatingSlots, SlotFloors
from bot.domain.game_rating import Explanation
from bot.domain.game_versions import GameVersion
from bot.domain.history import ChartKey
from bot.domain.ids import GuildId, MemberId, Region
from bot.domain.notes import Judgement
from bot.domain.numbers import Hundredths
from bot.domain.pace import Pace
from bot.domain.plan import PlanFilter, RecordsMark, ShownSteps
from bot.domain.ranks import MAX_SCORE
from bot.domain.tries import Climb, ClimbTarget, EveningGain, climb_to, evening_gain
from bot.features.shared.mixes import Mixes
from bot.features.shared.paces import Paces
from bot.features.shared.paging import RECORDS, Part, part_of
from bot.features.shared.reports import FetchedPlayer
from bot.features.shared.studies import Studies, Study

MAX_EVENING_STEPS: Final = 40
"""The most charts in a plan without a target."""
MAX_PLANS_BYTES: Final = 6_000_000
"""The most bytes of cached plans, with the models of their players: some forty."""
_BYTES_A_STEP: Final = 1_000
_REMEMBERED_MEMBERS: Final = 10_000
"""The most members whose shown steps are remembered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanReport(FetchedPlayer):
    """The content of `/plan`."""

    explanation: Explanation
    climb: Climb | None
    """The climb to the target; None without one."""
    evening: EveningGain | None
    """The gain of one try on each of the first steps; None with a target."""
    pace: Pace | None
    """The growth rate of the target's figure; None without a target, or if too little is known."""
    part: Part[ClimbStep]
    together: Hundredths
    """The sum that all steps, on all pages, add to the slots."""
    set_back: int
    """The number of charts that are ranked lower because they were shown before the last upload without success."""
    losses: Mapping[ChartKey, Mapping[Judgement, int]]
    """The judgements that each step of this page allows, in the player's own mix; empty if the mix is unknown."""
    easier: Collection[ChartKey]
    """The charts of this page that are certainly easier for the player than their constants say."""
    levels: tuple[Hundredths, ...]
    """The levels of charts worth a try, highest first."""
    genres: tuple[str, ...]
    without_constant: int
    """The number of new songs' charts whose constant is unknown, so that they cannot be planned."""
    counted: int
    """The number of charts with known statistics."""
    is_known: bool
    """Whether anything is known about the player's scores."""
    is_all_maximum: bool = False
    """Whether nothing is known because all scores are the maximum."""
    turned: GameVersion | None = None
    """The version of the game that has begun since the profile was updated: the plan is by the one before."""


class _Found(NamedTuple):
    model: PlayerModel
    steps: Sequence[ClimbStep]
    climb: Climb | None
    evening: EveningGain | None
    levels: tuple[Hundredths, ...]
    genres: tuple[str, ...]
    without_constant: int

    @property
    def weight(self) -> int:
        """The size in bytes."""
        return self.model.weight + _BYTES_A_STEP * len(self.steps)


class Plans:
    """Makes plans for the asker."""

    def __init__(
        self, studies: Studies, paces: Paces, mixes: Mixes, cache: AnswerCache, clock: Clock
    ) -> None:
        self._studies = studies
        self._paces = paces
        self._mixes = mixes
        self._clock = clock
        self._shown: OrderedDict[tuple[MemberId, Region], ShownSteps] = OrderedDict()
        self._found = Memo[_Found](MAX_PLANS_BYTES, lambda found: found.weight)
        cache.on_drop(self._found.drop_all)

    async def report(
        self,
        viewer: MemberId,
        guild: GuildId | None,
        target: ClimbTarget | None = None,
        wanted: PlanFilter | None = None,
        number: int = 0,
    ) -> PlanReport:
        """Return one page of a plan. Raises: NotLinked, and errors of the service."""
        study = await self._studies.make(viewer, guild)
        key = viewer, study.asker.link.region
        wanted = wanted or PlanFilter()
        mark = RecordsMark.of(study.records, study.player.updated_on)
        shown = ShownSteps.since(self._shown.get(key), mark, study.records, self._clock.now())
        found = await self._find(study, target, wanted, {} if target else shown.weights)
        part = part_of(found.steps, RECORDS, number)
        mix = await self._mixes.learn(study.records, study.visit.loaded.catalogue)
        if target is None:
            self._note(key, shown.with_steps(_scores(part.items), self._clock.now()))
        return PlanReport(
            player=study.player,
            explanation=study.explanation,
            climb=found.climb,
            evening=found.evening,
            pace=target and await self._paces.find(study.asker.link, target.aim),
            part=part,
            together=Hundredths(sum(step.effect.sum_gain for step in found.steps)),
            set_back=0 if target else len(shown.weights),
            losses=_losses(part.items, mix),
            easier={step.key for step in part.items if study.felt.is_easier(step.entry)},
            levels=found.levels,
            genres=found.genres,
            without_constant=found.without_constant,
            counted=study.model.counted,
            is_known=bool(study.model.predictions),
            is_all_maximum=study.model.is_all_maximum,
            turned=study.turned,
            region=study.asker.link.region,
            age=study.age,
        )

    async def _find(
        self,
        study: Study,
        target: ClimbTarget | None,
        wanted: PlanFilter,
        weights: Mapping[ChartKey, float],
    ) -> _Found:
        """Return a plan, which is cached by everything that it depends on."""
        made_of = (
            id(study.model),  # cached with the plan, and a different object for other records
            study.asker.locked,
            study.player.rating,
            study.explanation.worked_out.version,
        )
        return await self._found.get(
            (made_of, target, wanted, frozenset(weights.items())),
            lambda: run_in_worker(_plan, study, target, wanted, weights),
        )

    def _note(self, key: tuple[MemberId, Region], shown: ShownSteps) -> None:
        self._shown[key] = shown
        self._shown.move_to_end(key)
        if len(self._shown) > _REMEMBERED_MEMBERS:
            self._shown.popitem(last=False)


def _plan(
    study: Study, target: ClimbTarget | None, wanted: PlanFilter, weights: Mapping[ChartKey, float]
) -> _Found:
    entries = study.open_to_play()
    slots, predictions = study.slots, study.model.predictions
    choices = _choices(entries, slots, predictions)

    def is_wanted(entry: ChartEntry) -> bool:
        return wanted.matches(entry, slots)

    if target is None:
        choice = StepChoice(is_wanted, weights, MAX_EVENING_STEPS, MAX_EVENING_STEPS)
        steps = climb_steps(slots, entries, predictions, choice, lambda _slots: True)
        evening = evening_gain(slots, steps, predictions) if steps else None
        return _Found(study.model, steps, None, evening, *choices)
    climb = climb_to(slots, study.player.rating, entries, predictions, target, StepChoice(is_wanted))
    return _Found(study.model, climb.steps, climb, None, *choices)


def _scores(steps: Iterable[ClimbStep]) -> Mapping[ChartKey, int]:
    return {step.key: step.score for step in steps}


def _choices(
    entries: Iterable[ChartEntry], slots: RatingSlots, predictions: Mapping[ChartKey, object]
) -> tuple[tuple[Hundredths, ...], tuple[str, ...], int]:
    """Return the levels and genres of charts that could count, and how many charts of new songs have no constant."""
    floors = SlotFloors(slots)
    levels: set[Hundredths] = set()
    genres: set[str] = set()
    without_constant = 0
    for entry in entries:
        song, chart = entry.song, entry.chart
        if chart.difficulty == WORLDS_END or not floors.is_open(song, chart, entry.region):
            continue
        if chart.constant is None:
            without_constant += slots.is_new(song)
        elif (song.id, chart.difficulty) in predictions:
            levels.add(chart.level)
            genres.add(song.genre or "")
    return tuple(sorted(levels, reverse=True)), tuple(sorted(genres - {""})), without_constant


def _losses(found: Iterable[ClimbStep], mix: Mix | None) -> Mapping[ChartKey, Mapping[Judgement, int]]:
    return {
        step.key: mix.spend(MAX_SCORE - step.score, step.entry.chart.max_combo)
        for step in found
        if mix and step.entry.chart.max_combo
    }
