"""What an answer could do without, and could not be kept while another program wrote, is kept as soon as it can be."""

import asyncio

import pytest
from world import World

from bot.database import backlog
from bot.database.tables import QUESTIONS, SIGHTINGS, SNAPSHOTS
from bot.domain.members import Visibility

pytestmark = pytest.mark.sqlite


async def test_filters_and_days_are_kept_once_they_can_be(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.database.engine.WRITE_SECONDS", 0.05)
    monkeypatch.setattr(backlog, "_RETRY_SECONDS", 0.05)
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays", Visibility.SERVERS)
    channel = world.discord.channel
    store = world.bot.features.accounts._store
    async with world.locked():
        for command in ("rating", "session"):
            await alice.slash(channel, command)
        assert (await alice.slash(channel, "search", filter="const>=13 score<1007500")).charts
        while len(store.backlog) < 4:  # noqa: ASYNC110 - nobody is told
            await asyncio.sleep(0.01)
    while len(store.backlog):  # noqa: ASYNC110 - as above
        await asyncio.sleep(0.01)
    assert [row["text"] for row in await world.rows(QUESTIONS)] == ["const>=13.0 score<1007500"]
    assert len(await world.rows(SIGHTINGS)) == 1
    (day,) = await world.rows(SNAPSHOTS)
    assert day["records"]
    assert day["scores"]
    for never in ("fault", "lost"):
        assert never not in world.log.text


async def test_what_is_erased_meanwhile_is_not_kept_later(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    store = world.bot.features.accounts._store
    async with world.locked():
        await alice.slash(world.discord.channel, "rating")
        while not len(store.backlog):  # noqa: ASYNC110 - nobody is told
            await asyncio.sleep(0.01)
    question = await alice.slash(world.discord.channel, "privacy erase")
    await alice.click(question, "Erase everything")
    assert not [key for key in store.backlog._left if key[0] == "snapshot"]
