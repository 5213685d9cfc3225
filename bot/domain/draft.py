"""Vetoes: charts are drawn, those at a table strike them in turn, and what is left is played."""

from dataclasses import dataclass
from typing import Final

from bot.domain.entries import ChartEntry
from bot.domain.errors import BotError
from bot.domain.ids import MemberId

MAX_PLAYERS: Final = 8
"""Players at one table."""
MAX_VETOES: Final = 3
"""Charts that one player strikes: with eight of them 24, and one is left of the 25 that a menu of Discord's holds."""


class BadTable(BotError):
    """Nobody can sit at a table as it was described."""

    def __init__(self) -> None:
        super().__init__("nobody is mentioned, or too many")


class NotYourTurn(BotError):
    """Somebody struck a chart while it was another's turn, or who is not at the table."""

    def __init__(self) -> None:
        super().__init__("another's turn to strike")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The charts on a table, and what was struck of them so far."""

    players: tuple[MemberId, ...]
    """They strike in this order, again and again."""
    charts: tuple[ChartEntry, ...]
    vetoes: int
    """How many charts each player strikes, as far as there are enough: one is always left."""
    struck: frozenset[int] = frozenset()
    """Places in `charts`, counted from 0."""

    @property
    def left(self) -> tuple[ChartEntry, ...]:
        """The charts that nobody has struck."""
        return tuple(self.charts[place] for place in self.places_left)

    @property
    def places_left(self) -> tuple[int, ...]:
        """Their places in `charts`."""
        return tuple(place for place in range(len(self.charts)) if place not in self.struck)

    @property
    def strikes_to_come(self) -> int:
        """How many charts are still to be struck."""
        return max(0, min(len(self.players) * self.vetoes, len(self.charts) - 1) - len(self.struck))

    @property
    def next_player(self) -> MemberId | None:
        """Whose turn it is; None where all have struck."""
        return self.players[len(self.struck) % len(self.players)] if self.strikes_to_come else None


def charts_needed(players: int, vetoes: int) -> int:
    """Return how many charts are drawn for a table where one is to be left."""
    return players * vetoes + 1
