"""What people write to the host of the bot."""

from datetime import timedelta
from typing import Final

from bot.base.clock import Clock
from bot.domain.errors import BotError
from bot.domain.ids import ChannelId
from bot.features.shared.pauses import Pauses

_PAUSE: Final = timedelta(minutes=5)
"""Two messages of one person are this far apart."""


class NotDelivered(BotError):
    """The host's channel does not take what was written."""

    def __init__(self) -> None:
        super().__init__("feedback cannot be delivered")


class Feedback(Pauses):
    """Says who may write, and where to; nothing of it is kept."""

    def __init__(self, clock: Clock, *, channel: ChannelId | None) -> None:
        super().__init__(clock, _PAUSE)
        self.channel = channel
        """The host's; None where they take none."""
