"""The `kiroku demo` command; the demo's additional dependencies are imported when it runs."""

import asyncio
import errno
import importlib.util
import socket
from pathlib import Path

import click

from bot.base import logs
from service.catalogue import BrokenSource

_NO_SIMCORD = "The demo needs simcord. Install it beside the bot with: ops/install FOLDER demo"


@click.command("demo")
@click.option(
    "--port",
    default=8765,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="Port of the page; 0 for a free one.",
)
@click.option(
    "--catalogue",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A reply of music/showall, to play on real songs instead of invented ones.",
)
@click.option("--no-browser", is_flag=True, help="Do not open the page in a browser.")
def demo_command(port: int, catalogue: Path | None, *, no_browser: bool) -> None:
    """Show the bot at work on this machine alone, without a Discord account."""
    if importlib.util.find_spec("simcord") is None:
        raise click.ClickException(_NO_SIMCORD)
    _check_port(port)
    from bot.demo import session

    logs.set_up("WARNING")
    options = session.DemoOptions(port=port, catalogue=catalogue, opens_browser=not no_browser)
    try:
        asyncio.run(session.run(options, click.echo))
    except KeyboardInterrupt:
        pass
    except BrokenSource as error:
        message = f"{catalogue} is not a reply of music/showall: {error}."
        raise click.ClickException(message) from error


def _check_port(port: int) -> None:
    """Refuse a port that is not available, before anything is started."""
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as error:
        reason = "is in use" if error.errno == errno.EADDRINUSE else "cannot be used"
        message = f"Port {port} {reason}. Choose another one with --port."
        raise click.ClickException(message) from error
