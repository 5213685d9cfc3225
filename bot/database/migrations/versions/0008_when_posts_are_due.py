"""When the next daily post is due, so that those alone are read whose time has come."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import Utc

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Let every post seem due: when it is the bot works out at each start."""
    with op.batch_alter_table("daily_posts") as batch_op:
        batch_op.add_column(
            sa.Column(
                "due_at",
                Utc(),
                nullable=False,
                server_default=sa.text("'1970-01-01 00:00:00'"),
                comment="when the post after that is due",
            )
        )
    with op.batch_alter_table("daily_posts") as batch_op:
        batch_op.alter_column("due_at", server_default=None)
    op.create_index(op.f("ix_daily_posts_due_at"), "daily_posts", ["due_at"])
