"""A best slot without charts that would stand in it proves which songs are new."""

from dataclasses import replace
from datetime import date
from typing import Final

from domain.test_game_rating import played, song, version

from bot.domain.charts import MASTER, Catalogue
from bot.domain.game_rating import Reason, explain
from bot.domain.game_versions import VersionHints, VersionTable
from bot.domain.ids import JP2
from bot.domain.numbers import Hundredths
from bot.domain.old_slot import find_old_slot
from bot.domain.rating import song_rating
from bot.domain.scores import Record

OLD: Final = [song(f"{number:016x}", date(2020, 1, 1), (MASTER, 1400)) for number in range(30)]
NEW: Final = [song(f"{number:016x}", date(2025, 8, 1), (MASTER, 1450)) for number in range(30, 35)]
NEWEST: Final = [song(f"{number:016x}", date(2026, 1, 1), (MASTER, 1300)) for number in range(35, 40)]
SONGS: Final = Catalogue.of(JP2, [*OLD, *NEW, *NEWEST])
TABLE: Final = VersionTable.of(
    [
        version(date(2024, 12, 12), name="first"),
        version(date(2025, 7, 16), name="second"),
        version(date(2025, 12, 11), name="third"),
    ]
)
DAY: Final = date(2026, 2, 1)


def record(number: int) -> Record:
    chart = SONGS.songs[number]
    constant = chart.charts[0].constant or Hundredths(0)
    return replace(
        played(chart.id, 1_000_000, constant=constant), rating=song_rating(constant, 1_000_000, JP2)
    )


ALL: Final = [record(number) for number in range(40)]


def test_a_slot_without_higher_ratings_is_of_older_songs() -> None:
    found = find_old_slot(ALL[:30], ALL, SONGS, {})
    assert found is not None
    assert {key[0] for key in found.outside} == {each.id for each in NEW}
    assert [each.name for each in TABLE.versions if found.fits(each)] == ["first", "second"]


def test_a_slot_of_the_highest_of_all_proves_nothing() -> None:
    of_all = sorted(ALL, key=lambda each: -each.rating)[:30]
    assert find_old_slot(of_all, ALL, SONGS, {}) is None


def test_one_with_empty_places_proves_nothing() -> None:
    assert find_old_slot(ALL[:29], ALL, SONGS, {}) is None


def test_what_it_proves_says_which_version_counts_where_the_rating_does_not() -> None:
    found = find_old_slot(ALL[:30], ALL, SONGS, {})
    assert found is not None
    told = explain(ALL, SONGS, DAY, None, TABLE, VersionHints(fits=found.fits))
    assert told.worked_out.version == TABLE.versions[1]
    assert {entry.key for entry in told.worked_out.best} == {(each.id, MASTER) for each in OLD}
    # By the newest version, the rating would lie where the profile says by chance alone.
    newest = explain(ALL, SONGS, DAY, None, TABLE).worked_out
    assert newest.version == TABLE.versions[2]
    told = explain(ALL, SONGS, DAY, newest.rating, TABLE, VersionHints(fits=found.fits))
    assert (told.worked_out.version, told.is_explained) == (TABLE.versions[1], False)


def test_where_no_version_fits_the_line_is_said_to_be_unknown() -> None:
    found = find_old_slot(ALL[:30], ALL, SONGS, {})
    assert found is not None
    table = VersionTable.of([version(date(2025, 12, 11), name="third")])
    told = explain(ALL, SONGS, DAY, Hundredths(1), table, VersionHints(fits=found.fits))
    assert (told.worked_out.version, told.reason) == (table.versions[0], Reason.VERSION_UNKNOWN)
