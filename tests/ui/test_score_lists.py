"""Lists and plans with the longest titles and names there can be, against what Discord takes."""

from dataclasses import replace
from datetime import UTC, datetime

import careers
import pytest
from discord import Embed

from bot.domain.age import Age
from bot.domain.charts import MASTER, Chart, Song
from bot.domain.climb import TargetMeasure
from bot.domain.coach.prediction import Form
from bot.domain.comparison import compare
from bot.domain.entries import Order, record_entries, song_entries
from bot.domain.errors import BudgetSpent
from bot.domain.filters import parse_filter
from bot.domain.ids import JP, JP2, MemberId, SongId, UserId, UserName
from bot.domain.members import Audience
from bot.domain.numbers import Hundredths
from bot.domain.overpower import Grouping, tally
from bot.domain.pace import Pace
from bot.domain.players import Player
from bot.domain.scores import CourseRecord
from bot.domain.summary import summarise
from bot.domain.tries import ClimbTarget
from bot.features.comparison import ComparisonReport, Meeting, SongComparison
from bot.features.courses import CoursesReport
from bot.features.overpower import OverPowerReport
from bot.features.scores import ScoresReport, SongScores
from bot.features.shared.paging import part_of
from bot.features.shared.subjects import Subject
from bot.ui.comparison import comparison_page, song_comparison_embed
from bot.ui.courses import courses_page
from bot.ui.kit.routes import (
    ComparisonAddress,
    CoursesAddress,
    PlanAddress,
    ScoresAddress,
    WorldsEndAddress,
)
from bot.ui.language.text import Language, Languages
from bot.ui.overpower import over_power_embed, over_power_plot
from bot.ui.plan import plan_page
from bot.ui.scores import next_rank, scores_page, song_scores_embed, worlds_end_page

NOW = datetime(2026, 11, 21, tzinfo=UTC)
OLD = Age(NOW, BudgetSpent(NOW))
LONG = "*[最果て](https://x.y)_`~|>#" * 12
ASKER = MemberId(2**63 - 1)
PLAYER = Player(
    user_id=UserId(1),
    user_name=UserName("u" * 64),
    is_protected=True,
    player_name=LONG[:100],
    honor=LONG,
    honor_type=None,
    level=200,
    rating=Hundredths(1700),
    rating_max=Hundredths(1700),
    class_emblem=None,
    updated_on=None,
)
RECORDS = [careers.record(LONG + str(number), 1400 + number, 1_000_000 + number * 99) for number in range(70)]
OUTLOOK = next(iter(careers.predictions(RECORDS).values()))
SONG = Song(
    id=SongId("0123456789abcdef"),
    title=LONG,
    genre=LONG,
    artist=LONG,
    released_on=None,
    bpm=None,
    charts=(
        Chart(
            difficulty=MASTER,
            level=Hundredths(1450),
            constant=Hundredths(1470),
            is_estimated=True,
            max_combo=99_999,
        ),
    ),
)


@pytest.fixture(params=["en", "ja"])
def t(request: pytest.FixtureRequest) -> Language:
    return Languages()[request.param]


def assert_fits(embed: Embed) -> None:
    assert len(embed) <= 6000
    assert 0 < len(embed.title or "") <= 256
    assert len(embed.description or "") <= 4096
    assert len(embed.fields) <= 25
    for field in embed.fields:
        assert 0 < len(field.name or "") <= 256
        assert 0 < len(field.value or "") <= 1024


def scores(count: int) -> ScoresReport:
    entries = tuple(record_entries(RECORDS[:count], JP2))
    return ScoresReport(
        player=PLAYER,
        wanted=parse_filter(f'title:"{LONG[:80]}"'),
        summary=summarise(RECORDS[:count], JP2),
        part=part_of(entries, 10, 0),
        region=JP2,
        age=OLD,
        audience=Audience.ANYONE,
    )


@pytest.mark.parametrize("count", [0, 1, 10, 70])
def test_lists_of_scores(t: Language, count: int) -> None:
    address = ScoresAddress(asker=ASKER, subject=Subject(), order=Order.RATING_DOWN, wanted="x" * 30)
    assert_fits(scores_page(t, scores(count), address).embed)
    assert_fits(worlds_end_page(t, scores(count), WorldsEndAddress(asker=ASKER)).embed)


def test_one_song(t: Language) -> None:
    entries = tuple(record_entries(RECORDS[:7], JP2))
    report = SongScores(
        player=PLAYER,
        song=SONG,
        entries=entries,
        is_removed=True,
        predictions=dict.fromkeys((entry.chart.difficulty for entry in entries), OUTLOOK),
        region=JP2,
        age=OLD,
        audience=Audience.ANYONE,
    )
    for form in (None, *Form):
        assert_fits(song_scores_embed(t, report, form))


@pytest.mark.parametrize(
    "target", [None, Hundredths(1), Hundredths(1660), Hundredths(1700), Hundredths(9999)]
)
@pytest.mark.parametrize("aim", TargetMeasure)
def test_plans(t: Language, target: Hundredths | None, aim: TargetMeasure) -> None:
    wanted = None if target is None else ClimbTarget(target, aim)
    report = replace(
        careers.plan_report(PLAYER, RECORDS, OLD, wanted),
        pace=Pace(90, 9_999),
        set_back=9_999,
        without_constant=9_999,
        levels=tuple(map(Hundredths, range(100, 1600, 50))),
        genres=tuple(LONG[:30] + str(number) for number in range(40)),
    )
    assert_fits(plan_page(t, report, PlanAddress(asker=ASKER, target=target)).embed)


def test_comparisons(t: Language) -> None:
    comparison = compare(RECORDS, RECORDS)
    report = ComparisonReport(
        me=PLAYER,
        other=PLAYER,
        wanted=parse_filter("a" * 100),
        total=comparison.total,
        by_difficulty=comparison.by_difficulty,
        part=part_of(comparison.duels, 10, 0),
        chances={(SongId(str(record.song_id)), record.difficulty): 0.005 for record in RECORDS},
        region=JP2,
        age=OLD,
        audience=Audience.ANYONE,
    )
    assert_fits(comparison_page(t, report, ComparisonAddress(asker=ASKER, subject=Subject())).embed)


def test_a_comparison_on_one_song(t: Language) -> None:
    entries = song_entries(SONG, (), JP2)
    meetings = [
        Meeting(
            mine=replace(entry, record=RECORDS[0]), theirs=RECORDS[0], prediction=OUTLOOK, lead_chance=0.005
        )
        for entry in entries
    ]
    report = SongComparison(
        me=PLAYER,
        other=PLAYER,
        song=SONG,
        meetings=(*meetings,),
        region=JP2,
        age=OLD,
        audience=Audience.ANYONE,
    )
    assert_fits(song_comparison_embed(t, report))


@pytest.mark.parametrize("by", Grouping)
def test_over_power(t: Language, by: Grouping) -> None:
    songs = [
        Song(
            id=SongId(f"{number:016x}"),
            title=LONG,
            genre=f"{number}{LONG}",
            artist=None,
            released_on=None,
            bpm=None,
            charts=(
                Chart(
                    difficulty=MASTER,
                    level=Hundredths(100 + number * 50),
                    constant=None,
                    is_estimated=False,
                    max_combo=None,
                ),
            ),
        )
        for number in range(60)
    ]
    report = OverPowerReport(
        player=PLAYER,
        by=by,
        tally=tally(songs, RECORDS, by),
        region=JP2,
        age=OLD,
        audience=Audience.ANYONE,
    )
    assert_fits(over_power_embed(t, report))
    assert len(over_power_plot(t, report)[2]) <= 30


def test_courses(t: Language) -> None:
    records = tuple(
        CourseRecord(
            index=number,
            name=LONG,
            course_class=number,
            score=3_030_000,
            is_clear=True,
            is_full_combo=True,
            is_all_justice=False,
        )
        for number in range(20)
    )
    report = CoursesReport(cleared=20, part=part_of(records, 15, 0), region=JP2, age=OLD)
    assert_fits(courses_page(t, report, CoursesAddress(asker=ASKER)).embed)


@pytest.mark.parametrize(
    ("score", "said"),
    [
        (1_008_999, "1 point to SSS+: improve 1 JUSTICE or 1 ATTACK"),
        (1_009_000, "1,000 points to maximum: improve 100 JUSTICE"),
        (1_010_000, ""),
        (974_000, "1,000 points to S: improve 100 JUSTICE, 2 ATTACK, or 1 MISS"),
    ],
)
def test_what_the_next_rank_lacks(score: int, said: str) -> None:
    chart = Chart(
        difficulty=MASTER, level=Hundredths(1400), constant=None, is_estimated=False, max_combo=1000
    )
    record = careers.record("a", 1400, score)
    assert next_rank(Languages()["en"], chart, record, JP2) == said
    old = next_rank(Languages()["en"], chart, record, JP)
    assert "S+" not in old.replace("SS+", "")
