"""The subject of a command, and the other members of the server where it was used."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from bot.domain.errors import BotError
from bot.domain.ids import MemberId, UserName


class TwoSubjects(BotError):
    """A command got both a member and a player."""

    def __init__(self) -> None:
        super().__init__("a member and a player were both given")


class MembershipUnknown(BotError):
    """Discord does not say whether a member is in a server."""

    def __init__(self) -> None:
        super().__init__("it is not known whether a member is in the server")


class MembershipHidden(MembershipUnknown):
    """Discord never will: the bot is not in the server, and a user-installed command was used there."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a command: a member of Discord, a player of the service, or the asker if neither is given."""

    member: MemberId | None = None
    shares_server: bool = False
    """Whether the asker and `member` were both in the server where the command was used."""
    is_still_here: Callable[[], Awaitable[bool]] | None = None
    """Asks whether `member` is still there; None if Discord has only just said so."""
    player: UserName | None = None


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A member of the server where a command was used, as Discord describes them."""

    name: str
    roles: frozenset[int] = frozenset()


Among: TypeAlias = Callable[[Collection[MemberId]], Awaitable[Mapping[MemberId, Neighbour]]]
"""Returns those of the given members who are in a server now. Raises: MembershipUnknown."""
