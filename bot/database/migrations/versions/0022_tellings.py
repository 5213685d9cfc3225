"""What each try to send a post tells of whom, until it is known which of them stands."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE, Utc

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Nothing is known of posts that were being sent."""
    op.create_table(
        "tellings",
        sa.Column("plan_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("part", sa.String(64), nullable=False),
        sa.Column(
            "claim", sa.Integer(), autoincrement=False, nullable=False, comment="which try to send the post"
        ),
        sa.Column("member_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("joined_in", SNOWFLAKE, nullable=True, comment="a server; None: direct messages"),
        sa.Column("rating", sa.Integer(), nullable=False, comment="hundredths"),
        sa.Column(
            "until",
            Utc(),
            nullable=False,
            comment="as in posted_ratings, once the post is known to stand",
        ),
        sa.ForeignKeyConstraint(
            ["plan_id", "day", "part"],
            ["posts.plan_id", "posts.day", "posts.part"],
            name=op.f("fk_tellings_plan_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["joined_in", "member_id"],
            ["daily_members.guild_id", "daily_members.member_id"],
            name=op.f("fk_tellings_joined_in"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("plan_id", "day", "part", "claim", "member_id", name=op.f("pk_tellings")),
    )
    op.create_index(op.f("ix_tellings_member_id"), "tellings", ["member_id"])
