from dataclasses import replace
from datetime import date

from careers import catalogue, record

from bot.domain.changes import compare_catalogues
from bot.domain.charts import ULTIMA, Catalogue
from bot.domain.ids import JP2
from bot.domain.numbers import Hundredths

DAYS = {
    "old": date(2020, 1, 1),
    "unknown": None,
    "newest": date(2026, 7, 2),
    "new": date(2025, 1, 1),
    "also new": date(2025, 1, 1),
}
SONGS = tuple(
    replace(song, released_on=DAYS[song.id])
    for song in catalogue([record(name, 1300, 0) for name in DAYS]).songs
)
NEWEST_FIRST = ["newest", "new", "also new", "old", "unknown"]


def test_all_kinds_begin_with_the_newest_songs() -> None:
    nothing, all_of_them = Catalogue.of(JP2, ()), Catalogue.of(JP2, SONGS)
    assert [song.id for song in compare_catalogues(nothing, all_of_them).added] == NEWEST_FIRST
    assert [song.id for song in compare_catalogues(all_of_them, nothing).removed] == NEWEST_FIRST
    changed = Catalogue.of(
        JP2,
        (
            replace(
                song,
                charts=(
                    replace(song.charts[0], constant=Hundredths(1310)),
                    replace(song.charts[0], difficulty=ULTIMA),
                ),
            )
            for song in SONGS
        ),
    )
    found = compare_catalogues(all_of_them, changed)
    assert [each.song.id for each in found.changed] == NEWEST_FIRST
    assert [song.id for song, _chart in found.new_charts] == NEWEST_FIRST


def test_a_constant_that_was_found_is_a_discovery_and_one_that_was_lost_is_none() -> None:
    known = Catalogue.of(JP2, SONGS[:1])
    unknown = Catalogue.of(JP2, [replace(SONGS[0], charts=(replace(SONGS[0].charts[0], constant=None),))])
    assert compare_catalogues(unknown, known).discovered
    lost = compare_catalogues(known, unknown)
    assert not lost.discovered
    assert [each.song.id for changes in lost.by_difficulty.values() for each in changes] == ["old"]
