"""Tables that several processes share: live processes, leases, and request budgets."""

from typing import Final

from sqlalchemy import JSON, Column, Float, ForeignKey, Integer, String, Table

from bot.database.tables.columns import METADATA, SNOWFLAKE, id_column

PROCESSES: Final = Table(
    "processes",
    METADATA,
    id_column("id"),
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
