"""`kiroku run`, `doctor`, `db` and `keys`, the host's commands; each imports what it needs when it runs."""

import asyncio
import logging
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from bot.base import logs
from bot.base.clock import SystemClock

if TYPE_CHECKING:
    from bot.base.config import Settings
    from bot.store import Store

_logger = logging.getLogger(__name__)


@click.command()
def run() -> None:
    """Run the bot on Discord, with the settings of the environment or of .env."""
    from bot.base.config import find_misspelt
    from bot.base.platforms import check_platform
    from bot.program.app import create_bot
    from bot.program.process import NO_LOGIN, run_until_signalled

    with _exiting_on_error():
        check_platform()
    settings = _settings()
    if not settings.discord_token.get_secret_value():
        _exit_with(NO_LOGIN)
    logs.set_up(settings.log_level, settings.log_format)
    for name, meant in find_misspelt().items():
        _logger.warning("unknown setting %s: most likely %s is meant", name, meant)
    with logs.last_words(), _exiting_on_error(log=_logger if logs.is_json(settings.log_format) else None):
        bot = create_bot(settings)
        asyncio.run(run_until_signalled(bot, settings.discord_token.get_secret_value()))


@click.command()
def doctor() -> None:
    """Try the settings and what the bot stands on, and say what is wrong; nothing is made or changed."""
    from bot.program.doctor import Doctor
    from bot.program.findings import Verdict, read_settings_leniently

    logs.set_up("CRITICAL")  # the findings below say what is wrong
    settings, findings = read_settings_leniently()
    findings += asyncio.run(Doctor(settings, SystemClock()).examine())
    for each in findings:
        click.echo(each)
    if any(each.mark is Verdict.WRONG for each in findings):
        sys.exit(1)


@click.group()
def db() -> None:
    """Look after the database."""


@db.command()
@click.option("--no-copy", is_flag=True, help="Make no copy of the database before it is changed.")
def upgrade(*, no_copy: bool) -> None:
    """Bring the database to the shape that this version needs, once a copy of it is made; `run` does it too."""
    settings = _settings()
    logs.set_up("INFO", settings.log_format)  # a large upgrade takes minutes, and logs its progress
    with _exiting_on_error():
        asyncio.run(_upgrade(settings, copies=not no_copy))
    click.echo("The database is up to date.")


@db.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option(
    "--keep",
    type=click.IntRange(min=1),
    help="Copy into BACKUP_FOLDER, and delete all copies there but so many.",
)
def backup(file: Path | None, keep: int | None) -> None:
    """Copy the database to FILE, whole and checked, or into BACKUP_FOLDER; a bot may be using it.

    A database in PostgreSQL is copied by pg_dump.
    """
    from bot.store import dump, dump_in_turn, save_copy, save_in_turn

    settings = _settings()
    if (file is None) == (keep is None):
        _exit_with("Name a file, or say by --keep how many copies stay in BACKUP_FOLDER.")
    with _exiting_on_error():
        if file is None:
            turn, now = (settings.backup_folder, keep or 1), SystemClock().now()
            path = settings.database_path
            file = (
                dump_in_turn(settings.database_url, *turn, now)
                if path is None
                else save_in_turn(path, *turn, now)
            )
        elif settings.database_path is None:
            dump(settings.database_url, file)
        else:
            save_copy(settings.database_path, file)
    click.echo(
        f"The database is copied to {file}. The key that encrypts its tokens is not in it: keep that too."
    )


@db.command()
@click.argument("file", type=click.Path(path_type=Path))
def restore(file: Path) -> None:
    """Replace the database by the copy FILE; stop every bot that uses it first. The former one is kept beside it."""
    from bot.store import restore_copy

    database = _database_file(_settings())
    with _exiting_on_error():
        former = restore_copy(file, database, SystemClock().now())
    click.echo(f"The database is that of {file} now.")
    if former is not None:
        click.echo(f"The former one is {former}: delete it when you no longer need it.")


@db.command()
def compact() -> None:
    """Rewrite the database without the gaps that upgrades and erasures leave; stop every bot that uses it first."""
    from bot.store import compact as compact_file
    from bot.store import in_words

    database = _database_file(_settings())
    with _exiting_on_error():
        before, after = compact_file(database)
    click.echo(f"The database takes {in_words(after)} now, and took {in_words(before)}.")


@db.command()
@click.option(
    "--from", "source", metavar="URL", help="The database to copy, by default that of DATABASE_URL."
)
@click.option("--to", "target", metavar="URL", help="An empty database, by default that of DATABASE_URL.")
@click.option(
    "--skip", is_flag=True, help="Leave out rows that the other database does not take, and name them."
)
def copy(source: str | None, target: str | None, *, skip: bool) -> None:
    """Copy everything into another database, of either kind; run the same again where it was interrupted.

    No bot may use either of them. A password need not stand here, where other users of the machine can read it: it
    does not where DATABASE_URL names that database, and for PostgreSQL PGPASSWORD is looked at.
    """
    from bot.base.config import expand_home
    from bot.store import copy_database

    if source is None and target is None:
        _exit_with("Name a database by --from or --to; the other one is that of DATABASE_URL.")
    url = _settings().database_url
    source, target = expand_home(source or url), expand_home(target or url)
    with _exiting_on_error():
        count = asyncio.run(copy_database(source, target, click.echo, skip=skip))
    click.echo(
        f"Every row{' that fits' * skip} is there, {count} in all. Tokens stay encrypted: TOKEN_KEYS has to hold the same keys."
    )


@db.command()
def check() -> None:
    """Check, on an empty database in memory, that the migrations give the tables of the code."""
    if not asyncio.run(_is_current()):
        _exit_with("The migrations do not give the tables of the code: write the one that is missing.")
    click.echo("The migrations give the tables of the code.")


@click.group()
def keys() -> None:
    """Look after the keys that encrypt members' tokens."""


@keys.command()
def new() -> None:
    """Print a new key, to be put in front of TOKEN_KEYS."""
    from bot.store import new_key

    click.echo(new_key())


@keys.command()
def rotate() -> None:
    """Encrypt every token anew with the first of TOKEN_KEYS; the others can go then."""
    from bot.store import UnknownKey

    try:
        with _exiting_on_error():
            count = asyncio.run(_rotate(_settings()))
    except UnknownKey:
        _exit_with(
            "Some tokens were encrypted with a key that is not given. Add it to TOKEN_KEYS; nothing was changed."
        )
    click.echo(f"{count} tokens are encrypted with the first key now.")


def _settings() -> "Settings":
    from bot.base.config import read_settings

    with _exiting_on_error():
        return read_settings()


def _database_file(settings: "Settings") -> Path:
    if settings.database_path is None:
        _exit_with(
            "This is for SQLite alone. Use what comes with the database that DATABASE_URL names, as pg_dump."
        )
    return settings.database_path


async def _upgrade(settings: "Settings", *, copies: bool) -> None:
    async with _store(settings, copies=copies):
        pass


async def _rotate(settings: "Settings") -> int:
    opening = _store(settings)
    file = settings.database_path
    if file is not None and not file.exists() and not str(file).startswith("file:"):
        # Else a new database would be created, and a host in the wrong folder be told that all is done.
        _exit_with(
            f"There is no database at {file}, which DATABASE_URL names. Call this in the folder in which the bot runs."
        )
    async with opening as store:
        count = await store.links.rotate_keys()
        await store.answers.erase_all()
        return count


async def _is_current() -> bool:
    from pydantic import SecretStr

    from bot.base.config import Settings
    from bot.store import new_key

    settings = Settings(database_url="sqlite+aiosqlite://", token_keys=(SecretStr(new_key()),))
    async with _store(settings) as store:
        return await store.is_current()


def _store(settings: "Settings", *, copies: bool = True) -> "Store":
    from bot.store import Store, open_vault

    vault = open_vault(settings.token_keys_in_clear, settings.database_path, url=settings.database_url)
    return Store(settings.database_url, vault, copies_before_upgrade=copies)


@contextmanager
def _exiting_on_error(log: logging.Logger | None = None) -> Generator[None]:
    from bot.base.config import CannotStart

    try:
        yield
    except CannotStart as error:
        if log is None:
            _exit_with(str(error))
        log.critical(error)
        sys.exit(1)


def _exit_with(sentence: str) -> NoReturn:
    click.echo(sentence, err=True)
    sys.exit(1)
