"""bot/features/shared/mixes.py: a mix is learnt once, and forgotten with whom it is of."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import careers
import pytest
from busy import busy_worker
from players import Arcade

from bot.api.cache import AnswerCache
from bot.base.clock import ManualClock
from bot.base.memo import RecentHashes
from bot.domain.borders import Mix, learn_mix
from bot.domain.charts import Catalogue
from bot.domain.ids import UserId
from bot.domain.scores import Record
from bot.features.shared import mixes as room
from bot.features.shared.mixes import Mixes

CATALOGUE = Arcade(2, songs=60).catalogue
RECORDS = tuple(
    careers.record(
        str(song.id), 1400, 1_004_000 + number * 7, lamps=careers.FULL_COMBO, difficulty=chart.difficulty
    )
    for number, song in enumerate(CATALOGUE.songs)
    for chart in song.charts
)


class Learning:
    """Counts how often a mix is learnt."""

    def __init__(self) -> None:
        self.cache = AnswerCache(
            ManualClock(datetime(2026, 11, 21, tzinfo=UTC)), fresh_for=timedelta(minutes=1)
        )
        self.mixes = Mixes(self.cache, RecentHashes())
        self.learnt = 0

    def learn(self, records: Iterable[Record], catalogue: Catalogue) -> Mix | None:
        self.learnt += 1
        return learn_mix(records, catalogue)


@pytest.fixture
def learning(monkeypatch: pytest.MonkeyPatch) -> Learning:
    learning = Learning()
    monkeypatch.setattr(room, "learn_mix", learning.learn)
    return learning


async def test_a_mix_is_learnt_once_of_the_same_records(learning: Learning) -> None:
    for records, learnt in (
        (RECORDS, 1),
        (tuple(replace(each) for each in RECORDS), 1),
        ((*RECORDS[1:], replace(RECORDS[0], score=1_005_500)), 2),
        ((), 3),  # of which nothing is learnt, once too
        ((), 3),
    ):
        assert await learning.mixes.learn(records, CATALOGUE) == learn_mix(records, CATALOGUE)
        assert learning.learnt == learnt


async def test_it_is_learnt_anew_with_another_catalogue_and_after_somebody_is_erased(
    learning: Learning,
) -> None:
    await learning.mixes.learn(RECORDS, CATALOGUE)
    other = replace(CATALOGUE)
    await learning.mixes.learn(RECORDS, other)
    assert learning.learnt == 2
    await learning.cache.erase(UserId(7))
    await learning.mixes.learn(RECORDS, other)
    assert learning.learnt == 3


async def test_a_mix_of_somebody_who_is_erased_while_it_waits_for_its_turn_is_not_kept(
    learning: Learning,
) -> None:
    async with busy_worker() as until_wanted:
        asking = asyncio.create_task(learning.mixes.learn(RECORDS, CATALOGUE))
        await until_wanted()
        await learning.cache.erase(UserId(7))
    assert await asking == learn_mix(RECORDS, CATALOGUE)
    assert len(learning.mixes._learnt) == 0
