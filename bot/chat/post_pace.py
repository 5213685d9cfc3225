"""Spaces posts so that Discord accepts all of them."""

import asyncio
from typing import Final

MAX_POSTS_PER_SECOND: Final = 40
"""The most posts of all processes together. Discord accepts 50 requests a second per bot, and there are others."""
MAX_CATCH_UP_SECONDS: Final = 0.1
"""The backlog, in seconds of posts, that is sent at once after a stall: any second still has fewer than 50."""
_MIN_SHARE: Final = 0.01


class PostPace:
    """Spaces the posts of this process, even if its event loop is busy between two of them."""

    def __init__(self) -> None:
        self._next_at = 0.0
        """The time by the event loop's clock at which the next post may be sent."""
        self._turn = asyncio.Lock()

    async def wait(self, share: float) -> None:
        """Wait until the next post may be sent by a process that has this share of all posts, from 0 to 1."""
        loop = asyncio.get_running_loop()
        async with self._turn:
            await asyncio.sleep(self._next_at - loop.time())
            self._next_at = next_send_at(self._next_at, loop.time(), share)


def next_send_at(planned_at: float, sent_at: float, share: float) -> float:
    """Return when the next post may be sent after one that was planned and sent at these times of the same clock."""
    gap = 1 / (MAX_POSTS_PER_SECOND * max(share, _MIN_SHARE))
    return max(planned_at, sent_at - MAX_CATCH_UP_SECONDS) + gap
