"""A snapshot of all records, and the figures beside them."""

import sqlalchemy as sa
from alembic import op

from bot.database.packing import PackedScores

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Let a day have either, and keep what is there."""
    with op.batch_alter_table("snapshots") as batch_op:
        batch_op.alter_column(
            "scores",
            existing_type=PackedScores(),
            nullable=True,
            comment="of the slots, packed, see bot.database.packing",
        )
        batch_op.add_column(sa.Column("highest", sa.Integer(), nullable=True, comment="rating, hundredths"))
        for name in ("best_average", "recent_average"):
            batch_op.add_column(sa.Column(name, sa.Integer(), nullable=True, comment="ten-thousandths"))
        batch_op.add_column(sa.Column("over_power", sa.Integer(), nullable=True, comment="thousandths"))
        batch_op.add_column(
            sa.Column("whole_day", sa.Date(), nullable=True, comment="whose records are written whole")
        )
        batch_op.add_column(
            sa.Column(
                "records",
                sa.LargeBinary(),
                nullable=True,
                comment="whole, or beside that, see bot.domain.chronicle",
            )
        )
