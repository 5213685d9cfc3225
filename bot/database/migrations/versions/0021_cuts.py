"""How the card of records is laid out for a member."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Add the setting; None for those who have chosen nothing, and for what an older version writes."""
    with op.batch_alter_table("preferences") as batch:
        batch.add_column(
            sa.Column(
                "cut",
                sa.String(16),
                nullable=True,
                comment="of the card; None: what was before there was a choice",
            )
        )
