"""The `kiroku` command line."""

from collections.abc import Mapping
from importlib import import_module
from typing import Final

import click
from typing_extensions import override

_COMMANDS: Final[Mapping[str, str]] = {
    "api": "bot.api.command:api_command",
    "db": "bot.command:db",
    "demo": "bot.demo.command:demo_command",
    "keys": "bot.command:keys",
    "run": "bot.command:run",
    "service": "service.command:service_command",
}


class _Commands(click.Group):
    """Imports a command when it is asked for: none has to wait for what another needs."""

    @override
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    @override
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module, _, name = _COMMANDS.get(cmd_name, "").partition(":")
        command: click.Command | None = getattr(import_module(module), name) if module else None
        return command


@click.group(cls=_Commands)
@click.version_option(package_name="kiroku")
def main() -> None:
    """Kiroku, a Discord bot for players of an arcade rhythm game."""


if __name__ == "__main__":
    main()
