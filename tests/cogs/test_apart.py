"""bot/base/worker.py in the whole bot: what is done with thousands of records is not done on the event loop."""

import threading
from collections.abc import Callable
from functools import wraps

import pytest
from world import World

from bot.api import answer_store as kept
from bot.api import client
from bot.features import scores
from bot.store import Vault
from bot.wire.records import RecordsV20

STEPS = (
    (client, "parse_response"),
    (RecordsV20, "to_domain"),
    (kept, "write"),
    (Vault, "seal"),
    (Vault, "find_sealed"),
    (kept, "read"),
    (scores, "_chosen"),
)
"""From the body of a reply to the copy on the disk, and back, and to a list."""


@pytest.mark.parametrize(("holder", "step"), STEPS, ids=[step for _holder, step in STEPS])
async def test_large_replies_are_handled_beside_the_loop(
    world: World, monkeypatch: pytest.MonkeyPatch, holder: object, step: str
) -> None:
    done_by: set[str] = set()
    function: Callable[..., object] = getattr(holder, step)

    @wraps(function)
    def noted(*args: object, **values: object) -> object:
        done_by.add(threading.current_thread().name)
        return function(*args, **values)

    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    monkeypatch.setattr(client, "_LARGE_BODY_BYTES", 0)
    monkeypatch.setattr(holder, step, noted)
    await alice.slash(world.discord.channel, "scores")
    await world.stop_service()
    await world.start_bot()  # which has what is on the disk alone
    await alice.slash(world.discord.channel, "scores")
    assert {name.partition("_")[0] for name in done_by} == {"apart"}
