"""The order of the slots that make up a rating: that which each name promises, whatever order the service sends."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from operator import itemgetter
from typing import Final

from bot.domain.charts import Catalogue
from bot.domain.gains import RatingSlots
from bot.domain.game_rating import BEST_PLACES, NEW_PLACES, Explanation, SlotEntry, WorkedOut, count_record
from bot.domain.ids import Region
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE, Rank
from bot.domain.rating import least_score, ratings_within
from bot.domain.scores import RatingData, Record, Slot, SlotName

OUTSIDE: Final = frozenset({SlotName.CANDIDATES, SlotName.CANDIDATES_BELOW_SSS, SlotName.OUTSIDE})
"""The slots of charts outside the best slot."""
OUTSIDE_PLACES: Final = 20
"""The number of charts that such a slot lists, as in the service."""


def in_order(data: RatingData, name: SlotName, region: Region) -> Slot:
    """Return a slot with the most important records first; recent plays, which have no times, stay as sent.

    Best and outside: by song rating, then score. Candidates: by the points that they lack to enter the best slot.
    """
    slot = data[name]
    if name is SlotName.RECENT:
        return slot
    order = _by_rating
    if name in {SlotName.CANDIDATES, SlotName.CANDIDATES_BELOW_SSS}:
        floor = min((record.rating for record in data[SlotName.BEST].records), default=0)
        order = partial(_by_missing, Hundredths(floor + 1), region)
    empty = [None] * (len(slot.entries) - len(slot.records))
    return replace(slot, entries=(*sorted(slot.records, key=order), *empty))


def shown_slots(
    data: RatingData, explanation: Explanation | None, region: Region
) -> tuple[Slot, Slot | None]:
    """Return the slots that make up the rating: calculated if the game counts new songs, else those of the service."""
    worked_out = explanation and explanation.worked_out
    sent = data.slots.get(SlotName.NEW)
    # If the calculated slots are empty, the service's are shown.
    if worked_out is None or worked_out.version is None or not (worked_out.best or worked_out.new):
        return in_order(data, SlotName.BEST, region), sent
    new = sent or worked_out_slot(worked_out.new, NEW_PLACES)
    return worked_out_slot(worked_out.best, BEST_PLACES), new


def worked_out_slot(entries: Sequence[SlotEntry], places: int) -> Slot:
    """Return a slot that was calculated from records; its average is over all places, and an empty place counts 0."""
    records = [
        entry.record if entry.record.rating == entry.rating else replace(entry.record, rating=entry.rating)
        for entry in entries
    ]
    total = sum(entry.rating for entry in entries)
    return Slot(
        average=Decimal(total).scaleb(-2) / places if entries else None,
        entries=(*records, *[None] * (places - len(records))),
    )


def outside_slot(
    name: SlotName, worked_out: WorkedOut, records: Iterable[Record], catalogue: Catalogue
) -> Slot:
    """Return the charts of older songs outside the calculated best slot, in the form of the service's own lists.

    The service's own best slot is of all songs: charts that new songs push out of it are still in the game's best slot.
    Candidates are only of songs that still exist.
    """
    slots = RatingSlots.of(worked_out)
    standing = {entry.key for entry in worked_out.best}
    found: list[tuple[tuple[int, ...], Record]] = []
    for record in records:
        counted = count_record(record, catalogue, worked_out.version) if record.is_played else None
        if counted is None or counted[1] or counted[0].key in standing:
            continue
        shown = replace(record, rating=counted[0].rating)
        order = _by_rating(shown)
        if name is not SlotName.OUTSIDE:
            least = _least_of(slots, record, catalogue)
            if least is None or (
                name is SlotName.CANDIDATES_BELOW_SSS and record.score >= Rank.SSS.least_score
            ):
                continue
            order = (least - record.score, *order)
        found.append((order, shown))
    found.sort(key=itemgetter(0))
    return Slot(average=None, entries=tuple(record for _, record in found[:OUTSIDE_PLACES]))


def _least_of(slots: RatingSlots, record: Record, catalogue: Catalogue) -> int | None:
    """Return the least score on a record's chart that raises the rating; None if none does, or the chart is gone."""
    song = catalogue.by_id.get(record.song_id) if record.song_id else None
    chart = song and song.find_chart(record.difficulty)
    return slots.least_score_for(song, chart, catalogue.region) if song and chart else None


def ideal_average(slot: Slot, region: Region) -> Decimal | None:
    """Return the average that a slot's records would have with the highest score on each; None if there are none."""
    caps = [ratings_within(record, MAX_SCORE, region)[0] for record in slot.records]
    return Decimal(sum(caps)).scaleb(-2) / len(caps) if caps else None


def _by_missing(wanted: Hundredths, region: Region, record: Record) -> tuple[int, ...]:
    least = None if record.constant is None else least_score(record.constant, wanted, region)
    return (MAX_SCORE if least is None else least - record.score, *_by_rating(record))


def _by_rating(record: Record) -> tuple[int, ...]:
    return -record.rating, -record.score
