"""Answers and request windows that outlive a restart."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE, Utc

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "kept_answers",
        sa.Column(
            "account", SNOWFLAKE, autoincrement=False, nullable=False, comment="the asker's, on the service"
        ),
        sa.Column("question", sa.String(100), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False, comment="encrypted, see bot.store.vault"),
        sa.Column("fetched_at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("account", "question", name=op.f("pk_kept_answers")),
    )
    op.create_index(op.f("ix_kept_answers_fetched_at"), "kept_answers", ["fetched_at"])
    op.create_table(
        "kept_windows",
        sa.Column("account", sa.String(64), nullable=False, comment="account:ID, or token: and a hash"),
        sa.Column("version", sa.String(8), nullable=False),
        sa.Column("limit", sa.Integer(), nullable=False),
        sa.Column("remaining", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False, comment="may or may not have counted"),
        sa.Column("reset_at", Utc(), nullable=True, comment="by the service's clock"),
        sa.Column("ends_at", Utc(), nullable=True, comment="by our clock"),
        sa.Column("sent_at", Utc(), nullable=False),
        sa.Column("spacing", sa.Float(), nullable=False, comment="learned seconds between two requests"),
        sa.Column("dearest", sa.Integer(), nullable=False, comment="highest price of one request"),
        sa.PrimaryKeyConstraint("account", "version", name=op.f("pk_kept_windows")),
    )
    op.create_index(op.f("ix_kept_windows_sent_at"), "kept_windows", ["sent_at"])
