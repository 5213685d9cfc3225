"""bot/features/shared/aliases.py: which servers' aliases are in memory."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest
from statements import statements_of

from bot.domain.ids import GuildId, SongId
from bot.features.shared import aliases
from bot.features.shared.aliases import ServerAliases
from bot.store import Alias, Store, Vault, new_key

GUILD = GuildId(1)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with Store(f"sqlite+aiosqlite:///{tmp_path / 'kiroku.db'}", Vault([new_key()])) as store:
        yield store


async def is_in_memory(store: Store, known: ServerAliases, guild: int) -> bool:
    with statements_of(store) as sent:
        await known.find(GuildId(guild))
    return not sent


async def test_memory_is_bounded_and_lets_go_of_the_server_not_asked_for_longest(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aliases, "AT_HAND", 3)
    known = ServerAliases(store)
    for guild in (1, 2, 3, 1, 4):
        await known.find(GuildId(guild))
    assert [*known._at_hand] == [3, 1, 4]
    assert await is_in_memory(store, known, 1)
    assert not await is_in_memory(store, known, 2)


async def test_aliases_that_are_read_while_one_is_added_are_read_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, fetch = ServerAliases(store), store.aliases.fetch
    await known.fetch(GUILD)
    has_read, goes_on = asyncio.Event(), asyncio.Event()

    async def fetch_slowly(guild: GuildId) -> Mapping[str, Alias]:
        found = await fetch(guild)
        has_read.set()
        await goes_on.wait()
        return found

    known.drop(GUILD)
    monkeypatch.setattr(store.aliases, "fetch", fetch_slowly)
    reading = asyncio.create_task(known.find(GUILD))
    await has_read.wait()
    await store.aliases.save(GUILD, "sky", Alias("Sky", SongId("1")))
    known.drop(GUILD)
    goes_on.set()
    assert (await reading).songs == {"sky": SongId("1")}
