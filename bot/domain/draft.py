"""Vetoes: charts are drawn, the players of a table strike them in turn, and the last one left is played."""

from dataclasses import dataclass
from typing import Final

from bot.domain.entries import ChartEntry
from bot.domain.errors import BotError
from bot.domain.ids import MemberId

MAX_PLAYERS: Final = 8
"""The most players at one table."""
MAX_VETOES: Final = 3
"""The most charts that one player strikes: eight players strike 24 of the 25 that a Discord menu can hold."""


class BadTable(BotError):
    """The players or numbers given for a table are not possible."""

    def __init__(self) -> None:
        super().__init__("nobody is mentioned, or too many")


class NotYourTurn(BotError):
    """Somebody struck a chart out of turn, or without being at the table."""

    def __init__(self) -> None:
        super().__init__("another's turn to strike")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The charts on a table, and those struck so far."""

    players: tuple[MemberId, ...]
    """The players, in the order in which they strike, round after round."""
    charts: tuple[ChartEntry, ...]
    vetoes: int
    """The charts that each player strikes, as far as there are enough: one is always left."""
    struck: frozenset[int] = frozenset()
    """Positions in `charts`, counted from 0."""

    @property
    def left(self) -> tuple[ChartEntry, ...]:
        """The charts that are not struck."""
        return tuple(self.charts[place] for place in self.places_left)

    @property
    def places_left(self) -> tuple[int, ...]:
        """The positions in `charts` of those that are not struck."""
        return tuple(place for place in range(len(self.charts)) if place not in self.struck)

    @property
    def strikes_to_come(self) -> int:
        """The number of charts still to be struck."""
        return max(0, min(len(self.players) * self.vetoes, len(self.charts) - 1) - len(self.struck))

    @property
    def next_player(self) -> MemberId | None:
        """The player whose turn it is; None when all have struck."""
        return self.players[len(self.struck) % len(self.players)] if self.strikes_to_come else None


def charts_needed(players: int, vetoes: int) -> int:
    """Return how many charts to draw so that one is left."""
    return players * vetoes + 1
