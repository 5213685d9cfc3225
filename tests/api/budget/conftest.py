import pytest
from spending import TOKEN

from bot.api.budget.budget import Budget


@pytest.fixture
def budget() -> Budget:
    return Budget(TOKEN, "2.0")
