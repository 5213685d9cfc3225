"""bot/store/greetings.py: whoever asks first greets, and nobody else before its time."""

import asyncio
from datetime import UTC, datetime, timedelta

from bot.database.tables import GREETINGS
from bot.domain.ids import GuildId
from bot.store import Store, Vault, new_key

HERE, THERE = GuildId(77), GuildId(78)
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
WEEK = timedelta(weeks=1)


async def claim(store: Store, guild: GuildId = HERE, now: datetime = NOW) -> bool:
    return await store.greetings.claim(guild, now, again_at=now + WEEK)


async def test_of_several_processes_one_greets(store: Store, url: str) -> None:
    async with Store(url, Vault([new_key()])) as other:
        claimed = await asyncio.gather(*(claim(each) for each in (store, other) * 3))
    assert sorted(claimed) == [False] * 5 + [True]


async def test_each_server_is_greeted_in_its_own_time(store: Store) -> None:
    assert await claim(store)
    assert await claim(store, THERE)
    assert not await claim(store, now=NOW + WEEK - timedelta(seconds=1))
    assert await claim(store, now=NOW + WEEK)


async def test_since_when_servers_are_greeted_is_said_once_for_all(store: Store, url: str) -> None:
    async with Store(url, Vault([new_key()])) as other:
        said = await asyncio.gather(*(each.greetings.begin(NOW) for each in (store, other) * 3))
        assert await other.greetings.begin(NOW + WEEK) == NOW
    assert said == [NOW] * 6


async def test_a_server_that_is_left_is_put_off_anew(store: Store) -> None:
    assert await claim(store)
    left = NOW + timedelta(days=5)
    await store.greetings.put_off(HERE, left + WEEK)
    assert not await claim(store, now=NOW + WEEK)
    assert await claim(store, now=left + WEEK)


async def test_nothing_stays_of_servers_whose_time_is_over(store: Store) -> None:
    await claim(store)
    await claim(store, THERE, NOW + WEEK)
    async with store._database.read() as connection:
        rows = (await connection.execute(GREETINGS.select())).all()
    assert [row.server_id for row in rows] == [THERE]
