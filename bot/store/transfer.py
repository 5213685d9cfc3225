"""Copies one database into another, of either kind: row by row, verified, and resumable after a kill."""

from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from typing import Final, cast

from sqlalchemy import (
    Connection,
    String,
    Table,
    delete,
    exc,
    func,
    inspect,
    make_url,
    null,
    select,
    text,
    tuple_,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.engine import Database, hold, says_away
from bot.database.migrate import COPYING, find_applied, known_revisions, upgrade_within
from bot.database.tables import METADATA, PROCESSES
from bot.database.trouble import StoreNotWhole, StoreTooNew, told
from bot.database.upsert import upsert
from bot.domain.errors import CannotKeep, CannotRead
from bot.store.backup import CopyFailed
from bot.store.misfits import Key, Misfits, Row

_COPIED: Final = [table for table in METADATA.sorted_tables if table is not PROCESSES]
"""All tables except the running processes: none run on the copy."""
_ROWS_AT_ONCE: Final = 200
"""Rows of each database in memory."""
_TROUBLE: Final = (exc.SQLAlchemyError, CannotKeep, CannotRead, OSError)


class _SomethingElse(CopyFailed):
    """The target database has other content, and must not be overwritten."""

    def __init__(self) -> None:
        super().__init__(
            "The database that --to names holds something else, or somebody writes into it. "
            "Name an empty one, which nobody uses."
        )


async def copy_database(source: str, target: str, tell: Callable[[str], None], *, skip: bool = False) -> int:
    """Make the database `target` equal to `source`, which is locked against writes meanwhile; return the number of rows.

    `tell` is called for each finished table. A row that the target refuses ends the copy, or is left out and reported if
    `skip` is set. After a kill no bot runs on the target, and the next call continues. Raises: CannotStart, also if the
    target has other content; then nothing in it has changed.
    """
    async with _opened(source, "--from") as origin, _opened(target, "--to") as copy:
        if make_url(source) == make_url(target):
            message = "--from and --to name the same database."
            raise CopyFailed(message)
        with told(_TROUBLE, named="--from or --to"):
            async with origin.write() as connection:
                await connection.run_sync(_check_whole)
                await _keep_others_from_writing(connection)
                return await _fill(connection, copy, tell, Misfits(tell, skip=skip, to_server=copy.is_server))


@asynccontextmanager
async def _opened(url: str, named: str) -> AsyncGenerator[Database]:
    with told(named=named):
        database = Database(url, statement_seconds=None)
        if named == "--to":
            database.make_file()
        elif database.file and not database.file.exists():
            message = f"There is no database at {database.file}."
            raise CopyFailed(message)
        await database.connect()
    try:
        yield database
    finally:
        await database.close()


def _check_whole(connection: Connection) -> None:
    applied, known = find_applied(connection), known_revisions()
    if applied is None:
        message = "The database that --from names is none of Kiroku."
        raise CopyFailed(message)
    if applied.startswith(COPYING):
        raise StoreNotWhole
    if applied not in known:
        raise StoreTooNew
    if applied != known[-1]:
        message = (
            "The database that --from names is of an older version. Run `kiroku db upgrade` on it first."
        )
        raise CopyFailed(message)


async def _keep_others_from_writing(connection: AsyncConnection) -> None:
    """Lock the source against writes; in SQLite nobody else can write anyway."""
    if connection.dialect.name == "postgresql":
        await connection.execute(text(f"LOCK TABLE {', '.join(METADATA.tables)} IN SHARE MODE"))


async def _fill(
    origin: AsyncConnection, copy: Database, tell: Callable[[str], None], misfits: Misfits
) -> int:
    async with copy.write_at_leisure() as connection:
        await hold(connection, "migrations")
        is_ours = await connection.run_sync(_prepare)
    count = 0
    for table in _COPIED:
        with _naming(table):
            if is_ours:
                await _change(table, origin, copy, misfits)
            async for _ in _differences(table, origin, copy, misfits):
                raise _SomethingElse
            rows = (await origin.execute(select(func.count()).select_from(table))).scalar_one()
            rows -= misfits.count_of(table)
        tell(f"{table.name}: {rows}")
        count += rows
    if is_ours:
        async with copy.write() as connection:
            await _set_sequences(connection)
            await connection.run_sync(_mark, known_revisions()[-1])
        await copy.purge_deleted()
    return count


def _prepare(connection: Connection) -> bool:
    """Create the tables, and return whether they may be written: they were empty, or partly filled by us.

    Raises: CopyFailed if they hold something else that cannot even be compared.
    """
    applied, head = find_applied(connection), known_revisions()[-1]
    if applied is not None and applied.startswith(COPYING):
        if applied.removeprefix(COPYING) == head:
            return True
        message = (
            "The copy in --to was begun by another version of Kiroku. Empty that database and begin anew."
        )
        raise CopyFailed(message)
    there = set(inspect(connection).get_table_names())
    ours = [table for table in _COPIED if table.name in there]
    is_empty = not any(connection.execute(select(table).limit(1)).first() for table in ours)
    if applied == head and not is_empty:
        return False
    if not is_empty or (applied is None and there):
        raise _SomethingElse
    upgrade_within(connection)
    _mark(connection, f"{COPYING}{head}")
    return True


def _mark(connection: Connection, version: str) -> None:
    connection.execute(text("UPDATE alembic_version SET version_num = :version"), {"version": version})


@contextmanager
def _naming(table: Table) -> Generator[None]:
    """Name the table of a value that one of the databases does not understand."""
    try:
        yield
    except (exc.StatementError, ValueError, LookupError) as error:
        if isinstance(error, exc.DBAPIError) and says_away(error):
            raise
        message = (
            f"The table {table.name} holds what cannot be read, or what the other database does not take "
            f"({type(error).__name__}). Mend or delete it, and run the same again."
        )
        raise CopyFailed(message) from None


async def _change(table: Table, origin: AsyncConnection, copy: Database, misfits: Misfits) -> None:
    """Write all differences, a batch at a time."""
    batch: list[tuple[Key, Row | None]] = []
    async for difference in _differences(table, origin, copy, misfits):
        batch.append(difference)
        if len(batch) == _ROWS_AT_ONCE:
            await _write_fitting(table, batch, copy, misfits)
            batch.clear()
    await _write_fitting(table, batch, copy, misfits)


async def _write_fitting(
    table: Table, batch: Sequence[tuple[Key, Row | None]], copy: Database, misfits: Misfits
) -> None:
    """Write a batch; if a row is refused, write them one by one to find out which."""
    try:
        await _write(table, batch, copy)
    except exc.DBAPIError as error:
        if says_away(error):
            raise
    else:
        return
    for each in batch:
        try:
            await _write(table, [each], copy)
        except exc.DBAPIError as error:
            if says_away(error):
                raise
            misfits.refuse(table, each[0], f"it is refused ({_reason_of(error)})")


def _reason_of(error: exc.DBAPIError) -> str:
    """Return the name of the driver's error, because its message may contain the refused values."""
    return type(getattr(error.orig, "__cause__", None) or error.orig).__name__


async def _write(table: Table, batch: Sequence[tuple[Key, Row | None]], copy: Database) -> None:
    gone = [key for key, row in batch if row is None]
    async with copy.write() as connection:
        await upsert(connection, table, *(row for _, row in batch if row is not None))
        if gone:
            await connection.execute(delete(table).where(tuple_(*table.primary_key).in_(gone)))


async def _differences(
    table: Table, origin: AsyncConnection, copy: Database, misfits: Misfits
) -> AsyncGenerator[tuple[Key, Row | None]]:
    """Walk through both tables in key order; yield the rows that the copy lacks or has different.

    None stands for a row that the copy has and should not have.
    """
    async with aclosing(_fitting(table, origin, misfits)) as rows, aclosing(_rows(table, copy)) as copied:
        row, other = await anext(rows, None), await anext(copied, None)
        while row is not None or other is not None:
            if other is None or (row is not None and row[0] < other[0]):
                yield cast("tuple[Key, Row]", row)
                row = await anext(rows, None)
            elif row is None or other[0] < row[0]:
                yield other[0], None
                other = await anext(copied, None)
            else:
                if row != other:
                    yield row
                row, other = await anext(rows, None), await anext(copied, None)


async def _fitting(
    table: Table, origin: AsyncConnection, misfits: Misfits
) -> AsyncGenerator[tuple[Key, Row]]:
    async with aclosing(_rows(table, origin)) as rows:
        async for key, row in rows:
            if misfits.are_taken(table, key, row):
                yield key, row


async def _rows(table: Table, where: AsyncConnection | Database) -> AsyncGenerator[tuple[Key, Row]]:
    """Yield a table's rows with their keys, in the same order in both kinds of database."""
    last: Key | None = None
    while True:
        if isinstance(where, Database):
            async with where.read() as connection:
                rows = await _page(table, connection, last)
        else:
            rows = await _page(table, where, last)
        for row in rows:
            last = tuple(row[column.name] for column in table.primary_key)
            yield last, row
        if len(rows) < _ROWS_AT_ONCE:
            return


async def _page(table: Table, connection: AsyncConnection, last: Key | None) -> list[Row]:
    # By code points, as Python and SQLite compare texts; PostgreSQL would sort by language.
    in_order = connection.dialect.name == "postgresql"
    key = [
        column.collate("C") if in_order and isinstance(column.type, String) else column
        for column in table.primary_key
    ]
    columns = [null().label(each.name) if each.references(PROCESSES.c.id) else each for each in table.c]
    query = select(*columns).order_by(*key).limit(_ROWS_AT_ONCE)
    found = await connection.execute(query if last is None else query.where(tuple_(*key) > last))
    return [dict(row) for row in found.mappings()]


async def _set_sequences(connection: AsyncConnection) -> None:
    """Make PostgreSQL continue from the copied ids; SQLite finds the highest by itself."""
    for table in _COPIED if connection.dialect.name == "postgresql" else ():
        if (column := table.autoincrement_column) is not None:
            sequence = func.pg_get_serial_sequence(table.name, column.name)
            count_on = func.setval(sequence, func.coalesce(func.max(column), 0) + 1, False)  # noqa: FBT003 - that one comes next
            await connection.execute(select(count_on))
