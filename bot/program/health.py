"""`kiroku health`: whether the bot on this machine answers, for the health check of a container.

It imports little and reads no file, because it runs twice a minute. A bot that upgrades its database, or waits for another
process or for Discord, is healthy: restarting it would help nobody.
"""

import os
import urllib.error
import urllib.request
from typing import Final

import click

_REPLY_TIMEOUT_SECONDS: Final = 5.0
"""The timeout, longer than a bot with a silent database takes to answer."""


@click.command("health")
def health_command() -> None:
    """Say in a line how the bot on METRICS_PORT is, such as how far an upgrade is; ends with 1 where it does not answer."""
    port = os.environ.get("METRICS_PORT", "")
    try:
        said = ask(f"http://127.0.0.1:{int(port)}/readyz")
    except ValueError:
        message = "METRICS_PORT is not set in the environment: nobody can be asked."
        raise click.ClickException(message) from None
    except OSError:
        message = f"No bot answers on port {port} of this machine."
        raise click.ClickException(message) from None
    click.echo(said.strip())


def http_address(host: str, port: int) -> str:
    """Return the address at which a server that listens on a host and port can be reached."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def ask(address: str) -> str:
    """Return a running bot's description of its state, also if it is not ready. Raises: OSError."""
    try:
        with urllib.request.urlopen(address, timeout=_REPLY_TIMEOUT_SECONDS) as reply:  # noqa: S310 - the bot's own port
            return str(reply.read(), "utf-8")
    except urllib.error.HTTPError as error:
        with error:
            return str(error.read(), "utf-8")
