"""bot/features/shared/game_ratings.py: what the same records come to is worked out once, and forgotten with its member."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import cast

import careers
import pytest
from busy import busy_worker

from bot.api.cache import AnswerCache
from bot.base.clock import ManualClock
from bot.base.memo import RecentHashes
from bot.domain import game_rating
from bot.domain.charts import Catalogue
from bot.domain.game_rating import WorkedOut, work_out
from bot.domain.game_versions import Formula, GameVersion, VersionTable
from bot.domain.ids import JP2, UserId, UserName
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.domain.scores import RatingData, Record, Slot, SlotName
from bot.features.shared.catalogues import Catalogues
from bot.features.shared.game_ratings import GameRatings
from bot.store import Store, Vault, new_key

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
RECORDS = tuple(careers.record(f"song {number}", 1400, 1_005_000) for number in range(60))
CATALOGUE = careers.catalogue(RECORDS)
VERSIONS = tuple(
    GameVersion(name=name, region=JP2, first_day=day, formula=Formula.BEST_AND_NEW, new_since=day)
    for name, day in (("older", date(2025, 1, 1)), ("newer", date(2026, 1, 1)))
)
PLAYER = Player(
    user_id=UserId(1), user_name=UserName("someone"), is_protected=False, player_name="Someone", honor="",
    honor_type=None, level=None, rating=Hundredths(1650), rating_max=Hundredths(1650), class_emblem=None,
    updated_on=None,
)  # fmt: skip


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with Store(f"sqlite+aiosqlite:///{tmp_path / 'kiroku.db'}", Vault([new_key()])) as store:
        yield store


async def test_slots_are_worked_out_once_of_the_same_records_until_a_member_goes(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked: list[str] = []

    def count(records: Iterable[Record], catalogue: Catalogue, version: GameVersion | None) -> WorkedOut:
        worked.append("" if version is None else version.name)
        return work_out(records, catalogue, version)

    monkeypatch.setattr(game_rating, "work_out", count)
    clock = ManualClock(NOW)
    cache = AnswerCache(clock, fresh_for=timedelta(minutes=1))
    ratings = GameRatings(
        store, cast("Catalogues", None), cache, RecentHashes(), clock, VersionTable(VERSIONS)
    )

    async def explain(
        records: tuple[Record, ...], data: RatingData | None = None
    ) -> tuple[object, list[str]]:
        worked.clear()
        found = await ratings.explain_with(CATALOGUE, PLAYER, records, NOW, data=data)
        return found, sorted(worked)

    first, told = await explain(RECORDS)
    assert told == ["newer", "older"], "neither explains the rating"
    assert await explain(tuple(replace(each) for each in RECORDS)) == (first, [])
    assert (await explain((*RECORDS[1:], replace(RECORDS[0], score=1_009_000))))[1] == ["newer", "older"]
    await cache.erase(UserId(1))
    assert await explain(RECORDS) == (first, ["newer", "older"])
    of_all = sorted(RECORDS, key=lambda each: -each.rating)[:30]
    slots = RatingData(slots={SlotName.BEST: Slot(average=None, entries=tuple(of_all))})
    assert (await explain(RECORDS, slots))[1] == [""], "beside the service's slot the best of all songs stand"
    assert (await explain(RECORDS, slots))[1] == []
    others = tuple(replace(each, score=each.score - 1) for each in RECORDS)
    async with busy_worker() as until_wanted:
        asking = asyncio.create_task(explain(others))
        await until_wanted()
        await cache.erase(UserId(1))
    await asking
    assert len(ratings._known) == 0
