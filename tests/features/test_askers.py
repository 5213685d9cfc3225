"""Two questions at once; what members see of each other stands in tests/cogs."""

import inspect
from datetime import UTC, datetime

import pytest

from bot.api.answer import Answer
from bot.domain.age import Age
from bot.domain.errors import NotLinked
from bot.features.shared.asking import ask_both

NOW = datetime(2026, 1, 1, tzinfo=UTC)


async def answered(value: int) -> Answer[int]:
    return Answer(value, Age(NOW))


async def refused() -> Answer[int]:
    raise NotLinked


@pytest.mark.parametrize("is_known", [True, False])
async def test_both_answers_stand_side_by_side(*, is_known: bool) -> None:
    assert (await ask_both(answered(1), answered(2), is_known=is_known)).value == (1, 2)


@pytest.mark.parametrize("is_known", [True, False])
async def test_where_one_is_refused_the_other_is_given_up(*, is_known: bool) -> None:
    other = answered(2)
    with pytest.raises(NotLinked):
        await ask_both(refused(), other, is_known=is_known)
    assert inspect.getcoroutinestate(other) == inspect.CORO_CLOSED
