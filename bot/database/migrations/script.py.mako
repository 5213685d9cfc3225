"""${message}."""

import sqlalchemy as sa
from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
# ADDS_ALONE = True, where whoever serves by the shape before may go on, as between minor versions


def upgrade() -> None:
    """${message}."""
    ${upgrades if upgrades else "pass"}
