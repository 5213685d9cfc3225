"""The commands `kiroku service seed` and `serve`; the others have modules of their own."""

import json
import sys
from pathlib import Path
from sqlite3 import DatabaseError

import click

from service.account_commands import token_group, user_group
from service.catalogue import BrokenSource, lines_left_out
from service.conformance.command import check_command
from service.import_command import import_command
from service.options import DEFAULT_LIMITS, ServiceOptions, read_region
from service.polite_command import polite_command
from service.seconds import Seconds
from service.seed import seed


@click.group("service")
def service_command() -> None:
    """Run the record service of the specification, a server of its own."""


@service_command.command("seed")
@click.option(
    "--db", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The database file."
)
@click.option(
    "--catalogue",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A saved music/showall reply; without it songs are invented.",
)
@click.option("--players", type=click.IntRange(1, 100_000), default=8, show_default=True)
@click.option(
    "--seed",
    "chance",
    type=int,
    default=1,
    show_default=True,
    help="The same gives the same players and scores; tokens are new each time.",
)
@click.option("--json", "as_json", is_flag=True, help="Print songs and players, with tokens, as JSON.")
def seed_command(db: Path, catalogue: Path | None, players: int, chance: int, *, as_json: bool) -> None:
    """Fill a database with invented players; those invented before are replaced."""
    try:
        with click.progressbar(length=players, label="players", file=sys.stderr) as bar:
            report = seed(db, catalogue=catalogue, players=players, seed=chance, progress=bar.update)
    except (BrokenSource, OSError, ValueError, DatabaseError) as error:
        raise click.ClickException(str(error)) from error
    for line in lines_left_out(report.left_out):
        click.echo(line, err=True)
    if as_json:
        click.echo(json.dumps(report.as_json(), ensure_ascii=False))
        return
    click.echo(f"{report.songs} songs")
    for player in report.players:
        click.echo(f"{player.user_name}\t{player.token}")


@service_command.command("serve")
@click.option(
    "--db",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The database file.",
)
@click.option("--port", type=click.IntRange(0, 65535), required=True, help="0 takes a free one.")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--tls-cert", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--tls-key", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--behind-proxy", is_flag=True, help="Plain HTTP on any address: a proxy does HTTPS.")
@click.option(
    "--catalogue",
    type=click.Path(exists=True, path_type=Path),
    help="A music/showall file, or a folder of REGION.json, read anew at 12:00 and 21:00 (UTC+9) and on SIGHUP.",
)
@click.option("--region", "regions", multiple=True, default=("jp2", "jp"), show_default=True)
@click.option("--limit-2-0", type=click.IntRange(1), default=DEFAULT_LIMITS["2.0"], show_default=True)
@click.option("--limit-1-3", type=click.IntRange(1), default=DEFAULT_LIMITS["1.3"], show_default=True)
@click.option("--limit-1-0", type=click.IntRange(1), default=DEFAULT_LIMITS["1.0"], show_default=True)
@click.option("--window", type=click.IntRange(1), default=900, show_default=True, help="In seconds.")
@click.option(
    "--quick",
    type=Seconds(0),
    default=0.5,
    show_default=True,
    help="A request that follows the last one by fewer seconds costs two.",
)
@click.option(
    "--arrival",
    type=Seconds(0, min_open=True),
    default=10.0,
    show_default=True,
    help="A request that has not arrived whole after so many seconds is given up.",
)
@click.option("--access-log/--no-access-log", default=True, show_default=True)
def serve_command(  # noqa: PLR0913, PLR0917 - an option each
    db: Path,
    port: int,
    host: str,
    tls_cert: Path | None,
    tls_key: Path | None,
    catalogue: Path | None,
    regions: tuple[str, ...],
    limit_2_0: int,
    limit_1_3: int,
    limit_1_0: int,
    window: int,
    quick: float,
    arrival: float,
    *,
    behind_proxy: bool,
    access_log: bool,
) -> None:
    """Serve a database until told to stop."""
    from service.serving import CannotServe, ListenOptions, serve

    try:
        options = ServiceOptions(
            limits={"2.0": limit_2_0, "1.3": limit_1_3, "1.0": limit_1_0},
            window_seconds=window,
            quick_seconds=quick,
            arrival_seconds=arrival,
            regions=tuple(read_region(region) for region in regions),
            catalogue=catalogue,
            access_log=access_log,
        )
        transport = ListenOptions(
            host=host, port=port, tls_cert=tls_cert, tls_key=tls_key, is_behind_proxy=behind_proxy
        )
        serve(db, transport, options)
    except (CannotServe, OSError, ValueError, DatabaseError) as error:
        raise click.ClickException(str(error)) from error


service_command.add_command(check_command)
service_command.add_command(import_command)
service_command.add_command(polite_command)
service_command.add_command(token_group)
service_command.add_command(user_group)
