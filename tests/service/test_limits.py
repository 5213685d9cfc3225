import resource
from contextlib import ExitStack
from pathlib import Path

import aiohttp
import pytest

from bot.base.clock import ManualClock
from bot.domain.ids import UserId
from service.limits import RateWindows
from service.options import ServiceOptions
from service.schema import opened
from service.seed import SeedReport, seed
from service.server import running
from tests.service.conftest import Caller

USER = UserId(7)
CALM = ServiceOptions(quick_seconds=0)


def test_a_window_counts_down_and_starts_anew(tmp_path: Path, clock: ManualClock) -> None:
    with RateWindows(
        tmp_path / "windows", ServiceOptions(limits={"1.3": 2}, quick_seconds=0), clock
    ) as windows:
        first = windows.spend("1.3", USER)
        assert (first.limit, first.remaining, first.is_refused) == (2, 1, False)
        assert first.reset == int(clock.now().timestamp()) + 900
        clock.advance(1)
        assert windows.spend("1.3", USER).remaining == 0
        refused = windows.spend("1.3", USER)
        assert (refused.remaining, refused.is_refused, refused.reset) == (0, True, first.reset)
        clock.advance(898.5)
        assert windows.spend("1.3", USER).is_refused
        clock.advance(0.5)
        assert windows.spend("1.3", USER).remaining == 1


def test_quick_succession_costs_two(tmp_path: Path, clock: ManualClock) -> None:
    with RateWindows(tmp_path / "windows", ServiceOptions(), clock) as windows:
        assert windows.spend("2.0", USER).remaining == 119
        clock.advance(0.499)
        assert windows.spend("2.0", USER).remaining == 117
        clock.advance(0.5)
        assert windows.spend("2.0", USER).remaining == 116
        clock.advance(-0.4)
        assert windows.spend("2.0", USER).remaining == 115, "a clock set back is no quick succession"


def test_each_account_and_version_has_its_own_window(tmp_path: Path, clock: ManualClock) -> None:
    with RateWindows(tmp_path / "windows", CALM, clock) as windows:
        windows.spend("2.0", USER)
        assert windows.peek("2.0", USER).remaining == 119
        assert windows.peek("1.3", USER).remaining == 120
        assert windows.peek("1.0", USER).limit == 200
        assert windows.peek("2.0", UserId(8)).remaining == 120
        assert windows.peek("2.0", None).remaining == 120


def test_windows_survive_without_a_goodbye(tmp_path: Path, clock: ManualClock) -> None:
    path = tmp_path / "windows"
    with ExitStack() as stack:
        killed = stack.enter_context(RateWindows(path, CALM, clock))
        for _ in range(5):
            killed.spend("1.0", UserId(50_000))
        after = stack.enter_context(RateWindows(path, CALM, clock))
        assert after.peek("1.0", UserId(50_000)).remaining == 195


def test_a_full_disk_costs_accounts_without_a_window_and_nobody_else(
    tmp_path: Path, clock: ManualClock
) -> None:
    """What is mapped has its room on the disk: where a hole is written to and there is none, the kernel kills."""
    path, before = tmp_path / "windows", resource.getrlimit(resource.RLIMIT_FSIZE)
    with RateWindows(path, CALM, clock) as windows:
        assert path.stat().st_blocks * 512 >= path.stat().st_size > 0
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size - 1, before[1]))
        try:
            with pytest.raises(OSError, match="File too large"):
                windows.spend("2.0", UserId(50_000))
            with pytest.raises(OSError, match="File too large"):
                RateWindows(tmp_path / "others", CALM, clock)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert windows.spend("2.0", USER).remaining == 119
        assert windows.spend("2.0", UserId(50_000)).remaining == 119


async def test_a_failure_carries_the_window_it_was_counted_in(tmp_path: Path, clock: ManualClock) -> None:
    database = tmp_path / "records.db"
    token = seed(database, players=1).players[0].token
    options = ServiceOptions(limits={"2.0": 5, "1.3": 7, "1.0": 9}, quick_seconds=0)
    async with running(database, options=options, clock=clock) as base, aiohttp.ClientSession() as session:
        with opened(database) as connection:
            connection.execute("UPDATE accounts SET updated_at = 1e15")
        status, _, headers = await Caller(session, base).ask_in_full("/1.3/users/me.json", token)
    assert status == 500
    assert (headers["X-Rate-Limit-Limit"], headers["X-Rate-Limit-Remaining"]) == ("7", "6")


async def test_over_the_limit(seeded: tuple[Path, SeedReport], clock: ManualClock) -> None:
    options = ServiceOptions(limits={"2.0": 5, "1.3": 1, "1.0": 5}, quick_seconds=0)
    token = seeded[1].players[11].token
    async with running(seeded[0], options=options, clock=clock) as base, aiohttp.ClientSession() as session:
        caller = Caller(session, base)
        assert (await caller.ask("/1.3/users/me.json", token))[0] == 200
        status, body, headers = await caller.ask_in_full("/1.3/users/me.json", token)
        assert status == 429
        assert body == {"error": {"code": 429, "message": "too many requests.", "additional_message": ""}}
        assert headers["X-Rate-Limit-Remaining"] == "0"
        assert (await caller.ask("/1.0/users/me.json", token))[0] == 200
