"""bot/domain/feed.py: what is worth telling, and what somebody has played in one go."""

from dataclasses import replace
from datetime import date, timedelta

import careers
import pytest
from chronicles import NOW, state
from sittings import TOLD, outside, play, sitting

from bot.domain.charts import Catalogue
from bot.domain.chronicle.state import LampFlags, marks_of
from bot.domain.feed import EVERYTHING, Sitting, Worth, gone_on, played_after, sitting_of
from bot.domain.game_rating import work_out
from bot.domain.game_versions import Formula, GameVersion
from bot.domain.ids import JP2
from bot.domain.numbers import Hundredths
from bot.domain.ranks import Rank
from bot.domain.scores import Record

FC, AJ = LampFlags.FULL_COMBO, LampFlags.ALL_JUSTICE
LATER = NOW + timedelta(hours=1)


def names(found: Sitting, worth: Worth = EVERYTHING) -> list[str]:
    return [each.chart[0] for each in worth.choose(found)]


def looked(before: list[Record], after: list[Record], *, gain: int = 0) -> Sitting | None:
    first = state(marks_of(before))
    then = state(marks_of(after, first.marks), rating=1600 + gain)
    return sitting_of(first, replace(then, taken_at=LATER), "mio")


@pytest.mark.parametrize(
    ("worth", "told"),
    [
        (EVERYTHING, ["sss", "fc", "aj", "points"]),
        (Worth(rank=Rank.SSS), ["sss"]),
        (Worth(rank=Rank.SSS_PLUS), []),
        (Worth(rank=Rank.SS), ["sss"]),
        (Worth(lamp=FC), ["fc", "aj"]),
        (Worth(lamp=AJ), ["aj"]),
        (Worth(gain=Hundredths(3)), ["sss", "fc", "aj"]),
        (Worth(gain=Hundredths(4)), []),
        (Worth(gain=Hundredths(4), rank=Rank.SSS, lamp=AJ), ["sss", "aj"]),
    ],
)
def test_what_is_worth_it_in_one_way_is_told(worth: Worth, told: list[str]) -> None:
    """ "points" has risen by some, and does not count among the best."""
    found = sitting(
        play("sss", 1_007_499, 1_007_500),
        play("fc", 1_000_000, 1_000_001, lamps=TOLD | FC),
        play("aj", 1_000_000, 1_000_001, lamps=TOLD | FC | AJ),
        play("points", 1_000_000, 1_000_001),
    )
    assert names(outside(found, "points"), worth) == told


def test_what_a_constant_has_moved_is_no_gain() -> None:
    before = [careers.record("a", 1400, 1_000_000), careers.record("b", 1400, 1_000_000)]
    after = [careers.record("a", 1400, 1_009_000), careers.record("b", 1410, 1_000_000)]
    found = looked(before, after, gain=5)
    assert found is not None
    assert (found.gain, names(found)) == (None, ["a"])
    assert names(found, Worth(gain=Hundredths(1))) == []
    assert looked(before, [before[0], after[1]], gain=5) is None


def test_what_counts_in_the_slot_of_new_songs_has_gained_too() -> None:
    """However low it stands beside older songs; and a constant that has changed there has moved the rating by itself."""
    older = [careers.record(f"{number}", 1500, 1_009_000) for number in range(40)]
    line = date(2026, 7, 2)
    rules = GameVersion(name="x", region=JP2, first_day=line, formula=Formula.BEST_AND_NEW, new_since=line)
    known = careers.catalogue([*older, *(careers.record(name, 1300, 0) for name in ("new", "moved"))])
    songs = Catalogue.of(
        JP2,
        (
            replace(song, released_on=line if song.title in {"new", "moved"} else date(2025, 1, 1))
            for song in known.songs
        ),
    )

    def looked_at(before: list[Record], after: list[Record]) -> Sitting:
        first = state(marks_of(older + before))
        then = replace(state(marks_of(older + after, first.marks), rating=1605), taken_at=LATER)
        found = sitting_of(first, then, "mio", work_out(older + after, songs, rules))
        assert found is not None
        return found

    low = [careers.record("new", 1300, 980_000), careers.record("moved", 1290, 1_000_000)]
    played = looked_at(low, [careers.record("new", 1300, 1_000_000), low[1]])
    assert (names(played, Worth(gain=Hundredths(5))), played.gain) == (["new"], 5)
    moved = looked_at(low, [careers.record("new", 1300, 1_000_000), careers.record("moved", 1300, 1_000_000)])
    assert moved.gain is None


def test_what_is_back_is_no_gain() -> None:
    """A record that has fallen and is back moves the rating, beside what was played."""
    records = [careers.record("a", 1400, 1_000_000), careers.record("b", 1400, 1_009_000)]
    first = state(marks_of(records))
    fallen = state(marks_of([records[0], careers.record("b", 1400, 980_000)], first.marks), rating=1580)
    back = state(marks_of([careers.record("a", 1400, 1_001_000), records[1]], fallen.marks), rating=1601)
    found = sitting_of(fallen, back, "mio")
    assert found is not None
    assert (names(found), found.gain) == (["a"], None)
    assert sitting_of(fallen, state(marks_of(records, fallen.marks)), "mio") is None


def test_what_was_played_between_two_looks_is_told() -> None:
    found = looked([careers.record("a", 1400, 1_000_000)], [careers.record("a", 1400, 1_009_000)], gain=5)
    assert found is not None
    assert (found.rating, found.gain, found.since) == (1605, 5, NOW)
    assert [*found.best] == [each.chart for each in found.plays]


def test_a_sitting_that_goes_on_is_one() -> None:
    first = sitting(play("a", 1_000_000, 1_005_000), play("b", None, 990_000), rating=1650, gain=3)
    then = sitting(
        play("a", 1_005_000, 1_008_000, lamps=TOLD | FC), play("c"), since=NOW, rating=1654, gain=4
    )
    whole = gone_on(first, then)
    assert (whole.rating, whole.gain, whole.since) == (1654, 7, first.since)
    assert {each.chart[0]: each.gain for each in whole.plays} == {"a": 8_000, "b": 0, "c": 8_000}
    assert [each.lamps for each in whole.plays if each.chart[0] == "a"] == [FC]
    assert {key[0] for key in whole.best} == {"a", "b", "c"}
    assert names(whole)[0] == "b"  # a first record counts for all that it is worth
    assert gone_on(first, replace(then, rating_before=None)).gain is None
    assert gone_on(whole, then) == whole  # as of two processes that note the same look


def test_nothing_is_told_from_before_a_moment() -> None:
    """As of who joins only then; of a look that spans it, what the service says was played after it."""
    early, late, unknown = play("early", at=NOW), play("late", at=LATER), play("unknown")
    unknown = replace(unknown, after=unknown.after and unknown.after._replace(played_at=0))
    found = sitting(early, late, unknown, since=NOW - timedelta(minutes=1))
    told = played_after(found, NOW)
    assert told is not None
    assert (names(told), told.gain) == (["late"], None)
    assert played_after(found, LATER) is None
    assert played_after(found, found.since) == found
