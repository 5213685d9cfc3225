"""Both slots, held against a reference that is written from the game's rule alone."""

import json
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise
from math import floor
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.charts import MASTER, ULTIMA, WORLDS_END, Catalogue, Chart, Difficulty, Song
from bot.domain.game_rating import Explanation, Reason, WorkedOut, explain, work_out
from bot.domain.game_versions import Formula, GameVersion, VersionHints, VersionTable
from bot.domain.ids import JP, JP2, Region, SongId
from bot.domain.numbers import Hundredths
from bot.domain.rating import song_rating
from bot.domain.scores import Record
from bot.domain.turnover import turn_over
from bot.wire.game_versions import read_table
from bot.wire.reading import read_reply, read_value
from bot.wire.records import RecordsV20
from bot.wire.songs import SongsReply

REAL: Final = Path(__file__).parents[3] / "shared/data/real"
DAY: Final = date(2026, 1, 15)
FIRST: Final = date(2024, 12, 12)


def version(new_since: date, *, first_day: date | None = None, name: str = "x") -> GameVersion:
    return GameVersion(
        name=name,
        region=JP2,
        first_day=first_day or new_since,
        formula=Formula.BEST_AND_NEW,
        new_since=new_since,
    )


def song(
    name: str, released_on: date | None, *charts: tuple[Difficulty, int | None], level: int = 1400
) -> Song:
    return Song(
        id=SongId(name),
        title=name,
        genre=None,
        artist=None,
        released_on=released_on,
        bpm=None,
        charts=tuple(
            Chart(
                difficulty=difficulty,
                level=Hundredths(level),
                constant=None if constant is None else Hundredths(constant),
                is_estimated=False,
                max_combo=None,
            )
            for difficulty, constant in charts
        ),
    )


def played(
    name: str, score: int, *, difficulty: Difficulty = MASTER, constant: int | None = None, level: int = 1400
) -> Record:
    return Record(
        song_id=SongId(name),
        title=name,
        difficulty=difficulty,
        level=Hundredths(level),
        constant=None if constant is None else Hundredths(constant),
        score=score,
        rating=Hundredths(0),
        is_estimated=False,
        lamps=None,
    )


def single(constant: int, score: int) -> int:
    """Return what a score on a chart counts for, by the game's table, in hundredths."""
    c, s = Fraction(constant, 100), Fraction(score)
    steps = (
        (1_009_000, lambda: c + Fraction(215, 100)),
        (1_007_500, lambda: c + 2 + (s - 1_007_500) / 10_000),
        (1_005_000, lambda: c + Fraction(3, 2) + (s - 1_005_000) / 5_000),
        (1_000_000, lambda: c + 1 + (s - 1_000_000) / 10_000),
        (975_000, lambda: c + (s - 975_000) / 25_000),
        (900_000, lambda: c - 5 + (s - 900_000) / 15_000),
        (800_000, lambda: (c - 5) / 2 * (1 + (s - 800_000) / 100_000)),
        (500_000, lambda: (c - 5) / 2 * (s - 500_000) / 300_000),
    )
    found = next((formula() for least, formula in steps if score >= least), Fraction(0))
    return max(0, floor(found * 100))


def reference(
    rated: Mapping[tuple[str, str], int],
    days: Mapping[str, date],
    since: date,
) -> tuple[list[int], list[int], int]:
    """Return the ratings of both slots and the floored rating, by the rule as it is told: nothing clever."""
    old, new = list[int](), list[int]()
    for chart, rating in rated.items():
        (new if days[chart[0]] >= since else old).append(rating)
    old, new = sorted(old, reverse=True)[:30], sorted(new, reverse=True)[:20]
    return old, new, (sum(old) + sum(new)) // 50


def invented(
    chance: Random, since: Sequence[date]
) -> tuple[Catalogue, list[Record], dict[str, date], dict[tuple[str, str], int], dict[tuple[str, str], int]]:
    days, songs, records = dict[str, date](), list[Song](), list[Record]()
    constants, scores = dict[tuple[str, str], int](), dict[tuple[str, str], int]()
    for number in range(chance.choice((3, 40, 120))):
        name = f"{number:016x}"
        days[name] = chance.choice(since) + timedelta(days=chance.randint(-200, 200))
        charts = [(each, chance.randint(100, 157) * 10) for each in (MASTER, ULTIMA)]
        songs.append(song(name, days[name], *charts))
        for difficulty, constant in charts:
            constants[name, difficulty] = constant
            if chance.random() < 0.7:
                scores[name, difficulty] = chance.choice(
                    (
                        chance.randint(975_000, 1_010_000),
                        chance.randint(500_000, 975_000),
                        1_009_000,
                        1_007_500,
                        0,
                    )
                )
    for (name, difficulty), score in scores.items():
        records += [played(name, score, difficulty=Difficulty(difficulty))]
        if score and chance.random() < 0.1:  # a chart may come twice, and counts once
            records.insert(0, played(name, chance.randint(0, score), difficulty=Difficulty(difficulty)))
    return Catalogue.of(JP2, songs), records, days, constants, scores


def test_a_thousand_players_by_four_tables_are_as_the_rule_says() -> None:
    chance = Random(29)  # noqa: S311 - invented, not secret
    lines = (FIRST, date(2025, 7, 16), date(2025, 12, 11), date(2026, 7, 2))
    for _ in range(1_000):
        catalogue, records, days, constants, scores = invented(chance, lines)
        rated = {chart: single(constants[chart], score) for chart, score in scores.items()}
        for line in lines:
            found = work_out(records, catalogue, version(line))
            old, new, rating = reference(rated, days, line)
            assert [entry.rating for entry in found.best] == [each for each in old if each > 0]
            assert [entry.rating for entry in found.new] == [each for each in new if each > 0]
            assert found.rating == found.highest_rating == rating
            keys = [entry.key for entry in (*found.best, *found.new)]
            assert len(set(keys)) == len(keys)


def test_equal_ratings_stand_by_score_then_as_the_records_come() -> None:
    names = [f"{number:016x}" for number in range(3)]
    catalogue = Catalogue.of(JP2, [song(name, date(2020, 1, 1), (MASTER, 1400)) for name in names])
    records = [played(names[0], 1_009_000), played(names[1], 1_009_500), played(names[2], 1_009_000)]
    found = work_out(records, catalogue, version(FIRST))
    assert [entry.key[0] for entry in found.best] == [names[1], names[0], names[2]]


def test_a_chart_of_unknown_constant_counts_by_its_level_and_leaves_a_range() -> None:
    catalogue = Catalogue.of(JP2, [song("new", date(2025, 1, 1), (MASTER, None), level=1450)])
    found = work_out([played("new", 1_009_000, level=1450)], catalogue, version(FIRST))
    (entry,) = found.new
    assert (entry.rating, entry.highest, entry.is_certain) == (1665, 1705, False)
    assert (found.sum, found.highest_sum) == (1665, 1705)
    assert (found.rating, found.highest_rating) == (33, 34)


def test_a_chart_without_constant_and_level_is_said_to_be_left_out() -> None:
    catalogue = Catalogue.of(JP2, [song("odd", FIRST, (MASTER, None), level=0)])
    found = work_out([played("odd", 1_009_000, level=0)], catalogue, version(FIRST))
    assert found.left_out == (("odd", "MAS"),)
    assert found.sum == 0


def test_what_the_record_says_of_a_constant_counts_where_the_catalogue_says_nothing() -> None:
    catalogue = Catalogue.of(JP2, [song("new", FIRST, (MASTER, None), level=0)])
    found = work_out([played("new", 1_009_000, constant=1450)], catalogue, version(FIRST))
    assert [(entry.rating, entry.is_certain) for entry in found.new] == [(1665, True)]


def test_a_chart_that_a_song_got_later_counts_as_its_song_does() -> None:
    catalogue = Catalogue.of(
        JP2, [song("old", date(2020, 1, 1), (MASTER, 1400)), song("new", FIRST, (MASTER, 1400))]
    )
    records = [played(name, 1_009_000, difficulty=ULTIMA, constant=1500) for name in ("old", "new")]
    found = work_out(records, catalogue, version(FIRST))
    assert [entry.key for entry in found.best] == [("old", ULTIMA)]
    assert [entry.key for entry in found.new] == [("new", ULTIMA)]
    assert found.undated == ()


def test_a_song_without_a_day_or_out_of_the_catalogue_counts_as_old_and_is_said() -> None:
    catalogue = Catalogue.of(JP2, [song("undated", None, (MASTER, 1400))])
    records = [played("undated", 1_009_000), played("gone", 1_008_000, constant=1300)]
    found = work_out(records, catalogue, version(FIRST))
    assert [entry.key[0] for entry in found.best] == ["undated", "gone"]
    assert set(found.undated) == {("undated", "MAS"), ("gone", "MAS")}
    assert found.new == ()


def test_where_no_song_is_new_none_counts_as_old() -> None:
    catalogue = Catalogue.of(JP2, [song("undated", None, (MASTER, 1400))])
    found = work_out([played("undated", 1_009_000)], catalogue, None)
    assert [entry.key[0] for entry in found.best] == ["undated"]
    assert found.undated == ()


def test_worlds_end_and_what_was_never_played_count_nowhere() -> None:
    catalogue = Catalogue.of(JP2, [song("we", FIRST, (WORLDS_END, 1400))])
    record = played("we", 1_009_000, difficulty=WORLDS_END)
    assert work_out([record], catalogue, version(FIRST)).sum == 0
    assert work_out([played("we", 0)], catalogue, version(FIRST)).best == ()


@given(
    st.lists(
        st.tuples(
            st.integers(0, 60),
            st.sampled_from((0, 850_000, 1_000_000, 1_007_500, 1_009_000, 1_010_000))
            | st.integers(0, 1_010_000),
            st.sampled_from((FIRST, date(2020, 1, 1), None)),
            st.none() | st.sampled_from((30, 140, 141, 157)),
        ),
        max_size=120,
    )
)
def test_ties_gaps_and_unknown_constants_are_as_the_rule_says(
    rows: Sequence[tuple[int, int, date | None, int | None]],
) -> None:
    known = {number: (day, constant) for number, _, day, constant in rows}
    songs = [
        song(f"{number:016x}", day, (MASTER, None if constant is None else constant * 10))
        for number, (day, constant) in known.items()
    ]
    found = work_out(
        [played(f"{number:016x}", score) for number, score, *_ in rows],
        Catalogue.of(JP2, songs),
        version(FIRST),
    )
    scores = dict[int, int]()
    for number, score, *_ in rows:
        scores[number] = max(score, scores.get(number, 0))

    def sums(at_least: int) -> tuple[list[int], list[int]]:
        """Return the ratings of both slots, for a constant of a chart of level 14 of which nothing else is known."""
        old, new = list[int](), list[int]()
        for number, score in scores.items():
            day, constant = known[number]
            rated = at_least if constant is None else constant * 10
            (new if day == FIRST else old).append(song_rating(Hundredths(rated), score, JP2))
        return sorted(old)[-30:], sorted(new)[-20:]

    (best, new), (most_best, most_new) = sums(1400), sums(1440)
    assert sum(entry.rating for entry in found.best) == sum(best)
    assert sum(entry.rating for entry in found.new) == sum(new)
    assert (found.sum, found.highest_sum) == (sum((*best, *new)), sum((*most_best, *most_new)))
    assert {key[0] for key in found.undated} <= {
        f"{number:016x}" for number in known if known[number][0] is None
    }
    for slot, places in ((found.best, 30), (found.new, 20)):
        assert len({entry.key for entry in slot}) == len(slot) <= places
        order = [(-entry.rating, -entry.record.score) for entry in slot]
        assert order == sorted(order)


class TestExplained:
    SONGS: Final = tuple(
        song(f"{number:016x}", date(2025, 1 + number % 12, 1), (MASTER, 1400)) for number in range(60)
    )
    CATALOGUE: Final = Catalogue.of(JP2, SONGS)
    RECORDS: Final = tuple(played(each.id, 1_000_000 + 100 * number) for number, each in enumerate(SONGS))
    TABLE: Final = VersionTable.of(
        [version(FIRST, name="first"), version(date(2025, 7, 16), name="second"), version(DAY, name="third")]
    )

    def explain(self, rating: int | None, day: date = DAY) -> Explanation:
        return explain(
            self.RECORDS, self.CATALOGUE, day, None if rating is None else Hundredths(rating), self.TABLE
        )

    def by(self, since: date) -> WorkedOut:
        return work_out(self.RECORDS, self.CATALOGUE, version(since))

    def test_the_newest_version_of_the_day_is_taken(self) -> None:
        for day, name in ((FIRST, "first"), (DAY - timedelta(days=1), "second"), (DAY, "third")):
            found = self.explain(None, day)
            assert found.worked_out.version is not None
            assert found.worked_out.version.name == name
            assert (found.is_explained, found.reason) == (None, None)

    def test_an_edition_that_lags_is_told_by_its_rating(self) -> None:
        rating = self.by(date(2025, 7, 16)).rating
        assert rating not in {None, self.by(DAY).rating}
        found = self.explain(rating)
        assert found.is_explained is True
        assert found.worked_out.version is not None
        assert found.worked_out.version.name == "second"

    def test_where_none_explains_the_last_that_did_is_taken(self) -> None:
        known = VersionHints(last=self.TABLE.versions[1])
        found = explain(self.RECORDS, self.CATALOGUE, DAY, Hundredths(1), self.TABLE, known)
        assert found.worked_out.version == self.TABLE.versions[1]
        found = explain(self.RECORDS, self.CATALOGUE, DAY, self.by(DAY).rating, self.TABLE, known)
        assert found.worked_out.version == self.TABLE.versions[2]

    def test_one_that_is_chosen_is_taken_unless_a_later_one_alone_explains(self) -> None:
        first, second, third = (
            self.by(each.new_since).rating for each in self.TABLE.versions if each.new_since
        )
        known = VersionHints(last=self.TABLE.versions[2], chosen=self.TABLE.versions[1])
        for rating, name in ((None, "second"), (second, "second"), (third, "third"), (first, "second")):
            found = explain(self.RECORDS, self.CATALOGUE, DAY, rating, self.TABLE, known)
            assert found.worked_out.version is not None
            assert found.worked_out.version.name == name
        before = explain(self.RECORDS, self.CATALOGUE, FIRST, None, self.TABLE, known)
        assert before.worked_out.version == self.TABLE.versions[0]

    def test_what_no_version_explains_has_a_reason(self) -> None:
        highest = max(self.by(each.new_since).rating or 0 for each in self.TABLE.versions if each.new_since)
        above, below = self.explain(highest + 40), self.explain(1)
        assert (above.is_explained, above.reason) == (False, Reason.RECORDS_OLDER)
        assert (below.is_explained, below.reason) == (False, Reason.VERSION_UNKNOWN)

    @pytest.mark.parametrize(
        ("days", "reason"),
        [(-1, Reason.FORMULA_OLDER), (0, Reason.RECORDS_OLDER), (None, Reason.RECORDS_OLDER)],
    )
    def test_a_profile_of_before_the_first_version_lacks_no_records(
        self, days: int | None, reason: Reason
    ) -> None:
        told_on = None if days is None else self.TABLE.versions[0].first_day + timedelta(days=days)
        found = explain(
            self.RECORDS, self.CATALOGUE, DAY, Hundredths(1_700), self.TABLE, VersionHints(told_on=told_on)
        )
        assert (found.is_explained, found.reason) == (False, reason)

    def test_before_the_first_version_recent_plays_are_needed(self) -> None:
        found = self.explain(1500, FIRST - timedelta(days=1))
        assert found.worked_out.formula is Formula.BEST_AND_RECENT
        assert found.worked_out.rating is None
        assert len(found.worked_out.best) == 30
        assert (found.is_explained, found.reason) == (None, Reason.RECENT_NEEDED)

    def test_a_host_may_say_that_a_version_counts_recent_plays_again(self) -> None:
        again = GameVersion(
            name="again", region=JP2, first_day=DAY, formula=Formula.BEST_AND_RECENT, new_since=None
        )
        table = VersionTable.of([*self.TABLE.versions[:2], again])
        found = explain(self.RECORDS, self.CATALOGUE, DAY, Hundredths(1), table)
        assert (found.worked_out.version, found.worked_out.rating) == (again, None)
        assert (found.is_explained, found.reason) == (None, Reason.RECENT_NEEDED)
        assert explain(self.RECORDS, self.CATALOGUE, DAY, None, table).reason is Reason.RECENT_NEEDED
        lagging = self.by(date(2025, 7, 16)).rating
        assert explain(self.RECORDS, self.CATALOGUE, DAY, lagging, table).is_explained is True

    def test_the_old_game_keeps_its_formula(self) -> None:
        found = explain(self.RECORDS, Catalogue.of(JP, self.SONGS), DAY, None, read_table())
        assert found.worked_out.formula is Formula.BEST_AND_RECENT

    def test_an_unknown_constant_explains_what_lies_in_its_range(self) -> None:
        catalogue = Catalogue.of(JP2, [song("new", DAY, (MASTER, None), level=1450)])
        record = played("new", 1_009_000, level=1450)
        found = explain([record], catalogue, DAY, Hundredths(34), self.TABLE)
        assert (found.is_explained, found.reason) == (True, Reason.CONSTANT_UNKNOWN)


@pytest.mark.skipif(not REAL.exists(), reason="real players are not here")
@pytest.mark.parametrize(("player", "rating"), [("a", 1025), ("b", 997)])
def test_on_the_first_day_of_a_version_two_fifths_are_gone(player: str, rating: int) -> None:
    catalogue = read_reply(SongsReply, (REAL / f"player_{player}_catalogue.json").read_bytes()).reply
    records = read_reply(RecordsV20, (REAL / f"player_{player}_records.json").read_bytes()).reply
    found = explain(records.to_domain(), catalogue.to_domain(Region("jp2")), FIRST, None, read_table())
    assert (found.worked_out.rating, found.worked_out.new) == (rating, ())


@pytest.mark.skipif(not REAL.exists(), reason="real players are not here")
def test_a_real_players_slots_are_those_of_the_games_rule() -> None:
    """Beside a calculation from the replies as they are: line by line from the rule, sharing no code with ours."""
    entries: list[dict[str, Any]] = json.loads((REAL / "player_a_catalogue.json").read_bytes())
    played: list[dict[str, Any]] = json.loads((REAL / "player_a_records.json").read_bytes())["records"]
    # Their catalogue says one day for all songs: a later one knows the true days, but for songs that have left.
    told = json.loads((REAL / "music_showall_2025-04.json").read_bytes())
    days = {each["meta"]["id"]: each["meta"]["release"] for each in told}
    for each in entries:
        each["meta"]["release"] = days.get(each["meta"]["id"])
    charts = {(each["meta"]["id"], code): data for each in entries for code, data in each["data"].items()}

    def rating(record: dict[str, Any]) -> int:
        constant = Fraction(str(charts[record["id"], record["diff"]]["const"]))
        knots = [(975_000, 0), (1_000_000, 100), (1_005_000, 150), (1_007_500, 200), (1_009_000, 215)]
        score = min(record["score"], 1_009_000)
        (low, least), (high, most) = next(pair for pair in pairwise(knots) if score <= pair[1][0])
        return floor(constant * 100 + least + Fraction((score - low) * (most - least), high - low))

    high = [record for record in played if record["score"] >= 975_000]
    old, new = (
        sorted((rating(each) for each in high if ((days.get(each["id"]) or "") >= "2022-10-13") is wanted), reverse=True)
        for wanted in (False, True)
    )  # fmt: skip
    catalogue = read_value(SongsReply, entries).reply.to_domain(JP2)
    records = read_value(RecordsV20, {"records": played}).reply.to_domain()
    version = GameVersion(
        name="SUN", region=JP2, first_day=FIRST, formula=Formula.BEST_AND_NEW, new_since=date(2022, 10, 13)
    )
    found = turn_over(records, catalogue, version, FIRST)
    assert [entry.rating for entry in found.now.best] == old[:30]
    assert [entry.rating for entry in found.now.new] == new[:20]
    assert [entry.rating for entry in found.then.best] == sorted((*old, *new), reverse=True)[:30]
    assert (found.now.rating, found.then.rating, found.then.new) == (1703, 1025, ())
    assert len([chart for chart in found.moved if chart.entry in found.now.new]) == 7
    assert [round(sum(old[:30]) / 30, 1), round(found.then.sum / 30, 1)] == [1705.6, 1708.8]
    of_his_day = explain(records, catalogue, date(2024, 12, 9), None, read_table()).worked_out
    assert (of_his_day.formula, of_his_day.rating) == (Formula.BEST_AND_RECENT, None)
    assert of_his_day.best == found.then.best
