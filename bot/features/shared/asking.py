"""Two questions at once, and one answer."""

import asyncio
from collections.abc import Coroutine
from contextlib import closing
from typing import Any, TypeVar

from bot.api.answer import Answer

T = TypeVar("T")
U = TypeVar("U")


async def ask_both(
    one: Coroutine[Any, Any, Answer[T]], other: Coroutine[Any, Any, Answer[U]], *, is_known: bool = False
) -> Answer[tuple[T, U]]:
    """Ask two questions at once, best of two versions of the service: each counts its requests by itself.

    Where the answer to one `is_known`, the other is asked without a task for each.
    Raises: what the first to fail raises; the other question is given up.
    """
    if is_known:
        with closing(other):
            return (await one).beside(await other)
    try:
        async with asyncio.TaskGroup() as tasks:
            asked = tasks.create_task(one), tasks.create_task(other)
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return asked[0].result().beside(asked[1].result())
