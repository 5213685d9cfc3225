"""How quickly posts follow one another, so that Discord takes them all."""

import asyncio
from typing import Final

MAX_POSTS_PER_SECOND: Final = 40
"""Posts of all processes together. Discord takes 50 requests a second of a bot, and there are others."""
MAX_CATCH_UP_SECONDS: Final = 0.1
"""Posts of this many seconds follow at once after a time in which none could be sent: a second still has less than 50."""
_MIN_SHARE: Final = 0.01


class PostPace:
    """Spaces the posts of this process, whatever keeps its event loop busy between two of them."""

    def __init__(self) -> None:
        self._next_at = 0.0
        """The next post may be sent when the event loop's clock tells this."""
        self._turn = asyncio.Lock()

    async def wait(self, share: float) -> None:
        """Wait until the next post may be sent by a process that has this share of all posts, from 0 to 1."""
        loop = asyncio.get_running_loop()
        async with self._turn:
            await asyncio.sleep(self._next_at - loop.time())
            self._next_at = next_send_at(self._next_at, loop.time(), share)


def next_send_at(planned_at: float, sent_at: float, share: float) -> float:
    """Return when the next post may be sent after one, in seconds of the clock that tells when that was due and sent."""
    gap = 1 / (MAX_POSTS_PER_SECOND * max(share, _MIN_SHARE))
    return max(planned_at, sent_at - MAX_CATCH_UP_SECONDS) + gap
