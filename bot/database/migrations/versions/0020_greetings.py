"""Which servers the bot has greeted lately."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE, Utc

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Add the greetings."""
    op.create_table(
        "greetings",
        sa.Column(
            "server_id",
            SNOWFLAKE,
            autoincrement=False,
            nullable=False,
            comment="stays when the bot leaves it: so no guild_id",
        ),
        sa.Column("again_at", Utc(), nullable=False, comment="not to be greeted before"),
        sa.PrimaryKeyConstraint("server_id", name=op.f("pk_greetings")),
    )
    op.create_index(op.f("ix_greetings_again_at"), "greetings", ["again_at"])
