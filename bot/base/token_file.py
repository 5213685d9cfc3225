"""A token from a file, for the commands that take one."""

from pathlib import Path

import click


def read_token(file: Path) -> str:
    """Return what a file holds. Raises: ClickException."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        message = f"{file} cannot be read as UTF-8 text: --token-file names a file that holds the token alone"
    raise click.ClickException(message)  # outside of the handler: no context, which would hold the bytes
