"""What members have set themselves."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE, Utc

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Add the goals."""
    op.create_table(
        "goals",
        sa.Column("member_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("code", sa.String(length=32), nullable=False, comment="made of the text alone"),
        sa.Column("text", sa.String(length=255), nullable=False),
        sa.Column("set_at", Utc(), nullable=False, comment="as of when it was first looked at"),
        sa.Column("reached_at", Utc(), nullable=True, comment="as of when it was first seen to be reached"),
        sa.PrimaryKeyConstraint("member_id", "code", name=op.f("pk_goals")),
    )
