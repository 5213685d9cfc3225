"""All looks at a day, and not the last one alone: what each found that is no longer the day's last."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE, Utc

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Leave days as they are: what was seen before their last look is not known any more."""
    op.add_column(
        "snapshots",
        sa.Column(
            "records_at",
            Utc(),
            nullable=True,
            comment="as of when records are known; None: of a version that kept the last look at a day alone",
        ),
    )
    op.add_column(
        "snapshots",
        sa.Column(
            "whole",
            sa.LargeBinary(),
            nullable=True,
            comment="this day's, where its records stand beside that by now",
        ),
    )
    op.create_table(
        "earlier_looks",
        sa.Column("member_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column("taken_at", Utc(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False, comment="whose last look is in snapshots, UTC+9"),
        sa.Column("rating", sa.Integer(), nullable=False, comment="hundredths"),
        sa.Column("highest", sa.Integer(), nullable=True, comment="rating, hundredths"),
        sa.Column("best_average", sa.Integer(), nullable=True, comment="ten-thousandths"),
        sa.Column("over_power", sa.Integer(), nullable=True, comment="thousandths"),
        sa.Column("whole_day", sa.Date(), nullable=False, comment="whose records are written whole"),
        sa.Column("records", sa.LargeBinary(), nullable=True, comment="beside that; None: that itself"),
        sa.Column("records_at", Utc(), nullable=True, comment="as in snapshots"),
        sa.PrimaryKeyConstraint("member_id", "region", "taken_at", name=op.f("pk_earlier_looks")),
    )
