"""Which charts a plan is made of, and what steps back in it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import careers
import pytest

from bot.domain.entries import ChartEntry, catalogue_entries
from bot.domain.gains import RatingSlots
from bot.domain.game_rating import work_out
from bot.domain.game_versions import Formula, GameVersion
from bot.domain.history import ChartKey
from bot.domain.ids import JP2
from bot.domain.numbers import Hundredths
from bot.domain.plan import PlanCharts, PlanFilter, RecordsMark, ShownSteps

SCORES = {"old": 1_008_000, "poor": 990_000, "new": 1_000_000, "unplayed": 0}
RECORDS = [
    replace(careers.record(name, 1300 + 50 * at, score), is_played=score > 0)
    for at, (name, score) in enumerate(SCORES.items())
]
VERSION = GameVersion(
    name="today's",
    region=JP2,
    first_day=date(2025, 1, 1),
    formula=Formula.BEST_AND_NEW,
    new_since=date(2025, 1, 1),
)
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def entries(scores: Mapping[str, int] = SCORES) -> list[ChartEntry]:
    records = [
        replace(record, score=scores[record.title], is_played=scores[record.title] > 0) for record in RECORDS
    ]
    found = careers.catalogue(RECORDS)
    songs = [
        replace(
            song, released_on=date(2025, 6, 1) if song.title == "new" else date(2020, 1, 1), genre=song.title
        )
        for song in found.songs
    ]
    return [*catalogue_entries(type(found).of(JP2, songs), records)]


SLOTS = RatingSlots.of(
    work_out([each for each in RECORDS if each.is_played][:2], careers.catalogue(RECORDS), VERSION)
)


@pytest.mark.parametrize(
    ("wanted", "left"),
    [
        (PlanFilter(), "old poor new unplayed"),
        (PlanFilter(PlanCharts.PLAYED), "old poor new"),
        (PlanFilter(PlanCharts.BELOW_SSS), "poor new unplayed"),
        (PlanFilter(PlanCharts.NEW_SONGS), "new"),
        (PlanFilter(PlanCharts.OLD_SONGS), "old poor unplayed"),
        (PlanFilter(PlanCharts.OUTSIDE), "new unplayed"),
        (PlanFilter(level=Hundredths(1400)), "new unplayed"),
        (PlanFilter(PlanCharts.PLAYED, Hundredths(1400)), "new"),
        (PlanFilter(genre="poor"), "poor"),
    ],
)
def test_which_charts_it_holds(wanted: PlanFilter, left: str) -> None:
    assert [each.song.title for each in entries() if wanted.matches(each, SLOTS)] == left.split()


KEYS: dict[str, ChartKey] = {each.song.title: (each.song.id, each.chart.difficulty) for each in entries()}


def uploaded(scores: Mapping[str, int], before: ShownSteps | None, days: int = 0) -> ShownSteps:
    records = [each.played for each in entries(scores) if each.played]
    return ShownSteps.since(before, RecordsMark.of(records, None), records, NOW + timedelta(days=days))


def test_what_was_shown_and_did_not_come_by_the_next_upload_steps_back() -> None:
    first = uploaded(SCORES, None).with_steps({KEYS["poor"]: 1_000_000, KEYS["new"]: 1_005_000}, NOW)
    assert not uploaded(SCORES, first).weights, "nothing was uploaded since"
    after = uploaded({**SCORES, "new": 1_006_000}, first)
    assert after.weights == {KEYS["poor"]: 0.5}
    again = uploaded({**SCORES, "new": 1_007_000}, after.with_steps({KEYS["poor"]: 1_000_000}, NOW))
    assert again.weights == {KEYS["poor"]: 0.25}
    once_more = uploaded({**SCORES, "new": 1_008_000}, again.with_steps({KEYS["poor"]: 1_000_000}, NOW))
    assert once_more.weights == {KEYS["poor"]: 0.25}, "no further back than that"
    come = uploaded({**SCORES, "poor": 1_000_000}, again.with_steps({KEYS["poor"]: 1_000_000}, NOW))
    assert not come.weights


def test_an_upload_in_which_nothing_came_is_one_too() -> None:
    records = [each.played for each in entries() if each.played]
    marks = [RecordsMark.of(records, day) for day in (date(2026, 3, 1), date(2026, 3, 2))]
    shown = ShownSteps(mark=marks[0], at=NOW).with_steps({KEYS["poor"]: 1_000_000}, NOW)
    assert ShownSteps.since(shown, marks[1], records, NOW).weights == {KEYS["poor"]: 0.5}


def test_after_a_fortnight_a_chart_stands_where_it_would() -> None:
    first = uploaded(SCORES, None).with_steps({KEYS["poor"]: 1_000_000}, NOW)
    assert not uploaded({**SCORES, "new": 1_006_000}, first, days=15).weights
    assert uploaded({**SCORES, "new": 1_006_000}, first, days=13).weights
