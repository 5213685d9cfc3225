"""Members in a post."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from bot.domain.ids import MemberId
from bot.domain.numbers import Hundredths


class Posted(NamedTuple):
    """What a post has shown of a member."""

    rating: Hundredths
    until: datetime
    """The moment up to which plays were told."""


@dataclass(frozen=True, slots=True)
class DailyMember:
    """A member whom a post is about."""

    member: MemberId
    posted: Posted | None = None
    """What the plan's last post with this member showed; None before that."""
