"""`kiroku status`: prints the bot's state for its host; nothing is created or changed.

What only a running bot knows is requested on its METRICS_PORT; the rest comes from the database and the disk.
"""

import asyncio
import re
import sys
from collections.abc import Iterator
from typing import Final

import click

from bot.base.build import find_build
from bot.base.config import CannotStart, Settings, read_settings
from bot.program.health import ask, http_address
from bot.store import examine, find_last_copy, in_words

_MEASURED: Final = re.compile(r'^kiroku_(\w+?)(?:\{version="[^"]*"\})? (\S+)$', re.MULTILINE)
"""A metric without labels, or by version of the record service's API."""


@click.command("status")
def status_command() -> None:
    """Show the state of the bot: version, servers, members, requests left, late posts, disk, last copy."""
    try:
        settings = read_settings()
        click.echo(f"version: {find_build().in_words()}")
        for line in (*_describe_bot(settings), *_describe_database(settings)):
            click.echo(line)
    except CannotStart as error:
        click.echo(str(error), err=True)
        sys.exit(1)


def _describe_bot(settings: Settings) -> Iterator[str]:
    """Yield the state of the running bot, which is asked at METRICS_HOST if that is a specific address."""
    if not settings.metrics_port:
        yield "bot: cannot be asked, for METRICS_PORT is not set"
        return
    host = "127.0.0.1" if settings.metrics_host in {"0.0.0.0", "::"} else settings.metrics_host  # noqa: S104 - where it listens
    address = http_address(host, settings.metrics_port)
    try:
        ready, told = ask(f"{address}/readyz"), ask(f"{address}/metrics")
    except OSError:
        yield f"bot: none answers on port {settings.metrics_port}"
        return
    yield f"bot: {ready.strip()}"
    yield from _describe_metrics(told)


def _describe_metrics(told: str) -> Iterator[str]:
    values: dict[str, list[float]] = {}
    for name, value in _MEASURED.findall(told):
        values.setdefault(name, []).append(float(value))
    if "servers" not in values:
        return  # it has only just started
    accounts, least = sum(values["budgets"]), min(values["budget_left_ratio"])
    yield f"servers: {values['servers'][0]:.0f}"
    yield f"requests left: the least is {least:.0%}, of {accounts:.0f} accounts that asked lately"
    waiting = values["posts_waiting"][0]
    yield f"posts: {f'{waiting:.0f} could not be made yet' if waiting else 'none is late'}"


def _describe_database(settings: Settings) -> Iterator[str]:
    """Yield what the database and the disk show. Raises: StoreUnavailable."""
    condition = asyncio.run(examine(settings.database_url))
    shape = f" at revision {condition.revision}" if condition.revision else ", still empty"
    yield f"database: {condition.kind}{shape}"
    yield f"members: {condition.members} have linked an account"
    if (room := condition.room) is not None and room.free is not None:
        yield f"disk: {in_words(room.free)} free, the database takes {in_words(room.used)}"
    copied = find_last_copy(settings.backup_folder)
    yield f"last copy: {f'{copied:%Y-%m-%d %H:%M} UTC' if copied else f'none in {settings.backup_folder}'}"
