"""Which charts are asked about first."""

from collections.abc import Collection
from datetime import date

from bot.domain.charts import EXPERT, MASTER, ULTIMA, WORLDS_END, Catalogue, Chart, Difficulty, Song
from bot.domain.coach.prefetch_order import next_to_fetch
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, SongId
from bot.domain.numbers import Hundredths

ALL = {EXPERT: (1150, 1300), MASTER: (1400, 1490), ULTIMA: (1500, None), WORLDS_END: (None, None)}


def song(number: int) -> Song:
    charts = {code: constants[number] for code, constants in ALL.items()}
    return Song(
        id=SongId(f"{number}"), title="", genre=None, artist=None, released_on=date.min, bpm=None,
        charts=tuple(chart(code, constant) for code, constant in charts.items()),
    )  # fmt: skip


def chart(code: Difficulty, constant: int | None) -> Chart:
    return Chart(
        difficulty=code, level=Hundredths(0), constant=None if constant is None else Hundredths(constant),
        is_estimated=False, max_combo=None,
    )  # fmt: skip


CATALOGUE = Catalogue.of(JP2, [song(0), song(1)])


def order(*ratings: int, settled: Collection[ChartKey] = (), most: int = 9) -> list[int]:
    """Return the constants of the charts, in the order in which they are asked about."""
    turns = next_to_fetch(CATALOGUE, settled, [Hundredths(each) for each in ratings], most)
    return [ALL[code][int(song)] or 0 for song, code in turns]


def test_the_hardest_come_first_of_those_that_are_counted_and_have_a_constant() -> None:
    assert order() == [1490, 1400, 1300, 1150]


def test_what_members_can_learn_from_comes_before() -> None:
    assert order(1400) == [1400, 1300, 1490, 1150]
    assert order(1515) == [1490, 1400, 1300, 1150]
    assert order(1516, 1365) == [1490, 1400, 1300, 1150]
    assert order(1365) == [1300, 1150, 1490, 1400]
    assert order(1366) == [1300, 1490, 1400, 1150]


def test_what_is_settled_is_left_out_and_no_more_are_named_than_wanted() -> None:
    assert order(settled={(SongId("1"), MASTER)}, most=2) == [1400, 1300]
