"""Feeds: who is in which, what a channel wants to be told, and what waits there to be told."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE, Utc

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add them."""
    op.add_column(
        "post_plans",
        sa.Column("least_gain", sa.Integer(), nullable=True, comment="of a feed: in rating, hundredths"),
    )
    op.add_column("post_plans", sa.Column("least_rank", sa.String(16), nullable=True, comment="of a feed"))
    op.add_column("post_plans", sa.Column("least_lamp", sa.String(16), nullable=True, comment="of a feed"))
    op.create_table(
        "feed_members",
        sa.Column("guild_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("member_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("joined_at", Utc(), nullable=False, comment="what was played before is not told"),
        sa.PrimaryKeyConstraint("guild_id", "member_id", name=op.f("pk_feed_members")),
    )
    op.create_index(op.f("ix_feed_members_member_id"), "feed_members", ["member_id"])
    op.create_table(
        "sittings",
        sa.Column("plan_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("part", sa.String(64), nullable=False),
        sa.Column("joined_in", SNOWFLAKE, nullable=False, comment="a server"),
        sa.Column("member_id", SNOWFLAKE, nullable=False),
        sa.Column("content", sa.JSON(), nullable=False, comment="what the post will say, see bot.store.feed"),
        sa.ForeignKeyConstraint(
            ["plan_id", "day", "part"],
            ["posts.plan_id", "posts.day", "posts.part"],
            name=op.f("fk_sittings_plan_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["joined_in", "member_id"],
            ["feed_members.guild_id", "feed_members.member_id"],
            name=op.f("fk_sittings_joined_in"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("plan_id", "day", "part", name=op.f("pk_sittings")),
    )
    op.create_index(op.f("ix_sittings_member_id"), "sittings", ["member_id"])
