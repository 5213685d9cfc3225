"""Members' own settings, and what their ratings were."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE, Utc

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create both tables."""
    op.create_table(
        "preferences",
        sa.Column("member_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("language", sa.String(16), nullable=True, comment="None: that of the member's Discord"),
        sa.Column("timezone", sa.String(64), nullable=False, comment="IANA name"),
        sa.Column("slot", sa.String(32), nullable=False),
        sa.Column("theme", sa.String(16), nullable=False),
        sa.PrimaryKeyConstraint("member_id", name=op.f("pk_preferences")),
    )
    op.create_table(
        "snapshots",
        sa.Column("member_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column("day", sa.Date(), nullable=False, comment="UTC+9, the service's own"),
        sa.Column("taken_at", Utc(), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False, comment="hundredths"),
        sa.Column(
            "scores",
            sa.JSON(),
            nullable=False,
            comment="song id, difficulty and score of each record in the slots",
        ),
        sa.PrimaryKeyConstraint("member_id", "region", "day", name=op.f("pk_snapshots")),
    )
