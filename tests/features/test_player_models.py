"""bot/features/shared/player_models.py: what is known of all players, when it is learnt anew, and when it is dropped."""

import asyncio
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import careers
import pytest
from busy import busy_worker
from players import Arcade, gists_of, statistics_of

from bot.api.cache import AnswerCache
from bot.base.clock import ManualClock
from bot.base.memo import RecentHashes
from bot.domain.charts import WORLDS_END
from bot.domain.chronicle.state import PlayerFigures, RecordsState, marks_of
from bot.domain.coach.player_model import PlayerModel
from bot.domain.coach.predictions import Predictions
from bot.domain.ids import JP, JP2, MemberId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
from bot.domain.scores import Record
from bot.features.shared import player_models
from bot.features.shared.player_models import PlayerModels
from bot.store import Store, Vault, new_key

NOW: Final = datetime(2026, 11, 21, 12, tzinfo=UTC)
ARCADE: Final = Arcade(2, songs=60)
GISTS: Final = gists_of(statistics_of([ARCADE.career() for _ in range(8)]))
RATING: Final = Hundredths(1400)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with Store(f"sqlite+aiosqlite:///{tmp_path / 'kiroku.db'}", Vault([new_key()])) as store:
        yield store


class Learning:
    """Player models, and a shelf of statistics that grows."""

    def __init__(self, store: Store) -> None:
        self.clock = ManualClock(NOW)
        self.cache = AnswerCache(self.clock, fresh_for=timedelta(minutes=1))
        self.player_models = PlayerModels(
            store, self.cache, RecentHashes(), self.clock, lambda _: datetime.min.replace(tzinfo=UTC)
        )
        self._store = store
        self._left = list(GISTS.items())

    async def shelve(self, charts: int) -> None:
        for _ in range(charts):
            await self._store.statistics.save(*self._left.pop(), self.clock.now())
        self.clock.advance(1)

    async def ask(self) -> PlayerModel:
        return await self.player_models.get_model(ARCADE.catalogue, RATING, ())


@pytest.fixture
def learning(store: Store) -> Learning:
    return Learning(store)


async def test_where_nothing_is_known_the_records_speak_alone(learning: Learning) -> None:
    assert (await learning.ask()).counted == 0


async def test_it_is_learnt_anew_once_enough_more_is_known(learning: Learning) -> None:
    await learning.shelve(40)
    before = await learning.ask()
    assert before.counted == 40
    for charts, counted in ((2, 40), (1, 43)):
        await learning.shelve(charts)
        learning.clock.advance(590)
        assert (await learning.ask()).counted == 40
        learning.clock.advance(10)
        assert (await learning.ask()).counted == counted


async def test_another_catalogue_is_another_region_model(learning: Learning) -> None:
    await learning.shelve(20)
    await learning.ask()
    await learning.shelve(1)
    for catalogue in (
        replace(ARCADE.catalogue),
        replace(ARCADE.catalogue, region=JP),
    ):
        assert (await learning.player_models.get_model(catalogue, RATING, ())).counted == 21
    assert set(learning.player_models._region_models) == {ARCADE.catalogue.region, JP}


async def test_a_model_of_somebody_who_is_erased_while_it_waits_for_its_turn_is_not_kept(
    learning: Learning,
) -> None:
    await learning.ask()
    records = (careers.record("a", 1400, 1_001_000),)
    async with busy_worker() as until_wanted:
        asking = asyncio.create_task(learning.player_models.get_model(ARCADE.catalogue, RATING, records))
        await until_wanted()
        await learning.cache.erase(UserId(7))
    await asking
    assert len(learning.player_models._models) == 0


async def test_a_model_is_kept_and_another_for_another_rating_record_or_region_model(
    learning: Learning,
) -> None:
    chart = next(song for song in ARCADE.catalogue.songs if song.charts[-1].constant)
    played = replace(
        careers.record(chart.title, 1400, 1_001_000), song_id=chart.id, difficulty=chart.charts[-1].difficulty
    )
    key = chart.id, played.difficulty

    async def ask(rating: Hundredths, *records: Record) -> PlayerModel:
        return await learning.player_models.get_model(ARCADE.catalogue, rating, records)

    first = await ask(RATING, played)
    worlds_end = replace(played, difficulty=WORLDS_END)
    assert await ask(RATING, replace(played)) is first
    assert await ask(RATING, played, worlds_end) is first
    prediction = await learning.player_models.get_model_and_felt(ARCADE.catalogue, RATING, (played,))
    assert prediction.model is first
    better = await ask(RATING, replace(played, score=1_005_000))
    assert better.predictions[key].in_the_end.score > first.predictions[key].in_the_end.score
    other = await ask(Hundredths(1900), played)
    assert other.predictions[key].next_try.chance(1_005_000) > first.predictions[key].next_try.chance(
        1_005_000
    )
    await learning.shelve(20)
    learning.clock.advance(600)
    assert (await ask(RATING, played)).counted == 20


async def test_records_are_hashed_once_however_often_their_model_is_asked_for(
    learning: Learning, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = (careers.record("song", 1400, 1_001_000),)
    hashed: list[int] = []

    def count(record: Record) -> int:
        hashed.append(record.score)
        return record.score

    first = await learning.player_models.get_model(ARCADE.catalogue, RATING, records)
    monkeypatch.setattr(Record, "__hash__", count)
    assert await learning.player_models.get_model(ARCADE.catalogue, RATING, records) is first
    assert not hashed


async def test_models_are_weighed_and_dropped_with_their_members(learning: Learning) -> None:
    found = await learning.ask()
    kept = learning.player_models._models
    charts = len(found.predictions)
    assert 20 * charts < kept.weight == found.weight < 200_000
    assert isinstance(found.predictions, Predictions)
    rows = [*map(sys.getsizeof, found.predictions.rows.quantiles)]
    assert sum(rows) < found.weight < 1.2 * sum(rows) + 40 * charts
    await learning.cache.erase(UserId(1))
    assert not len(kept)
    assert await learning.ask() is not found


@pytest.fixture
def few_members(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have room for two members."""
    monkeypatch.setattr(player_models, "_MAX_FIRST_SCORES_BYTES", 4 * player_models._FIRST_SCORE_BYTES)
    monkeypatch.setattr(player_models, "_MAX_FIRST_TRIES", 2)


@pytest.mark.usefixtures("few_members")
async def test_what_is_remembered_of_first_scores_is_bounded(store: Store) -> None:
    learning = Learning(store)
    song = next(song for song in ARCADE.catalogue.songs if song.charts[-1].constant)
    played = careers.record(
        str(song.id), song.charts[-1].constant, 990_000, difficulty=song.charts[-1].difficulty
    )
    better = replace(played, score=1_000_000)
    for number in range(1, 5):
        link = AccountLink(
            member=MemberId(number), user_id=UserId(number), user_name=UserName("a"), region=JP2,
            visibility=Visibility.SERVERS, linked_at=NOW,
        )  # fmt: skip
        await store.links.save(link, "5d" * 32)
        for days, records in ((2, ()), (1, (played,)), (0, (better,))):
            state = RecordsState(
                member=link.member, region=JP2, taken_at=NOW - timedelta(days=days),
                figures=PlayerFigures(rating=RATING), marks=marks_of(records),
            )  # fmt: skip
            await store.chronicle.save(state, account=link.user_id)
        await learning.player_models.get_model(ARCADE.catalogue, RATING, (better,), link)
    assert list(learning.player_models._first_tries) == [3, 4]
    assert len(learning.player_models._first_scores) == 2
    found = learning.player_models._first_scores.find((MemberId(4), JP2))
    assert found is not None
    assert list(found.scores.values()) == [990_000]


async def test_what_nobody_wants_to_know_is_forgotten(
    learning: Learning, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_models, "_IDLE_SECONDS", 3600)
    await learning.ask()
    first = learning.player_models._drop_timer
    await learning.ask()
    second = learning.player_models._drop_timer
    assert first is not None
    assert first.cancelled()
    assert second is not None
    assert not second.cancelled()
    second._run()
    assert learning.player_models._region_models == {}


async def test_nothing_is_expected_of_whom_nothing_is_known(learning: Learning) -> None:
    """A rating is enough, and so is a score."""
    catalogue = ARCADE.catalogue
    chart = catalogue.songs[0].charts[-1]
    played = careers.record(str(catalogue.songs[0].id), chart.constant, 990_000, difficulty=chart.difficulty)
    unrated = Hundredths(0)
    assert (await learning.ask()).predictions
    assert (await learning.player_models.get_model(catalogue, unrated, (played,))).predictions
    assert not (await learning.player_models.get_model(catalogue, unrated, ())).predictions
