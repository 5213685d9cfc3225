"""Aliases, kept catalogues, and questions under short keys."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE, Utc

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "aliases",
        sa.Column("guild_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("folded", sa.String(255), nullable=False, comment="what it is compared by"),
        sa.Column("name", sa.String(255), nullable=False, comment="as it was typed"),
        sa.Column("song_id", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "folded", name=op.f("pk_aliases")),
    )
    op.create_table(
        "catalogues",
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("first_seen_at", Utc(), nullable=False),
        sa.Column("last_seen_at", Utc(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False, comment="music/showall, compressed"),
        sa.PrimaryKeyConstraint("region", "digest", name=op.f("pk_catalogues")),
    )
    op.create_table(
        "questions",
        sa.Column("key", sa.String(32), nullable=False),
        sa.Column("text", sa.Text(), nullable=False, comment="what a list was asked for"),
        sa.Column("asked_at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_questions")),
    )
    op.create_index(op.f("ix_questions_asked_at"), "questions", ["asked_at"])
