"""Whom a command is about, and who else is in the server where it was used."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from bot.domain.errors import BotError
from bot.domain.ids import MemberId, UserName


class TwoSubjects(BotError):
    """A command was asked about a member and about a player at once."""

    def __init__(self) -> None:
        super().__init__("a member and a player were both given")


class MembershipUnknown(BotError):
    """Discord does not say whether a member is in a server."""

    def __init__(self) -> None:
        super().__init__("it is not known whether a member is in the server")


class MembershipHidden(MembershipUnknown):
    """Nor will it: the bot is not in the server, where somebody uses it who has it installed for themselves."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a command is about: a member of Discord, a player of the service, or (neither) the asker."""

    member: MemberId | None = None
    shares_server: bool = False
    """The asker and `member` were both in the server where the command was used."""
    is_still_here: Callable[[], Awaitable[bool]] | None = None
    """Asks whether they still are; None where Discord has only just said so."""
    player: UserName | None = None


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A member of the server where a command was used, as Discord tells of them."""

    name: str
    roles: frozenset[int] = frozenset()


Among: TypeAlias = Callable[[Collection[MemberId]], Awaitable[Mapping[MemberId, Neighbour]]]
"""Returns those of some members who are in a server now. Raises: MembershipUnknown."""
