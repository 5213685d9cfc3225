"""Pauses between what one person sends to others."""

from datetime import datetime, timedelta

from bot.base.clock import Clock
from bot.domain.errors import BotError
from bot.domain.ids import MemberId


class TooSoon(BotError):
    """Somebody has only just written."""

    def __init__(self) -> None:
        super().__init__("something was only just sent")


class Pauses:
    """Says who may write again; who has written is known in memory alone."""

    def __init__(self, clock: Clock, pause: timedelta) -> None:
        self._clock = clock
        self._pause = pause
        self._written: dict[MemberId, datetime] = {}
        """Who has written lately, and when."""

    def check(self, member: MemberId) -> None:
        """Raise TooSoon for one who has written lately."""
        now = self._clock.now()
        self._written = {each: at for each, at in self._written.items() if now - at < self._pause}
        if member in self._written:
            raise TooSoon

    def admit(self, member: MemberId) -> None:
        """Let somebody write, once for a while. Raises: TooSoon."""
        self.check(member)
        self._written[member] = self._clock.now()

    def readmit(self, member: MemberId) -> None:
        """Let somebody write after all: what they wrote did not arrive."""
        self._written.pop(member, None)
