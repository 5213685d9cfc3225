"""bot/domain/chronicle/state.py: what is remembered of records, and what stands beside them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import careers
from chronicles import NOW, state

from bot.base.clock import JST
from bot.domain.charts import EXPERT, MASTER, ULTIMA, WORLDS_END, Catalogue, Chart, Difficulty, Song
from bot.domain.chronicle.state import (
    BEST_PLACES,
    LampFlags,
    PlayerFigures,
    RecordMark,
    figures_of,
    marks_of,
    may_have_moved,
    without_old_times,
)
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, SongId, UserId, UserName
from bot.domain.numbers import Hundredths
from bot.domain.overpower import Grouping, over_power, tally
from bot.domain.players import Player
from bot.domain.scores import Lamps

PLAYER = Player(
    user_id=UserId(7), user_name=UserName("alice"), is_protected=False, player_name="Alice", honor="",
    honor_type=None, level=None, rating=Hundredths(1650), rating_max=Hundredths(1651), class_emblem=None,
    updated_on=None,
)  # fmt: skip


def catalogue_of(**songs: Mapping[Difficulty, int | None]) -> Catalogue:
    """Return a catalogue of charts of level 14 with these constants."""
    return Catalogue.of(
        JP2,
        [
            Song(
                id=SongId(name), title=name, genre=None, artist=None, released_on=None, bpm=None,
                charts=tuple(
                    Chart(
                        difficulty=difficulty, level=Hundredths(1400), is_estimated=False, max_combo=None,
                        constant=None if constant is None else Hundredths(constant),
                    )
                    for difficulty, constant in charts.items()
                ),
            )
            for name, charts in songs.items()
        ],
    )  # fmt: skip


def test_flags_mean_what_stands_in_databases() -> None:
    assert [(flag.name, flag.value) for flag in LampFlags] == [
        ("TOLD", 1), ("CLEAR_TOLD", 2), ("CLEAR", 4), ("FULL_COMBO", 8),
        ("ALL_JUSTICE", 16), ("FULL_CHAIN", 32), ("GONE", 64),
    ]  # fmt: skip


def test_what_has_no_song_no_play_or_no_possible_score_is_not_remembered() -> None:
    good = careers.record("a", 1400, 1_000_000)
    odd = [
        careers.record("b", 1400, -1),
        careers.record("c", 1400, 2**32),
        replace(good, song_id=None),
        careers.record("e", None, 1_000_000, difficulty=WORLDS_END),
        replace(careers.record("d", 1400, 1), is_played=False),
    ]
    assert [song for song, _ in marks_of([good, *odd])] == ["a"]


def test_a_record_that_is_as_it_was_is_the_same_mark() -> None:
    """Of thousands most are; one that stood higher once says so, and one whose constant has moved is another."""
    records = [careers.record(song, 1400, 1_000_000) for song in "abc"]
    before = marks_of(records)
    keys = [*before]
    before[keys[1]] = before[keys[1]]._replace(fallen=500)
    now = marks_of([*records[:2], replace(records[2], constant=Hundredths(1410))], before)
    assert now[keys[0]] is before[keys[0]]
    assert now[keys[1]] == before[keys[1]]
    assert (now[keys[2]].constant, before[keys[2]].constant) == (1410, 1400)


def test_a_song_gives_over_power_by_its_best_chart() -> None:
    records = [
        careers.record("a", 1400, 1_000_000),
        careers.record("a", 1200, 1_005_000, difficulty=EXPERT),
        careers.record("b", 1300, 990_000, lamps=careers.FULL_COMBO),
        careers.record("c", None, 1_010_000),
    ]
    figures = figures_of(PLAYER, marks_of(records), JP2)
    assert figures.over_power == over_power(Hundredths(1400), 1_000_000) + over_power(
        Hundredths(1300), 990_000, careers.FULL_COMBO
    )
    assert (figures.rating, figures.highest) == (1650, 1651)


def test_over_power_is_of_the_songs_of_the_catalogue() -> None:
    """As `/overpower` has it: a song that was removed counts no more, and a level stands in for an unknown constant."""
    records = [
        careers.record("a", 1400, 1_000_000, lamps=careers.FULL_COMBO),
        careers.record("a", 1500, 900_000, difficulty=ULTIMA),
        careers.record("b", None, 1_010_000),
        careers.record("c", 1500, 1_009_000),
        careers.record("gone", 1500, 1_010_000),
        careers.record("a", None, 1_000_000, difficulty=WORLDS_END),
    ]
    catalogue = catalogue_of(
        a={MASTER: 1410, ULTIMA: 1500}, b={MASTER: None}, c={EXPERT: 1000}, d={MASTER: 1400}
    )
    marks = marks_of(records)
    figures = figures_of(PLAYER, marks, JP2, catalogue=catalogue)
    assert figures.over_power == tally(catalogue.songs, records, Grouping.GENRE).total.earned
    assert figures.over_power == over_power(Hundredths(1410), 1_000_000, careers.FULL_COMBO) + over_power(
        Hundredths(1400), 1_010_000
    )
    before = replace(state(marks), figures=figures)
    fewer = catalogue_of(b={MASTER: 1430})
    assert figures_of(PLAYER, marks, JP2, before, catalogue=fewer).over_power == over_power(
        Hundredths(1430), 1_010_000
    )
    assert figures_of(PLAYER, marks, JP2, before).over_power == figures.over_power, (
        "where it is not known now"
    )


def test_the_best_average_is_of_thirty_and_of_fewer_where_there_are() -> None:
    records = [careers.record(f"{number}", 1400 if number < 30 else 1300, 1_000_000) for number in range(40)]
    assert figures_of(PLAYER, marks_of(records), JP2).best_average == Decimal("15.0000")
    assert figures_of(PLAYER, marks_of(records[29:31]), JP2).best_average == Decimal("14.5000")
    assert figures_of(PLAYER, {}, JP2).best_average is None


def test_what_is_gone_counts_for_nothing() -> None:
    marks = marks_of([], marks_of([careers.record("a", 1400, 1_000_000)]))
    assert figures_of(PLAYER, marks, JP2).over_power == 0
    assert not state(marks).best


def test_old_times_are_let_go_of() -> None:
    marks = {("a", EXPERT): RecordMark(1, 0, 0, int(NOW.timestamp())), ("b", EXPERT): RecordMark(1, 0, 0, 5)}
    found = without_old_times(marks, NOW)  # type: ignore[arg-type]
    assert [mark.played_at for mark in found.values()] == [int(NOW.timestamp()), 0]


def test_a_day_is_the_services_own() -> None:
    assert replace(state({}), taken_at=datetime(2026, 11, 21, 14, 59, tzinfo=UTC)).day == date(2026, 11, 21)
    assert replace(state({}), taken_at=NOW + timedelta(hours=1)).day == date(2026, 11, 22)


class TestPeaks:
    def looked(self, *scores: int | None, lamps: Sequence[Lamps | None] = ()) -> RecordMark:
        """Return the mark of a record that looks have found with these scores, or not at all."""
        marks: dict[ChartKey, RecordMark] | None = None
        for number, score in enumerate(scores):
            lamp = lamps[number] if lamps else careers.CLEAR
            there = [] if score is None else [careers.record("a", 1400, score, lamps=lamp)]
            at = NOW + timedelta(hours=number)
            marks = marks_of([replace(each, updated_at=at) for each in there], marks)
        assert marks is not None
        return next(iter(marks.values()))

    def test_the_best_that_was_ever_seen_stays(self) -> None:
        mark = self.looked(1_000_000, 1_009_000, 990_000, None)
        assert (mark.score, mark.peak.score, mark.is_gone, mark.peak.is_gone) == (
            990_000, 1_009_000, True, False
        )  # fmt: skip
        assert self.looked(1_000_000, 1_009_000, 990_000, None, 1_009_000) == self.looked(
            1_000_000, 1_009_000
        )

    def test_the_time_of_a_play_is_that_of_the_best(self) -> None:
        for scores in ((1_000_000, 1_009_000), (1_000_000, 1_009_000, 990_000, 1_009_000)):
            assert self.looked(*scores).moment == NOW + timedelta(hours=1)
        assert self.looked(1_000_000, 990_000, 1_000_001).moment == NOW + timedelta(hours=2)

    def test_lamps_that_were_ever_seen_stay(self) -> None:
        lamps = [careers.CLEAR, careers.FULL_COMBO, None, careers.CLEAR]
        mark = self.looked(*[1_000_000] * 4, lamps=lamps)
        assert LampFlags.FULL_COMBO not in LampFlags(mark.lamps)
        assert LampFlags.FULL_COMBO in LampFlags(mark.peak.lamps)
        assert not mark.is_below_peak  # which moves no rating

    def test_what_counts_most_counts_by_its_best_while_it_is_there(self) -> None:
        fallen = careers.record("b", 1400, 1_000_000)
        before = marks_of([careers.record("b", 1400, 1_009_000)])
        others = [careers.record(f"{number}", 1400, 1_005_000) for number in range(BEST_PLACES)]
        assert (SongId("b"), MASTER) in state(marks_of([*others, fallen], before)).best
        assert (SongId("b"), MASTER) not in state(marks_of(others, before)).best


class TestWhoseRecordsMayHaveMoved:
    figures = PlayerFigures(rating=Hundredths(1650), highest=Hundredths(1651))
    today = date(2026, 11, 21)

    def moved(
        self,
        uploaded_on: date | None,
        looked_at: datetime = NOW,
        *,
        told_at: datetime | None = None,
        rating: int = 1650,
    ) -> bool:
        player = replace(PLAYER, updated_on=uploaded_on, rating=Hundredths(rating))
        told_at = told_at or NOW + timedelta(days=9)
        return may_have_moved(player, told_at, (self.figures, state({}).taken_at), looked_at)

    def test_where_nothing_is_known_they_may(self) -> None:
        assert may_have_moved(PLAYER, NOW, None, NOW)
        assert self.moved(None)

    def test_an_upload_of_the_day_of_the_look_or_later_may_be_news(self) -> None:
        assert self.moved(self.today)
        assert not self.moved(self.today - timedelta(days=1))

    def test_clocks_may_be_minutes_apart_at_midnight(self) -> None:
        midnight = datetime(2026, 11, 22, tzinfo=JST)
        assert self.moved(self.today, midnight + timedelta(minutes=9))
        assert not self.moved(self.today, midnight + timedelta(minutes=10))

    def test_a_later_look_that_found_nothing_counts(self) -> None:
        assert not self.moved(self.today, NOW + timedelta(days=1))
        assert self.moved(self.today, NOW - timedelta(days=1))

    def test_a_profile_from_before_the_look_says_nothing(self) -> None:
        assert not self.moved(self.today, told_at=NOW, rating=1652)
        assert self.moved(self.today, told_at=NOW + timedelta(seconds=1), rating=1652)

    def test_another_rating_is_news(self) -> None:
        assert self.moved(self.today - timedelta(days=9), rating=1652)


def test_what_has_not_changed_is_the_same_mark_and_comes_to_the_same() -> None:
    records = [careers.record(f"{number}", 1400, 1_000_000 + number) for number in range(40)]
    first = marks_of(records)
    before = replace(state({}), marks=first, figures=figures_of(PLAYER, first, JP2))
    again = marks_of(records, first)
    assert all(again[chart] is mark for chart, mark in first.items())
    higher = replace(PLAYER, rating=Hundredths(1660), rating_max=Hundredths(1670))
    assert figures_of(higher, again, JP2, before) == figures_of(higher, again, JP2)
    better = marks_of([*records, careers.record("new", 1500, 1_009_000)], first)
    assert figures_of(PLAYER, better, JP2, before) == figures_of(PLAYER, better, JP2) != before.figures


def test_figures_that_were_not_known_before_are_worked_out() -> None:
    marks = marks_of([careers.record("a", 1400, 1_000_000)])
    before = replace(state({}), marks=marks, figures=PlayerFigures(rating=PLAYER.rating))
    assert figures_of(PLAYER, marks, JP2, before) == figures_of(PLAYER, marks, JP2)


def test_low_constants_count_among_the_best_where_scores_make_up_for_them() -> None:
    """They are looked at from the highest constant on, and no further than any score could still reach."""
    records = [
        careers.record(f"{number}", 1000 + number, 1_000_000 + 9_000 * (number % 2)) for number in range(150)
    ]
    marks = marks_of(records)
    rated = sorted(((mark.rating(JP2), mark.score, key) for key, mark in marks.items()), reverse=True)
    assert state(marks).best == {key for _, _, key in rated[:BEST_PLACES]}
