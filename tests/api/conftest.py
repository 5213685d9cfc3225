from collections.abc import AsyncIterator

import pytest
from scripted import Scripted, scripted_service


@pytest.fixture
async def scripted() -> AsyncIterator[Scripted]:
    async with scripted_service() as script:
        yield script
