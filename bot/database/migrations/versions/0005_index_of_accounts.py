"""An index of the accounts that are linked: each write of an answer looks there."""

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the index."""
    op.create_index(op.f("ix_links_user_id"), "links", ["user_id"])
