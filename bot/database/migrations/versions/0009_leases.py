"""What only one process may do at a time."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the processes that share the database, and what each of them has."""
    op.create_table(
        "processes",
        sa.Column("id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column(
            "until",
            sa.Float(),
            nullable=True,
            comment="seconds by the database's clock; None: until it is buried",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_processes"),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("owner", SNOWFLAKE, nullable=True),
        sa.Column("fence", SNOWFLAKE, nullable=False, comment="only grows"),
        sa.Column("state", sa.JSON(), nullable=True, comment="what whoever takes it next goes on from"),
        sa.ForeignKeyConstraint(["owner"], ["processes.id"], name="fk_leases_owner", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("name", name="pk_leases"),
    )
    op.create_index("ix_leases_owner", "leases", ["owner"])
