"""Sittings made up for tests of feeds."""

from dataclasses import replace
from datetime import datetime, timedelta

from chronicles import NOW

from bot.domain.charts import MASTER
from bot.domain.chronicle.session import RecordChange
from bot.domain.chronicle.state import LampFlags, RecordMark
from bot.domain.feed import Sitting
from bot.domain.ids import JP2, MemberId, SongId
from bot.domain.numbers import Hundredths

TOLD = LampFlags.TOLD | LampFlags.CLEAR_TOLD | LampFlags.CLEAR


def play(
    name: str = "a",
    before: int | None = 1_000_000,
    after: int = 1_008_000,
    *,
    lamps: LampFlags = TOLD,
    constant: int = 1400,
    at: datetime = NOW,
) -> RecordChange:
    """Return what was played on one chart, from one score to another."""
    old = None if before is None else RecordMark(before, int(TOLD), constant, 0)
    return RecordChange(
        (SongId(name), MASTER), old, RecordMark(after, int(lamps), constant, int(at.timestamp()))
    )


def sitting(
    *plays: RecordChange, gain: int | None = 3, since: datetime = NOW - timedelta(hours=2), rating: int = 1650
) -> Sitting:
    """Return what somebody has played, all of which counts among the best."""
    found = plays or (play(),)
    return Sitting(
        member=MemberId(1),
        player_name="ＭＩＮＡＭＯ",
        region=JP2,
        since=since,
        rating=Hundredths(rating),
        rating_before=None if gain is None else Hundredths(rating - gain),
        plays=found,
        best=frozenset(each.chart for each in found),
    )


def outside(found: Sitting, name: str) -> Sitting:
    """Return a sitting of which one chart does not count among the best."""
    return replace(found, best=found.best - {(SongId(name), MASTER)})
