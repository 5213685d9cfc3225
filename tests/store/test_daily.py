"""Of `bot.store.daily`: who is looked at when the clock is."""

import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

from bot.domain.ids import ChannelId, GuildId
from bot.domain.posts import PostPlan
from bot.store import Store
from bot.store.daily import _AT_ONCE
from bot.store.tables import DAILY_POSTS

NOW = datetime(2026, 11, 2, 12, tzinfo=UTC)
DUE = PostPlan(
    guild=GuildId(1),
    channel=ChannelId(5),
    post_at=time(21),
    timezone="Asia/Tokyo",
    posted_on=date(2026, 11, 1),
)
POSTED = replace(DUE, guild=GuildId(2), posted_on=date(2026, 11, 2))
LATER = replace(DUE, guild=GuildId(3), post_at=time(21, 1))
MISSED = replace(DUE, guild=GuildId(4), posted_on=date(2026, 10, 1))
AHEAD = replace(DUE, guild=GuildId(5), posted_on=date(2026, 11, 4))


async def found(store: Store, now: datetime = NOW) -> list[PostPlan]:
    return sorted(await store.daily.fetch_due(now), key=lambda schedule: schedule.guild)


async def test_those_are_looked_at_whose_time_has_come_or_whose_mark_is_in_doubt(store: Store) -> None:
    for schedule in (DUE, POSTED, LATER, MISSED, AHEAD):
        await store.daily.save(schedule)
    assert await found(store) == [DUE, MISSED, AHEAD]
    assert await found(store, NOW - timedelta(seconds=1)) == [MISSED, AHEAD]


async def test_a_day_that_is_marked_is_due_no_more(store: Store) -> None:
    await store.daily.save(DUE)
    await store.daily.mark_posted(DUE.guild, date(2026, 11, 2), {})
    assert await found(store) == []
    tomorrow = replace(DUE, posted_on=date(2026, 11, 2))
    assert await found(store, NOW + timedelta(days=1)) == [tomorrow]
    await store.daily.save(replace(tomorrow, post_at=time(20)))
    assert await found(store, NOW + timedelta(hours=23)) == [replace(tomorrow, post_at=time(20))]


async def test_of_those_who_would_post_one_does(store: Store) -> None:
    await store.daily.save(DUE)
    day = date(2026, 11, 2)
    assert sorted(await asyncio.gather(*(store.daily.claim(DUE.guild, day) for _ in range(4)))) == [
        False
    ] * 3 + [True]
    assert await found(store) == []
    assert not await store.daily.claim(POSTED.guild, day)


async def test_when_posts_are_due_is_worked_out_anew(store: Store) -> None:
    """As where the rules of a zone have changed since; of more than are looked at in one go, and beside one that
    cannot be read.
    """
    count = _AT_ONCE + 2
    rows = [
        {
            "guild_id": number,
            "channel_id": DUE.channel,
            "post_at": DUE.post_at,
            "timezone": "Mars/Olympus" if number == 2 else DUE.timezone,
            "posted_on": DUE.posted_on,
            "due_at": NOW + timedelta(hours=3),
        }
        for number in range(1, count + 1)
    ]
    async with store._database.write() as connection:
        await connection.execute(DAILY_POSTS.insert(), rows)
    assert await found(store) == []
    await store.daily.note_due()
    assert [each.guild for each in await found(store)] == [1, *range(3, count + 1)]
