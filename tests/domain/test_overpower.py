from decimal import Decimal

import careers
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.charts import BASIC, EXPERT, MASTER, ULTIMA, WORLDS_END, Chart, Difficulty, Song
from bot.domain.ids import SongId
from bot.domain.numbers import Hundredths, to_hundredths
from bot.domain.overpower import Grouping, greatest_over_power, over_power, tally
from bot.domain.ranks import MAX_SCORE
from bot.domain.scores import Lamps

constants = st.integers(100, 1600).map(Hundredths)
scores = st.integers(0, MAX_SCORE)
AJ, FC, CLEAR = careers.ALL_JUSTICE, careers.FULL_COMBO, careers.CLEAR


@pytest.mark.parametrize(
    ("constant", "score", "lamps", "power"),
    [
        ("15.4", 1_009_540, AJ, "91.06"),
        ("15.4", 1_009_540, FC, "90.56"),
        ("15.4", 1_009_540, CLEAR, "90.06"),
        ("15.4", 1_009_540, None, "90.06"),
        ("14.0", 1_010_000, AJ, "85"),
        ("14.0", 1_010_000, None, "85"),
        ("14.0", 1_009_999, AJ, "84.745"),
        ("14.0", 1_007_504, CLEAR, "80.005"),
        ("14.0", 1_007_503, CLEAR, "80"),
        ("14.0", 1_007_500, CLEAR, "80"),
        ("14.0", 1_007_499, CLEAR, "79.995"),
        ("14.0", 1_005_005, CLEAR, "77.505"),
        ("14.0", 1_005_004, CLEAR, "77.5"),
        ("14.0", 1_005_000, CLEAR, "77.5"),
        ("14.0", 1_004_999, CLEAR, "77.495"),
        ("14.0", 1_000_010, CLEAR, "75.005"),
        ("14.0", 1_000_009, CLEAR, "75"),
        ("14.0", 1_000_000, FC, "75.5"),
        ("14.0", 1_000_000, CLEAR, "75"),
        ("14.0", 999_999, CLEAR, "74.995"),
        ("14.0", 975_025, CLEAR, "70.005"),
        ("14.0", 975_024, CLEAR, "70"),
        ("14.0", 975_000, CLEAR, "70"),
        ("14.0", 974_999, CLEAR, "69.95"),
        ("14.0", 900_150, CLEAR, "45.05"),
        ("14.0", 900_149, CLEAR, "45"),
        ("14.0", 900_000, CLEAR, "45"),
        ("14.0", 899_999, CLEAR, "44.95"),
        ("14.0", 800_000, CLEAR, "22.5"),
        ("14.0", 799_999, CLEAR, "22.45"),
        ("14.0", 500_667, CLEAR, "0.05"),
        ("14.0", 500_666, CLEAR, "0"),
        ("14.0", 500_000, CLEAR, "0"),
        ("14.0", 499_999, CLEAR, "0"),
        ("14.0", 0, CLEAR, "0"),
        ("3.0", 920_000, CLEAR, "0"),
        ("3.0", 850_000, CLEAR, "0"),
        ("1.0", 1_010_000, AJ, "20"),
    ],
)
def test_over_power_on_both_sides_of_every_cut_off(
    constant: str, score: int, lamps: Lamps | None, power: str
) -> None:
    assert over_power(to_hundredths(constant), score, lamps) == Decimal(power) * 1000


def exact(constant: Decimal, score: int) -> Decimal:  # noqa: PLR0911 - the game's table, line by line
    """Return the table of the game as it is written, neither floored nor with a bonus."""
    s = Decimal(score)
    if score >= 1_007_500:
        return 5 * (constant + 2) + Decimal("0.0015") * (s - 1_007_500)
    if score >= 1_005_000:
        return 5 * (constant + Decimal("1.5")) + Decimal("0.001") * (s - 1_005_000)
    if score >= 1_000_000:
        return 5 * (constant + 1) + Decimal("0.0005") * (s - 1_000_000)
    if score >= 975_000:
        return 5 * constant + Decimal("0.0002") * (s - 975_000)
    if score >= 900_000:
        return 5 * (constant - 5) + (s - 900_000) / 3000
    if score >= 800_000:
        return Decimal("2.5") * (constant - 5) * (1 + (s - 800_000) / 100_000)
    if score >= 500_000:
        return Decimal("2.5") * (constant - 5) * (s - 500_000) / 300_000
    return Decimal(0)


@given(constants, scores)
def test_integers_say_what_the_written_table_says(constant: Hundredths, score: int) -> None:
    if score == MAX_SCORE:
        return
    step = Decimal("0.005") if score >= 975_000 else Decimal("0.05")
    written = max(Decimal(0), exact(Decimal(constant) / 100, score) // step * step)
    assert Decimal(over_power(constant, score)) / 1000 == written


@given(constants)
def test_the_theoretical_maximum_earns_a_charts_greatest_over_power(constant: Hundredths) -> None:
    assert over_power(constant, MAX_SCORE) == greatest_over_power(constant) == 5 * (constant + 300) * 10


def chart(difficulty: Difficulty, constant: int | None, level: int) -> Chart:
    return Chart(
        difficulty=difficulty,
        level=Hundredths(level),
        constant=None if constant is None else Hundredths(constant),
        is_estimated=False,
        max_combo=1000,
    )


def song(name: str, genre: str | None, *charts: Chart) -> Song:
    return Song(
        id=SongId(name), title=name, genre=genre, artist=None, released_on=None, bpm=None, charts=charts
    )


SONGS = (
    song("one", "ORIGINAL", chart(BASIC, 300, 300), chart(MASTER, 1400, 1400), chart(ULTIMA, 1500, 1500)),
    song("two", "VARIETY", chart(EXPERT, None, 1050), chart(MASTER, 1370, 1350)),
    song("three", "VARIETY", chart(MASTER, 1400, 1400)),
    song("one, but mad", "ORIGINAL", chart(WORLDS_END, None, 0)),
)
RECORDS = (
    careers.record("one", 1400, MAX_SCORE),
    careers.record("one", 1500, 975_000, difficulty=ULTIMA),
    careers.record("two", None, 1_000_000, difficulty=EXPERT),
    careers.record("one, but mad", None, 1_000_000, difficulty=WORLDS_END),
    careers.record("gone from the catalogue", 1500, 1_000_000),
)


def test_a_song_counts_by_its_best_chart_and_ultima_is_one() -> None:
    found = tally(SONGS, RECORDS, Grouping.GENRE)
    assert found.total.count == 3
    assert found.total.played == 2
    # 85 of MASTER, not 75 of ULTIMA; 57.5 of EXPERT, whose level stands in for the constant.
    assert found.total.earned == 85_000 + 57_500
    assert found.total.greatest == 90_000 + 83_500 + 85_000
    assert found.estimated == 1
    assert {name: share.earned for name, share in found.groups.items()} == {
        "VARIETY": 57_500,
        "ORIGINAL": 85_000,
    }
    assert found.total.percent == (85_000 + 57_500) * 10_000 // 258_500


def test_levels_and_difficulties_count_charts() -> None:
    levels = tally(SONGS, RECORDS, Grouping.LEVEL).groups
    assert list(levels) == ["1500", "1400", "1350", "1050", "300"]
    assert (levels["1400"].played, levels["1400"].count, levels["1400"].earned) == (1, 2, 85_000)
    difficulties = tally(SONGS, RECORDS, Grouping.DIFFICULTY).groups
    assert list(difficulties) == [ULTIMA, MASTER, EXPERT, BASIC]
    assert difficulties[ULTIMA].earned == 75_000


def test_nothing_of_nothing() -> None:
    empty = tally((), (), Grouping.LEVEL)
    assert (empty.total.earned, empty.total.greatest, empty.total.percent) == (0, 0, 0)
    assert not empty.groups
