"""Accounts, players and friends. Source: specification, "Account and player" and "Friend entry"."""

from datetime import date, datetime
from typing import Annotated, cast

from pydantic import AfterValidator, BeforeValidator

from bot.domain.ids import Region, UserId, UserName
from bot.domain.players import Friend, Player
from bot.wire.fields import (
    FIRST_YEAR,
    MAX_YEAR,
    NONE_IF_ODD,
    Day,
    Flag,
    MaybeNumber,
    MaybeText,
    MaybeWhole,
    Moment,
    Text,
    Whole,
    known_by,
    short,
)
from bot.wire.replies import Reply, hundredths


class WebLink(Reply):
    """A page of the account on the service's web site."""

    name: MaybeText = None
    """mypage, worldsend, overpower, stat or course; the list is open."""
    title: MaybeText = None
    url: MaybeText = None
    url_short: MaybeText = None


def _readable_links(links: object) -> object:
    """Return the links that are any; where none is, not even the list."""
    if not isinstance(links, list):
        return links
    entries = cast("list[object]", links)
    readable: list[object] = [link for link in entries if isinstance(link, dict | WebLink)]
    return readable or (None if entries else entries)


Links = Annotated[tuple[WebLink, ...] | None, BeforeValidator(_readable_links), NONE_IF_ODD]


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
            player_name=known_by(self.player.playername, self.account.user_name),
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


def _day_of(text: str | None) -> date | None:
    """Return a day written with slashes, as version 1.0 does; dashes are taken too."""
    try:
        return date.fromisoformat((text or "").replace("/", "-"))
    except ValueError:
        return None


def _none_if_never(text: str | None) -> str | None:
    """Return a day as it was sent, or None for the day of Unix time 0 and others on which nobody has played."""
    day = _day_of(text)
    return text if day is None or FIRST_YEAR <= day.year <= MAX_YEAR else None


class ProfileV10(Reply):
    """A player, in version 1.0."""

    playername: Text
    honor: MaybeText = None
    rating: MaybeNumber = None
    rating_max: MaybeNumber = None
    update_on: Annotated[MaybeText, AfterValidator(_none_if_never)] = None
    """Day of the data, UTC+9, written YYYY/MM/DD; what is no day stays as it was sent."""


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
            player_name=known_by(self.player.playername, self.account.name),
            honor=short(self.player.honor or ""),
            honor_type=None,
            level=None,
            rating=hundredths(self.player.rating),
            rating_max=hundredths(self.player.rating_max),
            class_emblem=None,
            updated_on=_day_of(self.player.update_on),
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
            player_name=known_by(self.player_name, self.user_name),
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


class FriendEntryV20(FriendEntry):
    """A friend, in version 2.0."""

    updated_at: Moment = None
    user_description: MaybeText = None
    """Free text with inline markup whose grammar is not specified."""
    default_region: MaybeText = None
    """Region that the friend shows first."""


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
