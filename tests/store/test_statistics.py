"""bot/store/statistics.py: what all players score on each chart."""

from datetime import UTC, datetime, timedelta
from typing import Final

import pytest

from bot.domain.charts import EXPERT, MASTER
from bot.domain.coach.summaries import ChartSummary
from bot.domain.history import ChartKey
from bot.domain.ids import SongId
from bot.store import StatisticsExtent, Store, statistics

NOW: Final = datetime(2026, 11, 1, 12, tzinfo=UTC)
LATER: Final = NOW + timedelta(days=1)
ONE: Final[ChartKey] = (SongId("a"), MASTER)
OTHER: Final[ChartKey] = (SongId("a"), EXPERT)
GIST: Final = ChartSummary(7, b"\x01\x02\x03\x04\x05\x06")
NEWER: Final = ChartSummary(8, b"")


async def test_the_newest_word_on_a_chart_is_kept(store: Store) -> None:
    shelf = store.statistics
    assert await shelf.count() == StatisticsExtent(charts=0, oldest=None)
    await shelf.save(ONE, GIST, NOW)
    await shelf.save(OTHER, GIST, NOW)
    await shelf.save(ONE, NEWER, LATER)
    assert await shelf.fetch_all() == {ONE: NEWER, OTHER: GIST}
    assert await shelf.count() == StatisticsExtent(charts=2, oldest=NOW)
    assert await shelf.count(since=LATER) == StatisticsExtent(charts=1, oldest=LATER)


async def test_what_nobody_can_read_settles_a_chart_and_takes_nothing_away(store: Store) -> None:
    shelf = store.statistics
    await shelf.save(ONE, GIST, NOW)
    await shelf.save(ONE, None, LATER)
    await shelf.save(OTHER, None, NOW)
    assert await shelf.fetch_all() == {ONE: GIST}
    assert await shelf.count() == StatisticsExtent(charts=1, oldest=NOW)
    assert await shelf.fetch_settled(NOW) == {ONE, OTHER}
    assert await shelf.fetch_settled(LATER) == {ONE}
    assert [await shelf.is_settled(each, LATER) for each in (ONE, OTHER)] == [True, False]


async def test_many_are_kept_at_once_in_place_of_what_was_known(store: Store) -> None:
    shelf = store.statistics
    await shelf.save(ONE, None, NOW)
    await shelf.save(OTHER, GIST, NOW)
    await shelf.save_all({ONE: GIST, OTHER: NEWER}, LATER)
    assert await shelf.fetch_all() == {ONE: GIST, OTHER: NEWER}
    assert await shelf.fetch_settled(LATER) == {ONE, OTHER}


async def test_all_are_read_some_at_a_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "_CHARTS_AT_ONCE", 3)
    keys = [(SongId(song), code) for song in "abc" for code in (EXPERT, MASTER)]
    for key in keys:
        await store.statistics.save(key, GIST, NOW)
    assert await store.statistics.fetch_all() == dict.fromkeys(keys, GIST)
    await store.statistics.save((SongId("d"), MASTER), GIST, NOW)
    assert len(await store.statistics.fetch_all()) == 7
