"""`kiroku service`: seed, serve, and what an operator does to accounts, tokens and data."""

import asyncio
import json
import signal
import sys
from pathlib import Path

import click

from service.options import ServiceOptions
from service.seed import seed
from service.server import running

_DATABASE = click.option(
    "--db", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The database file."
)


@click.group("service")
def service_command() -> None:
    """Run the record service of the specification, a server of its own."""


@service_command.command("seed")
@_DATABASE
@click.option(
    "--catalogue",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A saved music/showall reply; without it songs are invented.",
)
@click.option("--players", type=click.IntRange(1, 100_000), default=8, show_default=True)
@click.option("--seed", "chance", type=int, default=1, show_default=True, help="The same gives the same.")
@click.option("--json", "as_json", is_flag=True, help="Print songs and players, with tokens, as JSON.")
def seed_command(db: Path, catalogue: Path | None, players: int, chance: int, *, as_json: bool) -> None:
    """Fill a database with invented players; those invented before are replaced."""
    with click.progressbar(length=players, label="players", file=sys.stderr) as bar:
        report = seed(db, catalogue=catalogue, players=players, seed=chance, progress=bar.update)
    if as_json:
        click.echo(json.dumps(report.as_json(), ensure_ascii=False))
    else:
        click.echo(f"{report.songs} songs")
        for player in report.players:
            click.echo(f"{player.user_name}\t{player.token}")


@service_command.command("serve")
@_DATABASE
@click.option("--port", type=click.IntRange(0, 65535), required=True, help="0 takes a free one.")
@click.option("--host", default="127.0.0.1", show_default=True)
def serve_command(db: Path, port: int, host: str) -> None:
    """Serve a database until told to stop."""
    asyncio.run(_serve(db, host, port))


async def _serve(db: Path, host: str, port: int) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    async with running(db, host=host, port=port, options=ServiceOptions()) as address:
        click.echo(f"ready: {address}")
        await stopped.wait()
