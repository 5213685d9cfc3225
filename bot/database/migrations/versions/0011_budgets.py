"""What each account may still send, for whichever process decides about it."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the budgets that travel between processes."""
    op.create_table(
        "budgets",
        sa.Column("name", sa.String(length=64), nullable=False, comment="account:ID, or token: and a hash"),
        sa.Column("owner", SNOWFLAKE, nullable=True, comment="the process that decides, if it lives"),
        sa.Column("fence", SNOWFLAKE, nullable=False, comment="only grows"),
        sa.Column(
            "ahead", sa.Integer(), nullable=False, comment="what its owner may have spent beyond the state"
        ),
        sa.Column(
            "line", sa.JSON(), nullable=False, comment="who waits for it: priority and moment by process"
        ),
        sa.Column("state", sa.JSON(), nullable=True, comment="what whoever takes it next goes on from"),
        sa.Column("used_at", sa.Float(), nullable=False, comment="seconds by the database's clock"),
        sa.PrimaryKeyConstraint("name", name="pk_budgets"),
    )
    op.create_index("ix_budgets_owner", "budgets", ["owner"])
