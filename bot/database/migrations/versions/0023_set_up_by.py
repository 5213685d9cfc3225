"""Who has set a server's post up."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Add the column; None for those of before, and for what an older version writes."""
    comment = "whom of a server to tell that it is off"
    op.add_column("post_plans", sa.Column("set_up_by", SNOWFLAKE, nullable=True, comment=comment))
    op.create_index(op.f("ix_post_plans_set_up_by"), "post_plans", ["set_up_by"])
