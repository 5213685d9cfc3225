"""bot/ui/lists.py: what a line of a list says first, and what is small."""

from dataclasses import replace
from datetime import UTC, date, datetime

import careers
import pytest

from bot.domain.charts import WORLDS_END
from bot.domain.entries import ChartEntry, Order, record_entries, sort_entries
from bot.domain.ids import JP2
from bot.domain.numbers import Hundredths
from bot.domain.scores import Lamps
from bot.ui.language.text import Languages
from bot.ui.lists import chart_line, number_of, record_facts, record_lines, rest_of

T = Languages()["en"]
RECORD = replace(
    careers.record("song", 1470, 1_007_800, lamps=careers.FULL_COMBO),
    updated_at=datetime(2026, 5, 1, tzinfo=UTC),
)
ALL_JUSTICE = replace(careers.FULL_COMBO, is_all_justice=True)
RATING = T.hundredths(RECORD.rating)


def entry() -> ChartEntry:
    (found,) = record_entries([RECORD], JP2)
    song = replace(found.song, released_on=date(2024, 1, 2), bpm=200)
    return replace(found, song=song, chart=replace(found.chart, max_combo=1626))


@pytest.mark.parametrize(
    ("order", "number"),
    [
        (None, "14.7"),
        (Order.CONSTANT_UP, "14.7"),
        (Order.RATING_DOWN, RATING),
        (Order.TITLE, RATING),
        (Order.SCORE_UP, "1,007,800"),
        (Order.UPDATED, "May 1, 2026"),
        (Order.NEWEST, "Jan 2, 2024"),
        (Order.BPM_DOWN, "BPM 200"),
        (Order.COMBO_DOWN, "1,626 notes"),
        (Order.JUSTICE_LEFT, "14.7"),  # it is no ALL JUSTICE
    ],
)
def test_the_number_that_the_order_goes_by_is_first_and_said_once(order: Order | None, number: str) -> None:
    assert number_of(T, entry(), order) == number
    rest = " · ".join(rest_of(T, entry(), number))
    assert number not in rest
    for fact in ("14.7", "1,007,800", RATING):
        assert fact == number or fact in rest
    assert "SSS FC" in rest


def test_where_a_number_is_missing_the_constant_stands_in() -> None:
    unplayed = replace(entry(), record=None, song=replace(entry().song, bpm=None))
    assert number_of(T, unplayed, Order.BPM_UP) == "14.7"
    assert number_of(T, unplayed, Order.SCORE_DOWN) == "14.7"
    assert rest_of(T, unplayed, "14.7") == ["", "not played"]


def test_worlds_end_goes_by_the_score() -> None:
    (found,) = record_entries(
        [replace(RECORD, difficulty=WORLDS_END, constant=None, level=Hundredths(0), rating=Hundredths(0))],
        JP2,
    )
    assert number_of(T, found, Order.SCORE_DOWN) == "1,007,800"
    assert rest_of(T, found, "1,007,800") == ["", "SSS FC", ""]


def test_a_record_takes_a_line_and_one_of_small_print() -> None:
    said = record_lines(T, 3, "17.02", RECORD, "*song*", ["14.7", "", record_facts(T, RECORD, JP2)])
    assert said == "**17.02** MASTER \\*song\\*\n-# #3 · 14.7 · 1,007,800 SSS FC"


def test_a_chart_without_a_number_begins_with_what_it_is() -> None:
    assert chart_line(T, "", RECORD, "song") == "MASTER song"


def test_an_all_justice_nearest_to_the_maximum_comes_first() -> None:
    def scored(score: int, lamps: Lamps = ALL_JUSTICE) -> ChartEntry:
        (found,) = record_entries([careers.record(f"at {score}", 1470, score, lamps=lamps)], JP2)
        return found

    entries = [scored(1_008_000, careers.FULL_COMBO), scored(1_010_000), *map(scored, (1_009_000, 1_009_900))]
    first, second, *others = sort_entries(entries, Order.JUSTICE_LEFT)
    assert number_of(T, first, Order.JUSTICE_LEFT) == "100 to go"
    assert number_of(T, second, Order.JUSTICE_LEFT) == "1,000 to go"
    assert {number_of(T, each, Order.JUSTICE_LEFT) for each in others} == {"14.7"}


def test_a_chart_is_listed_with_how_hard_it_feels_where_that_was_asked() -> None:
    felt = replace(entry(), felt=Hundredths(1450))
    assert number_of(T, felt, Order.FELT_DOWN) == number_of(T, felt, None) == "14.7 → 14.5"
    assert rest_of(T, felt, RATING)[0] == "14.7 → 14.5"
    assert number_of(T, replace(felt, is_felt_in_doubt=True), Order.FELT_DOWN) == "14.7 → 14.5?"
    assert number_of(T, entry(), Order.FELT_LESS) == "14.7"
    listed = [replace(felt, felt=known and Hundredths(known)) for known in (1480, None, 1450, 1470)]
    assert [each.felt for each in sort_entries(listed, Order.FELT_DOWN)] == [1480, 1470, 1450, None]
    assert [each.felt for each in sort_entries(listed, Order.FELT_LESS)] == [1450, 1470, 1480, None]
