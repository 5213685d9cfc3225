"""Posts: their plans, what they have yet to tell, and their members."""

from typing import Final

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Date,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    String,
    Table,
    Time,
)

from bot.database.tables.cluster import PROCESSES
from bot.database.tables.columns import METADATA, SNOWFLAKE, Utc, id_column


def _part_of_post() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(
        ["plan_id", "day", "part"], ["posts.plan_id", "posts.day", "posts.part"], ondelete="CASCADE"
    )


def _joined_in(table: str) -> ForeignKeyConstraint:
    """Return the foreign key that deletes a row when its member leaves the post."""
    theirs = [f"{table}.guild_id", f"{table}.member_id"]
    return ForeignKeyConstraint(["joined_in", "member_id"], theirs, ondelete="CASCADE")


DAILY_MEMBERS: Final = Table(
    "daily_members",
    METADATA,
    id_column("guild_id"),
    id_column("member_id", index=True),
)

POST_PLANS: Final = Table(
    "post_plans",
    METADATA,
    Column("id", SNOWFLAKE, primary_key=True),
    Column("what", String(16), nullable=False),
    Column("guild_id", SNOWFLAKE, nullable=True, index=True, comment="None: direct messages"),
    Column("channel_id", SNOWFLAKE, nullable=True),
    Column("member_id", SNOWFLAKE, nullable=True, index=True, comment="who is written to directly"),
    Column("post_at", Time, nullable=False, comment="local time of day"),
    Column("timezone", String(64), nullable=False, comment="IANA name"),
    Column("language", String(16), nullable=True, comment="None: that of the server"),
    Column("options", String(255), nullable=False, comment="words"),
    Column("least_gain", Integer, nullable=True, comment="of a feed: in rating, hundredths"),
    Column("least_rank", String(16), nullable=True, comment="of a feed"),
    Column("least_lamp", String(16), nullable=True, comment="of a feed"),
    Column("refused", Integer, nullable=False, comment="posts in a row that Discord did not take"),
    Column(
        "set_up_by", SNOWFLAKE, nullable=True, index=True, comment="whom of a server to tell that it is off"
    ),
    Column(
        "announced",
        String(40),
        nullable=True,
        comment="the version of the game that it told of last, before it began",
    ),
)

POSTED_RATINGS: Final = Table(
    "posted_ratings",
    METADATA,
    id_column("plan_id", ForeignKey(POST_PLANS.c.id, ondelete="CASCADE")),
    id_column("member_id", index=True),
    Column("joined_in", SNOWFLAKE, nullable=True, comment="a server; None: direct messages"),
    Column("rating", Integer, nullable=False, comment="hundredths"),
    Column("until", Utc, nullable=False, comment="when what was played is told"),
    _joined_in("daily_members"),
)

POSTS: Final = Table(
    "posts",
    METADATA,
    id_column("plan_id", ForeignKey(POST_PLANS.c.id, ondelete="CASCADE")),
    Column("day", Date, primary_key=True, comment="local to the plan"),
    Column("part", String(64), primary_key=True, comment="which of several that a day has; most have one"),
    Column("state", String(8), nullable=False, comment="due, sending, sent or skipped"),
    Column("reason", String(16), nullable=True, comment="why it was skipped, or waits"),
    Column("due_at", Utc, nullable=False),
    Column("look_at", Utc, nullable=True, index=True, comment="when to look at it next; None: it is settled"),
    Column("planned_at", Utc, nullable=True, index=True, comment="by the clock of then; None: it is settled"),
    Column("owner", SNOWFLAKE, ForeignKey(PROCESSES.c.id, ondelete="SET NULL"), nullable=True, index=True),
    Column("tries", Integer, nullable=False, comment="a fence: whoever claimed it last settles it"),
    Column("tried_at", Utc, nullable=True, comment="since when it may stand in its channel"),
    Column("channel_id", SNOWFLAKE, nullable=True, comment="where it may stand"),
    Column("message_id", SNOWFLAKE, nullable=True),
    Column("late", Boolean, nullable=False, comment="sent noticeably after its time"),
)

TELLINGS: Final = Table(
    "tellings",
    METADATA,
    id_column("plan_id"),
    Column("day", Date, primary_key=True),
    Column("part", String(64), primary_key=True),
    Column("claim", Integer, primary_key=True, autoincrement=False, comment="which try to send the post"),
    id_column("member_id", index=True),
    Column("joined_in", SNOWFLAKE, nullable=True, comment="a server; None: direct messages"),
    Column("rating", Integer, nullable=False, comment="hundredths"),
    Column("until", Utc, nullable=False, comment="as in posted_ratings, once the post is known to stand"),
    _part_of_post(),
    _joined_in("daily_members"),
)

FEED_MEMBERS: Final = Table(
    "feed_members",
    METADATA,
    id_column("guild_id"),
    id_column("member_id", index=True),
    Column("joined_at", Utc, nullable=False, comment="what was played before is not told"),
)

SITTINGS: Final = Table(
    "sittings",
    METADATA,
    id_column("plan_id"),
    Column("day", Date, primary_key=True),
    Column("part", String(64), primary_key=True),
    Column("joined_in", SNOWFLAKE, nullable=False, comment="a server"),
    Column("member_id", SNOWFLAKE, nullable=False, index=True),
    Column("content", JSON, nullable=False, comment="what the post will say, see bot.store.feed"),
    _part_of_post(),
    _joined_in("feed_members"),
)
