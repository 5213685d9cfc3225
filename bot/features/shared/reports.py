"""Base classes of reports."""

from dataclasses import dataclass

from bot.domain.age import Age
from bot.domain.ids import Region
from bot.domain.members import Audience
from bot.domain.players import Player


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """Data from the service in one generation of the game."""

    region: Region
    """The generation, for everything except a player's rating, which is that of their profile."""
    age: Age


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedPlayer(Fetched):
    """Data from the service about a player."""

    player: Player


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerReport(FetchedPlayer):
    """Data from the service about a player, and who may see it."""

    audience: Audience
