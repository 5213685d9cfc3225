"""What was done of a goal when it was set."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Add the column; None for goals of before, and for what an older version writes: their way begins at none."""
    comment = "what was done when it was set"
    op.add_column("goals", sa.Column("start", sa.Integer(), nullable=True, comment=comment))
