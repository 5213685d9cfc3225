"""Minimum pauses between messages that one person sends to others."""

from datetime import datetime, timedelta

from bot.base.clock import Clock
from bot.domain.errors import BotError
from bot.domain.ids import MemberId


class TooSoon(BotError):
    """A member has only just sent a message."""

    def __init__(self) -> None:
        super().__init__("something was only just sent")


class Pauses:
    """Decides who may send again; the last times are in memory only."""

    def __init__(self, clock: Clock, pause: timedelta) -> None:
        self._clock = clock
        self._pause = pause
        self._written: dict[MemberId, datetime] = {}
        """The members who sent lately, and when."""

    def check(self, member: MemberId) -> None:
        """Raise TooSoon if a member sent lately."""
        now = self._clock.now()
        self._written = {each: at for each, at in self._written.items() if now - at < self._pause}
        if member in self._written:
            raise TooSoon

    def admit(self, member: MemberId) -> None:
        """Note that a member sends now. Raises: TooSoon."""
        self.check(member)
        self._written[member] = self._clock.now()

    def readmit(self, member: MemberId) -> None:
        """Let a member send again at once: their message was not delivered."""
        self._written.pop(member, None)
