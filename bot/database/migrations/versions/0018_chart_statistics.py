"""What all players score on each chart, as the service last said."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import Utc

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "chart_statistics",
        sa.Column("song_id", sa.String(64), nullable=False),
        sa.Column("difficulty", sa.String(16), nullable=False),
        sa.Column("asked_at", Utc(), nullable=False, comment="whatever came of it"),
        sa.Column("fetched_at", Utc(), nullable=True, comment="as of when the rest is; None: never read"),
        sa.Column("players", sa.Integer(), nullable=True),
        sa.Column(
            "averages", sa.LargeBinary(), nullable=True, comment="by rating, see bot.domain.coach.gists"
        ),
        sa.PrimaryKeyConstraint("song_id", "difficulty", name=op.f("pk_chart_statistics")),
    )
