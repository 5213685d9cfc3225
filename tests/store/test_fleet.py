"""The processes that serve side by side."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from patience import PATIENT_SECONDS

from bot.store import ClusterMember, ShardFleet, Store, Vault, new_key


@pytest.fixture
async def member(store: Store) -> AsyncIterator[ClusterMember]:
    async with store.member() as member:
        yield member


@pytest.fixture
def fleet(store: Store, member: ClusterMember) -> ShardFleet:
    return store.fleet(member)


@pytest.fixture
async def other(url: str) -> AsyncIterator[ShardFleet]:
    async with Store(url, Vault([new_key()])) as store, store.member() as member:
        yield store.fleet(member)


async def test_the_first_says_how_many_shards_there_are_until_all_have_ended(
    fleet: ShardFleet, other: ShardFleet
) -> None:
    assert await fleet.join(8) == 8
    assert await other.join(4) == 8
    await fleet.leave()
    assert await fleet.join(4) == 8
    await fleet.leave()
    await other.leave()
    assert await other.join(4) == 4


async def test_everybody_sees_who_has_what(fleet: ShardFleet, other: ShardFleet) -> None:
    one, two = fleet.member.me, other.member.me
    await fleet.join(4)
    assert (await fleet.fetch_assignment()).serving == {one}
    await other.join(4)
    assert await fleet.acquire_shard(0)
    assert await other.acquire_shard(3)
    assert await other.acquire_shard(0) is None
    seen = await fleet.fetch_assignment()
    assert seen == await other.fetch_assignment()
    assert (seen.serving, seen.owners, seen.free) == ({one, two}, {0: one, 3: two}, [1, 2])
    assert await fleet.member.acquire("catalogue")
    await fleet.leave()
    left = await other.fetch_assignment()
    assert (left.serving, left.owners) == ({two}, {3: two})


@pytest.mark.postgres
async def test_who_comes_and_goes_is_heard_at_once(fleet: ShardFleet, other: ShardFleet) -> None:
    heard = asyncio.Semaphore(0)
    other.subscribe(heard.release)
    async with asyncio.timeout(PATIENT_SECONDS):
        for telling in (fleet.join(1), fleet.publish_released(), fleet.leave()):
            await telling
            await heard.acquire()


async def test_how_far_all_have_come_is_noted_where_they_are_still_held(
    fleet: ShardFleet, other: ShardFleet
) -> None:
    await fleet.join(3)
    await other.join(3)
    leases = [lease for shard in range(3) if (lease := await fleet.acquire_shard(shard))]
    for lease in leases:
        assert await fleet.member.write(lease, {"id": lease.name}, 1)
    one, two, gone = leases
    assert await fleet.member.release(gone, {"id": "left"}, 5)
    await fleet.member.note_progress([(one, 10), (two, 20), (gone, 30)])
    await fleet.leave()
    taken = [await other.acquire_shard(shard) for shard in range(3)]
    assert [each and each.reached for each in taken] == [10, 20, 5]
    assert [each and each.state["id"] for each in taken] == [one.name, two.name, "left"]


async def test_of_one_bucket_one_session_begins_in_five_seconds_whoever_begins_it(
    fleet: ShardFleet, other: ShardFleet
) -> None:
    assert await fleet.start_session(0) == 0
    assert 4 < await other.start_session(0) <= 5.5
    assert await other.start_session(1) == 0
    assert 4 < await fleet.start_session(1) <= 5.5
