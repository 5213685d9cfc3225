"""The `kiroku` command line."""

import click

from service.command import service_command


@click.group()
def main() -> None:
    """Kiroku, a Discord bot for players of an arcade rhythm game."""


main.add_command(service_command)


if __name__ == "__main__":
    main()
