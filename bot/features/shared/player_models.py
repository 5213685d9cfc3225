"""Predictions of members' scores, from what is known of all players, which stays in memory while it is used."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, NamedTuple

from bot.api.cache import AnswerCache
from bot.base.clock import Clock
from bot.base.memo import Memo, RecentHashes
from bot.base.worker import run_in_worker
from bot.domain.charts import Catalogue
from bot.domain.chronicle.state import RecordsState
from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.feeling import FeltByMember
from bot.domain.coach.felt import FeltDifficulty, learn
from bot.domain.coach.known_plays import KnownPlays
from bot.domain.coach.player_model import FirstTries, PlayerModel, fit_player, learn_first_try
from bot.domain.coach.population import PopulationModel
from bot.domain.coach.summaries import ChartSummary
from bot.domain.entries import FELT_ORDERS, Order
from bot.domain.errors import BotError, CannotRead
from bot.domain.filters import Filter
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, MemberId, Region
from bot.domain.members import AccountLink
from bot.domain.numbers import Hundredths
from bot.domain.scores import Record, on_normal_charts
from bot.store import Store

_IDLE_SECONDS: Final = 3600.0
"""Seconds of disuse after which the models are dropped: several megabytes."""
_LOOK_SECONDS: Final = 600.0
"""Seconds between checks for newer data."""
_MAX_STATES: Final = 12
"""The most looks to search back through, for charts that were not played before."""
_RELEARN_PART: Final = 20
"""The models are learnt again once one chart in this many has newer statistics."""
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


MAX_PLAYER_MODELS_BYTES: Final = 12_000_000
"""The size of some ninety models: those of active members."""
_MAX_FIRST_SCORES_BYTES: Final = 2_000_000
"""The size of the first scores of some two hundred members who recently played thirty charts for the first time."""
_FIRST_SCORE_BYTES: Final = 300
"""The size of one first score."""
_MAX_FIRST_TRIES: Final = 10_000
"""The most members whose first tries are known: more would not change the average."""


@dataclass(slots=True, eq=False)
class _RegionModel:
    """The models learnt for all charts of a region."""

    catalogue: Catalogue
    features: ChartFeatureSet
    population: PopulationModel
    difficulty: FeltDifficulty
    as_of: datetime
    looked_at: float
    """The moment of the look, by the monotonic clock."""
    first_try: float
    """How far first scores usually lie below later ones, according to members."""


class _FirstScores(NamedTuple):
    """The scores with which a member's charts were first seen."""

    scores: Mapping[ChartKey, int]
    digest: int
    """The digest of the scores, for comparison."""
    looked_at: float
    """The moment of the look, by the monotonic clock."""


class FeltNotKnown(BotError):
    """Too few plays are counted, or nothing is known of the player, so no felt difficulty is known."""

    def __init__(self) -> None:
        super().__init__("how hard charts feel is not known")


class ModelAndFelt(NamedTuple):
    """The expected scores of one member, and the felt difficulty of charts for them."""

    model: PlayerModel
    felt: FeltByMember


_NO_FIRST_SCORES: Final = _FirstScores({}, 0, 0.0)


class PlayerModels:
    """Learns from the statistics of all players, and fits a model for each asker."""

    def __init__(
        self,
        store: Store,
        cache: AnswerCache,
        hashes: RecentHashes,
        clock: Clock,
        begun_at: Callable[[Region], datetime],
    ) -> None:
        """`begun_at` returns when a region's current version began, to which the ratings in statistics refer."""
        self._begun_at = begun_at
        self._statistics = store.statistics
        self._chronicle = store.chronicle
        self._hashes = hashes
        self._clock = clock
        self._region_models: dict[Region, _RegionModel] = {}
        self._first_scores = Memo[_FirstScores](_MAX_FIRST_SCORES_BYTES, _weigh_first_scores)
        self._first_tries: dict[MemberId, FirstTries] = {}
        """The first tries of members who let others see their records."""
        self._models = Memo[PlayerModel](MAX_PLAYER_MODELS_BYTES, lambda found: found.weight)
        self._learning = asyncio.Lock()
        self._drop_timer: asyncio.TimerHandle | None = None
        cache.on_drop(self._drop_members)

    async def get_model(
        self,
        catalogue: Catalogue,
        rating: Hundredths,
        records: tuple[Record, ...],
        link: AccountLink | None = None,
    ) -> PlayerModel:
        """Return the expected scores of a player with this rating and these records on all charts of their region.

        For a member, the growth of their scores counts too. Records on World's End charts are ignored.
        """
        return (await self._get_both_models(catalogue, rating, records, link))[1]

    async def get_model_and_felt(
        self,
        catalogue: Catalogue,
        rating: Hundredths,
        records: tuple[Record, ...],
        link: AccountLink | None = None,
    ) -> ModelAndFelt:
        """Return the same, and the felt difficulty of charts at the player's level."""
        region_model, found = await self._get_both_models(catalogue, rating, records, link)
        felt = FeltByMember(difficulty=region_model.difficulty, rating=found.level, trust=found.borne_out)
        return ModelAndFelt(found, felt)

    async def count_felt(self, catalogue: Catalogue, charts: Iterable[ChartKey]) -> int:
        """Return how many charts have a known felt difficulty for players at the charts' level."""
        region_model = await self._get_region_model(catalogue)
        constants = {each.key: each.constant for each in region_model.features.charts}
        known = (
            region_model.difficulty.at(key, constants[key], constants[key])
            for key in charts
            if key in constants
        )
        return sum(felt.is_known for felt in known)

    async def feel(
        self,
        wanted: Filter,
        order: Order | None,
        catalogue: Catalogue | None,
        rating: Hundredths,
        records: tuple[Record, ...],
        link: AccountLink | None = None,
    ) -> FeltByMember | None:
        """Return the felt difficulty for a player, if a filter or an order needs it.

        Raises: FeltNotKnown if it is needed and unknown.
        """
        if not wanted.needs_felt and order not in FELT_ORDERS:
            return None
        if catalogue is not None:
            _, felt = await self.get_model_and_felt(catalogue, rating, records, link)
            if felt.is_known:
                return felt
        raise FeltNotKnown

    async def _get_both_models(
        self, catalogue: Catalogue, rating: Hundredths, records: tuple[Record, ...], link: AccountLink | None
    ) -> tuple[_RegionModel, PlayerModel]:
        """Return the models of a region and of a player; the player's is cached for the same records."""
        region_model = await self._get_region_model(catalogue)
        drops = self._models.drops
        first = await self._fetch_first_scores(link)
        normal = on_normal_charts(records)

        async def make() -> PlayerModel:
            return await run_in_worker(_fit, region_model, rating, normal, first.scores)

        key = (region_model, rating, await self._hashes.hash_of(normal), first.digest)
        found = await self._models.get(key, make, drops=drops)
        is_erased = drops != self._models.drops  # this member's data, or somebody else's
        if link is not None and link.is_on_boards and found.first_tries.seen and not is_erased:
            self._first_tries[link.member] = found.first_tries
            if len(self._first_tries) > _MAX_FIRST_TRIES:
                del self._first_tries[next(iter(self._first_tries))]
        return region_model, found

    async def _fetch_first_scores(self, link: AccountLink | None) -> _FirstScores:
        if link is None:
            return _NO_FIRST_SCORES
        key, now, drops = (link.member, link.region), self._clock.monotonic(), self._first_scores.drops
        known = self._first_scores.find(key)
        if known is None or now - known.looked_at >= _LOOK_SECONDS:
            scores: Mapping[ChartKey, int] = {}
            with suppress(CannotRead):
                states = await self._chronicle.fetch(*key, most=_MAX_STATES)
                scores = await run_in_worker(_first_scores_of, states)
            known = _FirstScores(scores, hash(frozenset(scores.items())), now)
            if drops == self._first_scores.drops:  # otherwise somebody has erased data
                self._first_scores.put(key, known)
        return known

    async def _get_region_model(self, catalogue: Catalogue) -> _RegionModel:
        """Return the models of a region, and keep them for a while."""
        async with self._learning:
            region_model = await self._learn_region(catalogue)
        if self._drop_timer is not None:
            self._drop_timer.cancel()
        self._drop_timer = asyncio.get_running_loop().call_later(_IDLE_SECONDS, self._drop_all)
        return region_model

    def _drop_all(self) -> None:
        self._region_models.clear()
        self._drop_members()

    def _drop_members(self) -> None:
        self._first_scores.drop_all()
        self._first_tries.clear()
        self._models.drop_all()

    async def _learn_region(self, catalogue: Catalogue) -> _RegionModel:
        """Return the models of a region; they are learnt again if the catalogue or enough statistics changed."""
        region_model = self._region_models.get(catalogue.region)
        if (
            region_model is None
            or region_model.catalogue is not catalogue
            or await self._is_outdated(region_model)
        ):
            as_of, summaries, newer = self._clock.now(), dict[ChartKey, ChartSummary](), set[ChartKey]()
            try:
                summaries = await self._statistics.fetch_all()
                newer = await self._statistics.fetch_settled(self._begun_at(JP2))
            except CannotRead:
                as_of = _NEVER
            features = await run_in_worker(ChartFeatureSet.of, catalogue)
            now, before = (
                {key: summaries[key] for key in summaries if (key in newer) is each} for each in (True, False)
            )
            population, difficulty = await run_in_worker(learn, features.charts, now, before)
            region_model = _RegionModel(
                catalogue,
                features,
                population,
                difficulty,
                as_of,
                self._clock.monotonic(),
                learn_first_try(self._first_tries.values()),
            )
            self._region_models[catalogue.region] = region_model
        return region_model

    async def _is_outdated(self, region_model: _RegionModel) -> bool:
        now = self._clock.monotonic()
        if now - region_model.looked_at < _LOOK_SECONDS:
            return False
        region_model.looked_at = now
        with suppress(CannotRead):
            newer = await self._statistics.count(since=region_model.as_of)
            return newer.charts * _RELEARN_PART > len(region_model.population.reputations)
        return False


def _fit(
    region_model: _RegionModel,
    rating: Hundredths,
    records: tuple[Record, ...],
    first_scores: Mapping[ChartKey, int],
) -> PlayerModel:
    plays = replace(KnownPlays.of(records), first_scores=first_scores)
    found = fit_player(
        region_model.features, region_model.population, rating / 100, plays, region_model.first_try
    )
    # If neither a rating nor a score is known, nothing can be predicted.
    return found if plays.scores or rating > 0 else replace(found, predictions={})


def _weigh_first_scores(found: _FirstScores) -> int:
    return _FIRST_SCORE_BYTES * (1 + len(found.scores))


def _first_scores_of(states: Sequence[RecordsState]) -> Mapping[ChartKey, int]:
    """Return the first seen scores of charts that were unplayed at the oldest look; the looks are given newest first."""
    first: dict[ChartKey, int] = {}
    for state in states[-2::-1]:
        for key, mark in state.marks.items():
            if key not in states[-1].marks:
                first.setdefault(key, mark.score)
    return first
