"""What reports have in common."""

from dataclasses import dataclass

from bot.domain.age import Age
from bot.domain.ids import Region
from bot.domain.members import Audience
from bot.domain.players import Player


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """What the service said of one version of the game."""

    region: Region
    """The version, of all but a player's rating, which is their profile's."""
    age: Age


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedPlayer(Fetched):
    """What the service said of a player."""

    player: Player


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerReport(FetchedPlayer):
    """What the service said of a player, and who may see it."""

    audience: Audience
