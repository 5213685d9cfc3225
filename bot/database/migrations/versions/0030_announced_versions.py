"""Of which version of the game a server's post has told that it comes, so that it tells once."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    """Add the name: of no plan yet."""
    op.add_column(
        "post_plans",
        sa.Column(
            "announced",
            sa.String(40),
            nullable=True,
            comment="the version of the game that it told of last, before it began",
        ),
    )
