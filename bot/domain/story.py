"""The history of a chart: what each look saw of a member's record on it; what happened between looks is unknown."""

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
    """The history of a chart was requested with options that only the history of a figure accepts."""

    def __init__(self) -> None:
        super().__init__("the history of a chart is one member's, and whole")


class NoStory(BotError):
    """A song has only World's End charts, whose history is not stored."""

    def __init__(self) -> None:
        super().__init__("records on World's End charts are not remembered")


class ChartLook(NamedTuple):
    """The state of a chart at one look."""

    moment: datetime
    mark: RecordMark | None
    """None if there was no record."""

    @property
    def seen(self) -> RecordMark | None:
        """The record, if the service reported one."""
        return None if self.mark is None or self.mark.is_gone else self.mark


@dataclass(frozen=True, slots=True)
class StoryStep:
    """A difference from the look before."""

    since: datetime
    """The time of the look before."""
    until: datetime
    """The time at which the difference was seen: it happened between the two, whatever else the service says."""
    change: RecordChange
    """The difference as it was seen; `at_peak` says what was achieved."""

    @property
    def is_news(self) -> bool:
        """Whether the service reported anything different from the look before."""
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
    """All differences, including changed constants and lower reports by the service."""

    @property
    def runs(self) -> Sequence[Sequence[tuple[datetime, int]]]:
        """The scores seen, in runs of equal scores: what happened between two runs is unknown."""
        seen = [(look.moment, None if look.seen is None else look.seen.score) for look in self.looks]
        parts = [[*part] for _, part in groupby(seen, key=lambda point: point[1])]
        return [
            [(at, score) for at, score in part if score is not None]
            for part in parts
            if part[0][1] is not None
        ]


def story_of(chart: ChartKey, looks: Iterable[ChartLook]) -> ChartStory:
    """Return the history of a chart from its looks, given oldest first.

    Each look includes the best seen before it; a record that is missing from a look after it was seen is gone.
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
