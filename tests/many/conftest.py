"""What several processes share: a PostgreSQL of their own."""

import pytest

from bot.store import new_key


@pytest.fixture
def shared(url: str) -> dict[str, str]:
    """Return the settings that all processes of one bot have in common."""
    return {"DATABASE_URL": url, "TOKEN_KEYS": new_key()}
