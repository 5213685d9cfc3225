"""Packs of goals that members have taken, and those that servers have pinned."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE, Utc

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "goal_packs",
        sa.Column("member_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("code", sa.String(32), nullable=False, comment="made of the text alone"),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("taken_at", Utc(), nullable=False),
        sa.Column("added", sa.JSON(), nullable=False, comment="codes of the goals that came with it"),
        sa.PrimaryKeyConstraint("member_id", "code", name="pk_goal_packs"),
    )
    op.create_table(
        "pinned_packs",
        sa.Column("guild_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("code", sa.String(32), nullable=False, comment="made of the text alone"),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "code", name="pk_pinned_packs"),
    )
