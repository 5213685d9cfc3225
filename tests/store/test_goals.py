"""bot/store/goals.py: each goal is seen to be reached once."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.errors import NotLinked
from bot.domain.ids import JP2, MemberId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.store import Store
from bot.store.questions import key_of

ALICE = MemberId(1)
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
LINK = AccountLink(
    member=ALICE, user_id=UserId(7), user_name=UserName("alice"), region=JP2,
    visibility=Visibility.SERVERS, linked_at=NOW,
)  # fmt: skip
SSS = "level:14+ rank>=sss count:20"


async def add(store: Store, text: str, *, is_reached: bool = False, most: int = 3) -> bool:
    return await store.goals.add(ALICE, text, NOW, start=3, is_reached=is_reached, most=most)


async def test_a_goal_is_kept_once_and_as_it_was_first_seen(store: Store) -> None:
    await store.links.save(LINK, "5d" * 32)
    assert await add(store, SSS)
    assert await add(store, SSS, is_reached=True)
    await store.goals.add(ALICE, SSS, LATER, start=9, is_reached=False, most=3)
    (kept,) = await store.goals.fetch(ALICE)
    assert kept.start == 3
    assert (kept.text, kept.code, kept.set_at, kept.reached_at) == (SSS, key_of(SSS), NOW, None)


async def test_there_is_room_for_so_many(store: Store) -> None:
    await store.links.save(LINK, "5d" * 32)
    assert [await add(store, f"rating {number}.00") for number in range(10, 15)] == [True] * 3 + [False] * 2
    assert await add(store, "rating 10.00"), "one that is there takes no room"
    await store.goals.delete(ALICE, key_of("rating 10.00"))
    assert await add(store, "rating 14.00")


async def test_when_it_was_reached_is_noted_once_whoever_sees_it(store: Store) -> None:
    await store.links.save(LINK, "5d" * 32)
    await add(store, SSS)
    await add(store, "rating 16.50", is_reached=True)
    code = key_of(SSS)
    await store.goals.note_reached(ALICE, [code], NOW)
    assert {each.code: each.reached_at for each in await store.goals.fetch(ALICE)}[code] is None, (
        "nothing newer was seen than when it was set"
    )
    moments = [LATER + timedelta(minutes=number) for number in range(5)]
    await asyncio.gather(*(store.goals.note_reached(ALICE, [code], at) for at in moments))
    first = {each.text: each.reached_at for each in await store.goals.fetch(ALICE)}
    assert first[SSS] in moments
    await store.goals.note_reached(ALICE, [code, key_of("rating 16.50")], LATER + timedelta(days=1))
    assert {each.text: each.reached_at for each in await store.goals.fetch(ALICE)} == first
    assert first["rating 16.50"] == NOW


async def test_what_was_reached_after_a_moment_is_found_but_nothing_of_first_sight(store: Store) -> None:
    await store.links.save(LINK, "5d" * 32)
    await add(store, SSS)
    await add(store, "rating 15.00")
    await add(store, "rating 16.50", is_reached=True)
    await store.goals.note_reached(ALICE, [key_of(SSS)], LATER)
    await store.goals.note_reached(ALICE, [key_of("rating 15.00")], LATER + timedelta(hours=1))
    found = await store.goals.fetch_reached([ALICE, MemberId(2)], NOW - timedelta(days=1))
    assert {member: [each.text for each in kept] for member, kept in found.items()} == {
        ALICE: [SSS, "rating 15.00"]
    }
    assert [each.text for each in (await store.goals.fetch_reached([ALICE], LATER))[ALICE]] == [
        "rating 15.00"
    ]


async def test_without_a_link_nothing_is_kept_and_with_it_all_of_it_goes(store: Store) -> None:
    with pytest.raises(NotLinked):
        await add(store, SSS)
    assert await store.goals.fetch(ALICE) == []
    await store.links.save(LINK, "5d" * 32)
    await add(store, SSS)
    await store.links.erase(ALICE)
    assert await store.goals.fetch(ALICE) == []
