"""What posts tell of members: stored with each claim, and the new baseline once the post is known to be delivered."""

from collections.abc import Collection, Iterable

from sqlalchemy import ColumnElement, and_, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.tables import DAILY_MEMBERS, POSTED_RATINGS, TELLINGS
from bot.database.upsert import upsert
from bot.domain.ids import GuildId, MemberId
from bot.domain.posts import Post


async def hold_joined(connection: AsyncConnection, posts: Iterable[Post]) -> set[tuple[GuildId, MemberId]]:
    """Return the members of some servers' posts, and lock them: a concurrent leave waits or is already done."""
    guilds = {post.plan.guild for post in posts if not post.part and post.plan.guild is not None}
    if not guilds:
        return set()
    query = select(DAILY_MEMBERS.c.guild_id, DAILY_MEMBERS.c.member_id)
    its = query.where(DAILY_MEMBERS.c.guild_id.in_(guilds)).order_by(*DAILY_MEMBERS.primary_key.columns)
    locked = its.with_for_update(read=True, key_share=True)
    rows = (await connection.execute(locked)).all()
    return {(GuildId(row.guild_id), MemberId(row.member_id)) for row in rows}


async def add_tellings(
    connection: AsyncConnection, posts: Iterable[Post], joined: Collection[tuple[GuildId, MemberId]]
) -> None:
    """Store what just claimed posts will tell, and of whom."""
    await upsert(connection, TELLINGS, *_tellings(posts, joined))


async def mark_told(connection: AsyncConnection, post: Post, claim: int) -> None:
    """Store what a post has told of each member: the baseline of the next changes."""
    names = ("plan_id", "member_id", "joined_in", "rating", "until")
    query = select(*(TELLINGS.c[name] for name in names)).where(
        _its_tellings(post), TELLINGS.c.claim == claim
    )
    told = (await connection.execute(query)).mappings()
    await upsert(connection, POSTED_RATINGS, *map(dict, told))
    await delete_tellings(connection, post)


async def delete_tellings(connection: AsyncConnection, post: Post) -> None:
    """Delete what a post was going to tell."""
    if not post.part:
        await connection.execute(delete(TELLINGS).where(_its_tellings(post)))


def _tellings(
    posts: Iterable[Post], joined: Collection[tuple[GuildId, MemberId]]
) -> Iterable[dict[str, object]]:
    """Yield a row for each member in a post."""
    for post in posts:
        for member, told in post.shown_ratings.items():
            if post.plan.guild is None or (post.plan.guild, member) in joined:
                yield {
                    "plan_id": post.plan.id,
                    "day": post.day,
                    "part": post.part,
                    "claim": post.tries,
                    "member_id": member,
                    "joined_in": post.plan.guild,
                    "rating": int(told.rating),
                    "until": told.until,
                }


def _its_tellings(post: Post) -> ColumnElement[bool]:
    return and_(TELLINGS.c.plan_id == post.plan.id, TELLINGS.c.day == post.day, TELLINGS.c.part == post.part)
