"""Scores by blocks of charts, of which boards read one, and an index that has all that boards by rating read."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    """Make them; of members who do not play any more, blocks are written when a board first asks for them."""
    op.create_table(
        "score_blocks",
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column("block", sa.Integer(), autoincrement=False, nullable=False, comment="which charts it has"),
        sa.Column("member_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column(
            "scores",
            sa.LargeBinary(),
            nullable=False,
            comment="of the newest look, see bot.domain.chronicle",
        ),
        sa.PrimaryKeyConstraint("region", "block", "member_id", name="pk_score_blocks"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_score_blocks_member_id", "score_blocks", ["member_id"])
    op.create_index("ix_snapshots_ratings", "snapshots", ["member_id", "region", "day", "rating", "taken_at"])
