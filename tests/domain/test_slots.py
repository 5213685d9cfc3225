from datetime import date
from decimal import Decimal

import careers

from bot.domain.game_rating import explain
from bot.domain.ids import JP2
from bot.domain.scores import RatingData, Slot, SlotName
from bot.domain.slots import ideal_average, in_order, shown_slots
from bot.wire.game_versions import read_table

HIGH, LOW = careers.record("high", 1470, 1_008_000), careers.record("low", 1400, 1_000_000)
NEAR, FAR = careers.record("near", 1450, 999_000), careers.record("far", 1300, 1_000_000)


def data(**slots: Slot) -> RatingData:
    return RatingData(slots={SlotName(name): slot for name, slot in slots.items()})


def of(*entries: careers.Record | None) -> Slot:
    return Slot(average=None, entries=entries)


def test_the_highest_comes_first_and_empty_places_last() -> None:
    slots = data(best=of(None, LOW, HIGH), best_outside=of(FAR, NEAR))
    assert in_order(slots, SlotName.BEST, JP2).entries == (HIGH, LOW, None)
    assert in_order(slots, SlotName.OUTSIDE, JP2).entries == (NEAR, FAR)


def test_of_candidates_the_one_that_lacks_least() -> None:
    easy = careers.record("easy", 1390, 1_000_000)
    slots = data(best=of(HIGH, LOW), best_candidate=of(FAR, easy, NEAR))
    assert in_order(slots, SlotName.CANDIDATES, JP2).entries == (NEAR, easy, FAR)


def test_what_was_played_lately_stays_as_it_was_sent() -> None:
    slots = data(recent=of(LOW, HIGH))
    assert in_order(slots, SlotName.RECENT, JP2).entries == (LOW, HIGH)
    assert in_order(slots, SlotName.BEST, JP2).entries == ()


def test_a_slot_of_new_songs_that_the_service_sends_is_taken() -> None:
    slots = data(best=of(HIGH), new=of(LOW))
    assert shown_slots(slots, None, JP2) == (of(HIGH), of(LOW))
    found = explain([HIGH], careers.catalogue([HIGH, LOW]), date(2026, 11, 1), None, read_table())
    assert shown_slots(slots, found, JP2)[1] == of(LOW)


def test_the_ideal_of_a_slot_is_the_highest_score_on_each_of_its_charts() -> None:
    records = (careers.record("a", 1400, 990_000), careers.record("b", 1470, 1_010_000))
    slot = Slot(average=None, entries=records)
    assert ideal_average(slot, JP2) == (Decimal("16.15") + Decimal("16.85")) / 2
    assert ideal_average(Slot(average=None, entries=()), JP2) is None
