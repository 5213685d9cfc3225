"""Processes that serve side by side."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add who serves, how far each lease's owner has come, and when sessions began."""
    op.add_column(
        "processes",
        sa.Column(
            "shards",
            sa.Integer(),
            nullable=True,
            comment="how many there are, where it serves side by side with others",
        ),
    )
    op.add_column(
        "leases",
        sa.Column(
            "reached", SNOWFLAKE, nullable=True, comment="how far its owner has come with that, at least"
        ),
    )
    op.create_table(
        "session_starts",
        sa.Column(
            "bucket",
            sa.Integer(),
            autoincrement=False,
            nullable=False,
            comment="of shards, as Discord counts",
        ),
        sa.Column(
            "at",
            sa.Float(),
            nullable=False,
            comment="when one last began, in seconds by the database's clock",
        ),
        sa.PrimaryKeyConstraint("bucket", name="pk_session_starts"),
    )
