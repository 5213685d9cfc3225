"""Members: their accounts, what they have set, and what is known of their play."""

from typing import Final

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Date,
    Float,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    false,
)

from bot.database.packing import PackedScores
from bot.database.tables.columns import METADATA, SNOWFLAKE, Utc, id_column
from bot.domain.typed import MAX_KEPT_CHARACTERS

LINKS: Final = Table(
    "links",
    METADATA,
    id_column("member_id"),
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
    id_column("guild_id", comment="where they used the bot"),
    id_column("member_id", index=True),
)

KEPT_ANSWERS: Final = Table(
    "kept_answers",
    METADATA,
    id_column("account", comment="the asker's, on the service"),
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

PREFERENCES: Final = Table(
    "preferences",
    METADATA,
    id_column("member_id"),
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
    id_column("member_id"),
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
    Index("ix_snapshots_ratings", "member_id", "region", "day", "rating", "taken_at"),  # boards read only it
)

# Rows of one block are adjacent, because a board reads them together.
SCORE_BLOCKS: Final = Table(
    "score_blocks",
    METADATA,
    Column("region", String(32), primary_key=True),
    Column("block", Integer, primary_key=True, autoincrement=False, comment="which charts it has"),
    id_column("member_id", index=True),
    Column("scores", LargeBinary, nullable=False, comment="of the newest look, see bot.domain.chronicle"),
    sqlite_with_rowid=False,
)

EARLIER_LOOKS: Final = Table(
    "earlier_looks",
    METADATA,
    id_column("member_id"),
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
    id_column("member_id"),
    Column("looked_at", Utc, nullable=True, comment="as of when it is known how their records stand"),
    Column("again_at", Utc, nullable=False, comment="not to be looked at in the background before"),
    Column("failures", Integer, nullable=False, comment="since the last look"),
)

GOALS: Final = Table(
    "goals",
    METADATA,
    id_column("member_id"),
    Column("code", String(32), primary_key=True, comment="made of the text alone"),
    Column("text", String(MAX_KEPT_CHARACTERS), nullable=False),
    Column("set_at", Utc, nullable=False, comment="as of when it was first looked at"),
    Column("start", Integer, nullable=True, comment="what was done when it was set"),
    Column("reached_at", Utc, nullable=True, comment="as of when it was first seen to be reached"),
)

GOAL_PACKS: Final = Table(
    "goal_packs",
    METADATA,
    id_column("member_id"),
    Column("code", String(32), primary_key=True, comment="made of the text alone"),
    Column("text", Text, nullable=False),
    Column("taken_at", Utc, nullable=False),
    Column("added", JSON, nullable=False, comment="codes of the goals that came with it"),
)

PINNED_PACKS: Final = Table(
    "pinned_packs",
    METADATA,
    id_column("guild_id"),
    Column("code", String(32), primary_key=True, comment="made of the text alone"),
    Column("text", Text, nullable=False),
)

LOCKED_SONGS: Final = Table(
    "locked_songs",
    METADATA,
    id_column("member_id"),
    Column("song_id", String(64), primary_key=True, comment="not unlocked yet, as the member says"),
)
