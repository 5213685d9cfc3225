from datetime import UTC, date, datetime

from bot.domain.game_versions import Formula, GameVersion, VersionTable, game_day
from bot.domain.ids import JP, JP2


def version(name: str, first_day: date) -> GameVersion:
    return GameVersion(
        name=name, region=JP2, first_day=first_day, formula=Formula.BEST_AND_NEW, new_since=first_day
    )


ONE, TWO = version("one", date(2025, 1, 1)), version("two", date(2025, 6, 1))
TABLE = VersionTable.of([TWO, ONE])


def test_versions_in_force_are_the_newest_first_and_each_region_has_its_own() -> None:
    assert TABLE.in_force(JP2, date(2024, 12, 31)) == ()
    assert TABLE.in_force(JP2, date(2025, 5, 31)) == (ONE,)
    assert TABLE.in_force(JP2, date(2025, 6, 1)) == (TWO, ONE)
    assert TABLE.in_force(JP, date(2025, 6, 1)) == ()


def test_the_next_version_is_the_first_to_come() -> None:
    assert TABLE.next_after(JP2, date(2024, 1, 1)) == ONE
    assert TABLE.next_after(JP2, date(2025, 1, 1)) == TWO
    assert TABLE.next_after(JP2, date(2025, 6, 1)) is None


def test_a_profile_is_from_before_a_version_that_has_begun_since_it_was_told() -> None:
    eve, first = date(2025, 5, 31), date(2025, 6, 1)
    assert TABLE.turned_since(ONE, eve, first) == TWO
    assert TABLE.turned_since(ONE, eve, eve) is None, "it has not begun"
    assert TABLE.turned_since(ONE, first, first) is None, "an edition that lags"
    assert TABLE.turned_since(TWO, eve, first) is None
    assert TABLE.turned_since(ONE, None, first) is None
    assert TABLE.turned_since(None, eve, first) is None


def test_of_two_that_begin_on_one_day_the_last_stays() -> None:
    other = version("other", date(2025, 6, 1))
    assert VersionTable.of([ONE, TWO, other]).versions == (ONE, other)


def test_a_day_of_the_game_turns_at_seven_in_japan() -> None:
    assert ONE.begins_at == datetime(2024, 12, 31, 22, tzinfo=UTC)
    assert game_day(datetime(2024, 12, 31, 21, 59, tzinfo=UTC)) == date(2024, 12, 31)
    assert game_day(datetime(2024, 12, 31, 22, tzinfo=UTC)) == date(2025, 1, 1)


def test_a_song_is_new_from_the_day_of_its_version_on() -> None:
    assert ONE.is_new(date(2025, 1, 1))
    assert not ONE.is_new(date(2024, 12, 31))
    assert not ONE.is_new(None)
