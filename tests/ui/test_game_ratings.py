"""How ratings come about, in both languages."""

import re
from dataclasses import replace
from datetime import date, timedelta

import pytest

from bot.domain.charts import MASTER, Catalogue, Chart, Song
from bot.domain.game_rating import Explanation, Reason, SlotCaps, explain
from bot.domain.game_versions import Formula, GameVersion, VersionHints, VersionTable
from bot.domain.ids import JP, JP2, SongId
from bot.domain.numbers import Hundredths
from bot.domain.scores import Record
from bot.ui.explanations import doubt_lines, explanation_lines
from bot.ui.game_ratings import gain_number, missing_text, rating_with_step, sum_text, together_text
from bot.ui.language.text import Language, Languages

LANGUAGES = [Languages()["en"], Languages()["ja"]]
LINE = date(2025, 12, 11)
TABLE = VersionTable.of(
    [GameVersion(name="X-VERSE-X", region=JP2, first_day=LINE, formula=Formula.BEST_AND_NEW, new_since=LINE)]
)


def song(name: str, released_on: date | None, constant: int | None, level: int = 1400) -> Song:
    chart = Chart(
        difficulty=MASTER,
        level=Hundredths(level),
        constant=None if constant is None else Hundredths(constant),
        is_estimated=False,
        max_combo=None,
    )
    return Song(
        id=SongId(name),
        title=name,
        genre=None,
        artist=None,
        released_on=released_on,
        bpm=None,
        charts=(chart,),
    )


def played(name: str, *, level: int = 1400) -> Record:
    return Record(
        song_id=SongId(name),
        title=name,
        difficulty=MASTER,
        level=Hundredths(level),
        constant=None,
        score=1_000_000,
        rating=Hundredths(0),
        is_estimated=False,
        lamps=None,
    )


SONGS = (song("old", date(2020, 1, 1), 1450), song("new", LINE, 1500), song("undated", None, 1440))
RECORDS = [played("old"), played("new"), played("undated")]


def found(rating: int, songs: tuple[Song, ...] = SONGS, records: list[Record] = RECORDS) -> Explanation:
    return explain(records, Catalogue.of(JP2, songs), LINE, Hundredths(rating), TABLE)


both = pytest.mark.parametrize("t", LANGUAGES, ids=lambda t: t.code)


@both
def test_a_profile_that_is_older_than_the_rules_is_told_so(t: Language) -> None:
    older = VersionHints(told_on=LINE - timedelta(days=1))
    told = explain(RECORDS, Catalogue.of(JP2, SONGS), LINE, Hundredths(1_700), TABLE, older)
    rules, difference, *_ = explanation_lines(t, told, Hundredths(1_700))
    lacking, *_ = explanation_lines(t, found(1_700), Hundredths(1_700))[1:]
    assert t.day(LINE) in rules
    assert t.hundredths(told.worked_out.rating or Hundredths(0)) in difference
    assert difference != lacking


@both
def test_a_rating_that_is_explained_names_the_rules_and_what_was_assumed(t: Language) -> None:
    lines = explanation_lines(t, found(93), Hundredths(93))
    assert len(lines) == 2
    assert "X-VERSE-X" in lines[0]
    assert t.day(LINE) in lines[0]
    assert lines[1].startswith("1")


@both
@pytest.mark.parametrize(
    ("rating", "difference", "reason"),
    [(99, "0.06", Reason.RECORDS_OLDER), (90, "0.03", Reason.VERSION_UNKNOWN)],
)
def test_one_that_is_not_says_by_how_much_and_why(
    t: Language, rating: int, difference: str, reason: Reason
) -> None:
    explanation = found(rating)
    assert explanation.reason is reason
    line = explanation_lines(t, explanation, Hundredths(rating))[1]
    assert "0.93" in line
    assert difference in line


def test_each_reason_has_a_sentence_of_its_own() -> None:
    for t in LANGUAGES:
        reasons = (Reason.CONSTANT_IN_DOUBT, Reason.RECORDS_OLDER, Reason.VERSION_UNKNOWN)
        said = {
            explanation_lines(t, replace(found(99), reason=reason), Hundredths(99))[1] for reason in reasons
        }
        assert len(said) == len(reasons)


@both
def test_a_constant_that_nobody_knows_is_told_as_a_band(t: Language) -> None:
    songs = (song("old", date(2020, 1, 1), None, level=1350),)
    lines = explanation_lines(t, found(29, songs, [played("old", level=1350)]), Hundredths(29))
    assert "14.50" in lines[1]
    assert "14.90" in lines[1]
    assert "0.29" in lines[1]


@both
def test_a_constant_that_nobody_knows_and_that_moves_nothing_leaves_one_rating(t: Language) -> None:
    songs = (song("old", date(2020, 1, 1), None, level=1300),)
    explained = found(28, songs, [played("old", level=1300)])
    assert explained.worked_out.rating == explained.worked_out.highest_rating == 28
    (said,) = [line for line in explanation_lines(t, explained, Hundredths(28)) if "14.00" in line]
    assert said.count("0.28") == 1


@pytest.mark.parametrize(
    ("t", "said"), [(LANGUAGES[0], "outside the slots"), (LANGUAGES[1], "枠の外")], ids=["en", "ja"]
)
def test_a_range_that_no_chart_of_a_slot_makes_has_its_reason(t: Language, said: str) -> None:
    day = date(2020, 1, 1)
    songs = [song(f"old {number}", day, 1420) for number in range(30)]
    unknown = song("unknown", day, None, level=1400)
    records = [played(each.title) for each in (*songs, unknown)]
    explained = found(912, (*songs, unknown), records)
    assert explained.worked_out.highest_sum > explained.worked_out.sum
    assert said in explanation_lines(t, explained, Hundredths(912))[1]
    certain = found(912, tuple(songs), records[:-1])
    assert len(explanation_lines(t, certain, Hundredths(912))) == 1


@both
@pytest.mark.parametrize(
    ("old", "new", "rating", "said"),
    [
        (29, 19, 1470, {"15.00"}),  # one more on either closes it
        (30, 0, 930, {"15.00"}),  # on an older song it would have to count 30.00
        (0, 20, 630, {"15.00"}),
        (30, 20, 1600, set[str]()),
    ],
)
def test_what_no_record_can_count_is_not_asked_of_one(
    t: Language, old: int, new: int, rating: int, said: set[str]
) -> None:
    songs = [song(f"old{number}", date(2020, 1, 1), 1400) for number in range(old)]
    songs += [song(f"new{number}", LINE, 1400) for number in range(new)]
    records = [played(each.id) for each in songs]
    told = explain(records, Catalogue.of(JP2, tuple(songs)), LINE, Hundredths(rating), TABLE)
    asked = explanation_lines(t, replace(told, reason=Reason.RECORDS_OLDER), Hundredths(rating))[2]
    assert {*re.findall(r"\d+\.\d\d", asked)} == said


@both
def test_the_older_game_has_nothing_to_explain(t: Language) -> None:
    older = explain(RECORDS, Catalogue.of(JP, SONGS), LINE, Hundredths(93), TABLE)
    assert explanation_lines(t, older, Hundredths(93)) == []


def test_how_the_slots_make_the_rating_and_what_is_missing() -> None:
    t = LANGUAGES[0]
    worked_out = found(93).worked_out
    assert sum_text(t, worked_out) == "(30.90 + 16.00) ÷ 50 = **0.938**"
    assert missing_text(t, worked_out, Hundredths(93)).splitlines() == [
        "0.94: **0.002** to go (0.10 in song ratings)",
        "2.00 GREEN: **1.062** to go (53.10 in song ratings)",
    ]
    # One hundredth short of a step, that is the next one too.
    assert missing_text(t, worked_out, Hundredths(199)).splitlines() == [
        "2.00 GREEN: **0.010** to go (0.50 in song ratings)",
    ]


def test_of_what_no_scores_can_make_nothing_is_missing() -> None:
    t, worked_out = LANGUAGES[0], found(93).worked_out
    one_more, none_more = (
        SlotCaps(Hundredths(3_100), Hundredths(1_600)),
        SlotCaps(Hundredths(3_099), Hundredths(1_600)),
    )
    assert missing_text(t, worked_out, Hundredths(93), one_more).startswith("0.94: ")
    assert "GREEN" not in missing_text(t, worked_out, Hundredths(93), one_more)
    assert not missing_text(t, worked_out, Hundredths(93), none_more)


def test_gains_have_three_decimals_and_are_never_nothing() -> None:
    t = LANGUAGES[0]
    assert [gain_number(t, each) for each in (11, 1, 1250, -6, 0)] == [
        "+0.011", "+0.001", "+1.250", "−0.006", "under +0.001",
    ]  # fmt: skip


def test_stars_stand_beside_the_class() -> None:
    t = LANGUAGES[0]
    assert rating_with_step(t, Hundredths(1691)) == "**16.91** RAINBOW ★★★★"
    assert rating_with_step(t, Hundredths(1712)) == "**17.12** 極"
    assert rating_with_step(t, Hundredths(1599)) == "**15.99** PLATINUM"


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (1, r"the constant of one \(counts .*\); (whatever it is|with it)"),
        (2, r"the constants of one .* two .*; (whatever they are|with all)"),
    ],
)
@pytest.mark.parametrize("level", [100, 1400])
def test_of_one_chart_it_is_one_constant(count: int, said: str, level: int) -> None:
    """Also where the rating is the same whatever it is: of so low a level nothing of it is seen."""
    names = ("one", "two")[:count]
    catalogue = Catalogue.of(JP2, tuple(song(name, LINE, None, level) for name in names))
    found = explain([played(name, level=level) for name in names], catalogue, LINE, Hundredths(1), TABLE)
    (line,) = (
        line for line in doubt_lines(LANGUAGES[0], found.worked_out) if line.startswith("Nobody knows")
    )
    assert re.search(said, line), line


def test_what_a_list_comes_to_is_counted_from_the_profiles_rating() -> None:
    """Of charts of unknown constant the game knows more than the least: no page begins below the rating at its head."""
    catalogue = Catalogue.of(JP2, [song(f"{number}", None, None, 1450) for number in range(30)])
    records = [played(f"{number}", level=1450) for number in range(30)]
    found = explain(records, catalogue, LINE, Hundredths(948), TABLE)
    assert found.is_explained
    assert found.worked_out.rating == 930
    t = LANGUAGES[0]
    assert together_text(t, found, Hundredths(948), Hundredths(100)) == "**+0.020** (9.48 → 9.50)"
    assert together_text(t, found, Hundredths(930), Hundredths(100)) == "**+0.020** (9.30 → 9.32)"
