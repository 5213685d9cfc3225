"""Holds `bot/api/budget/local_ledger.py`."""

import asyncio
from datetime import timedelta

import pytest
from gate import NOW, RESET, Copy, Gate, settle_down

from bot.domain.ids import UserId


async def test_the_copy_survives_a_restart() -> None:
    copy = Copy()
    gate = Gate(copy)
    async with gate.ledger:
        await gate.ask(42)
    after = Gate(copy)
    async with after.ledger:
        assert after.left().remaining == 42


async def test_a_token_leaves_no_copy_once_its_account_is_known() -> None:
    copy = Copy()
    gate = Gate(copy)
    async with gate.ledger:
        await gate.ask(42)
        await gate.ledger.save()
        await gate.limiter.link_token("one", UserId(7))
        await gate.ask(41)
    assert set(copy.kept) == {("account:7", "2.0")}


async def test_without_a_copy_nothing_is_noted_for_it() -> None:
    gate = Gate(None)
    async with gate.ledger:
        await gate.ask(42)
        await gate.limiter.link_token("one", UserId(7))
        assert (gate.ledger._gone, gate.ledger._changed) == (set(), {}), "nobody would ever write it down"


async def test_where_each_request_matters_the_copy_is_written_before_it_is_sent() -> None:
    copy = Copy()
    gate = Gate(copy)
    async with gate.ledger:
        await gate.ask(20)
        await gate.pass_time(60)
        await gate.enter()
        (kept,) = copy.kept.values()
        assert (kept.remaining, kept.lost) == (20, 1)


async def test_a_copy_that_cannot_be_written_costs_nobody_an_answer(caplog: pytest.LogCaptureFixture) -> None:
    copy = Copy()
    copy.is_broken = True
    gate = Gate(copy)
    async with gate.ledger:
        await gate.ask(2)
        await gate.pass_time(60)
        await gate.ask(1)
        assert "could not be written" in caplog.text
        copy.is_broken = False
        await gate.ledger.save()
        assert copy.kept


async def test_a_copy_that_was_cancelled_half_way_is_written_later() -> None:
    """Whoever waits may give up while the copy is being written; and so it ends when the bot closes."""
    copy = Copy()
    gate = Gate(copy)
    async with gate.ledger:
        await gate.ask(42)
        copy.is_ready.clear()
        saving = asyncio.create_task(gate.ledger.save())
        await settle_down()
        saving.cancel()
        await asyncio.gather(saving, return_exceptions=True)
        assert copy.kept == {}
        copy.is_ready.set()
    (kept,) = copy.kept.values()
    assert kept.remaining == 42


@pytest.mark.parametrize("hours", [-1, 1])
async def test_the_copy_says_the_time_of_day_by_the_clock_as_it_is_set(hours: int) -> None:
    copy = Copy()
    gate = Gate(copy)
    async with gate.ledger:
        await gate.ask(0)
        gate.clock.set_back(hours * 3600)
    after = Gate(copy)
    after.clock.set_back(hours * 3600)
    async with after.ledger:
        left = after.left()
        assert (left.remaining, left.reset_at) == (0, NOW + timedelta(seconds=RESET, hours=-hours))


async def test_a_restart_with_a_clock_that_was_set_back_meanwhile() -> None:
    copy = Copy()
    gate = Gate(copy)
    async with gate.ledger:
        await gate.ask(0)
    after = Gate(copy)
    after.clock.set_back(3600)
    async with after.ledger:
        left = after.left()
        assert (left.remaining, left.reset_at) == (0, NOW + timedelta(seconds=RESET, hours=-1))


async def test_a_restart_begins_the_seconds_anew() -> None:
    """The monotonic clock of a machine that was started again begins at zero."""
    copy = Copy()
    gate = Gate(copy)
    await gate.pass_time(300)
    async with gate.ledger:
        await gate.ask(0)
    after = Gate(copy)
    after.clock.set_back(-360)
    assert after.clock.monotonic() == 0
    async with after.ledger:
        left = after.left()
        assert (left.remaining, left.reset_at) == (0, NOW + timedelta(seconds=RESET))
        waiting = after.enter()
        await after.pass_time(RESET - 361)
        assert not waiting.done()
        await after.pass_time(1)
        assert waiting.done()
