"""bot/store/refresh_schedule.py: whose turn has come to be looked at, and what is noted of it."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Final

import pytest
from chronicles import state
from dailies import settle_posts
from sittings import sitting

from bot.database.tables import ROUNDS
from bot.domain.ids import JP, JP2, ChannelId, GuildId, MemberId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.posts import PlanId, PostKind, PostPlan
from bot.domain.refresh_schedule import LEAD
from bot.store import LookOutcome, Store

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
"""When the post of the server is due."""
BEFORE = NOON - timedelta(minutes=10)
"""When everybody's turn has come."""
MEMBERS: Final = [MemberId((1_500_000_000_000 + 37 * number) << 22) for number in range(40)]
ALICE, BOB = MEMBERS[:2]
HOME, ELSEWHERE = GuildId(77), GuildId(78)
ACCOUNT = UserId(7)

ENDS: Final[dict[str, Callable[[Store], Awaitable[object]]]] = {
    "unlink": lambda store: store.links.erase(ALICE),
    "erase": lambda store: store.belongings.erase(ALICE),
    "another account": lambda store: store.links.save(replace(link(ALICE), user_id=UserId(8)), "5d" * 32),
    "another region": lambda store: store.links.set_region(ALICE, JP),
}


def link(member: MemberId) -> AccountLink:
    return AccountLink(
        member=member, user_id=ACCOUNT, user_name=UserName("a"), region=JP2,
        visibility=Visibility.SERVERS, linked_at=NOON,
    )  # fmt: skip


async def set_up(store: Store, guild: GuildId, *, hour: int = 12) -> None:
    """Have a post every day, the next one on that of NOON."""
    plan = PostPlan(guild=guild, channel=ChannelId(5), post_at=time(hour), timezone="UTC")
    await store.plans.save(plan, NOON - timedelta(hours=12))


async def join(store: Store, *members: MemberId, guild: GuildId = HOME) -> None:
    for member in members:
        await store.links.save(link(member), "5d" * 32)
        await store.daily.join(guild, member)


async def waiting(store: Store, now: datetime = BEFORE, most: int = 99) -> list[MemberId]:
    return sorted(each.member for each in await store.refresh_schedule.fetch_waiting(now, most=most))


@pytest.fixture(autouse=True)
async def _joined(store: Store) -> None:
    await set_up(store, HOME)
    await join(store, ALICE, BOB)


@pytest.mark.parametrize(
    ("now", "found"),
    [
        (NOON - LEAD - timedelta(hours=1), []),
        (NOON - LEAD, []),
        (BEFORE, [ALICE, BOB]),
        (NOON, [ALICE, BOB]),
        (NOON + timedelta(seconds=1), []),
    ],
)
async def test_whoever_joined_is_looked_at_before_the_post(
    store: Store, now: datetime, found: list[MemberId]
) -> None:
    assert await waiting(store, now) == found


async def test_turns_are_spread_and_nobody_is_always_among_the_first(store: Store) -> None:
    await join(store, *MEMBERS[2:])
    half = await waiting(store, NOON - LEAD / 2)
    assert 10 <= len(half) <= 30
    assert len(await waiting(store)) == len(MEMBERS)
    assert len(await waiting(store, most=7)) == 7
    await settle_posts(store, NOON)
    assert await waiting(store, NOON - LEAD / 2 + timedelta(days=1)) != half


async def test_each_post_has_its_own_time(store: Store) -> None:
    await set_up(store, ELSEWHERE, hour=15)
    await join(store, MEMBERS[2], ALICE, guild=ELSEWHERE)
    assert await waiting(store, NOON) == [ALICE, BOB]
    assert await waiting(store, BEFORE + timedelta(hours=3)) == [ALICE, MEMBERS[2]]


async def test_who_is_written_to_is_looked_at_before_it_only_me_or_not(store: Store) -> None:
    await store.links.save(replace(link(MEMBERS[2]), visibility=Visibility.ONLY_ME), "5d" * 32)
    direct = PostPlan(member=MEMBERS[2], post_at=time(12), timezone="UTC")
    await store.plans.save(direct, NOON - timedelta(hours=12))
    assert await waiting(store) == [ALICE, BOB, MEMBERS[2]]
    await store.plans.save(replace(direct, id=PlanId(2), refused=3), NOON - timedelta(hours=12))
    assert await waiting(store) == [ALICE, BOB]


async def test_members_of_a_feed_are_looked_at_before_its_look_and_no_post_of_another_kind(
    store: Store,
) -> None:
    carol = MEMBERS[2]
    await store.links.save(link(carol), "5d" * 32)
    await store.feed.join(HOME, carol, joined_at=NOON)
    assert await waiting(store) == [ALICE, BOB]
    feed = PostPlan(what=PostKind.FEED, guild=HOME, channel=ChannelId(5), post_at=time(15), timezone="UTC")
    await store.plans.save(feed, NOON - timedelta(hours=12))
    assert await waiting(store) == [ALICE, BOB]
    assert await waiting(store, BEFORE + timedelta(hours=3)) == [carol]


async def test_nobody_is_looked_at_because_another_is_about_to_be_told_of(store: Store) -> None:
    feed = PostPlan(
        what=PostKind.FEED, guild=ELSEWHERE, channel=ChannelId(5), post_at=time(23), timezone="UTC"
    )
    await store.plans.save(feed, NOON - timedelta(hours=12))
    for member in (ALICE, BOB):
        await store.daily.leave(HOME, member)
        await store.feed.join(ELSEWHERE, member, joined_at=NOON - timedelta(days=1))
    found = LookOutcome(replace(sitting(), member=ALICE), NOON, NOON)
    await store.chronicle.save(replace(state({}), member=ALICE), found, account=ACCOUNT)
    assert any(each.part for each in await store.posts.fetch_due(NOON, shards=((0,), 1), most=9))
    assert await waiting(store) == []


async def test_one_set_to_only_me_is_not_looked_at(store: Store) -> None:
    await store.links.save(replace(link(BOB), visibility=Visibility.ONLY_ME), "5d" * 32)
    assert await waiting(store) == [ALICE]


async def test_who_was_looked_at_is_not_again_before_their_time(store: Store) -> None:
    await store.refresh_schedule.note(link(ALICE), BEFORE, again_at=NOON)
    await store.refresh_schedule.put_off(BOB, NOON - timedelta(seconds=1), failures=3)
    assert await waiting(store) == []
    assert await store.refresh_schedule.fetch_waiting(NOON - timedelta(seconds=1), most=9) == [(BOB, 3)]
    assert await waiting(store, NOON) == [ALICE, BOB]


async def test_a_look_says_how_old_it_is_and_ends_all_failures(store: Store) -> None:
    assert await store.refresh_schedule.find([ALICE]) == {}
    await store.refresh_schedule.put_off(ALICE, BEFORE, failures=3)
    assert await store.refresh_schedule.find([ALICE]) == {}
    await store.refresh_schedule.note(link(ALICE), BEFORE, again_at=BEFORE)
    await store.refresh_schedule.put_off(ALICE, BEFORE, failures=1)
    assert await store.refresh_schedule.find([ALICE, BOB]) == {ALICE: BEFORE}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
async def test_it_goes_with_the_link(store: Store, end: Callable[[Store], Awaitable[object]]) -> None:
    await store.refresh_schedule.note(link(ALICE), BEFORE, again_at=NOON)
    await end(store)
    assert await store.refresh_schedule.find([ALICE]) == {}


async def test_of_an_account_that_is_not_linked_nothing_is_noted(store: Store) -> None:
    await store.refresh_schedule.note(replace(link(ALICE), user_id=UserId(8)), BEFORE, again_at=NOON)
    await store.links.erase(BOB)
    await store.refresh_schedule.put_off(BOB, NOON, failures=1)
    async with store.links._database.read() as connection:
        assert (await connection.execute(ROUNDS.select())).all() == []
