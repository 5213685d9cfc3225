"""Accounts, players and friends. Source: specification, "Account and player" and "Friend entry"."""

from datetime import date, datetime

from msgspec.structs import force_setattr

from bot.domain.ids import Region, UserId, UserName
from bot.domain.players import Friend, Player
from bot.wire.fields import (
    Day,
    Flag,
    MaybeNumber,
    MaybeText,
    MaybeWhole,
    Moment,
    Text,
    Whole,
    known,
    short,
)
from bot.wire.replies import Reply, forget_unknown, hundredths


class WebLink(Reply):
    """A page of the account on the service's web site."""

    name: MaybeText = None
    """mypage, worldsend, overpower, stat or course; the list is open."""
    title: MaybeText = None
    url: MaybeText = None
    url_short: MaybeText = None


Links = tuple[WebLink, ...] | None


class AccountReply(Reply):
    """An account, in version 1.3."""

    user_id: Whole
    """Internal id, not the one that the web site shows."""
    user_name: Text
    """Name as the web site shows it: letters, digits, underscore."""
    is_protected: Flag = None
    """Whether the account is private."""
    user_description: MaybeText = None
    """Free text with inline markup whose grammar is not specified."""
    urls: Links = None


class Profile(Reply):
    """A player, in version 1.3."""

    playername: Text
    honor: MaybeText = None
    """The title that the player wears."""
    honor_type: MaybeWhole = None
    level: MaybeWhole = None
    """Level of the player, not of a chart."""
    rating: MaybeNumber = None
    rating_max: MaybeNumber = None
    """Highest rating reached."""
    classemblem: MaybeWhole = None
    updated_on: Day = None
    """Day of the data, UTC+9."""

    def __post_init__(self) -> None:
        """Have no day where the service has none."""
        forget_unknown(self, "updated_on")


class User(Reply):
    """`users/me` and `users/show` of version 1.3."""

    account: AccountReply
    player: Profile

    def to_domain(self) -> Player:
        """Return the player in the shape common to all versions."""
        return Player(
            user_id=UserId(self.account.user_id),
            user_name=UserName(short(self.account.user_name)),
            is_protected=bool(self.account.is_protected),
            player_name=short(self.player.playername),
            honor=short(self.player.honor or ""),
            honor_type=self.player.honor_type,
            level=self.player.level,
            rating=hundredths(self.player.rating),
            rating_max=hundredths(self.player.rating_max),
            class_emblem=self.player.classemblem,
            updated_on=self.player.updated_on,
        )


class AccountV10(Reply):
    """An account, in version 1.0."""

    id: Whole
    """Internal id, `user_id` in version 1.3."""
    name: Text
    """`user_name` in version 1.3."""
    urls: Links = None


class ProfileV10(Reply):
    """A player, in version 1.0."""

    playername: Text
    honor: MaybeText = None
    rating: MaybeNumber = None
    rating_max: MaybeNumber = None
    update_on: MaybeText = None
    """Day of the data, UTC+9, written YYYY/MM/DD."""

    def __post_init__(self) -> None:
        """Have no day where the service has none; what is none at all stays as it was sent."""
        day = _day_of(self.update_on)
        if day is not None and known(day) is None:
            force_setattr(self, "update_on", None)


class UserV10(Reply):
    """`users/me` and `users/show` of version 1.0."""

    account: AccountV10
    player: ProfileV10

    def to_domain(self) -> Player:
        """Return the player in the shape common to all versions.

        Version 1.0 does not say who is protected; it answers 404 for them, so whom it shows is taken as open.
        """
        return Player(
            user_id=UserId(self.account.id),
            user_name=UserName(short(self.account.name)),
            is_protected=False,
            player_name=short(self.player.playername),
            honor=short(self.player.honor or ""),
            honor_type=None,
            level=None,
            rating=hundredths(self.player.rating),
            rating_max=hundredths(self.player.rating_max),
            class_emblem=None,
            updated_on=known(_day_of(self.player.update_on)),
        )


class FriendEntry(Reply):
    """What both versions say of a friend."""

    user_id: Whole
    user_name: Text
    player_name: Text
    rating: MaybeNumber = None
    rating_max: MaybeNumber = None
    """Highest rating reached."""
    is_protected: Flag = None
    is_accepted: Flag = None
    """Whether the friendship stands. Our reading: not specified."""
    incoming: Flag = None
    """Whether the request came from the other. Our reading: not specified."""

    def friend(
        self,
        *,
        updated_at: datetime | None = None,
        updated_on: date | None = None,
        default_region: str | None = None,
    ) -> Friend:
        """Return the friend in the shape common to both versions."""
        return Friend(
            user_id=UserId(self.user_id),
            user_name=UserName(short(self.user_name)),
            player_name=short(self.player_name),
            rating=hundredths(self.rating),
            rating_max=hundredths(self.rating_max),
            updated_at=updated_at,
            updated_on=updated_on,
            is_protected=bool(self.is_protected),
            is_accepted=bool(self.is_accepted),
            is_incoming=bool(self.incoming),
            default_region=Region(short(default_region)) if default_region else None,
        )


class FriendEntryV13(FriendEntry):
    """A friend, in version 1.3."""

    updated_on: Day = None
    """Day of the data, UTC+9."""

    def __post_init__(self) -> None:
        """Have no day where the service has none."""
        forget_unknown(self, "updated_on")


class FriendEntryV20(FriendEntry):
    """A friend, in version 2.0."""

    updated_at: Moment = None
    user_description: MaybeText = None
    """Free text with inline markup whose grammar is not specified."""
    default_region: MaybeText = None
    """Region that the friend shows first."""

    def __post_init__(self) -> None:
        """Have no time where the service has none."""
        forget_unknown(self, "updated_at")


class FriendsV13(Reply):
    """`friends/list` of version 1.3."""

    users: tuple[FriendEntryV13, ...]

    def to_domain(self) -> tuple[Friend, ...]:
        """Return the friends in the service's order."""
        return tuple(each.friend(updated_on=each.updated_on) for each in self.users)


class FriendsV20(Reply):
    """`friends/list` of version 2.0."""

    users: tuple[FriendEntryV20, ...]

    def to_domain(self) -> tuple[Friend, ...]:
        """Return the friends in the service's order."""
        return tuple(
            each.friend(updated_at=each.updated_at, default_region=each.default_region) for each in self.users
        )


def _day_of(text: str | None) -> date | None:
    """Return a day written with slashes, as version 1.0 does; dashes are taken too."""
    try:
        return date.fromisoformat((text or "").replace("/", "-"))
    except ValueError:
        return None
