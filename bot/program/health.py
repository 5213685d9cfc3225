"""`kiroku health`: whether the bot on this machine answers, for whoever looks after a container.

It imports little and reads no file, for it runs twice a minute. A bot that upgrades its database, waits for another
process or for Discord is well: starting it anew would help nobody.
"""

import os
import urllib.error
import urllib.request
from typing import Final

import click

_SECONDS: Final = 5.0
"""Longer than a bot takes whose database says nothing."""


@click.command("health")
def health_command() -> None:
    """Say in a line how the bot on METRICS_PORT is, such as how far an upgrade is; ends with 1 where it does not answer."""
    port = os.environ.get("METRICS_PORT", "")
    try:
        said = _ask(int(port))
    except ValueError:
        message = "METRICS_PORT is not set in the environment: nobody can be asked."
        raise click.ClickException(message) from None
    except OSError:
        message = f"No bot answers on port {port} of this machine."
        raise click.ClickException(message) from None
    click.echo(said)


def _ask(port: int) -> str:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=_SECONDS) as reply:
            return str(reply.read(200), "utf-8").strip()
    except urllib.error.HTTPError as error:  # it is not ready, and says why
        return str(error.read(200), "utf-8").strip()
