"""The command `kiroku service check`: whether a service is as the specification says."""

import asyncio
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from bot.base.clock import SystemClock
from bot.base.token_file import read_token
from bot.domain.ids import JP2
from service.seconds import Seconds

if TYPE_CHECKING:
    from service.conformance.asking import PoliteAsker
    from service.conformance.cases import Outcome

_WIDTH: Final = 13
"""The width of the word before a case."""


@click.command("check")
@click.argument("url")
@click.option(
    "--token",
    envvar="RECORD_TOKEN",
    help="An access token; others of this machine see it here, not in RECORD_TOKEN.",
)
@click.option(
    "--token-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file that holds the token alone.",
)
@click.option("--region", default=JP2, show_default=True)
@click.option(
    "--stranger",
    default="",
    metavar="NAME",
    help="A protected player who is no friend, for the cases about one.",
)
@click.option(
    "--pause",
    type=Seconds(0),
    default=1.0,
    show_default=True,
    help="Seconds between two requests: a service counts those in quick succession more than once.",
)
def check_command(
    url: str, token: str | None, token_file: Path | None, region: str, stranger: str, pause: float
) -> None:
    """Ask the service at URL what the specification says of one, and print what differs.

    About fifty requests, which read alone, one after another; it ends before the account's last ones.
    """
    from service.conformance.asking import CannotAsk, PoliteAsker

    if token_file:
        token = read_token(token_file)
    if not token or not token.strip():
        message = "no token: give --token-file, or set RECORD_TOKEN"
        raise click.ClickException(message)
    try:
        asker = PoliteAsker(url, token.strip(), SystemClock(), pause=pause)
    except CannotAsk as why:
        raise click.ClickException(str(why)) from None
    if not asyncio.run(_check(asker, region, stranger)):
        sys.exit(1)


async def _check(asker: "PoliteAsker", region: str, stranger: str) -> bool:
    """Print the result of each case, and return whether all answers are as specified."""
    from service.conformance.cases import outcomes
    from service.conformance.examination import Examination

    counts: Counter[str] = Counter()
    async with asker:
        async for outcome in outcomes(Examination(asker, region=region, stranger=stranger)):
            word = "differs" if outcome.found else "not checked" if outcome.unchecked else "ok"
            counts[word] += 1
            for line in _lines(word, outcome):
                click.echo(line)
    click.echo(
        f"{counts.total()} cases: {counts['ok']} as specified, {counts['differs']} differ,"
        f" {counts['not checked']} not checked; {len(asker.heard)} requests"
    )
    return not counts["differs"] and counts["ok"] > 0


def _lines(word: str, outcome: "Outcome") -> list[str]:
    lines = [f"{word:<{_WIDTH}}{outcome.case}"]
    for difference, times in outcome.found.items():
        lines.append(f"{'':<{_WIDTH}}- {difference}{f' ({times} times)' if times > 1 else ''}")
    return [*lines, f"{'':<{_WIDTH}}- not checked: {outcome.unchecked}"] if outcome.unchecked else lines
