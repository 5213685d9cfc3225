"""A snapshot of all records, and the figures beside them."""

import sqlalchemy as sa
from alembic import op

from bot.database.packing import PackedScores

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_OF_SLOTS = "packed, see bot.database.packing"


def upgrade() -> None:
    """Let a day have either, and keep what is there."""
    with op.batch_alter_table("snapshots") as batch_op:
        batch_op.alter_column(
            "scores", existing_type=PackedScores(), nullable=True, comment=f"of the slots, {_OF_SLOTS}"
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


def downgrade() -> None:
    """Keep the days of which the slots are known."""
    op.execute("DELETE FROM snapshots WHERE scores IS NULL")
    with op.batch_alter_table("snapshots") as batch_op:
        for name in ("highest", "best_average", "recent_average", "over_power", "whole_day", "records"):
            batch_op.drop_column(name)
        batch_op.alter_column("scores", existing_type=PackedScores(), nullable=False, comment=_OF_SLOTS)
