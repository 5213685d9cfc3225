"""What Alembic runs: migrations on the connection that bot.store.migrate hands over."""

from alembic import context

from bot.store.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite cannot alter a column in place
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
