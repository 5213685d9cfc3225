"""bot/features/shared/history.py: which day a look at one's rating is of, and what it is compared with."""

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import careers
import pytest

from bot.domain.age import Age
from bot.domain.errors import BotError, ServiceDown
from bot.domain.history import Past
from bot.domain.ids import JP2, MemberId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.domain.scores import SlotName
from bot.features.shared.history import History
from bot.store import Store, Vault, new_key

ALICE = MemberId(1)
NOW = datetime(2026, 11, 21, 14, 59, tzinfo=UTC)
"""A minute before midnight in Tokyo."""
LINK = AccountLink(
    member=ALICE, user_id=UserId(7), user_name=UserName("alice"), region=JP2,
    visibility=Visibility.SERVERS, linked_at=NOW,
)  # fmt: skip
PLAYER = Player(
    user_id=UserId(7), user_name=UserName("alice"), is_protected=False, player_name="Alice", honor="",
    honor_type=None, level=None, rating=Hundredths(1650), rating_max=Hundredths(1650), class_emblem=None,
    updated_on=None,
)  # fmt: skip


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with Store(f"sqlite+aiosqlite:///{tmp_path / 'kiroku.db'}", Vault([new_key()])) as store:
        await store.links.save(LINK, "5d" * 32)
        yield store


async def look(store: Store, score: int, at: datetime, *, trouble: BotError | None = None) -> Past:
    data = careers.rating_data(best=[careers.record("song", 1470, score)], recent=[])
    return await History(store).note(LINK, PLAYER, data, Age(at, trouble), best=data[SlotName.BEST])


@pytest.mark.parametrize(
    ("at", "day"),
    [
        (NOW, date(2026, 11, 21)),
        (NOW + timedelta(minutes=1), date(2026, 11, 22)),
        (NOW + timedelta(hours=9), date(2026, 11, 22)),
    ],
)
async def test_a_day_is_the_services_own(store: Store, at: datetime, day: date) -> None:
    past = await look(store, 1_001_000, at)
    assert [kept.day for kept in past.newest] == [day]


async def test_a_look_is_compared_with_that_of_an_earlier_day(store: Store) -> None:
    assert (await look(store, 1_001_000, NOW - timedelta(hours=1))).before is None
    assert (await look(store, 1_002_000, NOW)).before is None
    before = (await look(store, 1_003_000, NOW + timedelta(minutes=1))).before
    assert before is not None
    assert list(before.scores.values()) == [1_002_000]


async def test_a_day_on_which_nothing_changed_is_not_kept(store: Store) -> None:
    for days in range(3):
        past = await look(store, 1_001_000, NOW + timedelta(days=days))
        assert [each.taken_at for each in past.newest] == [NOW]


async def test_what_stands_in_for_newer_is_not_kept(store: Store) -> None:
    first = await look(store, 1_001_000, NOW)
    assert await look(store, 1_002_000, NOW, trouble=ServiceDown()) == first


async def test_a_day_that_a_clock_was_ahead_hides_no_earlier_one(store: Store) -> None:
    for days, score in ((0, 1_001_000), (400, 1_009_000), (401, 1_009_500), (1, 1_002_000)):
        past = await look(store, score, NOW + timedelta(days=days))
    assert [list(each.scores.values()) for each in past.newest] == [[1_002_000], [1_001_000]]
