"""Servers that the host has blocked, and when they were told of what is wrong."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE, Utc

revision = "0026"
down_revision = "0025"
ADDS_ALONE = True


def upgrade() -> None:
    """Add both."""
    op.create_table(
        "blocked_servers",
        sa.Column(
            "server_id",
            SNOWFLAKE,
            autoincrement=False,
            nullable=False,
            comment="stays when the bot leaves it: so no guild_id",
        ),
        sa.Column("blocked_at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("server_id", name=op.f("pk_blocked_servers")),
    )
    op.create_table(
        "host_alerts",
        sa.Column("cause", sa.String(length=40), nullable=False, comment="of bot.features.hosting.HostCause"),
        sa.Column("told_at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("cause", name=op.f("pk_host_alerts")),
    )
