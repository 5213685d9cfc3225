"""What Alembic runs: migrations on the connection that bot.database.migrate hands over."""

from typing import Any

from alembic import context

from bot.database.progress import UpgradeProgress
from bot.database.tables import METADATA

_progress: UpgradeProgress | None = context.config.attributes.get("progress")


def _note(ctx: object, step: Any, heads: object, run_args: object) -> None:  # noqa: ARG001 - as Alembic names them
    if _progress is not None:
        _progress.note(str(step.up_revision_id))


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite cannot alter a column in place
    compare_type=True,
    on_version_apply=_note,
)
with context.begin_transaction():
    context.run_migrations()
