"""Selects the records that pass a filter."""

from bot.domain.coach.feeling import FeltByMember
from bot.domain.entries import ChartEntry, Order, catalogue_entries, record_entries, sort_entries
from bot.domain.filters import Filter, FilterCondition
from bot.domain.ids import Region
from bot.domain.scores import Record
from bot.features.shared.library import SongLookup


def choose_entries(
    records: tuple[Record, ...],
    region: Region,
    visit: SongLookup | None,
    wanted: Filter,
    order: Order,
    felt: FeltByMember | None = None,
) -> list[ChartEntry]:
    """Return the entries that pass a filter, sorted; unplayed charts are included only if the filter mentions playing.

    Going through thousands of charts would block the event loop: run this in the worker.
    """
    catalogue = visit.loaded.catalogue if visit else None
    wanted = wanted.searched(visit.matches) if visit else wanted
    entries = [entry for entry in record_entries(records, region, catalogue) if entry.played]
    if visit and catalogue and _speaks_of_unplayed(wanted):
        every = catalogue_entries(catalogue, records, visit.locked)
        entries += [entry for entry in every if not entry.played]
    return sort_entries(wanted.passing(felt.on_entries(entries) if felt else entries), order)


def _speaks_of_unplayed(wanted: Filter) -> bool:
    return any(isinstance(term, FilterCondition) and term.name == "played" for term in wanted.terms)
