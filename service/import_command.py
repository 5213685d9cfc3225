"""The command `kiroku service import`: it takes a whole catalogue or a player's records from a file, or nothing."""

import sys
from collections.abc import Sequence
from pathlib import Path
from sqlite3 import DatabaseError
from typing import TypeVar

import click

from bot.domain.ids import JP2, Region
from service.accounts import UnknownUser, get_account, write_records
from service.catalogue import BrokenSource, lines_left_out, read_catalogue, write_catalogue
from service.limits import delete_windows
from service.options import read_region
from service.records_source import COLUMNS, read_records
from service.schema import opened, write

_T = TypeVar("_T")
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(
    "import",
    epilog=f"CSV columns: {', '.join(COLUMNS)}; the first three are required.",
)
@click.option("--db", required=True, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--catalogue", type=_FILE, help="A saved music/showall reply.")
@click.option("--records", type=_FILE, help="A saved records/showall or worldsend reply, or CSV.")
@click.option("--user", "user_name", help="Whose records they are.")
@click.option("--region", default=JP2, show_default=True)
def import_command(
    db: Path, catalogue: Path | None, records: Path | None, user_name: str | None, region: str
) -> None:
    """Bring data in: the songs of a region, or the records of a user."""
    if (catalogue is None) == (records is None):
        message = "give either --catalogue or --records"
        raise click.UsageError(message)
    if records and not user_name:
        message = "--records needs --user"
        raise click.UsageError(message)
    try:
        if catalogue:
            _import_catalogue(db, catalogue, read_region(region))
        if records and user_name:
            _import_records(db, records, user_name, read_region(region))
    except BrokenSource as error:
        message = f"{error}\nNothing was changed: correct the file, then import it again."
        raise click.ClickException(message) from error
    except (UnknownUser, OSError, ValueError, DatabaseError) as error:
        raise click.ClickException(str(error)) from error


def _import_catalogue(db: Path, file: Path, region: Region) -> None:
    source = read_catalogue(file)
    if not db.exists():
        delete_windows(db)
    with opened(db, may_create=True) as connection, write(connection):
        write_catalogue(connection, region, _shown(source.songs, "songs"))
    click.echo(f"{len(source.songs)} songs of {region}{_count_text(len(source.left_out), 'left out')}")
    for line in lines_left_out(source.left_out):
        click.echo(line, err=True)


def _import_records(db: Path, file: Path, user_name: str, region: Region) -> None:
    with opened(db) as connection, write(connection):
        account = get_account(connection, user_name)
        records, rating = read_records(file)
        unlisted = write_records(connection, account, region, _shown(records, "records"), rating=rating)
    beside = _count_text(unlisted, "of them on charts that the catalogue does not list")
    click.echo(f"{len(records)} records of {user_name} in {region}{beside}")


def _count_text(count: int, what: str) -> str:
    return f", {count} {what}" if count else ""


def _shown(items: Sequence[_T], label: str) -> Sequence[_T]:
    """Return the items, with a bar on standard error that fills as they are taken."""
    with click.progressbar(items, label=label, file=sys.stderr) as bar:
        return list(bar)
