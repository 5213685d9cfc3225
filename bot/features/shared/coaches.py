"""What members are likely to score: all that is known of all players, in memory while anybody wants to know."""

import asyncio
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from bot.api.cache import Answer
from bot.base.clock import Clock
from bot.base.worker import run_in_worker
from bot.domain.charts import Catalogue
from bot.domain.coach import ChartFeatureSet, ChartSummary, Coach, KnownPlays, PopulationModel, coach
from bot.domain.errors import CannotRead
from bot.domain.history import ChartKey
from bot.domain.ids import Region
from bot.domain.numbers import Hundredths
from bot.domain.scores import Record
from bot.store import Store

_IDLE: Final = 3600.0
"""Seconds after which what nobody has wanted to know is forgotten: some megabytes."""
_LOOK: Final = 600.0
"""Seconds between looks whether more is known."""
_ENOUGH: Final = 20
"""What is known is learnt anew once one chart in so many is."""
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(slots=True, eq=False)
class _Lesson:
    """What was learnt of all charts of a region."""

    catalogue: Catalogue
    syllabus: ChartFeatureSet
    crowd: PopulationModel
    as_of: datetime
    looked_at: float
    """By the monotonic clock."""


class _Said:
    """What was said of the records of one answer, kept as long as that is."""

    def __init__(self, _records: object) -> None:
        self.by: tuple[_Lesson, Hundredths] | None = None
        """Out of which lesson, to which rating."""
        self.chances: Mapping[ChartKey, float] = {}


class Coaches:
    """Coaches whoever asks."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._shelf = store.statistics
        self._clock = clock
        self._lessons: dict[Region, _Lesson] = {}
        self._learning = asyncio.Lock()
        self._forgetting: asyncio.TimerHandle | None = None

    async def coach(self, catalogue: Catalogue, rating: Hundredths, records: Iterable[Record]) -> Coach:
        """Return what a member of this rating and these records is likely to score on each chart of their region."""
        return await run_in_worker(_coach, await self._attend(catalogue), rating, records)

    async def find_chances(
        self, catalogue: Catalogue, rating: Hundredths, records: Answer[tuple[Record, ...]]
    ) -> Mapping[ChartKey, float]:
        """Return how likely one try comes to the next rank, or the maximum, of charts that a member has played.

        Said once of an answer, whatever song somebody looks up next.
        """
        said = records.made_by(_Said)
        if said.by is None or said.by != (self._lessons.get(catalogue.region), rating):
            lesson = await self._attend(catalogue)
            said.chances = await run_in_worker(_chances, lesson, rating, records.value)
            said.by = lesson, rating
        return said.chances

    async def _attend(self, catalogue: Catalogue) -> _Lesson:
        """Return what was learnt, and remember it for a while."""
        async with self._learning:
            lesson = await self._learn(catalogue)
        if self._forgetting is not None:
            self._forgetting.cancel()
        self._forgetting = asyncio.get_running_loop().call_later(_IDLE, self._lessons.clear)
        return lesson

    async def _learn(self, catalogue: Catalogue) -> _Lesson:
        """Return what is known, as far as it was learnt already and little has been said since."""
        lesson = self._lessons.get(catalogue.region)
        if lesson is None or lesson.catalogue is not catalogue or await self._is_outdated(lesson):
            as_of, gists = self._clock.now(), dict[ChartKey, ChartSummary]()
            try:
                gists = await self._shelf.fetch_all()
            except CannotRead:
                as_of = _NEVER
            syllabus = await run_in_worker(ChartFeatureSet.of, catalogue)
            crowd = (
                await run_in_worker(PopulationModel.of, syllabus.exercises, gists)
                if gists
                else PopulationModel.unknown()
            )
            lesson = _Lesson(catalogue, syllabus, crowd, as_of, self._clock.monotonic())
            self._lessons[catalogue.region] = lesson
        return lesson

    async def _is_outdated(self, lesson: _Lesson) -> bool:
        now = self._clock.monotonic()
        if now - lesson.looked_at < _LOOK:
            return False
        lesson.looked_at = now
        with suppress(CannotRead):
            newer = await self._shelf.count(since=lesson.as_of)
            return newer.charts * _ENOUGH > len(lesson.crowd.reputations)
        return False


def _coach(lesson: _Lesson, rating: Hundredths, records: Iterable[Record]) -> Coach:
    plays = KnownPlays.of(records)
    found = coach(lesson.syllabus, lesson.crowd, rating / 100, plays)
    # Of whom nothing is known, neither a rating nor a score, nothing can be expected.
    return found if plays.scores or rating > 0 else replace(found, outlooks={})


def _chances(lesson: _Lesson, rating: Hundredths, records: Iterable[Record]) -> Mapping[ChartKey, float]:
    known = [*records]
    return _coach(lesson, rating, known).next_chances(known, lesson.catalogue.region)
