"""Holds `bot/base/clock.py`."""

import asyncio
import time
from datetime import UTC, datetime, timedelta

import pytest

from bot.base.clock import ManualClock, SteadyClock, SystemClock

NOW = datetime(2026, 11, 21, 3, tzinfo=UTC)


async def _do_not_sleep(_seconds: float) -> None:
    await asyncio.sleep(0)


@pytest.mark.skipif(not hasattr(time, "CLOCK_BOOTTIME"), reason="this system has no such clock")
def test_the_machines_clock_goes_on_while_the_machine_sleeps() -> None:
    before = time.clock_gettime(time.CLOCK_BOOTTIME)
    now = SystemClock().monotonic()
    assert before <= now <= time.clock_gettime(time.CLOCK_BOOTTIME)


async def test_by_a_clock_that_stands_still_time_passes_for_those_who_sleep_and_for_all_at_once() -> None:
    steady = SteadyClock(ManualClock(NOW), _do_not_sleep)
    await asyncio.gather(*(steady.sleep(10) for _ in range(5)))
    await steady.sleep(1)
    assert steady.monotonic() == 11
    assert steady.now() == NOW + timedelta(seconds=11)
    assert steady.origin() == NOW


async def test_a_clock_that_moves_is_not_pushed() -> None:
    manual = ManualClock(NOW)

    async def sleep(seconds: float) -> None:
        manual.advance(seconds + 0.5)

    steady = SteadyClock(manual, sleep)
    await steady.sleep(10)
    assert steady.monotonic() == manual.monotonic() == 10.5


def test_the_origin_moves_when_the_clock_is_set() -> None:
    manual = ManualClock(NOW)
    steady = SteadyClock(manual, _do_not_sleep)
    manual.advance(60)
    manual.set_back(3600)
    assert steady.origin() == NOW - timedelta(hours=1)
    assert steady.monotonic() == 60
