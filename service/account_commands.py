"""The commands `kiroku service user` and `kiroku service token`."""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import Connection, DatabaseError

import click

from bot.base.clock import SystemClock
from bot.domain.ids import JP2
from service import tokens
from service.accounts import UnknownUser, add_account, befriend, get_account, set_protected, unfriend
from service.options import read_region
from service.schema import opened, write

_DATABASE = click.option(
    "--db",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The database file.",
)


@contextmanager
def _writing(db: Path) -> Generator[Connection]:
    """Open a transaction. Raises: ClickException, one line that says what went wrong."""
    with _reading(db) as connection, write(connection):
        yield connection


@contextmanager
def _reading(db: Path) -> Generator[Connection]:
    """Open the database. Raises: ClickException, one line that says what went wrong."""
    try:
        with opened(db) as connection:
            yield connection
    except (UnknownUser, ValueError, DatabaseError) as error:
        raise click.ClickException(str(error)) from error


def _now() -> int:
    return int(SystemClock().now().timestamp())


@click.group("user")
def user_group() -> None:
    """Add accounts, protect them, make them friends."""


@user_group.command("add")
@_DATABASE
@click.argument("user_name")
@click.option("--player-name", help="The name in the game; the user name without it.")
@click.option("--region", default=JP2, show_default=True)
@click.option("--protected", "is_protected", is_flag=True)
def add_command(
    db: Path, user_name: str, player_name: str | None, region: str, *, is_protected: bool
) -> None:
    """Add an account and print its id."""
    with _writing(db) as connection:
        user_id = add_account(
            connection,
            user_name,
            player_name=player_name or user_name,
            region=read_region(region),
            is_protected=is_protected,
        )
    click.echo(user_id)


@user_group.command("protect")
@_DATABASE
@click.argument("user_name")
@click.option("--off", is_flag=True, help="Make the account public again.")
def protect_command(db: Path, user_name: str, *, off: bool) -> None:
    """Make an account private: only friends read it."""
    with _writing(db) as connection:
        set_protected(connection, get_account(connection, user_name).user_id, is_protected=not off)


@user_group.command("friend")
@_DATABASE
@click.argument("user_name")
@click.argument("other_name")
@click.option("--pending", is_flag=True, help="USER_NAME has asked, OTHER_NAME has not answered.")
@click.option("--end", is_flag=True, help="End the friendship, or take the request back.")
def friend_command(db: Path, user_name: str, other_name: str, *, pending: bool, end: bool) -> None:
    """Make two accounts friends."""
    with _writing(db) as connection:
        one, other = (get_account(connection, name).user_id for name in (user_name, other_name))
        if end:
            unfriend(connection, one, other)
        else:
            befriend(connection, one, other, is_accepted=not pending)


@click.group("token")
def token_group() -> None:
    """Issue, revoke and list access tokens."""


@token_group.command("issue")
@_DATABASE
@click.option("--user", "user_name", required=True)
def issue_command(db: Path, user_name: str) -> None:
    """Print a new token of an account; only now, for only its digest is kept."""
    with _writing(db) as connection:
        token = tokens.issue_token(connection, get_account(connection, user_name).user_id, at=_now())
    click.echo(token)


@token_group.command("revoke")
@_DATABASE
@click.argument("token_id", type=click.IntRange(1, 2**63 - 1))
def revoke_command(db: Path, token_id: int) -> None:
    """Revoke a token by its number in `token list`."""
    with _writing(db) as connection:
        if not tokens.revoke_token(connection, token_id, at=_now()):
            message = f"there is no token {token_id} in force"
            raise ValueError(message)


@token_group.command("list")
@_DATABASE
def list_command(db: Path) -> None:
    """List the tokens: number, user, day of issue, and whether revoked."""
    with _reading(db) as connection:
        for token in tokens.load_tokens(connection):
            day = datetime.fromtimestamp(token.issued_at, UTC).date()
            click.echo(f"{token.token_id}\t{token.user_name}\t{day}\t{'revoked' if token.is_revoked else ''}")
