"""Constants that the host's file adds to the service's, in each region's catalogue and in records."""

import logging
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from bot.api.answer import Answer
from bot.domain.charts import Catalogue
from bot.domain.host_constants import HostConstant, RecordFiller, fill_constants
from bot.domain.ids import Region
from bot.domain.scores import RatingData, Record

_logger = logging.getLogger(__name__)

_NAMED_LINES: Final = 10
"""The most lines that are named individually."""


class HostConstants:
    """Fills in a host's constants; knows, by region, which charts have one and since when the service's are the same."""

    def __init__(self, given: tuple[HostConstant, ...] = ()) -> None:
        self._given = given
        self._fillers: dict[Region, RecordFiller] = {}
        """The fillers of regions in which a chart has the host's constant."""
        self._since: dict[Region, datetime] = {}
        self._unfit: dict[Region, frozenset[HostConstant]] = {}
        self._told_of = ""
        """The last log message about lines that match no chart."""

    @property
    def given(self) -> tuple[HostConstant, ...]:
        """The content of the host's file."""
        return self._given

    def replace(self, given: tuple[HostConstant, ...]) -> None:
        """Replace the host's constants; applies to catalogues filled later."""
        self._given, self._told_of = given, ""
        self._unfit.clear()

    def unchanged_since(self, region: Region) -> datetime | None:
        """Return when a region's catalogue was first seen in its current state; None if there is none yet."""
        return self._since.get(region)

    def fill_catalogue(self, catalogue: Catalogue, first_seen_at: datetime) -> Catalogue:
        """Return a catalogue with the host's constants where the service has none; lines that match no chart are logged."""
        self._since[catalogue.region] = first_seen_at
        filled = fill_constants(catalogue, self._given)
        self._fillers.pop(catalogue.region, None)
        if filled.by_chart:
            self._fillers[catalogue.region] = RecordFiller(filled)
        self._unfit[catalogue.region] = filled.unfit
        said = name_unfit(frozenset[HostConstant].intersection(*self._unfit.values()))
        if said and said != self._told_of:
            _logger.warning("CONSTANTS_FILE: %s", said)
        self._told_of = said
        return filled.catalogue

    def in_records(self, answer: Answer[tuple[Record, ...]], region: Region) -> Answer[tuple[Record, ...]]:
        """Return records with the host's constants, by the region's last filled catalogue."""
        filler = self._fillers.get(region)
        return answer if filler is None else answer.turned(filler.records)

    def in_slots(self, answer: Answer[RatingData], region: Region) -> Answer[RatingData]:
        """Return the service's slots with the host's constants."""
        filler = self._fillers.get(region)
        return answer if filler is None else answer.turned(filler.slots)


def name_unfit(unfit: Iterable[HostConstant]) -> str:
    """Return which lines match no chart, as a text for the host; empty if all match."""
    found = sorted(unfit)
    more = f"; and {len(found) - _NAMED_LINES} more lines" if len(found) > _NAMED_LINES else ""
    return "; ".join(map(str, found[:_NAMED_LINES])) + more
