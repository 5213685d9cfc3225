"""Holds `bot/base/worker.py`."""

import asyncio
import gc
import sys
import threading

import pytest
from collector import asked_walks

from bot.base.worker import run_in_worker


async def test_pieces_of_work_are_done_one_after_another_beside_the_loop() -> None:
    under_way: set[int] = set()
    most: list[int] = []

    def work(number: int) -> int:
        under_way.add(number)
        threading.Event().wait(0.001)  # another would begin here
        most.append(len(under_way))
        under_way.discard(number)
        return threading.get_ident()

    threads = await asyncio.gather(*(run_in_worker(work, number) for number in range(10)))
    assert set(most) == {1}
    assert threading.get_ident() not in threads


async def test_the_loop_waits_a_fifth_of_a_millisecond_for_its_turn() -> None:
    assert await run_in_worker(sys.getswitchinterval) == pytest.approx(0.0002)


async def test_what_a_piece_of_work_leaves_is_walked_once_it_is_done() -> None:
    """By itself: what several leave would be walked together later, for longer than the loop should wait."""
    noted_within: list[int] = []

    def work() -> list[list[int]]:
        made = [[number] for number in range(20_000)]
        noted_within.extend(noted)
        return made

    with asked_walks() as noted:
        made = await run_in_worker(work)
    assert noted_within == []
    assert noted == [1]
    assert len(made) == 20_000
    assert gc.isenabled()


async def test_after_little_work_nothing_is_walked() -> None:
    with asked_walks() as noted:
        await run_in_worker(gc.collect, 0)
    assert noted == [0]
