"""Where members used the bot, and whose account the service shows to its friends alone."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Begin with those who joined a daily post: they did it there."""
    op.create_table(
        "sightings",
        sa.Column(
            "guild_id", SNOWFLAKE, autoincrement=False, nullable=False, comment="where they used the bot"
        ),
        sa.Column("member_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "member_id", name=op.f("pk_sightings")),
    )
    op.create_index(op.f("ix_sightings_member_id"), "sightings", ["member_id"])
    op.execute("INSERT INTO sightings (guild_id, member_id) SELECT guild_id, member_id FROM daily_members")
    with op.batch_alter_table("links") as batch_op:
        batch_op.add_column(
            sa.Column(
                "is_protected",
                sa.Boolean(),
                nullable=False,
                server_default=sa.false(),
                comment="shown to its friends alone, as the service last said",
            )
        )
