"""The `kiroku` command line."""

import errno
import os
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, Final, NamedTuple

import click
from typing_extensions import override


class _Command(NamedTuple):
    summary: str
    """What the list says of it, which imports none."""
    module: str
    name: str


_COMMANDS: Final[Mapping[str, _Command]] = {
    "aliases": _Command(
        "Look after packs of other names for songs.", "bot.program.alias_packs", "aliases_command"
    ),
    "api": _Command("Ask the record service one question.", "bot.api.command", "api_command"),
    "coach": _Command("Say what a player is likely to score.", "bot.program.coaching", "coach_command"),
    "db": _Command("Look after the database.", "bot.program.command", "db"),
    "demo": _Command("Show the bot at work on this machine alone.", "bot.demo.command", "demo_command"),
    "doctor": _Command(
        "Find out what keeps the bot from running, or from running well.", "bot.program.command", "doctor"
    ),
    "health": _Command(
        "Show whether the bot on this machine is well.", "bot.program.health", "health_command"
    ),
    "init": _Command(
        "Ask for the settings that the bot needs, and write .env.", "bot.program.questions", "init_command"
    ),
    "keys": _Command("Look after the keys that encrypt members' tokens.", "bot.program.command", "keys"),
    "mcp": _Command("Let an assistant read your own records.", "bot.mcp.command", "mcp_command"),
    "rating": _Command("Explain how a player's rating adds up.", "bot.program.explaining", "rating_command"),
    "run": _Command("Run the bot on Discord.", "bot.program.command", "run"),
    "status": _Command("Show the state of the bot.", "bot.program.status", "status_command"),
    "service": _Command("Run the record service.", "service.command", "service_command"),
}


_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class _Commands(click.Group):
    """Imports a command when it is asked for: none has to wait for what another needs."""

    @override
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    @override
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.summary) for name, each in _COMMANDS.items()])

    @override
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if (found := _COMMANDS.get(cmd_name)) is None:
            return None
        command: click.Command = getattr(import_module(found.module), found.name)
        return command

    @override
    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        with _telling_no_room():  # `--help` and `--version` are answered here
            return super().make_context(*arguments, **more)

    @override
    def invoke(self, ctx: click.Context) -> Any:
        with _telling_no_room():
            return super().invoke(ctx)


@contextmanager
def _telling_no_room() -> Generator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        # What is left of it would be tried again at the end, and fail again.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        message = f"What this command writes finds no room ({error.strerror}). Make room, and try again."
        raise click.ClickException(message) from None


def _tell_version(ctx: click.Context, _option: click.Parameter, is_asked: bool) -> None:  # noqa: FBT001 - as click calls it
    if is_asked:
        from bot.base.build import find_build  # noqa: PLC0415 - the commands go without

        click.echo(f"kiroku {find_build().in_words()}")
        ctx.exit()


@click.group(cls=_Commands)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_tell_version,
    help="Show the version and its commit.",
)
def main() -> None:
    """Kiroku, a Discord bot for players of an arcade rhythm game."""


if __name__ == "__main__":
    main()
