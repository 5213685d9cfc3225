"""Members: their links, settings, and who may look them up."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum, StrEnum, auto
from typing import NamedTuple
from zoneinfo import ZoneInfo

from bot.domain.ids import GuildId, MemberId, Region, SongId, UserId, UserName
from bot.domain.scores import SlotName


class Visibility(StrEnum):
    """Who may look a member up by their Discord name; the values are kept in the database."""

    ONLY_ME = "me"
    SERVERS = "servers"
    """Members of a server that both are in, and there only."""
    ANYONE = "anyone"


class Audience(Enum):
    """Who may see an answer."""

    ANYONE = auto()
    ASKER = auto()
    """The asker, who may share it."""
    ASKER_ALONE = auto()
    """Only the asker: the service would not show it to everyone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountLink:
    """A member's link to an account of the record service; its token stays in the store."""

    member: MemberId
    user_id: UserId
    user_name: UserName
    region: Region
    visibility: Visibility
    linked_at: datetime
    is_protected: bool = False
    """Whether the service shows the account only to its friends, as last seen."""
    game_version: str | None = None
    """The version of the game that they have chosen, by its name; None for the one that explains their rating."""

    @property
    def is_on_boards(self) -> bool:
        """Whether this member may appear on boards of a server, which are made without asking the service."""
        return self.visibility is not Visibility.ONLY_ME and not self.is_protected

    def is_of_account_of(self, other: "AccountLink | None") -> bool:
        """Return whether this and another link, if there is one, are to the same account."""
        return other is not None and other.user_id == self.user_id

    def is_open_to(self, asker: MemberId, *, shares_server: bool) -> bool:
        """Return whether `asker` may look this member up."""
        if asker == self.member or self.visibility is Visibility.ANYONE:
            return True
        return self.visibility is Visibility.SERVERS and shares_server


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """The data that was erased with a link, because another account replaced it."""

    user_name: UserName
    """The name of the account before."""
    daily_posts: int
    """The number of servers in whose daily posts the member was."""
    feeds: int
    directs: int
    """The number of their regular direct messages: one or none."""
    goals: int
    days: int
    """The number of days of which their history was kept."""


class Theme(StrEnum):
    """The colours of pictures; the values are kept in the database."""

    DARK = "dark"
    LIGHT = "light"


class Cut(StrEnum):
    """What pictures are laid out for; the values are kept in the database."""

    WIDE = "wide"
    """A wide picture for a desktop: all at once."""
    PHONE = "phone"
    """A picture for a phone: large letters, less text, higher than wide."""
    LIST = "list"
    """No picture: the text says everything."""


class CutChoice(StrEnum):
    """What a member has chosen for all their pictures."""

    WIDE = "wide"
    PHONE = "phone"
    AS_PRESSED = "pressed"
    """The cut of the button that they last pressed below an answer."""


class PictureStyle(NamedTuple):
    """How somebody wants their pictures."""

    theme: Theme = Theme.DARK
    cut: Cut = Cut.WIDE


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """A member's own settings; the defaults are those of a member who has chosen nothing."""

    language: str | None = None
    """A language's code; None for that of the member's Discord."""
    timezone: str = "Asia/Tokyo"
    """IANA name."""
    slot: SlotName = SlotName.BEST
    """The slot that `/best` shows by default."""
    theme: Theme = Theme.DARK
    cut: Cut = Cut.WIDE
    keeps_cut: bool = False
    """Whether the cut stays, whatever is pressed below an answer."""

    @property
    def cut_choice(self) -> CutChoice:
        """What was chosen for all pictures."""
        return CutChoice(self.cut.value) if self.keeps_cut else CutChoice.AS_PRESSED

    @property
    def zone(self) -> ZoneInfo:
        """Their time zone."""
        return ZoneInfo(self.timezone)


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """What the bot knows of a member without asking the service; their token is not part of it."""

    link: AccountLink | None
    """The link; None if nothing is linked."""
    preferences: Preferences
    locked: frozenset[SongId] = frozenset()
    """Songs that they marked as not unlocked."""
    seen_in: frozenset[GuildId] = frozenset()
    """The servers on whose boards they are."""
