"""A member's records for measuring goals: progress, nearest charts, and the climb to a rating."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.domain.entries import ChartEntry, catalogue_entries
from bot.domain.goals import Goal, GoalProgress, Kind, Nearest, charts_of, nearest, progress
from bot.domain.ids import SongId
from bot.domain.players import Player
from bot.domain.scores import Record
from bot.domain.tries import Climb, ClimbTarget, climb_to
from bot.features.shared.catalogues import LoadedCatalogue
from bot.features.shared.studies import Study

_NEAREST_CHARTS: Final = 2
"""The most charts of a goal that are named as next."""


class MeasuredGoal(NamedTuple):
    """The state of one goal."""

    progress: GoalProgress
    nearest: tuple[Nearest, ...]
    climb: Climb | None


@dataclass(frozen=True, slots=True)
class GoalRecords:
    """A member's profile and records, with the catalogue."""

    player: Player
    records: tuple[Record, ...]
    loaded: LoadedCatalogue
    locked: frozenset[SongId]

    def measure(self, goals: Iterable[Goal]) -> list[GoalProgress]:
        """Return the progress of each goal; goes through thousands of charts per goal."""
        entries = self._entries()
        return [progress(goal.searched(self._matches), entries, self.player.rating) for goal in goals]

    def measure_and_predict(self, goals: Iterable[Goal], study: Study) -> list[MeasuredGoal]:
        """Return the progress of each goal, and its nearest charts or climb; shared inputs are computed once."""
        entries, predictions = self._entries(), study.model.predictions
        found: list[MeasuredGoal] = []
        for goal in (each.searched(self._matches) for each in goals):
            charts = charts_of(goal, entries)
            how_far = progress(goal, charts, self.player.rating)
            next_charts = tuple(nearest(goal, charts, predictions, _NEAREST_CHARTS))
            found.append(MeasuredGoal(how_far, next_charts, self._climb(goal, study, entries)))
        return found

    def _climb(self, goal: Goal, study: Study, entries: Iterable[ChartEntry]) -> Climb | None:
        """Return the climb to a rating, as in a plan; None for other goals, and if nothing is known of the player."""
        predictions = study.model.predictions
        if goal.kind is not Kind.RATING or not predictions:
            return None
        open_to_play = [entry for entry in entries if not entry.is_locked]
        return climb_to(study.slots, self.player.rating, open_to_play, predictions, ClimbTarget(goal.rating))

    def _entries(self) -> list[ChartEntry]:
        return catalogue_entries(self.loaded.catalogue, self.records, self.locked)

    def _matches(self, words: str) -> Collection[SongId]:
        return self.loaded.index.matches(words)
