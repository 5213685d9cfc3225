"""When each member was looked at in the background."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE, Utc

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add the looks."""
    op.create_table(
        "rounds",
        sa.Column("member_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column(
            "looked_at", Utc(), nullable=True, comment="as of when it is known how their records stand"
        ),
        sa.Column("again_at", Utc(), nullable=False, comment="not to be looked at in the background before"),
        sa.Column("failures", sa.Integer(), nullable=False, comment="since the last look"),
        sa.PrimaryKeyConstraint("member_id", name="pk_rounds"),
    )
