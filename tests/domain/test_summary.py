from dataclasses import replace

from careers import ALL_JUSTICE, FULL_COMBO, record

from bot.domain.charts import WORLDS_END
from bot.domain.ids import JP2
from bot.domain.ranks import MAX_SCORE, Rank
from bot.domain.summary import summarise


def test_scores_are_counted_and_averaged() -> None:
    records = [
        record("a", 1400, MAX_SCORE, lamps=ALL_JUSTICE),
        record("b", 1400, 1_000_001, lamps=FULL_COMBO),
        record("c", None, 999_999, difficulty=WORLDS_END, lamps=None),
    ]
    found = summarise(records, JP2)
    assert found.count == 3
    assert found.average_score == 1_003_333
    assert found.average_rating == (1615 + 1500) // 2
    assert found.ranks == {Rank.SSS_PLUS: 1, Rank.SS: 1, Rank.S_PLUS: 1}
    assert (found.maximum, found.all_justice, found.full_combo, found.failed) == (1, 1, 2, 0)


def test_who_has_not_said_that_it_was_cleared_has_not_failed() -> None:
    records = [
        record(str(said), 1400, 900_000, lamps=replace(FULL_COMBO, is_clear=said))
        for said in (True, False, None)
    ]
    assert summarise(records, JP2).failed == 1


def test_nothing_has_no_average() -> None:
    found = summarise([], JP2)
    assert (found.count, found.average_score, found.average_rating) == (0, None, None)
