"""bot/background/periodic.py and bot/base/backoff.py: what is done again and again, and how long it waits after a failure."""

import asyncio
from datetime import timedelta

import pytest
from logbook import LogBook

from bot.background import periodic
from bot.background.periodic import PeriodicTasks
from bot.base.backoff import doubled_wait
from bot.domain.errors import CannotKeep


@pytest.mark.parametrize("error", [CannotKeep(), ValueError("x")])
async def test_work_that_failed_is_done_again(
    error: Exception, log: LogBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(periodic, "_RETRY_DELAY_SECONDS", 0.0)
    calls: list[int] = []
    is_done = asyncio.Event()

    async def work() -> float:
        calls.append(len(calls))
        if len(calls) == 1:
            raise error
        if len(calls) == 3:
            is_done.set()
            return 3600.0
        return 0.0

    tasks = PeriodicTasks()
    tasks.start("counting", work, delay=0.0)
    await is_done.wait()
    await tasks.stop()
    assert len(calls) == 3
    # Why the store cannot keep something is logged where it is known.
    assert ("counting failed, and will run again" in log.text) == isinstance(error, ValueError)


async def test_stopping_breaks_off_what_is_being_done_and_waits_for_it() -> None:
    is_begun, ended = asyncio.Event(), list[str]()

    async def work() -> float:
        is_begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append("work")
        return 0.0

    tasks = PeriodicTasks()
    tasks.start("waiting", work, delay=0.0)
    await is_begun.wait()
    await tasks.stop()
    assert ended == ["work"]


@pytest.mark.parametrize(
    ("failures", "seconds"), [(0, 5), (1, 5), (2, 10), (3, 20), (5, 80), (6, 120), (5000, 120)]
)
def test_each_failure_doubles_the_wait_up_to_the_longest(failures: int, seconds: int) -> None:
    assert doubled_wait(5.0, failures, 120.0) == seconds
    longest = timedelta(seconds=120)
    assert doubled_wait(timedelta(seconds=5), failures, longest) == timedelta(seconds=seconds)
