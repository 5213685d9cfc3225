"""bot/cluster/leader.py: one process does it, another one when that ends, and goes on from what was left."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.domain.errors import CannotKeep
from bot.store import ClusterMember, LeaderLease, Store, Vault, new_key


@pytest.fixture
async def one(store: Store) -> AsyncIterator[ClusterMember]:
    async with store.member() as presence:
        yield presence


@pytest.fixture
async def other(url: str, store: Store) -> AsyncIterator[ClusterMember]:  # noqa: ARG001 - has made the database
    """What another process would be; it ends after the first."""
    async with Store(url, Vault([new_key()])) as another, another.member() as presence:
        yield presence


async def test_one_does_it_and_the_next_goes_on_once_it_has_ended(
    store: Store, one: ClusterMember, other: ClusterMember
) -> None:
    first, second = LeaderLease(one, is_alone=False), LeaderLease(other, is_alone=False)
    assert await first.acquire()
    assert not await second.acquire()
    await first.save_progress({"until": 5})
    assert (await first.acquire(), await second.acquire()) == (True, False)
    await store.leases.reap([one.me])
    assert await second.acquire()
    assert second.state == {"until": 5}


async def test_who_was_taken_for_dead_has_it_no_more(
    store: Store, one: ClusterMember, other: ClusterMember
) -> None:
    first, second = LeaderLease(one, is_alone=False), LeaderLease(other, is_alone=False)
    assert await first.acquire()
    await store.leases.reap([one.me])
    assert await second.acquire()
    was = one.me
    if not store.is_shared:  # with a server its heartbeat tells
        await one._rejoin()
    while one.me == was:  # noqa: ASYNC110 - nobody is told
        await asyncio.sleep(0.01)
    assert not first.is_held
    assert not await first.acquire()


async def test_alone_it_is_ours_whatever_the_database_takes(
    one: ClusterMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(_name: str) -> None:
        raise CannotKeep

    monkeypatch.setattr(one, "acquire", refuse)
    assert await LeaderLease(one, is_alone=True).acquire()
    assert not await LeaderLease(one, is_alone=False).acquire()
    nobody = LeaderLease(None, is_alone=True)
    assert await nobody.acquire()
    await nobody.save_progress({"until": 5})
    assert nobody.state == {"until": 5}
