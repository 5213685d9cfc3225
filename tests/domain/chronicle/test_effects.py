"""What sessions did to a rating, held against working both slots out before and after."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Final

import pytest
from chronicles import state

from bot.domain.charts import MASTER, Catalogue, Chart, Song
from bot.domain.chronicle.effects import RatingEffects, RatingRules, effects_of, explain_state
from bot.domain.chronicle.session import compare, told_since
from bot.domain.chronicle.state import LampFlags, RecordMark, RecordsState
from bot.domain.gains import to_thousandths
from bot.domain.game_rating import PLACES
from bot.domain.game_versions import Formula, GameVersion, VersionTable
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, SongId
from bot.domain.numbers import Hundredths

LINES: Final = (date(2025, 12, 11), date(2026, 7, 2))
VERSIONS: Final = VersionTable.of(
    GameVersion(name=f"of {line}", region=JP2, first_day=line, formula=Formula.BEST_AND_NEW, new_since=line)
    for line in LINES
)
EVENING: Final = datetime(2026, 7, 20, 12, tzinfo=UTC)
TOLD: Final = int(LampFlags.TOLD | LampFlags.CLEAR_TOLD | LampFlags.CLEAR)


def key(number: int) -> ChartKey:
    return SongId(f"{number:016x}"), MASTER


def catalogue(chance: Random, count: int, *, unknown: float = 0.0) -> Catalogue:
    def song(number: int) -> Song:
        constant = None if chance.random() < unknown else Hundredths(chance.randint(120, 157) * 10)
        return Song(
            id=key(number)[0],
            title="",
            genre=None,
            artist=None,
            released_on=chance.choice((date(2025, 1, 1), *LINES, None)),
            bpm=None,
            charts=(
                Chart(
                    difficulty=MASTER,
                    level=Hundredths(1400),
                    constant=constant,
                    is_estimated=False,
                    max_combo=None,
                ),
            ),
        )

    return Catalogue.of(JP2, map(song, range(count)))


def marks(
    chance: Random, songs: Catalogue, share: float, *, before: Mapping[ChartKey, RecordMark]
) -> dict[ChartKey, RecordMark]:
    """Return marks of an evening on which some charts were played, after those before."""
    found = dict(before)
    for song in songs.songs:
        if chance.random() < share:
            score = chance.randint(970_000, 1_010_000)
            chart = song.id, MASTER
            at = int((EVENING - timedelta(minutes=chance.randint(1, 200))).timestamp())
            constant = song.charts[0].constant or 0
            if chart not in found or score > found[chart].score:
                found[chart] = RecordMark(score, TOLD, constant, at)
    return found


def rated(marks: Mapping[ChartKey, RecordMark], rules: RatingRules, at: datetime) -> RecordsState:
    """Return a state whose profile says what the records come to."""
    bare = replace(state(marks), taken_at=at)
    found = explain_state(replace(bare, figures=replace(bare.figures, rating=Hundredths(9999))), rules)
    rating = found.worked_out.rating or Hundredths(0)
    return replace(bare, figures=replace(bare.figures, rating=rating))


def told(before: RecordsState, after: RecordsState, rules: RatingRules) -> RatingEffects:
    return effects_of(before, after, compare(before, after).achievements, (), rules)


def check_random_sessions(chance: Random, count: int) -> None:
    for _ in range(count):
        songs = catalogue(chance, chance.choice((5, 60, 110)), unknown=chance.choice((0, 0.2)))
        rules = RatingRules(songs, VERSIONS)
        first = marks(chance, songs, chance.choice((0, 0.6, 0.9)), before={})
        before = rated(first, rules, EVENING - timedelta(days=1))
        after = rated(marks(chance, songs, 0.2, before=first), rules, EVENING)
        found = told(before, after, rules)
        sums = [explain_state(each, rules).worked_out.sum for each in (before, after)]
        assert found.turn is None
        assert found.is_explained
        assert (found.before.sum, found.after.sum) == tuple(sums)
        assert sum(effect.sum_gain for effect in found.by_chart.values()) == sums[1] - sums[0]
        assert found.thousandths == to_thousandths(sums[1] - sums[0], PLACES)
        ordered = found.in_order(compare(before, after).achievements, JP2)
        gains = [found.gain_of(change) for change in ordered]
        assert gains == sorted(gains, reverse=True)


def test_what_is_told_of_a_session_adds_up_to_the_difference_of_both_ratings() -> None:
    check_random_sessions(Random(31), 300)  # noqa: S311 - invented, not secret


@pytest.mark.parametrize(
    "count", [pytest.param(2_000, marks=pytest.mark.heavy), pytest.param(10_000, marks=pytest.mark.long)]
)
def test_thousands_of_sessions_add_up(count: int) -> None:
    check_random_sessions(Random(32), count)  # noqa: S311 - invented, not secret


def full(songs: Catalogue) -> dict[ChartKey, RecordMark]:
    return {(song.id, MASTER): RecordMark(1_000_000, TOLD, 1400, 0) for song in songs.songs}


def flat(old: int, new: int, line: date = LINES[1]) -> Catalogue:
    """Return songs of one constant: so many older ones, then so many of a version."""
    random = catalogue(Random(1), old + new)  # noqa: S311 - invented, not secret
    return Catalogue.of(
        JP2,
        (
            replace(
                song,
                released_on=line if number >= old else date(2025, 1, 1),
                charts=(replace(song.charts[0], constant=Hundredths(1400)),),
            )
            for number, song in enumerate(random.songs)
        ),
    )


def test_plays_count_in_the_order_in_which_they_were_played() -> None:
    songs = flat(32, 0)
    rules = RatingRules(songs, VERSIONS)
    base = {chart: mark for chart, mark in full(songs).items() if chart not in (key(30), key(31))}
    base[key(0)] = base[key(0)]._replace(score=990_000)
    at = int(EVENING.timestamp())
    later, sooner = RecordMark(1_009_000, TOLD, 1400, at), RecordMark(1_007_500, TOLD, 1400, at - 60)
    before = rated(base, rules, EVENING - timedelta(days=1))
    after = rated(base | {key(30): later, key(31): sooner}, rules, EVENING)
    effects = told(before, after, rules).by_chart
    assert [effects[key(number)].sum_gain for number in (31, 30)] == [140, 115]
    without_times = {chart: mark._replace(played_at=0) for chart, mark in after.marks.items()}
    effects = told(before, replace(after, marks=without_times), rules).by_chart
    assert [effects[key(number)].sum_gain for number in (30, 31)] == [155, 100]


def test_what_was_worked_out_of_the_state_before_is_not_worked_out_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    songs = flat(40, 30)
    rules = RatingRules(songs, VERSIONS)
    before = rated(full(songs), rules, EVENING - timedelta(days=1))
    better = {**before.marks, key(0): before.marks[key(0)]._replace(score=1_009_000)}
    after = rated(better, rules, EVENING)
    expected = told(before, after, rules)
    monkeypatch.delattr("bot.domain.chronicle.effects.work_out")
    assert told(before, after, rules) == expected
    lost = {**better, key(1): better[key(1)]._replace(lamps=better[key(1)].lamps | LampFlags.GONE)}
    with pytest.raises(NameError):
        told(replace(before, marks=lost), after, rules)


def test_what_moved_nothing_stands_by_lamps_ranks_and_points() -> None:
    songs = flat(60, 0)
    rules = RatingRules(songs, VERSIONS)
    base = full(songs)
    for number in range(30):
        base[key(number)] = base[key(number)]._replace(score=1_009_500)
    before = rated(base, rules, EVENING - timedelta(days=1))
    better = {
        40: base[key(40)]._replace(score=1_000_400),
        41: base[key(41)]._replace(score=1_000_500),
        42: base[key(42)]._replace(score=1_005_000),
        43: base[key(43)]._replace(score=1_000_001, lamps=TOLD | LampFlags.ALL_JUSTICE),
        44: base[key(44)]._replace(score=1_000_002, lamps=TOLD | LampFlags.FULL_COMBO),
        3: base[key(3)]._replace(score=1_009_600),
    }
    after = rated(base | {key(number): mark for number, mark in better.items()}, rules, EVENING)
    found = told(before, after, rules)
    ordered = found.in_order(compare(before, after).achievements, JP2)
    assert [change.chart for change in ordered] == [key(number) for number in (43, 44, 42, 41, 40, 3)]
    assert (found.sum_gain, found.thousandths) == (0, 0)


def test_exact_ratings_have_all_their_decimals() -> None:
    songs = flat(30, 20)
    rules = RatingRules(songs, VERSIONS)
    before = rated(full(songs), rules, EVENING - timedelta(days=1))
    after = rated(full(songs) | {key(0): RecordMark(1_000_100, TOLD, 1400, 0)}, rules, EVENING)
    found = told(before, after, rules)
    assert (found.before.exact, found.after.exact) == (Decimal(15), Decimal("15.0002"))


def test_a_version_that_begins_in_between_is_a_chapter_and_no_loss() -> None:
    songs = flat(31, 20, LINES[0])
    rules = RatingRules(songs, VERSIONS)
    base = full(songs)
    eve = datetime(2026, 7, 1, 12, tzinfo=UTC)
    before = rated(base, rules, eve)
    after = rated(base | {key(40): base[key(40)]._replace(score=1_009_000)}, rules, eve + timedelta(days=1))
    found = told(before, after, rules)
    assert found.turn is not None
    assert found.turn.version == VERSIONS.versions[1]
    assert (before.figures.rating, found.turn.rating, after.figures.rating) == (1500, 900, 902)
    assert found.sum_gain == 115
    assert found.is_explained
    seven = datetime(2026, 7, 1, 22, tzinfo=UTC)
    for at, has_turned in ((seven - timedelta(seconds=1), False), (seven, True)):
        assert (told(before, rated(base, rules, at), rules).turn is not None) == has_turned


def test_what_an_edition_that_lags_turns_later_is_a_chapter_too() -> None:
    songs = flat(31, 20, LINES[0])
    rules = RatingRules(songs, VERSIONS)
    base = full(songs)
    after = rated(base, rules, EVENING)
    lagging = replace(
        after, taken_at=EVENING - timedelta(days=1), figures=replace(after.figures, rating=Hundredths(1500))
    )
    found = told(lagging, after, rules)
    assert found.turn is not None
    assert (found.turn.rating, found.is_explained) == (900, True)
    assert told(lagging, replace(after, figures=lagging.figures), rules).turn is None
    back = replace(lagging, taken_at=EVENING + timedelta(days=1))
    assert told(after, back, rules).turn is None, "an edition of before is no new chapter"


def test_what_was_played_before_a_session_began_is_counted_before_it() -> None:
    songs = flat(31, 0)
    rules = RatingRules(songs, VERSIONS)
    base = {chart: mark for chart, mark in full(songs).items() if chart != key(30)}
    base[key(0)] = base[key(0)]._replace(score=990_000)
    before = rated(base, rules, EVENING - timedelta(days=2))
    day, night = (int((EVENING - timedelta(hours=hours)).timestamp()) for hours in (30, 1))
    played = {
        key(30): RecordMark(1_000_000, TOLD, 1400, day),
        key(1): RecordMark(1_009_000, TOLD, 1400, night),
    }
    after = rated(base | played, rules, EVENING)
    whole = compare(before, after)
    session = told_since(whole, EVENING - timedelta(hours=20))
    found = effects_of(
        before,
        after,
        session.achievements,
        [each for each in whole.achievements if each not in session.achievements],
        rules,
    )
    assert (found.sum_gain, found.after.sum) == (115, explain_state(after, rules).worked_out.sum)


def test_a_constant_of_a_new_song_that_counts_moves_the_rating_too() -> None:
    """However low it stands beside older songs; one of neither slot moves nothing."""
    songs = flat(60, 3)
    rules = RatingRules(songs, VERSIONS)
    known = full(songs)
    old, new = [
        [song.id for song in songs.songs if (song.released_on == LINES[1]) is each] for each in (False, True)
    ]
    known[new[0], MASTER] = known[new[0], MASTER]._replace(score=975_000)
    known[old[0], MASTER] = known[old[0], MASTER]._replace(score=975_000)
    before = rated(
        {
            chart: mark._replace(constant=1390) if chart[0] in {new[0], old[0]} else mark
            for chart, mark in known.items()
        },
        rules,
        EVENING - timedelta(days=1),
    )
    after = rated(known, rules, EVENING)
    session = compare(before, after)
    assert not session.moved_constants, "neither is among the best of all songs"
    assert told(before, after, rules).count_moved_constants(session) == 1


def test_a_record_that_is_gone_and_stays_so_holds_no_place() -> None:
    songs = flat(31, 0)
    rules = RatingRules(songs, VERSIONS)
    base = {chart: mark for chart, mark in full(songs).items() if chart != key(30)}
    gone = base | {key(0): base[key(0)]._replace(lamps=TOLD | LampFlags.GONE)}
    before = rated(gone, rules, EVENING - timedelta(days=1))
    after = rated(gone | {key(30): RecordMark(990_000, TOLD, 1400, 0)}, rules, EVENING)
    assert told(before, after, rules).sum_gain == 1460
    back = rated(base | {key(0): base[key(0)]._replace(score=1_000_100)}, rules, EVENING)
    assert told(before, back, rules).sum_gain == 1


def test_a_record_that_fell_lowers_a_rating_where_it_would_count_in_its_slot() -> None:
    """However low it stands beside older songs."""
    songs = flat(60, 21)
    rules = RatingRules(songs, VERSIONS)
    known = full(songs)
    old, *_ = songs.songs
    counted, *_, outside = [song for song in songs.songs if song.released_on == LINES[1]]
    known[old.id, MASTER] = known[old.id, MASTER]._replace(score=975_000)
    for song in songs.songs[60:]:
        known[song.id, MASTER] = known[song.id, MASTER]._replace(score=980_000)
    known[outside.id, MASTER] = known[outside.id, MASTER]._replace(score=975_000)
    before = rated(known, rules, EVENING - timedelta(days=1))
    assert not told(before, rated(known, rules, EVENING), rules).is_lowered
    for song, is_lowered in ((counted, True), (old, False), (outside, False)):
        chart = song.id, MASTER
        fallen = known | {chart: known[chart]._replace(score=970_000).after(known[chart])}
        after = rated(fallen, rules, EVENING)
        assert not after.is_lowered, "none is among the best of all songs"
        assert told(before, after, rules).is_lowered is is_lowered
        assert told(after, rated(known, rules, EVENING + timedelta(days=1)), rules).is_lowered is is_lowered
