"""What is sent to a database while something is done."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from bot.store import Store


@contextmanager
def statements_of(store: Store) -> Generator[list[tuple[str, Any]]]:
    """Collect the statements that read or write rows, with their values."""
    sent: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, _context: Any, many: bool) -> None:  # noqa: FBT001 - SQLAlchemy's signature
        if statement.split(maxsplit=1)[0] in {"SELECT", "INSERT", "UPDATE", "DELETE", "WITH"}:
            sent.append((statement, values[0] if many else values))

    engine = store.links._database._engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(engine, "before_cursor_execute", note)
