"""`kiroku init`: asks for what the bot needs, and writes it where nobody else can read it."""

import base64
import binascii
import re
import secrets
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import click

from bot.base.config import ENV_FILE, CannotStart
from bot.base.new_files import write_new_file
from bot.program.app import check_address
from bot.store import new_key

_PLAIN: Final = re.compile(r"[\w.:/@%?&=+,~-]*", re.ASCII)
"""Values that need no quotation marks in a file of settings."""
_PERMISSIONS: Final = 274_878_024_704
"""The permissions in docs/hosting.md, for daily posts and answers to mentions."""
_SECRETS: Final = ("DISCORD_TOKEN", "RECORD_TOKEN", "TOKEN_KEYS", "DATABASE_PASSWORD")
"""Settings that get a file of their own, if a folder for secrets is given."""


@click.command("init")
@click.option(
    "--secrets",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write tokens, keys and a password for PostgreSQL into a folder, each into a file, as ops/compose.yml has them.",
)
def init_command(folder: Path | None) -> None:
    """Ask for what the bot needs, and write it into .env, which nobody else may read."""
    try:
        _init(folder)
    except CannotStart as error:
        click.echo(str(error), err=True)
        sys.exit(1)


def _init(folder: Path | None) -> None:
    if ENV_FILE.exists():
        message = f"There is a file {ENV_FILE} here already: change that, or move it away."
        raise CannotStart(message)
    if folder is not None and folder.exists() and any(folder.iterdir()):
        message = f"There is something in {folder} already: name another folder."
        raise CannotStart(message)
    click.echo("An empty answer leaves out what is not needed.")
    token: str = click.prompt("The bot's token, from Discord's developer portal (not shown)", hide_input=True)
    answers = {
        "DISCORD_TOKEN": token,
        "RECORD_API_URL": _ask_until("Address of the record service, as https://host", check_address),
        "RECORD_TOKEN": _ask_for("A token of your own there, to read the songs (not shown)", is_hidden=True),
        "TOKEN_URL": _ask_for("Where members make their tokens, as an address"),
    }
    if folder is None:
        answers["DATABASE_URL"] = _ask_for("Address of a PostgreSQL, or nothing for a file")
        answers["TOKEN_KEYS"] = new_key() if answers["DATABASE_URL"].strip() else ""
    else:
        answers |= {"TOKEN_KEYS": new_key(), "DATABASE_PASSWORD": secrets.token_urlsafe(24)}
    said = {name: text.strip() for name, text in answers.items()}
    invite = find_invite(said["DISCORD_TOKEN"])
    _write_settings(
        {name: text for name, text in said.items() if text and not (folder and name in _SECRETS)}, invite
    )
    if folder is not None:
        _write_secrets(folder, {name: said[name] for name in _SECRETS})
    click.echo(
        f"{ENV_FILE} is written. `kiroku doctor` says what is still wrong, `kiroku run` starts the bot."
    )
    if invite:
        click.echo(f"Invite the bot to a server that you manage by this address: {invite}")


def find_invite(token: str) -> str:
    """Return the address that invites a bot, from the id at the beginning of its token; empty if there is none."""
    first = token.partition(".")[0]
    try:
        number = base64.urlsafe_b64decode(f"{first}{'=' * (-len(first) % 4)}").decode("ascii")
    except (binascii.Error, ValueError):
        return ""
    if not number.isdecimal():
        return ""
    scopes = "scope=bot+applications.commands"
    return f"https://discord.com/oauth2/authorize?client_id={number}&{scopes}&permissions={_PERMISSIONS}"


def _ask_for(question: str, *, is_hidden: bool = False) -> str:
    said: str = click.prompt(question, default="", hide_input=is_hidden, show_default=False)
    return said


def _ask_until(question: str, check: Callable[[str], None]) -> str:
    """Ask until an answer passes a check, which raises CannotStart."""
    while True:
        said: str = click.prompt(question)
        try:
            check(said)
        except CannotStart as error:
            click.echo(str(error))
        else:
            return said


def _write_settings(answers: Mapping[str, str], invite: str) -> None:
    """Write the file of settings, readable only by its owner from the start. Raises: CannotStart."""

    def quoted(text: str) -> str:
        return text if _PLAIN.fullmatch(text) else "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    lines = [
        "# All settings there are: docs/hosting.md and .env.example, where the source is.",
        *([f"# The bot is invited by {invite}"] * bool(invite)),
        *(f"{name}={quoted(text)}" for name, text in answers.items()),
    ]
    _write(ENV_FILE, "".join(f"{line}\n" for line in lines), 0o600)


def _write_secrets(folder: Path, answers: Mapping[str, str]) -> None:
    """Write each secret into a file, in a folder that only its owner can enter. Raises: CannotStart.

    The files themselves are readable by everybody, because bot and database run as different users in containers.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
    except OSError as error:
        raise _unwritable(folder, error) from None
    for name, text in answers.items():
        _write(folder / name.lower(), text, 0o444)


def _write(file: Path, text: str, mode: int) -> None:
    try:
        write_new_file(file, text, mode=mode)
    except OSError as error:
        raise _unwritable(file, error) from None


def _unwritable(path: Path, error: OSError) -> CannotStart:
    return CannotStart(
        f"The file {path} cannot be written ({error.strerror}). Start this in a folder of yours."
    )
