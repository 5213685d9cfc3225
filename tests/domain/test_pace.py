"""How fast a rating grows, and when it will have grown by so much."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.pace import MAX_WEEKS, Pace, day_after, pace_of

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def looks(*seen: tuple[int, int]) -> list[tuple[datetime, int]]:
    """Return looks, by how many days ago they were."""
    return [(NOW - timedelta(days=ago), figure) for ago, figure in seen]


def test_it_is_what_was_gained_in_the_last_ninety_days() -> None:
    assert pace_of(looks((200, 1500), (90, 1600), (30, 1610), (0, 1618))) == Pace(90, 18)
    assert pace_of(looks((91, 1500), (28, 1610), (0, 1618))) == Pace(28, 8)


def test_a_shorter_time_tells_nothing() -> None:
    assert pace_of([]) is None
    assert pace_of(looks((0, 1600))) is None
    assert pace_of(looks((13, 1600), (0, 1610))) is None
    assert pace_of(looks((14, 1600), (0, 1610))) == Pace(14, 10)


def test_a_version_s_turn_begins_anew() -> None:
    assert pace_of(looks((60, 1690), (31, 1703), (30, 1025), (0, 1400))) == Pace(30, 375)
    assert pace_of(looks((60, 1690), (31, 1703), (30, 1700), (0, 1710))) == Pace(60, 20), (
        "a removed chart is no turn"
    )


@pytest.mark.parametrize(
    ("pace", "missing", "weeks"),
    [
        (Pace(28, 4), 4, 4),
        (Pace(28, 4), 4.1, 5),
        (Pace(90, 18), 6, 5),
        (Pace(30, 0), 5, None),
        (Pace(30, -3), 5, None),
        (Pace(90, 1), MAX_WEEKS, None),
    ],
)
def test_in_how_many_weeks_so_much_more_comes(pace: Pace, missing: float, weeks: int | None) -> None:
    assert pace.weeks_to(missing) == weeks


def test_in_four_weeks() -> None:
    assert Pace(56, 6).in_four_weeks == 3
    assert day_after(NOW, 2) == NOW + timedelta(days=14)
