"""Songs that members say they have not unlocked."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "locked_songs",
        sa.Column("member_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("song_id", sa.String(64), nullable=False, comment="not unlocked yet, as the member says"),
        sa.PrimaryKeyConstraint("member_id", "song_id", name="pk_locked_songs"),
    )
