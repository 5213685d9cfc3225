from dataclasses import replace
from itertools import product
from random import Random

import careers
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.charts import BASIC, EXPERT, MASTER, ULTIMA, WORLDS_END, Catalogue, Chart, Song
from bot.domain.entries import ChartEntry, catalogue_entries, record_entries
from bot.domain.filters import BadFilter
from bot.domain.filters.words import WORDS
from bot.domain.goals import BadGoal, Flaw, Goal, GoalProgress, Kind, check, nearest, parse_goal, progress
from bot.domain.ids import JP, JP2, Region, SongId
from bot.domain.numbers import Hundredths
from bot.domain.overpower import over_power
from bot.domain.ranks import MAX_SCORE, Rank, rank_of
from bot.domain.scores import Lamps, Record

LAMPS = {"failed": None, "clear": careers.CLEAR, "fc": careers.FULL_COMBO, "aj": careers.ALL_JUSTICE}
GENRES = ("ORIGINAL", "東方Project", "VARIETY", None)


def invented(chance: Random, songs: int) -> list[ChartEntry]:
    """Return every chart of a catalogue, some of them played."""
    entries: list[ChartEntry] = []
    for number in range(songs):
        charts = tuple(
            Chart(
                difficulty=difficulty,
                level=Hundredths(level),
                constant=None if chance.random() < 0.1 else Hundredths(level + chance.randint(0, 4) * 10),
                is_estimated=False,
                max_combo=1000,
            )
            for difficulty in chance.sample([BASIC, EXPERT, MASTER, ULTIMA, WORLDS_END], chance.randint(1, 4))
            for level in [chance.randrange(1200, 1550, 50)]
        )
        song = Song(
            id=SongId(f"{number}"), title=f"song {number}", genre=chance.choice(GENRES), artist=None,
            released_on=None, bpm=None, charts=charts,
        )  # fmt: skip
        for chart in charts:
            record = _played(chance, song, chart) if chance.random() < 0.7 else None
            entries.append(ChartEntry(song=song, chart=chart, region=JP2, record=record))
    return entries


def _played(chance: Random, song: Song, chart: Chart) -> Record:
    score = chance.choice([chance.randint(950_000, MAX_SCORE), chance.choice([*Rank]).least_score, MAX_SCORE])
    return Record(
        song_id=song.id,
        title=song.title,
        difficulty=chart.difficulty,
        level=chart.level,
        constant=chart.constant,
        score=score,
        rating=Hundredths(0),
        is_estimated=False,
        lamps=chance.choice([*LAMPS.values()]),
    )


def level_text(level: int) -> str:
    return f"{level // 100}{'+' if level % 100 else ''}"


def in_levels(entry: ChartEntry, low: int, *, is_exact: bool) -> bool:
    if entry.chart.difficulty == WORLDS_END:
        return False
    return entry.chart.level == low if is_exact else entry.chart.level >= low


def lamp_step(entry: ChartEntry) -> int:
    if entry.played is None or entry.played.lamps is None:
        return -1
    if entry.played.score >= MAX_SCORE:
        return 4
    lamps: Lamps = entry.played.lamps
    return 3 if lamps.is_all_justice else 2 if lamps.is_full_combo else 1


def brute_force(entries: list[ChartEntry], chance: Random) -> tuple[str, bool, int, int]:
    """Return a goal as it is typed, whether it is reached, what is done and how much is needed: counted by hand."""
    low, is_exact = chance.randrange(1200, 1550, 50), chance.random() < 0.5
    genre = chance.choice(["orig", "toho", None])
    whole = {"orig": "ORIGINAL", "toho": "東方Project"}
    mine = [
        each
        for each in entries
        if in_levels(each, low, is_exact=is_exact) and (genre is None or each.song.genre == whole[genre])
    ]
    head = f"level{':' if is_exact else '>='}{level_text(low)}" + (f" genre:{genre}" if genre else "")
    percent = chance.choice([1, 33.3, 50, 66.67, 99.99, 100])
    if chance.random() < 0.25:
        done = sum(
            over_power(each.chart.constant or each.chart.level, each.played.score, each.played.lamps)
            for each in mine
            if each.played
        )
        whole_power = sum(50 * ((each.chart.constant or each.chart.level) + 300) for each in mine)
        needed = -(-whole_power * round(percent * 100) // 10_000)
        return f"op {head} {percent}%", bool(mine) and done >= needed, done, needed
    if chance.random() < 0.5:
        rank = chance.choice([Rank.S, Rank.SS, Rank.SSS, Rank.SSS_PLUS])
        condition = f"rank>={rank.label.lower()}"
        done = sum(
            each.played is not None and rank_of(each.played.score, JP2).least_score >= rank.least_score
            for each in mine
        )
    else:
        name, step = chance.choice([("fc", 2), ("aj", 3), ("ajc", 4)])
        condition = f"lamp>={name}"
        done = sum(lamp_step(each) >= step for each in mine)
    if chance.random() < 0.5:
        needed = chance.randint(1, 12)
        return f"{head} {condition} count:{needed}", bool(mine) and done >= needed, done, needed * bool(mine)
    needed = -(-len(mine) * round(percent * 100) // 10_000)
    return f"{condition} {percent}% {head}", bool(mine) and done >= needed, done, needed


def test_a_thousand_goals_are_as_far_as_counting_by_hand_says() -> None:
    chance = Random(16)  # noqa: S311 - invented
    reached = 0
    for number in range(1000):
        entries = invented(chance, number % 40)
        text, is_reached, done, needed = brute_force(entries, chance)
        goal = parse_goal(text)
        found = progress(goal, entries, Hundredths(0))
        assert (found.is_reached, found.done, found.needed) == (is_reached, done, needed), text
        assert parse_goal(str(goal)) == goal
        assert all(parse_goal(goal.written(language)) == goal for language in WORDS)
        reached += is_reached
    assert 100 < reached < 900


def test_the_total_of_over_power_counts_songs_by_their_best_chart() -> None:
    chance = Random(3)  # noqa: S311 - as above
    entries = [each for each in invented(chance, 30) if each.chart.difficulty != WORLDS_END]
    by_song: dict[str, list[int]] = {}
    for each in entries:
        record = each.played
        power = (
            over_power(each.chart.constant or each.chart.level, record.score, record.lamps) if record else 0
        )
        by_song.setdefault(each.song.id, []).append(power)
    found = progress(parse_goal("op 80%"), entries, Hundredths(0))
    assert found.done == sum(map(max, by_song.values()))
    assert found.done < progress(parse_goal("op level>=1 80%"), entries, Hundredths(0)).done


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("rating 16.50", Goal(kind=Kind.RATING, rating=Hundredths(1650))),
        ("レーティング 9", Goal(kind=Kind.RATING, rating=Hundredths(900))),
        ("level:15 op 80%", None),
        ("op level:15 80%", "op level:15 80%"),
        ("count:20 rank>=sss level:14+", "level:14+ rank>=sss count:20"),
        ("lamp:aj genre:toho 50％", "genre:toho lamp:aj 50%"),
        ("レベル:14+ ランク>=SSS 数:3", "level:14+ rank>=sss count:3"),
        ("レート　１６．５", "rating 16.50"),
        ("rank>=sss", "rank>=sss 100%"),
        ('title:"50% off" rank>=s 12.5%', 'title:"50% off" rank>=s 12.5%'),
    ],
)
def test_what_is_typed_and_how_it_is_written(text: str, goal: Goal | str | None) -> None:
    if goal is None:
        with pytest.raises(BadGoal):
            parse_goal(text)
    elif isinstance(goal, str):
        assert str(parse_goal(text)) == goal
    else:
        assert parse_goal(text) == goal


@pytest.mark.parametrize(
    ("text", "flaw"),
    [
        ("level:14+", Flaw.NO_CONDITION),
        ("felt<const-0.2 rank>=sss", Flaw.FELT),
        ("", Flaw.NO_CONDITION),
        ("level:14+ count:20", Flaw.NO_CONDITION),
        ("rank>=sss count:20 50%", Flaw.TWO_AMOUNTS),
        ("rank>=sss count:0", Flaw.AMOUNT),
        ("rank>=sss count:-3", Flaw.AMOUNT),
        ("rank>=sss count:999999", Flaw.AMOUNT),
        ("rank>=sss count>=20", Flaw.AMOUNT),
        ("レベル:14 ランク>=sss 譜面数:たくさん", Flaw.AMOUNT),
        ("rank>=sss 0%", Flaw.AMOUNT),
        ("rank>=sss 101%", Flaw.AMOUNT),
        ("op level:15", Flaw.AMOUNT),
        ("op level:15 count:3", Flaw.AMOUNT),
        ("op rank>=sss 50%", Flaw.AMOUNT),
        ("rating 0", Flaw.AMOUNT),
        ("rating -3", Flaw.AMOUNT),
        ("rating 17.123", Flaw.AMOUNT),
    ],
)
def test_what_is_no_goal(text: str, flaw: Flaw) -> None:
    with pytest.raises(BadGoal) as found:
        parse_goal(text)
    assert found.value.flaw is flaw


def test_a_filter_that_cannot_be_read_is_told_as_one() -> None:
    with pytest.raises(BadFilter):
        parse_goal("level> rank>=sss count:3")


def test_what_nobody_can_reach() -> None:
    goal = parse_goal("level:14 rank>=sss count:3")
    nothing_known = Catalogue.of(JP2, ())
    with pytest.raises(BadGoal) as nothing:
        check(goal, GoalProgress(done=0, needed=0, charts=0), nothing_known)
    assert nothing.value.flaw is Flaw.NO_CHART
    with pytest.raises(BadGoal) as few:
        check(goal, GoalProgress(done=0, needed=3, charts=2), nothing_known)
    assert (few.value.flaw, few.value.charts) == (Flaw.TOO_FEW, 2)
    check(goal, GoalProgress(done=0, needed=3, charts=3), nothing_known)
    check(parse_goal("rating 17"), GoalProgress(done=0, needed=1700, charts=0), nothing_known)


@pytest.mark.parametrize(
    ("condition", "region", "is_there"),
    [
        ("rank>=sss+", JP, False),
        ("rank>=sss+", JP2, True),
        ("rank>sss", JP, False),
        ("rank:s+", JP, False),
        ("rank:s+,sss", JP, True),
        ("rank>=s+", JP, True),
        ("rank<=s+", JP, True),
        ("-rank:s+", JP, True),
        ("score>=1009000", JP, True),
    ],
)
def test_a_rank_that_a_region_does_not_have_is_no_goal(
    condition: str,
    region: Region,
    is_there: bool,  # noqa: FBT001 - a column
) -> None:
    goal, found = parse_goal(f"{condition} count:1"), GoalProgress(done=0, needed=1, charts=1)
    if is_there:
        check(goal, found, Catalogue.of(region, ()))
        return
    with pytest.raises(BadGoal) as refused:
        check(goal, found, Catalogue.of(region, ()))
    assert refused.value.flaw is Flaw.RANK


@pytest.mark.parametrize(
    ("constant", "level", "region", "highest"),
    [(1540, 1500, JP2, 1755), (None, 1500, JP2, 1755), (1540, 1500, JP, 1740)],
)
def test_no_rating_is_higher_than_what_the_hardest_chart_counts(
    constant: int | None, level: int, region: Region, highest: int
) -> None:
    hard = replace(
        careers.record("a", 1540, 0),
        constant=None if constant is None else Hundredths(constant),
        level=Hundredths(level),
    )
    worlds_end = replace(careers.record("b", 1600, 0), difficulty=WORLDS_END)
    catalogue = Catalogue.of(
        region,
        (entry.song for entry in record_entries([hard, worlds_end, careers.record("c", 1200, 0)], region)),
    )

    def reach(rating: int) -> None:
        goal = parse_goal(f"rating {rating / 100:.2f}")
        check(goal, GoalProgress(done=0, needed=rating, charts=0), catalogue)

    reach(highest)
    with pytest.raises(BadGoal) as refused:
        reach(highest + 1)
    assert (refused.value.flaw, refused.value.highest) == (Flaw.TOO_HIGH, highest)


@given(st.integers(0, 300), st.integers(0, 300))
def test_a_hundred_per_cent_is_what_is_reached(done: int, needed: int) -> None:
    found = GoalProgress(done=done, needed=needed, charts=needed)
    assert (found.percent == 100) is found.is_reached or not needed


@pytest.mark.parametrize(
    ("start", "done", "percent"),
    [
        (None, 1640, 99),
        (0, 1640, 99),
        (1630, 1630, 0),
        (1630, 1640, 50),
        (1630, 1649, 95),
        (1630, 1650, 100),
        (1630, 1620, 0),
        (1660, 1640, 0),
        (1660, 1660, 100),
    ],
)
def test_how_far_it_is_counts_from_where_the_goal_was_set(start: int | None, done: int, percent: int) -> None:
    assert GoalProgress(done=done, needed=1650, charts=0, start=start).percent == percent


def test_nothing_is_reached_where_no_chart_passes_any_more() -> None:
    for text, entries in product(("rank>=d 100%", "rank>=d count:1", "op 50%"), ([],)):
        assert not progress(parse_goal(text), entries, Hundredths(0)).is_reached


def test_the_nearest_charts_are_those_likeliest_to_have_what_is_wanted() -> None:
    records = [careers.record(f"{number:02}", 1200 + 10 * number, 1_000_000) for number in range(30)]
    entries = [*catalogue_entries(careers.catalogue(records), records)]
    predictions = careers.predictions(records)
    for text, score in (
        ("rank>=sss 100%", 1_007_500),
        ("score>=1003000 -rank>=sss+ count:3", None),
        ("-score<1003000 count:3", 1_003_000),
    ):
        found = nearest(parse_goal(text), entries, predictions, 3)
        if score is None:
            assert found == []
            continue
        best = sorted(
            (predictions[each.entry.song.id, MASTER].next_try.chance(score) for each in found), reverse=True
        )
        assert [each.chance for each in found] == best
        assert found[0].chance == max(
            prediction.next_try.chance(score) for prediction in predictions.values()
        )
    for unsayable in (
        "lamp>=aj count:3",
        "played:yes count:3",
        "rank:ss count:3",
        "rating>=16 count:3",
        "op 50%",
    ):
        assert nearest(parse_goal(unsayable), entries, predictions, 3) == []


def test_what_has_it_already_is_not_next() -> None:
    records = [careers.record(f"{number:02}", 1300, 1_004_000 + 350 * number) for number in range(16)]
    entries = [*catalogue_entries(careers.catalogue(records), records)]
    found = nearest(parse_goal("rank>=sss 100%"), entries, careers.predictions(records), 16)
    assert {each.entry.song.id for each in found} == {
        each.song_id for each in records if each.score < 1_007_500
    }
