from datetime import UTC, datetime, timedelta

from bot.domain.history import Past, Snapshot
from bot.domain.ids import JP2, MemberId
from bot.domain.numbers import Hundredths

NOW = datetime(2026, 11, 21, 14, tzinfo=UTC)


def past(*ratings: int) -> Past:
    """Return what is kept of somebody who was looked at each day, the last time now."""
    days = [NOW - timedelta(days=back) for back in reversed(range(len(ratings)))]
    snapshots = [
        Snapshot(
            member=MemberId(1), region=JP2, day=day.date(), taken_at=day, rating=Hundredths(rating), scores={}
        )
        for day, rating in zip(days, ratings, strict=True)
    ]
    return Past(
        region=JP2,
        until=NOW.date(),
        newest=tuple(reversed(snapshots[-2:])),
        ratings=tuple((each.taken_at, each.rating) for each in snapshots),
    )


def test_what_was_before_a_version_began_is_of_another_chapter() -> None:
    found = past(1500, 1510, 1520)
    assert found.since(NOW - timedelta(days=5)) == found
    anew = found.since(NOW - timedelta(hours=1))
    assert (anew.before, [rating for _, rating in anew.ratings]) == (None, [1520])


def test_an_edition_abroad_begins_its_chapter_with_the_fall() -> None:
    begun_in_japan = NOW - timedelta(days=200)
    first_day, next_day = past(1500, 1510, 960), past(1510, 960, 970)
    assert (first_day.since(begun_in_japan).before, len(first_day.since(begun_in_japan).ratings)) == (None, 1)
    before = next_day.since(begun_in_japan).before
    assert before is not None
    assert before.rating == 960
    assert past(1500, 1400).since(begun_in_japan).before is not None
