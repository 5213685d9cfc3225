"""The order of the slots that make up a rating: the one that the name of each promises, whatever the service's."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial

from bot.domain.game_rating import BEST_PLACES, NEW_PLACES, Explanation, SlotEntry
from bot.domain.ids import Region
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE
from bot.domain.rating import least_score, ratings_within
from bot.domain.scores import RatingData, Record, Slot, SlotName


def in_order(data: RatingData, name: SlotName, region: Region) -> Slot:
    """Return a slot with what matters most in it first; what was played lately as it was sent, without a time.

    Best and outside: by song rating, then score. Candidates: by the points that are missing to enter the best slot.
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
    """Return the slots that make the rating: worked out where the game counts new songs, else as the service says."""
    worked_out = explanation and explanation.worked_out
    sent = data.slots.get(SlotName.NEW)
    # Scores that no game has come to nothing: then it is shown what the service says.
    if worked_out is None or worked_out.version is None or not (worked_out.best or worked_out.new):
        return in_order(data, SlotName.BEST, region), sent
    new = sent or worked_out_slot(worked_out.new, NEW_PLACES)
    return worked_out_slot(worked_out.best, BEST_PLACES), new


def worked_out_slot(entries: Sequence[SlotEntry], places: int) -> Slot:
    """Return a slot that was worked out from records; its average is over all places, for an empty one counts 0."""
    records = [
        entry.record if entry.record.rating == entry.rating else replace(entry.record, rating=entry.rating)
        for entry in entries
    ]
    total = sum(entry.rating for entry in entries)
    return Slot(
        average=Decimal(total).scaleb(-2) / places if entries else None,
        entries=(*records, *[None] * (places - len(records))),
    )


def ideal_average(slot: Slot, region: Region) -> Decimal | None:
    """Return what the records of a slot would come to with the highest score on each; None where there are none."""
    caps = [ratings_within(record, MAX_SCORE, region)[0] for record in slot.records]
    return Decimal(sum(caps)).scaleb(-2) / len(caps) if caps else None


def _by_missing(wanted: Hundredths, region: Region, record: Record) -> tuple[int, ...]:
    least = None if record.constant is None else least_score(record.constant, wanted, region)
    return (MAX_SCORE if least is None else least - record.score, *_by_rating(record))


def _by_rating(record: Record) -> tuple[int, ...]:
    return -record.rating, -record.score
