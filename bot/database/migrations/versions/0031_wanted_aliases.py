"""Other names for songs that people type, and how often they then chose the song, for the host to give it that name."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import Utc

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "wanted_aliases",
        sa.Column("line", sa.String(255), nullable=False, comment="as a pack of aliases would have it"),
        sa.Column("times", sa.Integer(), nullable=False, comment="the song was chosen for the name"),
        sa.Column("chosen_at", Utc(), nullable=False, comment="last"),
        sa.PrimaryKeyConstraint("line", name="pk_wanted_aliases"),
    )
    op.create_index("ix_wanted_aliases_chosen_at", "wanted_aliases", ["chosen_at"])
