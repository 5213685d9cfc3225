"""Players: an account of the record service and its owner's profile."""

from dataclasses import dataclass
from datetime import date, datetime

from bot.domain.ids import Region, UserId, UserName
from bot.domain.numbers import Hundredths


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Player:
    """An account with its player profile, in one shape for all versions of the service.

    Pictures of a player are cached as long as the answer that contains it, by a weak reference.
    """

    user_id: UserId
    user_name: UserName
    is_protected: bool
    player_name: str
    honor: str
    honor_type: int | None
    level: int | None
    rating: Hundredths
    rating_max: Hundredths
    class_emblem: int | None
    updated_on: date | None
    """The day of the data, UTC+9."""

    @property
    def highest(self) -> Hundredths:
        """The highest known rating: the service's own highest may be older than the rating."""
        return max(self.rating, self.rating_max)


@dataclass(frozen=True, slots=True, kw_only=True)
class Friend:
    """An entry of the token holder's friend list."""

    user_id: UserId
    user_name: UserName
    player_name: str
    rating: Hundredths
    rating_max: Hundredths
    updated_at: datetime | None
    """None in version 1.3, which has `updated_on`."""
    is_protected: bool
    is_accepted: bool
    is_incoming: bool
    """They sent the request, and the holder has not answered it (unless `is_accepted`). Our reading: not specified."""
    default_region: Region | None = None
    updated_on: date | None = None
    """The day of the data, UTC+9; only in version 1.3."""


@dataclass(frozen=True, slots=True)
class Target:
    """The player that a request is about: at most one of the two is set; neither means the token holder."""

    user_id: UserId | None = None
    user_name: UserName | None = None

    @property
    def is_holder(self) -> bool:
        """Whether the request is about the asker's own account."""
        return self.user_id is None and self.user_name is None
