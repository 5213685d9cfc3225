"""The order of the slots that make up a rating: the one that the name of each promises, whatever the service's."""

from collections.abc import Callable
from dataclasses import replace

from bot.domain.ids import Region
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE
from bot.domain.rating import least_score
from bot.domain.scores import RatingData, Record, SlotName


def in_order(data: RatingData, region: Region) -> RatingData:
    """Return the slots, each with what matters most in it first; what was played lately as it was sent, without a time.

    Best and outside: by song rating, then score. Candidates: by the points that are missing to enter the best slot.
    """
    best = data[SlotName.BEST].records
    floor = min((record.rating for record in best), default=Hundredths(0))

    def missing(record: Record) -> tuple[int, ...]:
        least = (
            None if record.constant is None else least_score(record.constant, Hundredths(floor + 1), region)
        )
        return (MAX_SCORE if least is None else least - record.score, *_by_rating(record))

    orders: dict[SlotName, Callable[[Record], tuple[int, ...]]] = {
        SlotName.BEST: _by_rating,
        SlotName.CANDIDATES: missing,
        SlotName.CANDIDATES_BELOW_SSS: missing,
        SlotName.OUTSIDE: _by_rating,
    }
    slots = dict(data.slots)
    for name in orders.keys() & slots.keys():
        slot = slots[name]
        empty = [None] * (len(slot.entries) - len(slot.records))
        slots[name] = replace(slot, entries=(*sorted(slot.records, key=orders[name]), *empty))
    return RatingData(slots=slots)


def _by_rating(record: Record) -> tuple[int, ...]:
    return -record.rating, -record.score
