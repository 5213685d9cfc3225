"""Everything that the bot sends to Discord, asked or by itself, judged by Discord's own OpenAPI (tests/judge.py)."""

import pytest
from dailies import at_nine, start_daily
from judge import find_judge
from walk import press_everything, walk
from world import World

from bot.demo.simulator import SimulatedCall

pytestmark = [pytest.mark.shared, pytest.mark.heavy]


class Judged:
    """What the bot has sent, and what Discord would refuse of it."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.faults: set[str] = set()

    def has_sent(self, method: str, ending: str) -> bool:
        return any(each.startswith(f"{method} ") and each.endswith(ending) for each in self.sent)


@pytest.fixture
def judged(world: World, monkeypatch: pytest.MonkeyPatch) -> Judged:
    judge = find_judge()
    if judge is None:
        pytest.skip("Discord's specification is not there")
    seen = Judged()
    answer = world.discord.wire.answer

    def answer_judged(call: SimulatedCall) -> tuple[int, object]:
        seen.sent.append(f"{call.method} {call.path}")
        seen.faults.update(judge.judge(call))
        return answer(call)

    monkeypatch.setattr(world.discord.wire, "answer", answer_judged)
    return seen


@pytest.mark.parametrize("locale", ["en-US", "ja"])
async def test_discord_takes_all_that_is_sent(world: World, locale: str, judged: Judged) -> None:
    boss = world.discord.person("Boss", locale=locale, manager=True)
    await world.link(boss, "minamo_plays")
    async for name, reply in walk(world, boss, world.discord.channel, boss):
        if name != "privacy erase":
            async for _ in press_everything(boss, reply):
                pass
    assert len(judged.sent) > 100
    assert sorted(judged.faults) == []


@pytest.mark.own
async def test_discord_takes_what_is_sent_at_the_start(world: World, judged: Judged) -> None:
    """The commands among it: those of a bot whose database knows of none that Discord has."""
    await world.discord.stop()
    await world.change_database("DELETE FROM leases")
    await world.start_bot()
    await world.begun()
    assert judged.has_sent("PUT", "/commands")
    assert sorted(judged.faults) == []


@pytest.mark.own
async def test_discord_takes_what_is_posted_when_nobody_asks(world: World, judged: Judged) -> None:
    await start_daily(world, "mio", "minamo_plays")
    at_nine(world)
    judged.sent.clear()
    await world.tick()
    assert judged.has_sent("POST", f"/channels/{world.discord.channel.id}/messages")
    assert sorted(judged.faults) == []


@pytest.mark.own
@pytest.mark.parametrize("locale", ["en-US", "ja"])
async def test_discord_takes_forms_and_what_their_sending_is_answered_with(
    world: World, locale: str, judged: Judged
) -> None:
    boss, channel = world.discord.person("Boss", locale=locale, manager=True), world.discord.channel
    form = await boss.slash(channel, "setup")
    values = {"daily": channel, "feed": channel, "at": "21:00 Asia/Tokyo", "language": ["auto"], "first": []}
    await boss.submit(form, values)
    await world.link(boss, "minamo_plays")
    for typed in ("30:00", "9:30 Europe/Paris"):
        await boss.submit(await boss.slash(channel, "setup"), {**values, "at": typed})
    assert judged.has_sent("POST", "/callback")
    assert sorted(judged.faults) == []
