"""bot/store/feed.py: what waits to be told in feeds, beside the posts that will tell it."""

import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import pytest
from chronicles import state
from sittings import play, sitting
from sqlalchemy import select

from bot.database.tables import LINKS, POST_PLANS, SITTINGS
from bot.domain.chronicle.state import LampFlags
from bot.domain.feed import Sitting, Worth
from bot.domain.ids import JP2, ChannelId, GuildId, MemberId, MessageId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
from bot.domain.posts import Post, PostFailure, PostKind, PostPlan
from bot.domain.ranks import Rank
from bot.store import LookOutcome, Store

NOW = datetime(2026, 11, 21, 14, tzinfo=UTC)
HOUR = timedelta(hours=1)
ALICE, HOME, ACCOUNT = MemberId(1), GuildId(77), UserId(7)
LINK = AccountLink(
    member=ALICE, user_id=ACCOUNT, user_name=UserName("a"), region=JP2,
    visibility=Visibility.SERVERS, linked_at=NOW,
)  # fmt: skip
FEED = PostPlan(what=PostKind.FEED, guild=HOME, channel=ChannelId(5), post_at=time(23), timezone="UTC")


async def note(store: Store, found: Sitting, *, at: datetime = NOW, account: UserId = ACCOUNT) -> None:
    """Note what a look has found, after all that others note meanwhile."""
    looked = replace(state({}), taken_at=at)
    while not await store.chronicle.save(looked, LookOutcome(found, at, at + HOUR), account=account):
        pass


async def waiting(store: Store, now: datetime) -> list[Post]:
    """Return what there is to tell by now."""
    posts = await store.posts.fetch_due(now, shards=((0,), 1), most=9)
    return [post for post in posts if post.part]


async def names(store: Store, post: Post) -> set[str]:
    found = await store.feed.find_sitting(post)
    return set() if found is None else {str(each.chart[0]) for each in found.plays}


@pytest.fixture(autouse=True)
async def plan(store: Store) -> PostPlan:
    await store.links.save(LINK, "5d" * 32)
    await store.feed.join(HOME, ALICE, joined_at=NOW - 3 * HOUR)
    return await store.plans.save(FEED, NOW)


async def test_what_a_feed_tells_of_is_kept(store: Store, plan: PostPlan) -> None:
    for worth in (Worth(), Worth(gain=Hundredths(5), rank=Rank.SSS_PLUS, lamp=LampFlags.ALL_JUSTICE)):
        await store.plans.save(replace(plan, worth=worth), NOW)
        assert await store.plans.fetch(HOME) == [replace(plan, worth=worth)]


@pytest.mark.parametrize("gain", [5, None])
async def test_a_sitting_is_kept_as_it_is(store: Store, gain: int | None) -> None:
    found = sitting(play("a"), play("b", None, 990_000), gain=gain)
    found = replace(found, best=frozenset([found.plays[1].chart]))
    await note(store, found)
    assert await waiting(store, NOW + HOUR - timedelta(seconds=1)) == []
    (post,) = await waiting(store, NOW + HOUR)
    assert (post.day, post.due_at) == (date(2026, 11, 21), NOW + HOUR)
    assert await store.feed.find_sitting(post) == found


async def test_what_has_gone_on_is_not_sent_as_it_was(store: Store) -> None:
    await note(store, sitting(play("a")))
    (post,) = await waiting(store, NOW + HOUR)
    await note(store, sitting(play("b")), at=NOW + HOUR)
    assert await store.posts.claim([post], None, NOW + HOUR) == []
    (post,) = await waiting(store, NOW + 2 * HOUR)
    assert await names(store, post) == {"a", "b"}
    assert len(await store.posts.claim([post], None, NOW + 2 * HOUR)) == 1


async def test_what_somebody_may_have_sent_goes_on_no_more(store: Store) -> None:
    await note(store, sitting(play("a")))
    (mine,) = await store.posts.claim(await waiting(store, NOW + HOUR), None, NOW + HOUR)
    await note(store, sitting(play("b")), at=NOW + HOUR)
    await store.posts.retry_later(mine, NOW + HOUR, PostFailure.DISCORD)
    await note(store, sitting(play("c")), at=NOW + HOUR)
    first, then = await waiting(store, NOW + 2 * HOUR)
    assert (await names(store, first), await names(store, then)) == ({"a"}, {"b", "c"})


async def test_looks_at_the_same_time_make_one_sitting(store: Store) -> None:
    await asyncio.gather(*(note(store, sitting(play(name))) for name in "abcd"))
    (post,) = await waiting(store, NOW + HOUR)
    assert await names(store, post) == {*"abcd"}


async def test_nothing_of_it_stays_once_it_was_told(store: Store) -> None:
    await note(store, sitting())
    (mine,) = await store.posts.claim(await waiting(store, NOW + HOUR), None, NOW + HOUR)
    assert await store.posts.mark_delivered(mine, MessageId(9), NOW + HOUR)
    assert await names(store, mine) == set()
    async with store._database.read() as connection:
        assert (await connection.execute(select(SITTINGS))).all() == []


async def test_who_has_another_account_by_now_is_not_told_of(store: Store) -> None:
    await note(store, sitting(), account=UserId(8))
    assert await waiting(store, NOW + HOUR) == []


async def test_of_one_who_hides_nothing_is_told_whatever_waits(store: Store) -> None:
    await note(store, sitting())
    (post,) = await waiting(store, NOW + HOUR)
    assert await names(store, post)
    async with (
        store._database.write() as connection
    ):  # by another way than the bot's own, which lets them leave too
        await connection.execute(LINKS.update().values(visibility=Visibility.ONLY_ME.value))
    assert await names(store, post) == set()


async def test_a_feed_that_is_off_lets_nothing_wait(store: Store, plan: PostPlan) -> None:
    await store.plans.save(replace(plan, refused=3), NOW)
    await note(store, sitting())
    assert await waiting(store, NOW + HOUR) == []


async def test_what_a_clock_that_was_ahead_has_found_is_told_when_that_is_mended(
    store: Store, plan: PostPlan
) -> None:
    await note(store, sitting(), at=NOW + 999 * HOUR)
    assert await store.plans.fetch_doubted(NOW) == [plan]
    await store.plans.plan_anew(plan, NOW)
    assert await store.plans.fetch_doubted(NOW) == []
    (post,) = await waiting(store, NOW)
    assert post.due_at == NOW


async def test_a_feed_whose_zone_is_not_known_here_costs_no_other_its_message(store: Store) -> None:
    other = await store.plans.save(replace(FEED, channel=ChannelId(6)), NOW)
    async with store._database.write() as connection:
        its = POST_PLANS.update().where(POST_PLANS.c.channel_id == FEED.channel)
        await connection.execute(its.values(timezone="Mars/Olympus"))
    await note(store, sitting())
    (post,) = await waiting(store, NOW + HOUR)
    assert post.plan == other
