"""Holds `bot/ui/statistics.py` and `bot/domain/statistics.py`: whom a reader is held against."""

from datetime import UTC, datetime
from decimal import Decimal

import careers
import pytest

from bot.domain.age import Age
from bot.domain.charts import MASTER
from bot.domain.ids import JP2
from bot.domain.numbers import Hundredths
from bot.domain.statistics import ChartStatistics
from bot.features.statistics import StatisticsReport
from bot.ui.language.text import Languages
from bot.ui.statistics import statistics_embed

T = Languages()["en"]
RECORD = careers.record("song", 1470, 1_008_000)
SONG = careers.catalogue([RECORD]).songs[0]


def counted(averages: dict[int, str | None]) -> ChartStatistics:
    return ChartStatistics(
        players=40,
        ranks={"sss": 10, "ss": 30},
        lamps={"other": 40},
        averages={Hundredths(step): Decimal(each) if each else None for step, each in averages.items()},
    )


def said(averages: dict[int, str | None], rating: int) -> str:
    report = StatisticsReport(
        song=SONG,
        chart=SONG.charts[0],
        choices=(MASTER,),
        statistics=counted(averages),
        own=RECORD,
        own_rating=Hundredths(rating),
        region=JP2,
        age=Age(datetime(2026, 11, 21, tzinfo=UTC)),
    )
    return "\n".join(str(field.value) for field in statistics_embed(T, report).fields)


@pytest.mark.parametrize(
    ("rating", "average"),
    [(1600, None), (1609, None), (1610, "990000"), (1619, "990000"), (1620, None), (1589, "980000"), (1579, None)],
)  # fmt: skip
def test_players_of_a_rating_are_those_of_its_step(rating: int, average: str | None) -> None:
    """Those before a gap, or below all, are others."""
    found = counted({1580: "980000", 1590: None, 1600: None, 1610: "990000"}).average_at(Hundredths(rating))
    assert found == (average and Decimal(average))


def test_nobody_is_held_against_themselves() -> None:
    assert "average 990,000; you: +18,000" in said({1610: "990000"}, 1615)
    assert "average" not in said({1610: "1008000"}, 1615)
    assert "Place 1 to 10 of 40" in said({1610: "1008000"}, 1615)
