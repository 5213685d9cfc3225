"""Titles of songs once for all members, whose kept answers leave them out."""

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
