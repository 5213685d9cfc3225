"""The tables, as SQLAlchemy Core knows them; migrations/ brings a database to this shape."""

from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    Time,
    TypeDecorator,
    false,
)

from bot.database.packing import PackedScores
from bot.domain.typed import MOST_KEPT

SNOWFLAKE: Final = BigInteger().with_variant(Integer(), "sqlite")
"""Discord's 64-bit ids; SQLite's own INTEGER has 64 bits."""


class Utc(TypeDecorator[datetime]):
    """An aware datetime, kept in UTC: SQLite would drop the offset and hand back a naive one."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - the signature is SQLAlchemy's
        """Convert to UTC. Raises: ValueError if naive."""
        if value is None:
            return None
        if value.tzinfo is None:
            message = "a naive datetime cannot be stored"
            raise ValueError(message)
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - the signature is SQLAlchemy's
        """Give the offset back."""
        return None if value is None else value.replace(tzinfo=UTC) if value.tzinfo is None else value


METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _id(name: str, *constraints: ForeignKey, **options: Any) -> Column[Any]:
    """Return a column of ids that are given, of which the primary key is made."""
    return Column(name, SNOWFLAKE, *constraints, primary_key=True, autoincrement=False, **options)


def _part_of_post() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(
        ["plan_id", "day", "part"], ["posts.plan_id", "posts.day", "posts.part"], ondelete="CASCADE"
    )


def _joined_in(table: str) -> ForeignKeyConstraint:
    """Return what ends a row with the membership of whom it is about."""
    theirs = [f"{table}.guild_id", f"{table}.member_id"]
    return ForeignKeyConstraint(["joined_in", "member_id"], theirs, ondelete="CASCADE")


LINKS: Final = Table(
    "links",
    METADATA,
    _id("member_id"),
    Column("token", LargeBinary, nullable=False, comment="encrypted, see bot.store.vault"),
    Column("user_id", SNOWFLAKE, nullable=False, index=True),
    Column("user_name", String(255), nullable=False),
    Column("region", String(32), nullable=False),
    Column("visibility", String(16), nullable=False),
    Column("linked_at", Utc, nullable=False),
    Column(
        "is_protected",
        Boolean,
        nullable=False,
        server_default=false(),
        comment="shown to its friends alone, as the service last said",
    ),
    Column(
        "game_version", String(40), nullable=True, comment="chosen; None: by which the rating is explained"
    ),
)

SIGHTINGS: Final = Table(
    "sightings",
    METADATA,
    _id("guild_id", comment="where they used the bot"),
    _id("member_id", index=True),
)

DAILY_MEMBERS: Final = Table(
    "daily_members",
    METADATA,
    _id("guild_id"),
    _id("member_id", index=True),
)

KEPT_ANSWERS: Final = Table(
    "kept_answers",
    METADATA,
    _id("account", comment="the asker's, on the service"),
    Column("question", String(100), primary_key=True),
    Column("body", LargeBinary, nullable=False, comment="encrypted, see bot.store.vault"),
    Column("fetched_at", Utc, nullable=False, index=True),
)

KEPT_WINDOWS: Final = Table(
    "kept_windows",
    METADATA,
    Column("account", String(64), primary_key=True, comment="account:ID, or token: and a hash"),
    Column("version", String(8), primary_key=True),
    Column("limit", Integer, nullable=False),
    Column("remaining", Integer, nullable=False),
    Column("lost", Integer, nullable=False, comment="may or may not have counted"),
    Column("reset_at", Utc, nullable=True, comment="by the service's clock"),
    Column("ends_at", Utc, nullable=True, comment="by our clock"),
    Column("sent_at", Utc, nullable=False, index=True),
    Column("spacing", Float, nullable=False, comment="learned seconds between two requests"),
    Column("dearest", Integer, nullable=False, comment="highest price of one request"),
)

ALIASES: Final = Table(
    "aliases",
    METADATA,
    _id("guild_id"),
    Column("folded", String(MOST_KEPT), primary_key=True, comment="what it is compared by"),
    Column("name", String(MOST_KEPT), nullable=False, comment="as it was typed"),
    Column("song_id", String(64), nullable=False),
)

ALIAS_SUGGESTIONS: Final = Table(
    "alias_suggestions",
    METADATA,
    Column("id", SNOWFLAKE, primary_key=True),
    Column("guild_id", SNOWFLAKE, nullable=False, index=True),
    Column("member_id", SNOWFLAKE, nullable=False, index=True, comment="who has suggested it"),
    Column("name", String(MOST_KEPT), nullable=False, comment="as it was typed"),
    Column("song_id", String(64), nullable=False),
    Column("suggested_at", Utc, nullable=False, index=True),
)

CATALOGUES: Final = Table(
    "catalogues",
    METADATA,
    Column("region", String(32), primary_key=True),
    Column("digest", String(64), primary_key=True),
    Column("first_seen_at", Utc, nullable=False),
    Column("last_seen_at", Utc, nullable=False),
    Column("content", LargeBinary, nullable=False, comment="music/showall, compressed"),
)

CHART_STATISTICS: Final = Table(
    "chart_statistics",
    METADATA,
    Column("song_id", String(64), primary_key=True),
    Column("difficulty", String(16), primary_key=True),
    Column("asked_at", Utc, nullable=False, comment="whatever came of it"),
    Column("fetched_at", Utc, nullable=True, comment="as of when the rest is; None: never read"),
    Column("players", Integer, nullable=True),
    Column("averages", LargeBinary, nullable=True, comment="by rating, see bot.domain.coach.gists"),
)

QUESTIONS: Final = Table(
    "questions",
    METADATA,
    Column("key", String(32), primary_key=True),
    Column("text", Text, nullable=False, comment="what a list was asked for"),
    Column("asked_at", Utc, nullable=False, index=True),
)

PREFERENCES: Final = Table(
    "preferences",
    METADATA,
    _id("member_id"),
    Column("language", String(16), nullable=True, comment="None: that of the member's Discord"),
    Column("timezone", String(64), nullable=False, comment="IANA name"),
    Column("slot", String(32), nullable=False),
    Column("theme", String(16), nullable=False),
    Column("cut", String(16), nullable=True, comment="of the card; None: what was before there was a choice"),
    Column("keeps_cut", Boolean, nullable=True, comment="whatever is pressed; None: as False"),
)

SNAPSHOTS: Final = Table(
    "snapshots",
    METADATA,
    _id("member_id"),
    Column("region", String(32), primary_key=True),
    Column("day", Date, primary_key=True, comment="UTC+9, the service's own"),
    Column("taken_at", Utc, nullable=False),
    Column("rating", Integer, nullable=False, comment="hundredths"),
    Column("scores", PackedScores, nullable=True, comment="of the slots, packed, see bot.database.packing"),
    Column("highest", Integer, nullable=True, comment="rating, hundredths"),
    Column("best_average", Integer, nullable=True, comment="ten-thousandths"),
    Column("recent_average", Integer, nullable=True, comment="ten-thousandths"),
    Column("over_power", Integer, nullable=True, comment="thousandths"),
    Column("whole_day", Date, nullable=True, comment="whose records are written whole"),
    Column("records", LargeBinary, nullable=True, comment="whole, or beside that, see bot.domain.chronicle"),
    Column(
        "records_at",
        Utc,
        nullable=True,
        comment="as of when records are known; None: of a version that kept the last look at a day alone",
    ),
    Column(
        "whole", LargeBinary, nullable=True, comment="this day's, where its records stand beside that by now"
    ),
    Column(
        "new_average",
        Integer,
        nullable=True,
        comment="of new songs, ten-thousandths; best_average is that of older ones where it is known",
    ),
)

EARLIER_LOOKS: Final = Table(
    "earlier_looks",
    METADATA,
    _id("member_id"),
    Column("region", String(32), primary_key=True),
    Column("taken_at", Utc, primary_key=True),
    Column("day", Date, nullable=False, comment="whose last look is in snapshots, UTC+9"),
    Column("rating", Integer, nullable=False, comment="hundredths"),
    Column("highest", Integer, nullable=True, comment="rating, hundredths"),
    Column("best_average", Integer, nullable=True, comment="ten-thousandths"),
    Column("over_power", Integer, nullable=True, comment="thousandths"),
    Column("whole_day", Date, nullable=False, comment="whose records are written whole"),
    Column("records", LargeBinary, nullable=True, comment="beside that; None: that itself"),
    Column("records_at", Utc, nullable=True, comment="as in snapshots"),
    Column(
        "new_average",
        Integer,
        nullable=True,
        comment="of new songs, ten-thousandths; best_average is that of older ones where it is known",
    ),
)

RATING_CHECKS: Final = Table(
    "rating_checks",
    METADATA,
    Column("member_id", SNOWFLAKE, primary_key=True, autoincrement=False),
    Column("region", String(32), primary_key=True),
    Column("version", String(40), nullable=True, comment="of the game, by which a rating was last explained"),
    Column(
        "difference",
        Integer,
        nullable=False,
        comment="of the profile's rating from what was worked out, hundredths; 0: explained",
    ),
    Column("checked_at", Utc, nullable=False, index=True),
)

ROUNDS: Final = Table(
    "rounds",
    METADATA,
    _id("member_id"),
    Column("looked_at", Utc, nullable=True, comment="as of when it is known how their records stand"),
    Column("again_at", Utc, nullable=False, comment="not to be looked at in the background before"),
    Column("failures", Integer, nullable=False, comment="since the last look"),
)

GOALS: Final = Table(
    "goals",
    METADATA,
    _id("member_id"),
    Column("code", String(32), primary_key=True, comment="made of the text alone"),
    Column("text", String(MOST_KEPT), nullable=False),
    Column("set_at", Utc, nullable=False, comment="as of when it was first looked at"),
    Column("start", Integer, nullable=True, comment="what was done when it was set"),
    Column("reached_at", Utc, nullable=True, comment="as of when it was first seen to be reached"),
)

GOAL_PACKS: Final = Table(
    "goal_packs",
    METADATA,
    _id("member_id"),
    Column("code", String(32), primary_key=True, comment="made of the text alone"),
    Column("text", Text, nullable=False),
    Column("taken_at", Utc, nullable=False),
    Column("added", JSON, nullable=False, comment="codes of the goals that came with it"),
)

PINNED_PACKS: Final = Table(
    "pinned_packs",
    METADATA,
    _id("guild_id"),
    Column("code", String(32), primary_key=True, comment="made of the text alone"),
    Column("text", Text, nullable=False),
)

LOCKED_SONGS: Final = Table(
    "locked_songs",
    METADATA,
    _id("member_id"),
    Column("song_id", String(64), primary_key=True, comment="not unlocked yet, as the member says"),
)

BLOCKED_SERVERS: Final = Table(
    "blocked_servers",
    METADATA,
    Column(
        "server_id",
        SNOWFLAKE,
        primary_key=True,
        autoincrement=False,
        comment="stays when the bot leaves it: so no guild_id",
    ),
    Column("blocked_at", Utc, nullable=False),
)

HOST_ALERTS: Final = Table(
    "host_alerts",
    METADATA,
    Column("cause", String(40), primary_key=True, comment="of bot.features.hosting.HostCause"),
    Column("told_at", Utc, nullable=False),
)

WANTED_ALIASES: Final = Table(
    "wanted_aliases",
    METADATA,
    Column("line", String(MOST_KEPT), primary_key=True, comment="as a pack of aliases would have it"),
    Column("times", Integer, nullable=False, comment="the song was chosen for the name"),
    Column("chosen_at", Utc, nullable=False, index=True, comment="last"),
)

GREETINGS: Final = Table(
    "greetings",
    METADATA,
    _id("server_id", comment="stays when the bot leaves it: so no guild_id"),
    Column("again_at", Utc, nullable=False, index=True, comment="not to be greeted before"),
)

PROCESSES: Final = Table(
    "processes",
    METADATA,
    _id("id"),
    Column(
        "until", Float, nullable=True, comment="seconds by the database's clock; None: until it is buried"
    ),
    Column(
        "shards",
        Integer,
        nullable=True,
        comment="how many there are, where it serves side by side with others",
    ),
)

LEASES: Final = Table(
    "leases",
    METADATA,
    Column("name", String(64), primary_key=True),
    Column("owner", SNOWFLAKE, ForeignKey(PROCESSES.c.id, ondelete="SET NULL"), nullable=True, index=True),
    Column("fence", SNOWFLAKE, nullable=False, comment="only grows"),
    Column("state", JSON, nullable=True, comment="what whoever takes it next goes on from"),
    Column("reached", SNOWFLAKE, nullable=True, comment="how far its owner has come with that, at least"),
)

SESSION_STARTS: Final = Table(
    "session_starts",
    METADATA,
    Column("bucket", Integer, primary_key=True, autoincrement=False, comment="of shards, as Discord counts"),
    Column("at", Float, nullable=False, comment="when one last began, in seconds by the database's clock"),
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
    _id("plan_id", ForeignKey(POST_PLANS.c.id, ondelete="CASCADE")),
    _id("member_id", index=True),
    Column("joined_in", SNOWFLAKE, nullable=True, comment="a server; None: direct messages"),
    Column("rating", Integer, nullable=False, comment="hundredths"),
    Column("until", Utc, nullable=False, comment="when what was played is told"),
    _joined_in("daily_members"),
)

POSTS: Final = Table(
    "posts",
    METADATA,
    _id("plan_id", ForeignKey(POST_PLANS.c.id, ondelete="CASCADE")),
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
    _id("plan_id"),
    Column("day", Date, primary_key=True),
    Column("part", String(64), primary_key=True),
    Column("claim", Integer, primary_key=True, autoincrement=False, comment="which try to send the post"),
    _id("member_id", index=True),
    Column("joined_in", SNOWFLAKE, nullable=True, comment="a server; None: direct messages"),
    Column("rating", Integer, nullable=False, comment="hundredths"),
    Column("until", Utc, nullable=False, comment="as in posted_ratings, once the post is known to stand"),
    _part_of_post(),
    _joined_in("daily_members"),
)

FEED_MEMBERS: Final = Table(
    "feed_members",
    METADATA,
    _id("guild_id"),
    _id("member_id", index=True),
    Column("joined_at", Utc, nullable=False, comment="what was played before is not told"),
)

SITTINGS: Final = Table(
    "sittings",
    METADATA,
    _id("plan_id"),
    Column("day", Date, primary_key=True),
    Column("part", String(64), primary_key=True),
    Column("joined_in", SNOWFLAKE, nullable=False, comment="a server"),
    Column("member_id", SNOWFLAKE, nullable=False, index=True),
    Column("content", JSON, nullable=False, comment="what the post will say, see bot.store.feed"),
    _part_of_post(),
    _joined_in("feed_members"),
)

BUDGETS: Final = Table(
    "budgets",
    METADATA,
    Column("name", String(64), primary_key=True, comment="account:ID, or token: and a hash"),
    Column("owner", SNOWFLAKE, nullable=True, index=True, comment="the process that decides, if it lives"),
    Column("fence", SNOWFLAKE, nullable=False, comment="only grows"),
    Column("ahead", Integer, nullable=False, comment="what its owner may have spent beyond the state"),
    Column("line", JSON, nullable=False, comment="who waits for it: priority and moment by process"),
    Column("state", JSON, nullable=True, comment="what whoever takes it next goes on from"),
    Column("used_at", Float, nullable=False, comment="seconds by the database's clock"),
)
