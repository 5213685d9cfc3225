"""Tables that belong to no member: servers, songs, and the host."""

from typing import Final

from sqlalchemy import Column, Integer, LargeBinary, String, Table, Text

from bot.database.tables.columns import METADATA, SNOWFLAKE, Utc, id_column
from bot.domain.typed import MAX_KEPT_CHARACTERS

ALIASES: Final = Table(
    "aliases",
    METADATA,
    id_column("guild_id"),
    Column("folded", String(MAX_KEPT_CHARACTERS), primary_key=True, comment="what it is compared by"),
    Column("name", String(MAX_KEPT_CHARACTERS), nullable=False, comment="as it was typed"),
    Column("song_id", String(64), nullable=False),
)

ALIAS_SUGGESTIONS: Final = Table(
    "alias_suggestions",
    METADATA,
    Column("id", SNOWFLAKE, primary_key=True),
    Column("guild_id", SNOWFLAKE, nullable=False, index=True),
    Column("member_id", SNOWFLAKE, nullable=False, index=True, comment="who has suggested it"),
    Column("name", String(MAX_KEPT_CHARACTERS), nullable=False, comment="as it was typed"),
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
    Column("averages", LargeBinary, nullable=True, comment="by rating, see bot.domain.coach.summaries"),
)

SONG_TITLES: Final = Table(
    "song_titles",
    METADATA,
    Column("song_id", Text, primary_key=True),
    Column("title", Text, nullable=False, comment="as kept answers leave it out"),
)

QUESTIONS: Final = Table(
    "questions",
    METADATA,
    Column("key", String(32), primary_key=True),
    Column("text", Text, nullable=False, comment="what a list was asked for"),
    Column("asked_at", Utc, nullable=False, index=True),
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
    Column(
        "line", String(MAX_KEPT_CHARACTERS), primary_key=True, comment="as a pack of aliases would have it"
    ),
    Column("times", Integer, nullable=False, comment="the song was chosen for the name"),
    Column("chosen_at", Utc, nullable=False, index=True, comment="last"),
)

GREETINGS: Final = Table(
    "greetings",
    METADATA,
    id_column("server_id", comment="stays when the bot leaves it: so no guild_id"),
    Column("again_at", Utc, nullable=False, index=True, comment="not to be greeted before"),
)
