"""Requests that are used in several places, and how long their answers stay fresh."""

import asyncio
from collections.abc import Coroutine, Iterable, Mapping
from contextlib import closing
from datetime import timedelta
from typing import Any, Final, TypeVar

from bot.api import Holder
from bot.api.answer import Answer
from bot.domain.charts import LETTERS
from bot.domain.errors import BotError, NotFound, NotLinked
from bot.domain.history import ChartKey
from bot.domain.members import AccountLink
from bot.domain.statistics import ChartStatistics

T = TypeVar("T")
U = TypeVar("U")

FRESH_FOR: Final[Mapping[str, timedelta]] = {
    "player": timedelta(seconds=60),
    **dict.fromkeys(("rating_data", "records", "worlds_end", "courses", "friends"), timedelta(seconds=180)),
    "statistics": timedelta(hours=1),
}
"""How long answers stay fresh by default, by the first word of the question: records change only with an upload, and
statistics of all players hardly change with any one of them."""


async def ask_both(
    one: Coroutine[Any, Any, Answer[T]], other: Coroutine[Any, Any, Answer[U]], *, is_known: bool = False
) -> Answer[tuple[T, U]]:
    """Ask two questions concurrently, ideally on two versions of the service, which count separately.

    If the answer to one `is_known`, the other is asked without creating tasks. Raises: what the first to fail raises;
    the other question is cancelled.
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


async def ask_statistics(holder: Holder, chart: ChartKey) -> ChartStatistics:
    """Ask the service for the statistics of all players on a chart; the chart has to have some."""
    song, difficulty = chart
    return (await holder.v1_3.music.stat(id=song, diff=LETTERS[difficulty])).to_domain()


def told_of_members(error: NotFound, links: Iterable[AccountLink]) -> BotError:
    """Return the error to show if the service does not find a name or id, when members were asked about.

    For a member whose account is gone, the service names the account's number, which nobody typed and nobody should
    see.
    """
    gone = next((link.member for link in links if str(link.user_id) == error.what), None)
    return error if gone is None else NotLinked(gone)
