"""The command `kiroku service polite`: how a client treats the service."""

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import click

from bot.base.clock import SystemClock
from service.options import DEFAULT_LIMITS, ServiceOptions
from service.seed import seed

if TYPE_CHECKING:
    from service.politeness import Manners

_NOT_FOUND: Final = 127
"""The exit status of a shell for a command that there is not."""


@click.command("polite", context_settings={"ignore_unknown_options": True})
@click.option("--players", type=click.IntRange(1, 1_000), default=8, show_default=True)
@click.option(
    "--limit",
    type=click.IntRange(1),
    help="Requests per window in every version; by default the specification's.",
)
@click.option("--window", type=click.IntRange(1), default=900, show_default=True, help="In seconds.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def polite_command(players: int, limit: int | None, window: int, command: tuple[str, ...]) -> None:
    """Run COMMAND against a service of invented players, and say how it treated that.

    It finds the address in RECORD_API_URL and a token in RECORD_TOKEN, or where {url} and {token} stand in COMMAND. The
    report goes to standard error; the exit status is COMMAND's, or 1 where the service had to refuse or was not heeded.
    """
    limits = DEFAULT_LIMITS if limit is None else dict.fromkeys(DEFAULT_LIMITS, limit)
    options = ServiceOptions(limits=limits, window_seconds=window)
    try:
        status, manners = asyncio.run(_watched(command, players, options))
    except OSError as error:
        click.echo(f"{command[0]} cannot be run: {error.strerror}", err=True)
        sys.exit(_NOT_FOUND)
    for line in manners.lines():
        click.echo(line, err=True)
    sys.exit(status or int(not manners.is_polite))


async def _watched(command: Sequence[str], players: int, options: ServiceOptions) -> tuple[int, "Manners"]:
    """Return the exit status of a command, and how it treated the service."""
    from service.politeness import Witness, judge
    from service.server import running

    witness = Witness(SystemClock())
    with TemporaryDirectory(prefix="kiroku-polite-") as folder:
        database = Path(folder) / "records.db"
        token = seed(database, players=players).players[0].token
        async with running(database, options=options, watch=witness.note) as address:
            said = [part.replace("{url}", address).replace("{token}", token) for part in command]
            process = await asyncio.create_subprocess_exec(
                *said, env={**os.environ, "RECORD_API_URL": address, "RECORD_TOKEN": token}
            )
            status = await process.wait()
    return status, judge(witness.exchanges, options.quick_seconds)
