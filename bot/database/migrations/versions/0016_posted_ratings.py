"""Which ratings each plan has posted last: a server may have several, each with a time of its own."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE, Utc

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Carry what was posted over to each server's first plan."""
    op.create_table(
        "posted_ratings",
        sa.Column("plan_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("member_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("joined_in", SNOWFLAKE, nullable=True, comment="a server; None: direct messages"),
        sa.Column("rating", sa.Integer(), nullable=False, comment="hundredths"),
        sa.Column("until", Utc(), nullable=False, comment="when what was played is told"),
        sa.ForeignKeyConstraint(
            ["plan_id"], ["post_plans.id"], name=op.f("fk_posted_ratings_plan_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["joined_in", "member_id"],
            ["daily_members.guild_id", "daily_members.member_id"],
            name=op.f("fk_posted_ratings_joined_in"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("plan_id", "member_id", name=op.f("pk_posted_ratings")),
    )
    op.create_index(op.f("ix_posted_ratings_member_id"), "posted_ratings", ["member_id"])
    op.execute(
        "INSERT INTO posted_ratings (plan_id, member_id, joined_in, rating, until) "
        "SELECT min(post_plans.id), daily_members.member_id, daily_members.guild_id, rating, CURRENT_TIMESTAMP "
        "FROM daily_members JOIN post_plans ON post_plans.guild_id = daily_members.guild_id "
        "WHERE rating IS NOT NULL GROUP BY daily_members.member_id, daily_members.guild_id, rating"
    )
    op.drop_column("daily_members", "rating")
