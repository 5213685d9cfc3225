from dataclasses import replace
from datetime import date
from decimal import Decimal

import careers

from bot.domain.charts import Catalogue
from bot.domain.game_rating import explain
from bot.domain.ids import JP2
from bot.domain.scores import RatingData, Slot, SlotName
from bot.domain.slots import ideal_average, in_order, outside_slot, shown_slots
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


def test_outside_the_best_slot_stands_what_is_not_in_it() -> None:
    """However many new songs there are: the service's own slot, of all songs, has older ones outside that count."""
    old = [careers.record(f"old {place}", 1500 - place, 1_009_000) for place in range(33)]
    new = [careers.record(f"new {place}", 1540, 1_009_500) for place in range(10)]
    records = [*new, *old, careers.record("far", 1300, 1_008_000), careers.record("gone", 1480, 1_000_000)]
    songs = careers.catalogue(records).songs
    catalogue = Catalogue.of(
        JP2,
        [
            replace(each, released_on=date(2026, 10, 1) if each.id.startswith("new") else date(2020, 1, 1))
            for each in songs
            if each.id != "gone"
        ],
    )
    found = explain(records, catalogue, date(2026, 11, 1), None, read_table()).worked_out
    assert {entry.key[0] for entry in found.best} == {f"old {place}" for place in range(30)}
    outside, candidates, below = (
        [record.title for record in outside_slot(name, found, records, catalogue).records]
        for name in (SlotName.OUTSIDE, SlotName.CANDIDATES, SlotName.CANDIDATES_BELOW_SSS)
    )
    assert outside == ["old 30", "old 31", "old 32", "gone", "far"]
    assert candidates == [], "no score on any of them counts more than the last place"
    assert below == []
    low = [replace(each, score=1_003_000) if each.title == "old 9" else each for each in records]
    found = explain(low, catalogue, date(2026, 11, 1), None, read_table()).worked_out
    for name in (SlotName.CANDIDATES, SlotName.CANDIDATES_BELOW_SSS):
        (record,) = outside_slot(name, found, low, catalogue).records
        assert (record.title, record.rating) == ("old 9", 1621)
    assert len(outside_slot(SlotName.OUTSIDE, found, low, catalogue).records) == 5


def test_the_ideal_of_a_slot_is_the_highest_score_on_each_of_its_charts() -> None:
    records = (careers.record("a", 1400, 990_000), careers.record("b", 1470, 1_010_000))
    slot = Slot(average=None, entries=records)
    assert ideal_average(slot, JP2) == (Decimal("16.15") + Decimal("16.85")) / 2
    assert ideal_average(Slot(average=None, entries=()), JP2) is None
