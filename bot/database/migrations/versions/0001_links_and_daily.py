"""Links, daily posts and their members."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE, Utc

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the first tables."""
    op.create_table(
        "links",
        sa.Column("member_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("token", sa.LargeBinary(), nullable=False, comment="encrypted, see bot.store.vault"),
        sa.Column("user_id", SNOWFLAKE, nullable=False),
        sa.Column("user_name", sa.String(255), nullable=False),
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column("visibility", sa.String(16), nullable=False),
        sa.Column("linked_at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("member_id", name=op.f("pk_links")),
    )
    op.create_table(
        "daily_posts",
        sa.Column("guild_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("channel_id", SNOWFLAKE, nullable=False),
        sa.Column("post_at", sa.Time(), nullable=False, comment="local time of day"),
        sa.Column("timezone", sa.String(64), nullable=False, comment="IANA name"),
        sa.Column(
            "posted_on", sa.Date(), nullable=False, comment="local day of the last post, or of the set-up"
        ),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_daily_posts")),
    )
    op.create_table(
        "daily_members",
        sa.Column("guild_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("member_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("rating", sa.Integer(), nullable=True, comment="hundredths, as last posted"),
        sa.PrimaryKeyConstraint("guild_id", "member_id", name=op.f("pk_daily_members")),
    )
    op.create_index(op.f("ix_daily_members_member_id"), "daily_members", ["member_id"])
