"""Real processes that spend the budget of one account together: whatever becomes of them, the service refuses nobody."""

import asyncio
import signal
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from patience import PATIENT_SECONDS
from spender import Spender, said, spenders, spending_service

from bot.api.budget.unwritten import MAX_UNWRITTEN_REQUESTS

pytestmark = pytest.mark.postgres
LIMIT, WINDOW_SECONDS = 60, 7


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENT_SECONDS):
        while not is_so():  # noqa: ASYNC110 - processes tell nobody
            await asyncio.sleep(0.05)


def have_all_answered(ones: Sequence[Spender]) -> bool:
    return all(each.said["answered"] for each in ones)


async def test_the_killed_and_the_paused_bring_no_refusal(tmp_path: Path, url: str) -> None:
    """A process stands still for longer than it lives without a word, and goes on.

    It happens while enough is left for what both may have sent unseen: where that was the last of a window, whoever goes
    on asks once to learn it, and is refused.
    """
    async with (
        spending_service(
            tmp_path, accounts=1, limit=LIMIT, window_seconds=WINDOW_SECONDS, delay=0.01
        ) as judge,
        spenders(judge, 3, database=url, askers=2) as ones,
    ):
        (account, _token) = judge.tokens[0]
        await until(lambda: have_all_answered(ones) and judge.left(account) >= 3 * MAX_UNWRITTEN_REQUESTS)
        paused, killed, _ = ones
        paused.send(signal.SIGSTOP)
        killed.send(signal.SIGKILL)
        windows = len(judge.granted[account])
        await until(lambda: len(judge.granted[account]) > windows)
        paused.send(signal.SIGCONT)
        before = said(ones)["answered"]
        await until(lambda: said(ones)["answered"] > before + 3 * MAX_UNWRITTEN_REQUESTS)
    assert judge.refused == 0
