from dataclasses import replace

import careers
import pytest

from bot.domain.charts import EXPERT, MASTER, WORLDS_END, Chart, Difficulty, Song
from bot.domain.completion import completion_rows
from bot.domain.entries import ChartEntry
from bot.domain.ids import JP2, SongId
from bot.domain.numbers import Hundredths


def entry(
    title: str, level: int, constant: int | None, *, estimated: bool = False, difficulty: Difficulty = MASTER
) -> ChartEntry:
    chart = Chart(
        difficulty=difficulty,
        level=Hundredths(level),
        constant=None if constant is None else Hundredths(constant),
        is_estimated=estimated,
        max_combo=None,
    )
    song = Song(
        id=SongId(title), title=title, genre=None, artist=None, released_on=None, bpm=None, charts=(chart,)
    )
    return ChartEntry(song=song, chart=chart, region=JP2, record=careers.record(title, constant, 0))


ENTRIES = (
    entry("we", 0, None, difficulty=WORLDS_END),
    entry("b", 1400, 1400),
    entry("unknown", 1400, None),
    entry("a", 1400, 1400),
    entry("a", 1400, 1400, difficulty=EXPERT),
    entry("doubtful", 1400, 1400, estimated=True),
    entry("hard", 1450, 1470),
)


def test_rows_by_constant_and_what_is_in_doubt_below() -> None:
    rows = completion_rows(ENTRIES)
    assert [(row.constant, row.is_estimated, row.level) for row in rows] == [
        (1470, False, 0), (1400, False, 0), (1400, True, 0), (None, True, 1400), (None, True, 0),
    ]  # fmt: skip
    assert [(each.song.title, each.chart.difficulty) for each in rows[1].entries] == [
        ("a", EXPERT), ("a", MASTER), ("b", MASTER),
    ]  # fmt: skip


@pytest.mark.parametrize("entries", [ENTRIES, ENTRIES[::-1]])
def test_every_chart_is_in_one_row_whatever_the_order(entries: tuple[ChartEntry, ...]) -> None:
    rows = completion_rows(entries)
    assert rows == completion_rows(ENTRIES)
    assert sorted(id(each) for row in rows for each in row.entries) == sorted(map(id, ENTRIES))


def test_rows_by_how_hard_charts_feel() -> None:
    felt = [replace(each, felt=Hundredths(1430)) for each in ENTRIES if each.chart.constant]
    others = [*(each for each in ENTRIES if not each.chart.constant), entry("hard and strange", 1450, 1480)]
    rows = completion_rows([*others, *felt], by_felt=True)
    assert [(row.constant, row.is_estimated, row.level) for row in rows] == [
        (1430, False, 0), (None, True, 1450), (None, True, 1400), (None, True, 0),
    ]  # fmt: skip
    assert len(rows[0].entries) == len(felt)
