"""What Alembic runs: migrations on the connection that bot.database.migrate hands over."""

from typing import Any

from alembic import context

from bot.database.migrate import adds_alone, note_oldest
from bot.database.progress import UpgradeProgress
from bot.database.tables import METADATA

_progress: UpgradeProgress | None = context.config.attributes.get("progress")


def _note(ctx: object, step: Any, heads: object, run_args: object) -> None:  # noqa: ARG001 - as Alembic names them
    revision = str(step.up_revision_id)
    if not adds_alone(revision):
        note_oldest(context.config.attributes["connection"], revision)
    if _progress is not None:
        _progress.note(revision)


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite cannot alter a column in place
    compare_type=True,
    on_version_apply=_note,
)
with context.begin_transaction():
    context.run_migrations()
