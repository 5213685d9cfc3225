"""What a real `kiroku run` sends to the rig, judged by Discord's own OpenAPI (tests/judge.py)."""

from pathlib import Path

import pytest
from judge import find_judge
from patience import PATIENT_SECONDS
from rig.guilds import BOT
from rigged import SOMEBODY, running_rig, started

from bot.demo.simulator import SimulatedCall

pytestmark = [pytest.mark.heavy, pytest.mark.sqlite]


async def test_discord_takes_all_that_a_process_sends(tmp_path: Path) -> None:
    judge = find_judge()
    if judge is None:
        pytest.skip("Discord's specification is not there")
    async with (
        running_rig(patience=PATIENT_SECONDS, keeps=True) as rig,
        started(rig, "one", tmp_path),
    ):
        await rig.until(lambda state: state.shards == {0: ["one"]})
        for command in ("about", "help", "link", "setup", "settings", "rating"):
            await rig.ask(command)
        await rig.do("say", user=SOMEBODY, number=0, text=f"<@{BOT['id']}>")
        await rig.until(lambda state: state.counts.get("posted") == 1)
        sent = [SimulatedCall(**each) for each in await rig.do("sent")]
    assert {"GET", "PUT", "POST"} <= {each.method for each in sent}
    assert any(each.path.endswith("/commands") and each.method == "PUT" for each in sent)
    assert sorted({fault for each in sent for fault in judge.judge(each)}) == []
