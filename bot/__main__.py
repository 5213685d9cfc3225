"""The `kiroku` command line."""

import click


@click.group()
def main() -> None:
    """Kiroku, a Discord bot for players of an arcade rhythm game."""


if __name__ == "__main__":
    main()
