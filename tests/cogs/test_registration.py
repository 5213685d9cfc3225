"""The bot tells Discord of its commands where they have changed, and not at each start."""

import re

import pytest
from world import World

from bot.chat import client
from bot.demo.simulator import SimulatedCall, Simulator
from cogs.calculator import CalculatorCog


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return how often Discord was told of commands, as it is told."""
    calls: list[str] = []
    answer = Simulator.answer

    def noted(simulator: Simulator, call: SimulatedCall) -> tuple[int, object]:
        if call.method == "PUT" and re.fullmatch(r"/applications/\d+/commands", call.path):
            calls.append(call.path)
        return answer(simulator, call)

    monkeypatch.setattr(Simulator, "answer", noted)
    return calls


async def test_once(world: World, told: list[str]) -> None:
    ids = world.bot.languages.command_ids
    await world.start_bot()
    assert not told
    assert world.bot.languages.command_ids == ids
    assert ids


async def test_anew_where_they_have_changed(
    world: World, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    every = [cog for cog in client.find_cogs() if cog is not CalculatorCog]
    monkeypatch.setattr(client, "find_cogs", lambda: every)
    await world.start_bot()
    assert len(told) == 1
    await world.start_bot()
    assert len(told) == 1


async def test_anew_where_somebody_else_has_taken_one_away(world: World, told: list[str]) -> None:
    commands = world.discord.wire.backend.commands[None]
    del commands[next(iter(commands))]
    await world.start_bot()
    assert len(told) == 1


async def test_anew_where_no_word_was_left(world: World, told: list[str]) -> None:
    await world.discord.stop()
    await world.change_database("UPDATE leases SET state = NULL")
    await world.start_bot()
    assert len(told) == 1
