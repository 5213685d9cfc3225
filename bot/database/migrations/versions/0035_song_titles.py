"""Titles of songs once for all members, whose kept answers leave them out; and where the code of statistics stands now."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    """Make the table; answers that have their titles stay as they are."""
    op.create_table(
        "song_titles",
        sa.Column("song_id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False, comment="as kept answers leave it out"),
        sa.PrimaryKeyConstraint("song_id", name="pk_song_titles"),
    )
    if op.get_bind().dialect.name == "postgresql":  # SQLite keeps no comments
        op.alter_column(
            "chart_statistics",
            "averages",
            existing_type=sa.LargeBinary(),
            existing_nullable=True,
            comment="by rating, see bot.domain.coach.summaries",
            existing_comment="by rating, see bot.domain.coach.gists",
        )
