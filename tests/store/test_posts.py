"""Of `bot.store.posts`: who is looked at when the clock is, whose a post is, and what stays of it."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import pytest
from sqlalchemy import func, select

from bot.cluster.leases import ProcessId
from bot.database.tables import POST_PLANS, POSTS, TELLINGS
from bot.domain.daily import Posted
from bot.domain.ids import JP2, ChannelId, GuildId, MemberId, MessageId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
from bot.domain.posts import PlanId, Post, PostFailure, PostKind, PostOption, PostPlan
from bot.store import Store

NOW = datetime(2026, 11, 2, 12, tzinfo=UTC)
"""21:00 in Tokyo."""
DAY = date(2026, 11, 2)
SERVER = GuildId(1 << 22)
PLAN = PostPlan(guild=SERVER, channel=ChannelId(5), post_at=time(21), timezone="Asia/Tokyo")
LATER = replace(PLAN, guild=GuildId(2 << 22), post_at=time(21, 1))
BEFORE = NOW - timedelta(minutes=1)
ONE_DAY = timedelta(days=1)
ONE, TWO = ProcessId(11), ProcessId(12)
ALL = ((0,), 1)
STAYS, LEAVES = MemberId(7), MemberId(8)
TOLD: Mapping[MemberId, Posted] = {member: Posted(Hundredths(1600), BEFORE) for member in (STAYS, LEAVES)}


async def due(store: Store, now: datetime = NOW) -> list[Post]:
    return await store.posts.fetch_due(now, shards=ALL, most=50)


async def kept(store: Store) -> list[tuple[object, ...]]:
    """Return day, state and reason of every post."""
    async with store._database.read() as connection:
        columns = (POSTS.c.day, POSTS.c.state, POSTS.c.reason)
        return [tuple(row) for row in await connection.execute(select(*columns).order_by(POSTS.c.day))]


async def join_all(store: Store) -> None:
    for member in TOLD:
        link = AccountLink(
            member=member,
            user_id=UserId(int(member)),
            user_name=UserName(f"player_{member}"),
            region=JP2,
            visibility=Visibility.SERVERS,
            linked_at=BEFORE,
        )
        await store.links.save(link, f"{int(member):064x}")
        await store.daily.join(SERVER, member)


async def known(store: Store, plan: PostPlan) -> dict[MemberId, Posted | None]:
    """Return of each who is in the posts what the last one has told of them."""
    return {each.member: each.posted for each in await store.daily.fetch_members(plan)}


async def tellings(store: Store) -> int:
    """Return how many rows tell what a post is to tell."""
    async with store._database.read() as connection:
        return (await connection.execute(select(func.count()).select_from(TELLINGS))).scalar_one()


@pytest.fixture
async def plan(store: Store) -> PostPlan:
    await store.leases.join(ONE, seconds=None)
    await store.leases.join(TWO, seconds=None)
    return await store.plans.save(PLAN, BEFORE)


async def test_a_plan_is_kept_as_it_is(store: Store) -> None:
    plans = [
        replace(PLAN, language="ja", options=frozenset({PostOption.QUIET}), what=PostKind.WEEKLY, refused=1),
        replace(PLAN, guild=None, channel=None, member=MemberId(7), what=PostKind.MONTHLY),
    ]
    saved = [await store.plans.save(each, NOW) for each in plans]
    assert [replace(each, id=PlanId(0)) for each in saved] == plans
    assert await store.plans.fetch(GuildId(1 << 22)) == saved[:1]
    assert await store.plans.fetch_direct(MemberId(7)) == saved[1:]
    assert await store.plans.delete(saved[0].id)
    assert not await store.plans.delete(saved[0].id)
    assert await kept(store) == [(date(2026, 12, 1), "due", None)]


async def test_those_are_looked_at_whose_time_has_come(store: Store) -> None:
    first, later = [await store.plans.save(each, BEFORE) for each in (PLAN, LATER)]
    assert await due(store, NOW - timedelta(seconds=1)) == []
    assert [each.plan for each in await due(store)] == [first]
    (post, other) = await due(store, NOW + ONE_DAY)
    assert (post.plan, other.plan) == (first, later)
    assert (post.day, post.due_at) == (DAY, NOW)
    rest = await store.posts.fetch_due(NOW + ONE_DAY, shards=ALL, most=1, after=post)
    assert rest == [other]
    assert await store.posts.fetch_due(NOW + ONE_DAY, shards=ALL, most=1, after=other) == []


async def test_a_process_looks_at_the_servers_that_it_serves(store: Store) -> None:
    """And the first shard's at direct messages."""
    direct = replace(PLAN, guild=None, member=MemberId(7))
    first, other, third = [
        await store.plans.save(each, BEFORE) for each in (PLAN, replace(PLAN, guild=GuildId(2 << 22)), direct)
    ]
    for shards, found in (([1], [first]), ([0], [other, third]), ([0, 1], [first, other, third])):
        posts = await store.posts.fetch_due(NOW, shards=(shards, 2), most=50)
        assert [each.plan for each in posts] == found


async def test_of_those_who_would_send_one_does(store: Store, plan: PostPlan) -> None:
    (post,) = await due(store)
    claims = await asyncio.gather(*(store.posts.claim([post], ONE, NOW) for _ in range(4)))
    ((mine,),) = [each for each in claims if each]
    assert (mine.tries, mine.owner, mine.tried_at) == (1, ONE, NOW)
    assert await due(store) == []
    assert await store.posts.mark_delivered(mine, MessageId(9), NOW)
    assert await due(store, NOW + ONE_DAY) == [
        Post(plan=plan, day=DAY + ONE_DAY, due_at=NOW + ONE_DAY, look_at=NOW + ONE_DAY)
    ]
    assert not await store.posts.mark_delivered(mine, MessageId(9), NOW)
    assert await kept(store) == [(DAY, "sent", None), (DAY + ONE_DAY, "due", None)]


@pytest.mark.usefixtures("plan")
async def test_what_the_dead_have_claimed_is_anybodys_and_theirs_no_more(store: Store) -> None:
    (post,) = await due(store)
    (mine,) = await store.posts.claim([post], ONE, NOW)
    await store.leases.reap([ONE])
    (found,) = await due(store)
    assert (found.tried_at, found.target) == (NOW, PLAN.channel)
    later = NOW + timedelta(minutes=1)
    (taken,) = await store.posts.claim([found], TWO, later)
    assert (taken.tries, taken.tried_at) == (2, NOW)
    assert not await store.posts.mark_delivered(mine, MessageId(9), NOW)
    assert not await store.posts.retry_later(mine, later, PostFailure.DISCORD)
    assert await store.posts.mark_delivered(taken, MessageId(9), later)
    assert await store.posts.claim([taken], ONE, NOW) == []  # which is buried


@pytest.mark.usefixtures("plan")
async def test_what_was_claimed_again_is_settled_by_the_last_claim_alone(store: Store) -> None:
    (post,) = await due(store)
    (earlier,) = await store.posts.claim([post], ONE, NOW)
    await store.posts.retry_later(earlier, NOW, PostFailure.DISCORD)
    (again,) = await due(store)
    (later,) = await store.posts.claim([again], ONE, NOW)
    assert not await store.posts.mark_skipped(earlier, PostFailure.GONE, NOW)
    assert not await store.posts.mark_delivered(earlier, MessageId(8), NOW)
    assert await store.posts.mark_delivered(later, MessageId(9), NOW)


async def test_what_a_post_tells_counts_once_it_stands(store: Store, plan: PostPlan) -> None:
    """Of whom is in it still; to a claim alone nobody has listened yet."""
    await join_all(store)
    (mine,) = await store.posts.claim([replace((await due(store))[0], shown_ratings=TOLD)], ONE, NOW)
    assert await known(store, plan) == {STAYS: None, LEAVES: None}
    await store.daily.leave(SERVER, LEAVES)
    await store.posts.mark_delivered(mine, MessageId(9), NOW)
    assert await known(store, plan) == {STAYS: TOLD[STAYS]}
    await store.daily.join(SERVER, LEAVES)
    assert await known(store, plan) == {STAYS: TOLD[STAYS], LEAVES: None}
    assert await tellings(store) == 0


async def test_of_two_claims_that_one_counts_whose_post_stands(store: Store, plan: PostPlan) -> None:
    """As where it is found in the channel, or Discord answers with the one that it has."""
    await join_all(store)
    (first,) = await store.posts.claim([replace((await due(store))[0], shown_ratings=TOLD)], ONE, NOW)
    await store.posts.retry_later(first, NOW, PostFailure.DISCORD)
    more = {member: Posted(Hundredths(1700), NOW) for member in TOLD}
    (again,) = await store.posts.claim([replace((await due(store))[0], shown_ratings=more)], ONE, NOW)
    await store.posts.mark_delivered(again, MessageId(9), NOW, claim=first.tries)
    assert await known(store, plan) == TOLD
    assert await tellings(store) == 0


async def test_a_post_tells_nothing_of_who_has_left_before_it_is_claimed(
    store: Store, plan: PostPlan
) -> None:
    await join_all(store)
    await store.daily.leave(SERVER, LEAVES)
    (mine,) = await store.posts.claim([replace((await due(store))[0], shown_ratings=TOLD)], ONE, NOW)
    await store.daily.join(SERVER, LEAVES)
    await store.posts.mark_delivered(mine, MessageId(9), NOW)
    assert await known(store, plan) == {STAYS: TOLD[STAYS], LEAVES: None}


async def test_a_post_that_is_skipped_has_told_nothing(store: Store, plan: PostPlan) -> None:
    await join_all(store)
    (mine,) = await store.posts.claim([replace((await due(store))[0], shown_ratings=TOLD)], ONE, NOW)
    await store.posts.mark_skipped(mine, PostFailure.UNKNOWN, NOW)
    assert await known(store, plan) == {STAYS: None, LEAVES: None}
    assert await tellings(store) == 0


@pytest.mark.usefixtures("plan")
async def test_a_post_that_waits_is_looked_at_then(store: Store) -> None:
    (post,) = await due(store)
    (mine,) = await store.posts.claim([post], ONE, NOW)
    then = NOW + timedelta(minutes=10)
    assert await store.posts.retry_later(mine, then, PostFailure.DISCORD)
    assert await due(store, then - timedelta(seconds=1)) == []
    (found,) = await due(store, then)
    assert (found.reason, found.tried_at) == (PostFailure.DISCORD, NOW)
    await store.posts.retry_later(found, then, PostFailure.DISCORD, stands=False)
    (found,) = await due(store, then)
    assert found.tried_at is None


async def test_a_plan_that_moves_takes_no_post_along_that_was_tried(store: Store, plan: PostPlan) -> None:
    (post,) = await due(store)
    await store.posts.claim([post], ONE, NOW)
    await store.leases.reap([ONE])
    await store.plans.save(replace(plan, channel=ChannelId(6)), NOW)
    (found,) = await due(store)
    assert (found.plan.channel, found.target) == (ChannelId(6), ChannelId(5))


@pytest.mark.usefixtures("plan")
async def test_what_it_is_too_late_for_is_skipped_day_by_day(store: Store) -> None:
    (post,) = await due(store, NOW + 3 * ONE_DAY)
    assert await store.posts.mark_skipped(post, PostFailure.UNSEEN, NOW + 3 * ONE_DAY)
    assert await kept(store) == [
        (DAY, "skipped", "unseen"),
        (DAY + ONE_DAY, "skipped", "away"),
        (DAY + 2 * ONE_DAY, "skipped", "away"),
        (DAY + 3 * ONE_DAY, "due", None),
    ]
    (post,) = await due(store, NOW + 1000 * ONE_DAY)
    assert await store.posts.mark_skipped(post, PostFailure.UNSEEN, NOW + 1000 * ONE_DAY)
    assert len(await kept(store)) < 25


async def test_three_refusals_turn_a_plan_off_and_setting_it_up_on_again(
    store: Store, plan: PostPlan
) -> None:
    for number in range(3):
        now = NOW + number * ONE_DAY
        (post,) = await due(store, now)
        assert post.plan.refused == number
        await store.posts.mark_skipped(post, PostFailure.REFUSED, now, refused=True)
    assert await store.posts.find_next(plan.id) is None
    assert (await store.plans.fetch(GuildId(1 << 22)))[0].is_off
    await store.plans.save_first(PLAN, NOW + 2 * ONE_DAY)
    assert await store.posts.find_next(plan.id) == NOW + 3 * ONE_DAY
    (post,) = await due(store, NOW + 3 * ONE_DAY)
    assert post.plan.refused == 0


@pytest.mark.usefixtures("plan")
async def test_a_post_that_arrives_forgives_what_was_refused(store: Store) -> None:
    (post,) = await due(store)
    await store.posts.mark_skipped(post, PostFailure.REFUSED, NOW, refused=True)
    (post,) = await due(store, NOW + ONE_DAY)
    await store.posts.mark_delivered(post, MessageId(9), NOW + ONE_DAY)
    (post,) = await due(store, NOW + 2 * ONE_DAY)
    assert post.plan.refused == 0


@pytest.mark.usefixtures("plan")
async def test_setting_up_anew_posts_on_no_day_twice(store: Store) -> None:
    (post,) = await due(store)
    await store.posts.mark_delivered(post, MessageId(9), NOW)
    await store.plans.save_first(replace(PLAN, post_at=time(22)), NOW)
    assert await due(store, NOW + timedelta(hours=24)) == []
    (post,) = await due(store, NOW + timedelta(hours=25))
    assert post.day == DAY + ONE_DAY
    assert (await store.plans.find(GuildId(1 << 22))) == post.plan


async def test_a_plan_that_changes_while_its_post_is_sent_has_one_next(store: Store, plan: PostPlan) -> None:
    (post,) = await due(store)
    (mine,) = await store.posts.claim([post], ONE, NOW)
    await store.plans.save(plan, NOW)
    await store.posts.mark_delivered(mine, MessageId(9), NOW)
    assert await kept(store) == [(DAY, "sent", None), (DAY + ONE_DAY, "due", None)]


async def test_what_a_clock_planned_that_was_ahead_is_planned_anew(store: Store, plan: PostPlan) -> None:
    ahead = NOW + 40 * ONE_DAY
    (post,) = await due(store, ahead)
    await store.posts.mark_skipped(post, PostFailure.AWAY, ahead)
    (post,) = await due(store, ahead)
    await store.posts.mark_delivered(post, MessageId(9), ahead)
    assert await store.plans.fetch_doubted(ahead) == []
    assert await store.plans.fetch_doubted(NOW) == [plan]
    await store.plans.plan_anew(plan, NOW - timedelta(minutes=1))
    assert await store.plans.fetch_doubted(NOW) == []
    (post,) = await due(store)  # which was skipped before its time
    assert post.day == DAY


async def test_when_posts_are_due_is_worked_out_anew(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the rules of a zone have changed since; of more than are looked at in one go, beside one that cannot be
    read.
    """
    monkeypatch.setattr("bot.store.post_plans.MAX_POSTS_PER_READ", 2)
    for number in range(1, 6):
        await store.plans.save(replace(PLAN, guild=GuildId(number << 22)), BEFORE)
    later = NOW + timedelta(hours=3)
    async with store._database.write() as connection:
        await connection.execute(POSTS.update().values(due_at=later, look_at=later))
        of_one = POST_PLANS.c.guild_id == 2 << 22
        await connection.execute(POST_PLANS.update().where(of_one).values(timezone="Mars/Olympus"))
    assert await due(store) == []
    await store.posts.note_due()
    assert [each.plan.guild for each in await due(store)] == [number << 22 for number in (1, 3, 4, 5)]


async def test_a_row_that_cannot_be_read_costs_its_own_post_and_waits(store: Store) -> None:
    for number in (1, 2, 3):
        await store.plans.save(replace(PLAN, guild=GuildId(number << 22)), BEFORE)
    async with store._database.write() as connection:
        of_one = POST_PLANS.c.guild_id == 2 << 22
        await connection.execute(POST_PLANS.update().where(of_one).values(timezone="Mars/Olympus"))
    assert [each.plan.guild for each in await due(store)] == [1 << 22, 3 << 22]
    assert len(await store.posts.fetch_due(NOW, shards=ALL, most=2)) == 2
    assert await store.plans.find(GuildId(2 << 22)) is None
    await store.plans.save_first(replace(PLAN, guild=GuildId(2 << 22)), BEFORE)
    assert len(await due(store)) == 3


async def test_a_post_by_hand_is_made_once(store: Store, plan: PostPlan) -> None:
    morning = NOW - timedelta(hours=10)
    assert await store.posts.hurry(plan, DAY, morning)
    (post,) = await due(store, morning)
    assert post.day == DAY
    await store.posts.mark_delivered(post, MessageId(9), morning)
    assert not await store.posts.hurry(plan, DAY, morning)
    assert await due(store) == []
    (post,) = await due(store, NOW + ONE_DAY)
    assert post.day == DAY + ONE_DAY


async def test_a_post_by_hand_is_due_still_when_the_bot_has_started_anew(
    store: Store, plan: PostPlan
) -> None:
    for at in (NOW - timedelta(hours=10), NOW + timedelta(hours=2)):
        await store.posts.hurry(plan, DAY, at)
        await store.posts.note_due()
        (post,) = await due(store, at)
        assert (post.due_at, post.is_hurried) == (at, True)
        await store.plans.plan_anew(plan, at)


async def test_what_it_would_be_too_late_for_is_kept_until_a_moment(store: Store, plan: PostPlan) -> None:
    moment = NOW + timedelta(hours=11)
    await store.plans.save(replace(LATER, post_at=time(3)), BEFORE)
    await store.posts.keep_until(moment)
    (in_time,) = await due(store, moment - timedelta(seconds=1))
    assert (in_time.due_at, in_time.is_hurried) == (NOW + timedelta(hours=6), False)
    await store.posts.mark_delivered(in_time, MessageId(8), moment)
    (post,) = await due(store, moment)
    assert (post.day, post.due_at, post.is_hurried) == (DAY, moment, True)
    await store.posts.note_due()
    assert await due(store, moment) == [post]
    await store.posts.mark_delivered(post, MessageId(9), moment)
    assert await store.posts.find_next(plan.id) == NOW + ONE_DAY


async def test_what_may_stand_already_is_not_kept_until_a_moment(store: Store, plan: PostPlan) -> None:
    (post,) = await store.posts.claim(await due(store), ONE, NOW)
    await store.posts.retry_later(post, NOW, PostFailure.DISCORD)
    await store.posts.keep_until(NOW + timedelta(hours=11))
    assert await store.posts.find_next(plan.id) == NOW


@pytest.mark.usefixtures("plan")
async def test_what_is_long_ago_is_forgotten(store: Store) -> None:
    for number in range(20):
        now = NOW + number * ONE_DAY
        (post,) = await due(store, now)
        await store.posts.mark_delivered(post, MessageId(9), now)
    assert len(await kept(store)) == 16


async def test_what_is_new_is_new_since_the_last_post_that_was_sent(store: Store, plan: PostPlan) -> None:
    assert await store.posts.find_last(plan, DAY) == NOW - ONE_DAY
    (post,) = await due(store)
    await store.posts.mark_delivered(post, MessageId(9), NOW)
    (post,) = await due(store, NOW + ONE_DAY)
    await store.posts.mark_skipped(post, PostFailure.DISCORD, NOW + ONE_DAY)
    assert await store.posts.find_last(plan, DAY + 2 * ONE_DAY) == NOW
