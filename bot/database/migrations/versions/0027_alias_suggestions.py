"""Other names of songs that members suggest to those who manage their server."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE, Utc

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "alias_suggestions",
        sa.Column("id", SNOWFLAKE, nullable=False),
        sa.Column("guild_id", SNOWFLAKE, nullable=False),
        sa.Column("member_id", SNOWFLAKE, nullable=False, comment="who has suggested it"),
        sa.Column("name", sa.String(255), nullable=False, comment="as it was typed"),
        sa.Column("song_id", sa.String(64), nullable=False),
        sa.Column("suggested_at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_alias_suggestions"),
    )
    for column in ("guild_id", "member_id", "suggested_at"):
        op.create_index(f"ix_alias_suggestions_{column}", "alias_suggestions", [column])
