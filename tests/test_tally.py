"""Holds `bot/base/tally.py`."""

from bot.base.tally import BOUNDS, TimedTally


def test_what_was_timed_counts_for_its_bound_and_every_longer_one() -> None:
    tally = TimedTally("command", "outcome")
    for seconds in (0.0, BOUNDS[0], BOUNDS[0] * 1.01, BOUNDS[-1] + 1):
        tally.add(seconds, "best", "answered")
    tally.add(1.0, "best", "fault")
    counted = dict(tally)
    assert counted["best", "answered"].below == [2, *[3] * (len(BOUNDS) - 1), 4]
    assert counted["best", "answered"].seconds == BOUNDS[0] * 2.01 + BOUNDS[-1] + 1
    assert counted["best", "fault"].below[-1] == 1
