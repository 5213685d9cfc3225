"""Budgets that travel between processes, beside those of one process alone: decisions, hand-overs, round trips.

What is compared is measured side by side in one run. Without PostgreSQL on the machine there is nothing to measure.
"""

import asyncio
import statistics
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from cluster import Cluster, create_database, find_programs
from spender import said, spenders, spending_service

from bot.api.budget.accounts import BudgetRegistry, key_of_account
from bot.api.budget.budget import AccountKey, Budget, Decision, Granted, Permit, Priority
from bot.api.budget.leased_ledger import LeasedLedger
from bot.api.budget.ledger import BudgetLedger
from bot.api.budget.local_ledger import LocalLedger
from bot.api.budget.window import WINDOW_SECONDS, RateHeaders
from bot.base.clock import SteadyClock, SystemClock
from bot.domain.ids import UserId
from bot.store import Store, Vault, new_key

DECISIONS = 20_000
HANDOVERS = 300
TRIPS = 3
"""Of one hand-over: standing in the line, giving, taking; and two notifications."""
PROCESSES = 4
NAME = key_of_account(UserId(1))
CLOCK = SteadyClock(SystemClock(), asyncio.sleep)


@asynccontextmanager
async def a_process(url: str) -> AsyncGenerator[tuple[LeasedLedger, Store]]:
    async with Store(url, Vault([new_key()])) as store, store.member() as presence:
        shared = store.budgets(presence)
        assert shared is not None
        async with LeasedLedger(BudgetRegistry(), CLOCK, shared) as ledger:
            yield ledger, store


async def decide(ledger: BudgetLedger, name: AccountKey) -> Permit:
    """Ask leave, as the rate limiter does, in a window that nobody can spend."""
    now = CLOCK.monotonic()
    await ledger.acquire_lease(name, Priority.PERSON, now + 10)
    decision: Decision = await ledger.update_budget(
        name, "2.0", partial(Budget.reserve, now=now, priority=Priority.PERSON, timeout=10.0)
    )
    assert isinstance(decision, Granted), decision
    return decision.permit


async def count_reply(ledger: BudgetLedger, ticket: Permit) -> None:
    """Count a reply, as the rate limiter does."""
    now = CLOCK.monotonic()
    reply = RateHeaders(limit=10**6, remaining=10**6 - 1, reset_at=WINDOW_SECONDS, ends_in=WINDOW_SECONDS)
    await ledger.record_outcome(ticket, lambda budget: budget.record_reply(ticket, now, reply))


async def measure_decision(url: str) -> tuple[float, float, float]:
    """Return medians in microseconds: of a decision with the lease held; of it with its reply; of both in one process.

    The one process is alone, with the copy that it has.
    """
    decisions: list[int] = []
    taken: tuple[list[int], list[int]] = ([], [])
    async with AsyncExitStack() as stack:
        travelling, store = await stack.enter_async_context(a_process(url))
        alone = await stack.enter_async_context(LocalLedger(BudgetRegistry(), CLOCK, store.windows))
        for number in range(DECISIONS):
            for ledger, times in zip((alone, travelling), taken, strict=True):
                for budget in ledger._budgets.get_all(NAME):
                    budget.pace._free_at = 0.0  # nobody waits here
                start = time.perf_counter_ns()
                ticket = await decide(ledger, NAME)
                decided = time.perf_counter_ns()
                await count_reply(ledger, ticket)
                times.append(time.perf_counter_ns() - start)
                if ledger is travelling:
                    decisions.append(decided - start)
            if number % 1000 == 0:
                await asyncio.sleep(0)
    alone_median, held_median, decision = (statistics.median(each) / 1000 for each in (*taken, decisions))
    return decision, held_median, alone_median


async def measure_handovers(url: str) -> tuple[list[float], list[float]]:
    """Return how long an idle account takes from one process to another, and as many bare round trips take.

    In milliseconds, from short to long. A busy machine has both wait.
    """
    taken: tuple[list[float], list[float]] = ([], [])
    async with AsyncExitStack() as stack:
        ones = [(await stack.enter_async_context(a_process(url)))[0] for _ in range(2)]
        for number in range(HANDOVERS):
            await asyncio.sleep(0.05)
            start = time.perf_counter()
            await ones[number % 2].acquire_lease(NAME, Priority.PERSON, CLOCK.monotonic() + 10)
            taken[0].append((time.perf_counter() - start) * 1000)
            start = time.perf_counter()
            for _ in range(TRIPS):
                await ones[number % 2]._shared.find_requested()
            taken[1].append((time.perf_counter() - start) * 1000)
    return sorted(taken[0][1:]), sorted(taken[1][1:])


async def measure_granted(folder: Path, url: str, processes: int) -> float:
    """Return how many requests of an account were granted in a whole window, however many processes ask for it."""
    seconds = 15
    async with (
        spending_service(folder, accounts=1, limit=50, window_seconds=seconds, delay=0.03) as judge,
        spenders(judge, processes, database=url, askers=12 // processes),
    ):
        await asyncio.sleep(3 * seconds)
        assert not judge.refused
    return statistics.fmean(judge.whole_windows(judge.tokens[0][0]))


async def measure_trips(folder: Path, url: str) -> float:
    """Return how many round trips a request takes where 95 % of an account's questions come to one process."""
    async with (
        spending_service(folder, accounts=80, limit=1000, window_seconds=900) as judge,
        spenders(judge, PROCESSES, database=url, askers=8, at_home=0.95, pause=0.2) as ones,
    ):
        await asyncio.sleep(20)
        words = said(ones)
        assert not judge.refused
    return words["trip"] / max(1, words["answered"])


def main() -> int:
    """Print everything; return the exit status."""
    if find_programs() is None:
        print("PostgreSQL is not installed: nothing was measured")
        return 1
    with Cluster() as cluster, TemporaryDirectory() as folder:

        def place(name: str) -> tuple[Path, str]:
            (Path(folder) / name).mkdir()
            return Path(folder) / name, create_database(cluster.folder, name)

        decision, held, alone = asyncio.run(measure_decision(place("decision")[1]))
        handovers, bare = asyncio.run(measure_handovers(place("handover")[1]))
        one = asyncio.run(measure_granted(place("one")[0], "", 1))
        four = asyncio.run(measure_granted(*place("four"), PROCESSES))
        trips = asyncio.run(measure_trips(*place("trips")))
    p50, p99 = (handovers[len(handovers) * part // 100] for part in (50, 99))
    bare_p99 = bare[len(bare) * 99 // 100]
    goals = [
        ("decision, the lease held", "at most 5 µs", decision <= 5, f"{decision:.1f} µs"),
        ("decision and reply, the lease held, beside one process alone", "at most 1.2 times", held <= 1.2 * alone,
         f"{held / alone:.2f} times ({held:.1f} µs and {alone:.1f} µs)"),
        ("hand-over of an idle account, p99", "at most 50 ms", p99 <= 50,
         f"{p99:.1f} ms (p50 {p50:.1f} ms; {TRIPS} round trips {bare_p99:.1f} ms)"),
        ("granted in a window by four processes, beside one", "at least 0.95", four >= 0.95 * one,
         f"{four / one:.2f} ({four:.1f} and {one:.1f})"),
        ("round trips a request, 95 % of them at home", "at most 0.5", trips <= 0.5, f"{trips:.2f}"),
    ]  # fmt: skip
    for name, goal, is_met, figure in goals:
        print(f"{'met   ' if is_met else 'MISSED'}  {name}: {figure}; goal: {goal}")
    return 0 if all(is_met for _, _, is_met, _ in goals) else 1


if __name__ == "__main__":
    sys.exit(main())
