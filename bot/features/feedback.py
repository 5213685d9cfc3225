"""What people write to the host of the bot."""

from datetime import datetime, timedelta
from typing import Final

from bot.base.clock import Clock
from bot.domain.errors import BotError
from bot.domain.ids import ChannelId, MemberId

_PAUSE: Final = timedelta(minutes=5)
"""Between two messages of one person."""


class TooSoon(BotError):
    """Somebody has only just written."""

    def __init__(self) -> None:
        super().__init__("feedback was only just sent")


class NotDelivered(BotError):
    """The host's channel does not take what was written."""

    def __init__(self) -> None:
        super().__init__("feedback cannot be delivered")


class Feedback:
    """Says who may write, and where to; nothing of it is kept."""

    def __init__(self, clock: Clock, *, channel: ChannelId | None) -> None:
        self._clock = clock
        self.channel = channel
        """The host's; None where they take none."""
        self._written: dict[MemberId, datetime] = {}
        """Who has written lately, and when."""

    def check(self, member: MemberId) -> None:
        """Raise TooSoon for one who has written lately."""
        now = self._clock.now()
        self._written = {each: at for each, at in self._written.items() if now - at < _PAUSE}
        if member in self._written:
            raise TooSoon

    def admit(self, member: MemberId) -> None:
        """Let somebody write, once for a while. Raises: TooSoon."""
        self.check(member)
        self._written[member] = self._clock.now()

    def readmit(self, member: MemberId) -> None:
        """Let somebody write after all: what they wrote did not arrive."""
        self._written.pop(member, None)
