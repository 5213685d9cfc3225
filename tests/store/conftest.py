"""A database of the test's own."""

from collections.abc import AsyncIterator

import pytest
from hearing import listens

from bot.store import Store, Vault, new_key


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    async with Store(url, Vault([new_key()])) as store:
        await listens(store)
        yield store
