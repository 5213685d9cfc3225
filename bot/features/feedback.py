"""Messages from people to the bot's host."""

from datetime import timedelta
from typing import Final

from bot.base.clock import Clock
from bot.domain.errors import BotError
from bot.domain.ids import ChannelId
from bot.features.shared.pauses import Pauses

_PAUSE: Final = timedelta(minutes=5)
"""The time between two messages of one person."""


class NotDelivered(BotError):
    """The host's channel does not accept a message."""

    def __init__(self) -> None:
        super().__init__("feedback cannot be delivered")


class Feedback(Pauses):
    """Decides who may write, and where to; nothing is stored."""

    def __init__(self, clock: Clock, *, channel: ChannelId | None) -> None:
        super().__init__(clock, _PAUSE)
        self.channel = channel
        """The host's channel; None if they accept no feedback."""
