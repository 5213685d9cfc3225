"""bot/domain/titles.py: titles on both sides of every cut-off."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final, TypeVar

import careers
import pytest

from bot.domain.charts import EXPERT, MASTER, ULTIMA, Difficulty
from bot.domain.numbers import Hundredths
from bot.domain.scores import Lamps, Record, Slot
from bot.domain.titles import Calling, Manner, Title, title_of

T = TypeVar("T")

AVERAGE: Final = Decimal("16.50")
ALL: Final = Lamps(is_clear=True, is_full_combo=True, is_all_justice=True, is_full_chain=True)
COMBO, JUSTICE = careers.FULL_COMBO, careers.ALL_JUSTICE
CHAIN: Final = replace(careers.CLEAR, is_full_chain=True)
PLAIN: Final = 1_006_000


def records(
    count: int = 30,
    *,
    scores: Sequence[int] = (),
    lamps: Sequence[Lamps] = (),
    difficulties: Sequence[Difficulty] = (),
    genres: Sequence[str | None] = (),
    spread: int = 60,
) -> list[Record]:
    """Return records of which nothing can be said, but for the first ones' scores, lamps, difficulties or genres."""

    def nth(values: Sequence[T], number: int, default: T) -> T:
        return values[number] if number < len(values) else default

    made: list[Record] = []
    for number in range(count):
        record = careers.record(f"song{number}", 1480, PLAIN)
        made.append(
            replace(
                record,
                score=nth(scores, number, PLAIN),
                lamps=nth(lamps, number, careers.CLEAR),
                difficulty=nth(difficulties, number, MASTER),
                genre=nth(genres, number, None),
                rating=Hundredths(1700 - (spread if number else 0)),
            )
        )
    return made


def title(
    made: Sequence[Record],
    recent: Decimal | None = AVERAGE - Decimal("0.5"),
    average: Decimal | None = AVERAGE,
) -> Title | None:
    return title_of(Slot(average=average, entries=(*made, None)), Slot(average=recent, entries=()))


def manner(
    made: Sequence[Record],
    recent: Decimal | None = AVERAGE - Decimal("0.5"),
    average: Decimal | None = AVERAGE,
) -> Manner | None:
    found = title(made, recent, average)
    return found and found.manner


def test_who_has_no_records_has_no_title() -> None:
    assert title([]) is None


@pytest.mark.parametrize(
    ("fits", "misses", "expected"),
    [
        (records(9), records(10), Manner.BUDDING),
        (records(scores=[1_010_000] * 3), records(scores=[1_010_000] * 2 + [1_009_999]), Manner.IMMACULATE),
        (records(lamps=[JUSTICE] * 15), records(lamps=[JUSTICE] * 14), Manner.UNERRING),
        (records(29, lamps=[JUSTICE] * 15), records(29, lamps=[JUSTICE] * 14), Manner.UNERRING),
        (records(lamps=[CHAIN] * 8), records(lamps=[CHAIN] * 7), Manner.HARMONIOUS),
        (records(lamps=[COMBO] * 20), records(lamps=[COMBO] * 19), Manner.UNBROKEN),
        (records(scores=[1_009_000] * 20), records(scores=[1_009_000] * 19 + [1_008_999]), Manner.METICULOUS),
        (records(scores=[999_999] * 15), records(scores=[999_999] * 14 + [1_000_000]), Manner.DARING),
        (records(spread=30), records(spread=31), Manner.STEADFAST),
        (records(spread=100), records(spread=99), Manner.SOARING),
    ],
)
def test_a_manner_begins_where_it_says(fits: list[Record], misses: list[Record], expected: Manner) -> None:
    assert manner(fits) is expected
    assert manner(misses) is Manner.WANDERING


@pytest.mark.parametrize(
    ("recent", "expected"),
    [
        ("16.51", Manner.SLEEPLESS), ("16.50", Manner.SLEEPLESS), ("16.49", Manner.WANDERING), ("15.51", Manner.WANDERING),
        ("15.50", Manner.CAREFREE), ("0", Manner.CAREFREE),
    ],
)  # fmt: skip
def test_a_manner_by_what_was_played_lately(recent: str, expected: Manner) -> None:
    assert manner(records(), Decimal(recent)) is expected
    assert manner(records(), None) is Manner.WANDERING
    assert manner(records(), Decimal(recent), None) is Manner.WANDERING


def test_the_rarest_manner_is_the_one_that_is_told() -> None:
    everything = records(scores=[1_010_000] * 30, lamps=[ALL] * 30, spread=0)
    assert manner(everything, AVERAGE) is Manner.IMMACULATE
    assert manner(everything[:9], AVERAGE) is Manner.BUDDING
    justice = [replace(record, score=1_009_999) for record in everything]
    assert manner(justice, AVERAGE) is Manner.UNERRING


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (records(difficulties=[ULTIMA] * 8), Calling.CLIMBER),
        (records(difficulties=[ULTIMA] * 7), Calling.ALCHEMIST),
        (records(difficulties=[EXPERT] * 15), Calling.EXPLORER),
        (records(difficulties=[EXPERT] * 14), Calling.ALCHEMIST),
        (records(genres=["ORIGINAL"] * 12 + ["niconico"] * 11), Calling.CARTOGRAPHER),
        (records(genres=["ORIGINAL"] * 11 + ["niconico"] * 11), Calling.ALCHEMIST),
        (records(genres=["POPS & ANIME"] * 30), Calling.TROUBADOUR),
        (records(genres=["POPS&ANIME"] * 30), Calling.TROUBADOUR),
        (records(genres=["niconico"] * 30), Calling.COMET),
        (records(genres=["東方Project"] * 30), Calling.PILGRIM),
        (records(genres=["VARIETY"] * 30), Calling.JUGGLER),
        (records(genres=["イロドリミドリ"] * 30), Calling.PAINTER),
        (records(genres=["ゲキマイ"] * 30), Calling.VOYAGER),
        (records(genres=["a genre of tomorrow"] * 30), Calling.ALCHEMIST),
        (records(), Calling.ALCHEMIST),
    ],
)
def test_a_calling_is_of_what_is_played(made: list[Record], expected: Calling) -> None:
    found = title(made)
    assert found is not None
    assert found.calling is expected


def test_there_are_about_a_hundred() -> None:
    assert len(Manner) * len(Calling) == 120
