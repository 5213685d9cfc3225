"""The effect of scores on a player's rating if they were played now, one after another."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.domain.charts import Chart, Song
from bot.domain.gains import PlayEffect, RatingSlots, at_most, gains_of, slots_after
from bot.domain.history import ChartKey
from bot.domain.ids import Region
from bot.domain.numbers import Hundredths
from bot.domain.scores import Record


class PlannedScore(NamedTuple):
    """A score that may be played."""

    song: Song
    chart: Chart
    score: int

    @property
    def key(self) -> ChartKey:
        """The chart of the score."""
        return self.song.id, self.chart.difficulty


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfStep:
    """One of the scores, after the ones before it."""

    planned: PlannedScore
    before: Record | None
    """The record on the chart, if there is one."""
    effect: PlayEffect
    highest: PlayEffect
    """The effect if the chart's constant were the highest of its level; it differs only if the constant is unknown."""
    least: int | None
    """The least score on the chart that is sure to count; None if there is none."""

    @property
    def is_record(self) -> bool:
        """Whether the score is better than the record."""
        return self.before is None or self.planned.score > self.before.score


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf:
    """The combined effect of scores."""

    steps: tuple[WhatIfStep, ...]
    before: RatingSlots = field(repr=False)
    after: RatingSlots = field(repr=False)
    highest: RatingSlots = field(repr=False)
    """As `after`, if each planned chart's unknown constant were the highest of its level."""

    @property
    def thousandths(self) -> int:
        """The thousandths that all steps together add to the player's rating."""
        return sum(step.effect.thousandths for step in self.steps)

    @property
    def highest_thousandths(self) -> int:
        """The same, if each unknown constant were the highest of its level."""
        return sum(step.highest.thousandths for step in self.steps)

    @property
    def rating_change(self) -> Hundredths:
        """The change of the rating as the game shows it, or of the sum of the slots if the game counts recent plays."""
        return self._change_to(self.after)

    @property
    def highest_rating_change(self) -> Hundredths:
        """The same, if each unknown constant were the highest of its level."""
        return self._change_to(self.highest)

    def _change_to(self, slots: RatingSlots) -> Hundredths:
        before, after = self.before.rating, slots.rating
        if before is None or after is None:
            return Hundredths(slots.sum - self.before.sum)
        return Hundredths(after - before)


def what_if(
    slots: RatingSlots, scores: Iterable[PlannedScore], records: Mapping[ChartKey, Record], region: Region
) -> WhatIf:
    """Return the effect of scores; a score on a chart with neither a known constant nor level is left out."""
    rated = [
        (planned, play)
        for planned in scores
        if (play := slots.play_on(planned.song, planned.chart, planned.score, region)) is not None
    ]
    plays = [play for _, play in rated]
    effects = gains_of(slots, plays)
    most_plays = [at_most(play) for play in plays]
    highest = gains_of(slots, most_plays)
    steps = [
        WhatIfStep(
            planned=planned,
            before=records.get(planned.key),
            effect=effect,
            highest=most,
            least=slots_after(slots, plays[:number]).least_score_for(planned.song, planned.chart, region),
        )
        for number, ((planned, _), effect, most) in enumerate(zip(rated, effects, highest, strict=True))
    ]
    return WhatIf(
        steps=tuple(steps),
        before=slots,
        after=slots_after(slots, plays),
        highest=slots_after(slots, most_plays),
    )
