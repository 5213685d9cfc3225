"""A short form of `make drill`, in which nobody is impatient: what is judged is who is answered, and by whom."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from drill import SHARDS, Fleet, asking, fleet

pytestmark = pytest.mark.postgres
PATIENT = 100.0
"""Longer than this takes on a busy machine."""
LOOK_SECONDS, MOST_LOOKS = 0.2, 150


@pytest.mark.first
async def test_whoever_ends_nobody_is_left_without_an_answer(tmp_path: Path, shared: dict[str, str]) -> None:
    async with fleet(2, tmp_path, shared, patience=PATIENT) as serving:
        async with asking(serving.rig, 10):
            for kill in (True, False):
                await serving.start()
                await serving.until_all_serve()
                await serving.end_oldest(kill=kill)
        await serving.rig.until(lambda state: state.counts["acknowledged"] == state.counts["asked"])
        became = await judged(serving)
        counts = (await serving.rig.state()).counts
    assert became.keys() <= {"answered", "deferred in a process that was killed"}
    assert {counts.get(name, 0) for name in ("served_twice", "identifies_too_soon")} == {0}
    assert counts["identifies"] == SHARDS


async def judged(serving: Fleet) -> Counter[str]:
    """Return what became of the commands, of which those that are acknowledged are answered a while later."""
    for _ in range(MOST_LOOKS):
        became = Counter(serving.judge(each) for each in await serving.rig.do("asked"))
        if "never finished" not in became:
            return became
        await asyncio.sleep(LOOK_SECONDS)
    pytest.fail("some commands were never finished")
