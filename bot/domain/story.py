"""The story of a chart: what each look saw of a member's record on it, and nothing of the time between."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, pairwise
from typing import NamedTuple

from bot.domain.chronicle.session import RecordChange
from bot.domain.chronicle.state import LampFlags, RecordMark
from bot.domain.errors import BotError
from bot.domain.history import ChartKey


class StoryOfMany(BotError):
    """The history of a chart was asked for together with what only that of a figure takes."""

    def __init__(self) -> None:
        super().__init__("the history of a chart is one member's, and whole")


class NoStory(BotError):
    """A song has World's End charts alone, of which nothing is remembered."""

    def __init__(self) -> None:
        super().__init__("records on World's End charts are not remembered")


class ChartLook(NamedTuple):
    """What one look saw of a chart."""

    moment: datetime
    mark: RecordMark | None
    """None where there was no record."""

    @property
    def seen(self) -> RecordMark | None:
        """The record, as far as the service told of one."""
        return None if self.mark is None or self.mark.is_gone else self.mark


@dataclass(frozen=True, slots=True)
class StoryStep:
    """What was not as it had been at the look before."""

    since: datetime
    """When that look was."""
    until: datetime
    """When it was seen: it happened between the two, whatever else is told."""
    change: RecordChange
    """As it was seen; `at_peak` says what was achieved."""

    @property
    def is_news(self) -> bool:
        """Whether the service told of something else than at the look before."""
        before, after = self.change.before, self.change.after
        if self.change.at_peak.is_achievement or self.change.is_of_constant:
            return True
        return (
            before is not None
            and after is not None
            and (before.is_gone, before.score) != (after.is_gone, after.score)
        )


@dataclass(frozen=True, slots=True)
class ChartStory:
    """All looks at one chart, oldest first."""

    looks: tuple[ChartLook, ...]
    steps: tuple[StoryStep, ...]
    """Also of constants that changed, and where the service told of less than before."""

    @property
    def runs(self) -> Sequence[Sequence[tuple[datetime, int]]]:
        """The scores that were seen, in parts in which each is the same: of what lies between two parts nobody knows."""
        seen = [(look.moment, None if look.seen is None else look.seen.score) for look in self.looks]
        parts = [[*part] for _, part in groupby(seen, key=lambda point: point[1])]
        return [
            [(at, score) for at, score in part if score is not None]
            for part in parts
            if part[0][1] is not None
        ]


def story_of(chart: ChartKey, looks: Iterable[ChartLook]) -> ChartStory:
    """Return the story that looks at a chart tell, the oldest first.

    Each knows the best that was seen before it; a record that a look does not have has gone, once there was one.
    """
    told: list[ChartLook] = []
    before: RecordMark | None = None
    for moment, mark in looks:
        if mark is not None:
            now = mark if before is None else mark.after(before)
        else:
            now = before and before._replace(lamps=before.lamps | LampFlags.GONE)
        told.append(ChartLook(moment, now))
        before = now
    steps = (
        StoryStep(earlier.moment, later.moment, RecordChange(chart, earlier.mark, later.mark))
        for earlier, later in pairwise(told)
    )
    return ChartStory(tuple(told), tuple(step for step in steps if step.is_news))
