"""Everything that the bot sends to Discord in answer to all commands, judged by Discord's own OpenAPI (tests/judge.py)."""

import pytest
from judge import find_judge
from walk import press_everything, walk
from world import World

from bot.demo.simulator import SimulatedCall

pytestmark = [pytest.mark.shared, pytest.mark.heavy]


@pytest.mark.parametrize("locale", ["en-US", "ja"])
async def test_discord_takes_all_that_is_sent(
    world: World, locale: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = find_judge()
    if judge is None:
        pytest.skip("Discord's specification is not there")
    calls: list[str] = []
    faults: list[str] = []
    answer = world.discord.wire.answer

    def answer_judged(call: SimulatedCall) -> tuple[int, object]:
        calls.append(call.path)
        faults.extend(judge.judge(call))
        return answer(call)

    monkeypatch.setattr(world.discord.wire, "answer", answer_judged)
    boss = world.discord.person("Boss", locale=locale, manager=True)
    await world.link(boss, "minamo_plays")
    async for name, reply in walk(world, boss, world.discord.channel, boss):
        if name != "privacy erase":
            async for _ in press_everything(boss, reply):
                pass
    assert len(calls) > 100
    assert sorted({*faults}) == []
