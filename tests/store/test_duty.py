"""bot/store/duty.py: one process does it, another one when that ends, and goes on from what was left."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.domain.errors import CannotKeep
from bot.store import Duty, Presence, Store, Vault, new_key


@pytest.fixture
async def one(store: Store) -> AsyncIterator[Presence]:
    async with store.presence() as presence:
        yield presence


@pytest.fixture
async def other(url: str, store: Store) -> AsyncIterator[Presence]:  # noqa: ARG001 - has made the database
    """What another process would be; it ends after the first."""
    async with Store(url, Vault([new_key()])) as another, another.presence() as presence:
        yield presence


async def test_one_does_it_and_the_next_goes_on_once_it_has_ended(
    store: Store, one: Presence, other: Presence
) -> None:
    first, second = Duty(one, is_alone=False), Duty(other, is_alone=False)
    assert await first.is_ours()
    assert not await second.is_ours()
    await first.leave({"until": 5})
    assert (await first.is_ours(), await second.is_ours()) == (True, False)
    await store.leases.bury([one.me])
    assert await second.is_ours()
    assert second.state == {"until": 5}


async def test_who_was_taken_for_dead_has_it_no_more(store: Store, one: Presence, other: Presence) -> None:
    first, second = Duty(one, is_alone=False), Duty(other, is_alone=False)
    assert await first.is_ours()
    await store.leases.bury([one.me])
    assert await second.is_ours()
    was = one.me
    if not store.is_shared:  # with a server its heartbeat tells
        await one._die()
    while one.me == was:  # noqa: ASYNC110 - nobody is told
        await asyncio.sleep(0.01)
    assert not first.is_held
    assert not await first.is_ours()


async def test_alone_it_is_ours_whatever_the_database_takes(
    one: Presence, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(_name: str) -> None:
        raise CannotKeep

    monkeypatch.setattr(one, "take", refuse)
    assert await Duty(one, is_alone=True).is_ours()
    assert not await Duty(one, is_alone=False).is_ours()
    nobody = Duty(None, is_alone=True)
    assert await nobody.is_ours()
    await nobody.leave({"until": 5})
    assert nobody.state == {"until": 5}
