"""Who is in a server's daily post."""

from dataclasses import dataclass

from bot.domain.ids import MemberId
from bot.domain.numbers import Hundredths


@dataclass(frozen=True, slots=True)
class DailyMember:
    """A member who joined a server's daily post."""

    member: MemberId
    rating: Hundredths | None
    """As last posted; None before the first post."""
