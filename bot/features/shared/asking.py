"""Questions that are asked in several places, and how long what is answered is fresh."""

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
"""How long answers are fresh, by the first word of what was asked, where the operator says nothing else: records change
with an upload alone, and what all players have is moved by no single one of them.
"""


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


async def ask_statistics(holder: Holder, chart: ChartKey) -> ChartStatistics:
    """Ask the service how all players fare on a chart of which it counts them."""
    song, difficulty = chart
    return (await holder.v1_3.music.stat(id=song, diff=LETTERS[difficulty])).to_domain()


def told_of_members(error: NotFound, links: Iterable[AccountLink]) -> BotError:
    """Return what people are told where the service knows nobody of a name, when some members were asked about.

    Of a member whose account is gone it is the account's number, which nobody has typed, and which is nobody's business.
    """
    gone = next((link.member for link in links if str(link.user_id) == error.what), None)
    return error if gone is None else NotLinked(gone)
