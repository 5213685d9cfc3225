"""A database of the test's own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store import Store, Vault, new_key


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite+aiosqlite:///{tmp_path / 'kiroku.db'}"


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    async with Store(url, Vault([new_key()])) as store:
        yield store
