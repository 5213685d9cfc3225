"""Reloads the catalogue from its source: at the start, twice a day, and on request."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Final

from bot.base.clock import JST, Clock
from bot.domain.ids import Region
from service.catalogue import BrokenSource, SourceCatalogue, lines_left_out, read_catalogue, write_catalogue
from service.options import ServiceOptions
from service.schema import opened, write

_logger = logging.getLogger(__name__)

_REFRESH_TIMES: Final = (time(12), time(21))
"""Source: specification, rule 5: every day at 12:00 and 21:00 (UTC+9)."""
_MAX_SLEEP_SECONDS: Final = 60.0
"""The longest sleep, because the clock may be set meanwhile."""


def next_refresh(now: datetime) -> datetime:
    """Return the next time of day at which the catalogue is read anew, after `now`."""
    today = now.astimezone(JST).date()
    moments = (
        datetime.combine(today + timedelta(days=days), moment, JST)
        for days in (0, 1)
        for moment in _REFRESH_TIMES
    )
    return next(moment for moment in moments if moment > now)


def read_sources(source: Path, regions: Sequence[Region]) -> Mapping[Region, SourceCatalogue]:
    """Read a file, for the first region, or a folder of REGION.json files. Raises: BrokenSource, OSError."""
    if not source.is_dir():
        return {regions[0]: _read(source)}
    files = {region: source / f"{region}.json" for region in regions}
    found = {region: _read(file) for region, file in files.items() if file.exists()}
    if not found:
        reason = "no file named after a region"
        raise BrokenSource(source.name, reason)
    return found


def _read(file: Path) -> SourceCatalogue:
    try:
        return read_catalogue(file)
    except BrokenSource as error:
        raise BrokenSource(file.name, error) from error


def refresh_catalogue(database: Path, source: Path, regions: Sequence[Region]) -> None:
    """Make the source's songs the catalogue, all regions in one transaction; songs left out are logged.

    Raises: BrokenSource, OSError.
    """
    catalogues = read_sources(source, regions)
    with opened(database) as connection, write(connection):
        for region, catalogue in catalogues.items():
            write_catalogue(connection, region, catalogue.songs)
    for region, catalogue in catalogues.items():
        for line in lines_left_out(catalogue.left_out):
            _logger.warning("the catalogue of %s: %s", region, line)


async def keep_fresh(database: Path, options: ServiceOptions, clock: Clock, asked: asyncio.Event) -> None:
    """Read the source now, at its times of day, and whenever `asked` is set, until cancelled."""
    if options.catalogue is None:
        return
    while True:
        asked.clear()  # before reading: whoever asks meanwhile may mean a newer source
        try:
            await asyncio.to_thread(refresh_catalogue, database, options.catalogue, options.regions)
        except (BrokenSource, OSError) as error:
            _logger.warning("the catalogue stays as it is: %s", error)
        except Exception:  # after any failure the next reload must happen
            _logger.exception("the catalogue stays as it is: reading it failed")
        else:
            _logger.info("the catalogue was read from its source")
        await _wait(clock, asked)


async def _wait(clock: Clock, asked: asyncio.Event) -> None:
    due = next_refresh(clock.now())
    while not asked.is_set() and (left := (due - clock.now()).total_seconds()) > 0:
        with suppress(TimeoutError):
            async with asyncio.timeout(min(left, _MAX_SLEEP_SECONDS)):
                await asked.wait()
