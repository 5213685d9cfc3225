"""Deferring an answer: within its three seconds, Discord is told that one will come; not where it is there by then."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import discord
from discord.utils import utcnow

DEFER_AFTER_SECONDS: Final = 0.25
"""An answer that is there by then needs one request to Discord where a deferred one needs two."""
_OLD_SECONDS: Final = 1.0
_DEADLINE_SECONDS: Final = 3.0


class _Deferral:
    """What is told to Discord after a moment, once."""

    def __init__(self, tell: Callable[[], Awaitable[object]], delay: float) -> None:
        self._tell = tell
        self._task: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(delay, self._begin)

    async def end(self, *, send: bool) -> None:
        """Let it be told, where it is being told already or is to be; never afterwards."""
        self._timer.cancel()
        if self._task is None and send:
            self._begin()
        if self._task is not None:
            await self._task

    def _begin(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._send(), name="deferral")
        # Whoever ends it is told of what it raises; whoever was cancelled before that asks no more.
        self._task.add_done_callback(lambda task: task.cancelled() or task.exception())

    async def _send(self) -> None:
        await self._tell()


async def defer_in_time(interaction: discord.Interaction, defer: Callable[[], Awaitable[object]]) -> None:
    """Defer an answer in a moment, unless `end_deferral` comes first; at once where it has waited for the bot already."""
    age = (utcnow() - interaction.created_at).total_seconds()
    # Later than Discord waits means that the clocks differ: then the age says nothing.
    delay = 0.0 if _OLD_SECONDS <= age < _DEADLINE_SECONDS else DEFER_AFTER_SECONDS
    if delay:
        interaction.extras[_Deferral] = _Deferral(defer, delay)
    else:
        await defer()


async def end_deferral(interaction: discord.Interaction, *, send: bool = False) -> bool:
    """Return whether Discord has had a first word, be it only that an answer will come; `send` sees to that."""
    deferral: _Deferral | None = interaction.extras.pop(_Deferral, None)
    if deferral is not None:
        await deferral.end(send=send)
    return interaction.response.is_done()
