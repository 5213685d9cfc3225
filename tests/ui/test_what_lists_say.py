"""What every list says beside its numbers: foreign text tamed, doubt about constants, age, and of which game it is."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import careers
import pytest
from discord import Embed
from PIL import ImageFont

from bot.domain.age import Age
from bot.domain.charts import MASTER, WORLDS_END, Chart, Song
from bot.domain.comparison import compare
from bot.domain.entries import ChartEntry, Order, record_entries
from bot.domain.errors import ServiceDown
from bot.domain.filters import parse_filter
from bot.domain.ids import JP, JP2, MemberId, SongId, UserId, UserName
from bot.domain.members import Audience, PictureStyle
from bot.domain.notes import Judgement
from bot.domain.numbers import Hundredths
from bot.domain.overpower import Grouping, tally
from bot.domain.players import Friend, Player
from bot.domain.scores import CourseRecord, Record, Slot, SlotName
from bot.domain.summary import summarise
from bot.features.best import BestReport
from bot.features.comparison import ComparisonReport
from bot.features.courses import CoursesReport
from bot.features.overpower import OverPowerReport
from bot.features.rating import RatingReport
from bot.features.scores import ScoresReport, SongScores
from bot.features.searches import SearchReport
from bot.features.shared.paging import part_of
from bot.features.shared.subjects import Subject
from bot.features.songs import FriendScore, FriendScores, SongReport
from bot.ui.best import best_embed
from bot.ui.comparison import comparison_embed
from bot.ui.courses import courses_embed
from bot.ui.kit.fonts import REGULAR
from bot.ui.kit.routes import PlanAddress, ScoresAddress, WorldsEndAddress
from bot.ui.kit.song_routes import SearchAddress
from bot.ui.language.text import Language, Languages
from bot.ui.overpower import over_power_embed
from bot.ui.plan import plan_page
from bot.ui.rating import draw_rating, rating_embed, rating_plot_alt
from bot.ui.scores import scores_page, song_scores_embed, worlds_end_page
from bot.ui.searches import search_page
from bot.ui.songs import friend_scores_embed, own_embed, whole_song_embed

T = Languages()["en"]
UTC_ZONE = ZoneInfo("UTC")
NOW = datetime(2026, 11, 21, 20, 30, tzinfo=UTC)
STALE = Age(NOW, ServiceDown())
ASKER = MemberId(1)
PLAYER = Player(
    user_id=UserId(1), user_name=UserName("someone"), is_protected=False, player_name="Someone", honor="",
    honor_type=None, level=None, rating=Hundredths(1650), rating_max=Hundredths(1650), class_emblem=None,
    updated_on=None,
)  # fmt: skip
CHART = Chart(
    difficulty=MASTER, level=Hundredths(1450), constant=Hundredths(1470), is_estimated=False, max_combo=1000
)
RECORD = careers.record("song", 1470, 1_001_000)


def song_of(chart: Chart, title: str = "song") -> Song:
    return Song(
        id=SongId("song"), title=title, genre=None, artist=None, released_on=None, bpm=None, charts=(chart,)
    )


def plan(record: Record) -> Embed:
    return plan_page(T, careers.plan_report(PLAYER, [record], STALE), PlanAddress(asker=ASKER)).embed


def comparison(record: Record, other: int = 1_000_000) -> Embed:
    found = compare([record], [replace(record, score=other)])
    report = ComparisonReport(
        audience=Audience.ANYONE,
        me=PLAYER, other=PLAYER, wanted=parse_filter(""), total=found.total, by_difficulty=found.by_difficulty,
        chances={}, part=part_of(found.duels, 10, 0), region=JP2, age=STALE,
    )  # fmt: skip
    return comparison_embed(T, report)


def scores_of(record: Record) -> ScoresReport:
    return ScoresReport(
        audience=Audience.ANYONE,
        player=PLAYER, wanted=parse_filter(""), summary=summarise([record], JP2),
        part=part_of(tuple(record_entries([record], JP2)), 10, 0), region=JP2, age=STALE,
    )  # fmt: skip


def scores(record: Record) -> Embed:
    address = ScoresAddress(asker=ASKER, subject=Subject(), order=Order.RATING_DOWN)
    return scores_page(T, scores_of(record), address).embed


def worlds_end(record: Record) -> Embed:
    return worlds_end_page(T, scores_of(record), WorldsEndAddress(asker=ASKER)).embed


def best_report(record: Record) -> BestReport:
    slot = Slot(average=Decimal("16.999"), entries=(record, None))
    return BestReport(
        audience=Audience.ANYONE,
        player=PLAYER, name=SlotName.BEST, slot=slot, best=slot, recent=slot, genres=(), past=None,
        part=part_of(slot.records, 10, 0), region=JP2, age=STALE,
    )  # fmt: skip


def best(record: Record) -> Embed:
    return best_embed(T, best_report(record))


def song_scores(record: Record) -> Embed:
    entries = tuple(record_entries([record], JP2))
    song = song_of(entries[0].chart, record.title)
    return song_scores_embed(
        T,
        SongScores(
            audience=Audience.ANYONE,
            player=PLAYER,
            song=song,
            entries=entries,
            is_removed=False,
            predictions={},
            region=JP2,
            age=STALE,
        ),
    )


def search(record: Record) -> Embed:
    chart = next(record_entries([record], JP2)).chart
    entry = ChartEntry(song=song_of(chart, record.title), chart=chart, region=JP2)
    report = SearchReport(
        audience=Audience.ANYONE,
        wanted=parse_filter(""), order=None, part=part_of([entry], 10, 0), region=JP2, age=STALE,
    )  # fmt: skip
    return search_page(T, report, SearchAddress(asker=ASKER, key="key")).embed


def song(record: Record) -> Embed:
    chart = next(record_entries([record], JP2)).chart
    report = SongReport(song=song_of(chart, record.title), region=JP2, age=STALE)
    return whole_song_embed(T, report)


def friends(record: Record) -> Embed:
    friend = Friend(
        user_id=UserId(2), user_name=UserName("b"), player_name="B", rating=Hundredths(1), is_protected=False,
        rating_max=Hundredths(1), updated_at=None, is_accepted=True, is_incoming=False,
    )  # fmt: skip
    found = FriendScores(
        song=song_of(CHART, record.title), friends=(FriendScore(friend=friend, scores={MASTER: record}),),
        asked=1, left_out=0, region=JP2, age=STALE,
    )  # fmt: skip
    return friend_scores_embed(T, found)


def courses(record: Record) -> Embed:
    course = CourseRecord(
        index=1, name=record.title, course_class=1, score=1, is_clear=True, is_full_combo=False,
        is_all_justice=False,
    )  # fmt: skip
    return courses_embed(T, CoursesReport(cleared=1, part=part_of([course], 15, 0), region=JP2, age=STALE))


Shower = Callable[[Record], Embed]
LISTS: tuple[Shower, ...] = (plan, comparison, scores, best, search)
SONGS: tuple[Shower, ...] = (song_scores, song, friends)


def everything(embed: Embed) -> str:
    fields = [f"{field.name}\n{field.value}" for field in embed.fields]
    return "\n".join([str(embed.title), str(embed.description), *fields])


@pytest.mark.parametrize("shown", [*LISTS, worlds_end, *SONGS, courses])
def test_titles_act_as_no_markup(shown: Shower) -> None:
    said = everything(shown(replace(RECORD, title="*a* [b](https://c.d) _e_ `f`")))
    assert r"\*a\* \[b\]\(https\://c.d\) \_e\_ \`f\`" in said


@pytest.mark.parametrize("shown", [*LISTS, worlds_end, *SONGS, courses])
def test_old_data_is_marked_and_of_a_game(shown: Shower) -> None:
    embed = shown(RECORD)
    assert "is not answering right now; this is what it said <t:" in str(embed.description)
    assert embed.timestamp is None  # it would be told in another zone than every other time
    footer = str(embed.footer.text)
    assert "jp2" in footer
    assert re.search(r"as of 11/22/26, 5:30.AM \(Asia/Tokyo\)", footer)


@pytest.mark.parametrize("shown", [*LISTS, song_scores, song])
def test_a_constant_in_doubt_is_marked(shown: Shower) -> None:
    assert "estimated" not in everything(shown(RECORD))
    assert "14.7 (estimated)" in everything(shown(replace(RECORD, is_estimated=True)))


@pytest.mark.parametrize("shown", [comparison, scores, best, search, song_scores, song])
def test_a_constant_that_nobody_knows_is_marked(shown: Shower) -> None:
    marks = re.compile("constant:? unknown", re.IGNORECASE)
    assert not marks.search(everything(shown(RECORD)))
    said = everything(shown(replace(RECORD, constant=None, level=Hundredths(1450))))
    assert marks.search(said)
    assert "14+" in said


PHONE_TEXT, SMALL_PRINT = 274, 12.25
"""Pixels: of a line of an embed on a phone 390 wide, and the height of its small print."""


def lines_on_phone(text: str) -> int:
    """Return how many lines text takes, broken where a word ends."""
    font = ImageFont.truetype(str(REGULAR), SMALL_PRINT * 4)
    lines, line = 1, ""
    for word in text.split(" "):
        longer = f"{line} {word}".strip()
        if font.getlength(longer) > PHONE_TEXT * 4:
            lines, longer = lines + 1, word
        line = longer
    return lines


@pytest.mark.parametrize("t", [T, Languages()["ja"]])
@pytest.mark.parametrize("slot", [SlotName.BEST, SlotName.NEW])
@pytest.mark.parametrize("chance", [0.95, 0.1])
def test_a_step_takes_three_lines_of_small_print_on_a_phone(
    t: Language, chance: float, slot: SlotName
) -> None:
    report = careers.plan_report(PLAYER, [RECORD], STALE)
    (step,) = report.part.items
    told = replace(step, chance=chance, effect=replace(step.effect, slot=slot))
    losses = {step.key: {Judgement.JUSTICE: 150, Judgement.ATTACK: 12, Judgement.MISS: 1}}
    report = replace(report, part=part_of((told,), 8, 0), losses=losses)
    embed = plan_page(t, report, PlanAddress(asker=ASKER)).embed
    (line,) = re.findall(r"^-# (#1 .*)", str(embed.description), re.MULTILINE)
    assert "JUSTICE 150 + ATTACK 12 + MISS 1" in line.replace("\N{NO-BREAK SPACE}", " ")
    assert lines_on_phone(line.replace("**", "")) <= 3


@pytest.mark.parametrize("shown", [scores, worlds_end, search])
def test_a_chart_without_level_has_no_constant_to_know(shown: Shower) -> None:
    ours = replace(RECORD, constant=None, level=Hundredths(0), difficulty=WORLDS_END)
    assert "constant unknown" not in everything(shown(ours))


@pytest.mark.parametrize(
    ("other", "said"),
    [(1_000_000, "**+1,000**"), (1_002_000, "**−1,000**"), (1_001_000, "**±0**")],
)
def test_a_chart_that_was_lost_counts_down(other: int, said: str) -> None:
    assert said in everything(comparison(RECORD, other))


@pytest.mark.parametrize(
    ("lamps", "power"),
    [(careers.ALL_JUSTICE, "91.06"), (careers.FULL_COMBO, "90.56"), (careers.CLEAR, "90.06")],
)
def test_over_power_of_a_score_counts_its_lamp(lamps: careers.Lamps, power: str) -> None:
    record = careers.record("song", 1540, 1_009_540, lamps=lamps)
    assert f"OVER\N{NO-BREAK SPACE}POWER\N{NO-BREAK SPACE}{power}\n" in everything(song_scores(record))


RATING = RatingReport(
    audience=Audience.ANYONE,
    player=PLAYER,
    best_average=None,
    recent_average=None,
    history=((NOW.replace(day=1), Hundredths(1600)), (NOW, Hundredths(1650))),
    region=JP,
    age=Age(NOW),
)


def test_recent_plays_that_the_service_does_not_have_are_nobodys_lack() -> None:
    without = replace(RATING, is_recent_sent=False)
    said = [[field.value for field in rating_embed(T, each).fields] for each in (RATING, without)]
    assert ["no recent plays" in each for each in said] == [True, False]
    assert "the record service has none" in said[1]


def test_the_plots_days_are_its_readers() -> None:
    drawn = {
        name: draw_rating(
            T.in_zone(ZoneInfo(name)), RATING.player.player_name, RATING.history, PictureStyle()
        )
        for name in ("UTC", "Asia/Tokyo", "Asia/Seoul")
    }
    assert drawn["Asia/Tokyo"] == drawn["Asia/Seoul"]
    assert drawn["Asia/Tokyo"] != drawn["UTC"]


def test_so_are_those_of_its_alternative_text() -> None:
    spoken = rating_plot_alt(T, RATING)
    assert spoken == "Rating over time: 16.00 on Nov 2, 2026, 16.50 on Nov 22, 2026."
    assert "Nov 21, 2026" in rating_plot_alt(T.in_zone(UTC_ZONE), RATING)


def test_the_day_of_a_score_is_its_readers() -> None:
    record = replace(RECORD, updated_at=NOW)
    report = SongReport(
        song=song_of(CHART),
        scores={MASTER: record},
        chances={MASTER: 0.7},
        trouble=None,
        region=JP2,
        age=Age(NOW),
    )
    assert "Updated: Nov 22, 2026" in everything(own_embed(T, report))
    assert "Updated: Nov 21, 2026" in everything(own_embed(T.in_zone(UTC_ZONE), report))


def test_a_day_of_the_service_is_marked_where_the_readers_zone_is_another() -> None:
    report = replace(RATING, player=replace(PLAYER, updated_on=NOW.date()))
    days = {
        zone: rating_embed(T.in_zone(ZoneInfo(zone)), report).fields[-1].value
        for zone in ("Asia/Tokyo", "Asia/Seoul", "UTC")
    }
    assert days == {
        "Asia/Tokyo": "Nov 21, 2026",
        "Asia/Seoul": "Nov 21, 2026",
        "UTC": "Nov 21, 2026 (UTC+9)",
    }


def test_a_loss_of_thousands_is_grouped() -> None:
    few = replace(CHART, max_combo=234)
    report = SongReport(song=song_of(few), region=JP2, age=Age(NOW))
    assert "ATTACK\N{NO-BREAK SPACE}−2,179.48" in everything(whole_song_embed(T, report))


def test_over_power_counts_charts_in_the_readers_language() -> None:
    songs = [replace(song_of(CHART), id=SongId(f"{number:016x}")) for number in range(1_200)]
    report = OverPowerReport(
        audience=Audience.ANYONE,
        player=PLAYER,
        by=Grouping.DIFFICULTY,
        tally=tally(songs, [], Grouping.DIFFICULTY),
        region=JP2,
        age=STALE,
    )
    assert "· 0/1,200" in everything(over_power_embed(T, report))


def test_the_highest_rating_is_never_below_the_rating() -> None:
    """What the service calls the highest may be older than the rating."""
    player = replace(RATING.player, rating=Hundredths(1645), rating_max=Hundredths(1644))
    page = rating_embed(T, replace(RATING, player=player))
    assert [field.value for field in page.fields if field.name == "Highest"] == ["16.45"]
