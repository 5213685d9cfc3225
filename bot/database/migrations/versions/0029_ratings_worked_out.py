"""Which version of the game each member plays, what came of working their rating out, and the average of new songs."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE, Utc

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    """Add the table, the choice, and the averages, which are worked out of what is kept when somebody looks."""
    op.create_table(
        "rating_checks",
        sa.Column("member_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column(
            "version",
            sa.String(40),
            nullable=True,
            comment="of the game, by which a rating was last explained",
        ),
        sa.Column(
            "difference",
            sa.Integer(),
            nullable=False,
            comment="of the profile's rating from what was worked out, hundredths; 0: explained",
        ),
        sa.Column("checked_at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("member_id", "region", name=op.f("pk_rating_checks")),
    )
    op.create_index(op.f("ix_rating_checks_checked_at"), "rating_checks", ["checked_at"])
    op.add_column(
        "links",
        sa.Column(
            "game_version",
            sa.String(40),
            nullable=True,
            comment="chosen; None: by which the rating is explained",
        ),
    )
    for table in ("snapshots", "earlier_looks"):
        op.add_column(
            table,
            sa.Column(
                "new_average",
                sa.Integer(),
                nullable=True,
                comment="of new songs, ten-thousandths; best_average is that of older ones where it is known",
            ),
        )
