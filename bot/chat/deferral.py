"""Deferred responses: Discord is told within its three seconds that an answer will come, unless the answer is ready."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeAlias

import discord
from discord.utils import utcnow

Defer: TypeAlias = Callable[[], Coroutine[Any, Any, object]]
"""Tells Discord that an answer will come."""

DEFER_AFTER_SECONDS: Final = 0.25
"""An answer that is ready by then takes one request to Discord; a deferred one takes two."""
_OLD_SECONDS: Final = 1.0
"""An interaction that has waited for the bot this long is deferred at once."""
_DEADLINE_SECONDS: Final = 3.0
"""Discord waits this long for the first response. Source: Discord's documentation."""


class _Deferral:
    """A deferral that is sent after a delay, once."""

    def __init__(self, defer: Defer, delay: float) -> None:
        self._defer = defer
        self._task: asyncio.Task[object] | None = None
        self._timer = asyncio.get_running_loop().call_later(delay, self._begin)

    async def end(self, *, send: bool) -> None:
        """Cancel it if it is not under way, or `send` it now; return once nothing is under way."""
        self._timer.cancel()
        if self._task is None and send:
            self._begin()
        if self._task is not None:
            await self._task

    def _begin(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._defer(), name="deferral")
        # `end` raises its error; if the answer was cancelled before that, nobody retrieves it.
        self._task.add_done_callback(lambda task: task.cancelled() or task.exception())


async def defer_in_time(interaction: discord.Interaction, defer: Defer) -> None:
    """Call `defer` in a moment, unless `end_deferral` comes first; call it now if the interaction has waited already."""
    age = (utcnow() - interaction.created_at).total_seconds()
    # Older than the deadline means that Discord's clock differs from ours, so the age says nothing.
    delay = 0.0 if _OLD_SECONDS <= age < _DEADLINE_SECONDS else DEFER_AFTER_SECONDS
    if delay:
        interaction.extras[_Deferral] = _Deferral(defer, delay)
    else:
        await defer()


async def end_deferral(interaction: discord.Interaction, *, send: bool = False) -> bool:
    """Cancel a deferral, or `send` it now; return whether Discord has had a first response. Raises: as the deferral."""
    deferral: _Deferral | None = interaction.extras.pop(_Deferral, None)
    if deferral is not None:
        await deferral.end(send=send)
    return interaction.response.is_done()
