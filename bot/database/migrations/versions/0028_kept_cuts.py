"""Whether pictures keep the cut that a member has chosen, or follow what they press."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    """Add the setting; what was chosen before is what was pressed last."""
    op.add_column(
        "preferences",
        sa.Column("keeps_cut", sa.Boolean(), nullable=True, comment="whatever is pressed; None: as False"),
    )
