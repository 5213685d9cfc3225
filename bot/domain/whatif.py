"""What scores would do to a player's rating, were they played now, one after another."""

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
    """A score that somebody may play."""

    song: Song
    chart: Chart
    score: int

    @property
    def key(self) -> ChartKey:
        """Which chart it is on."""
        return self.song.id, self.chart.difficulty


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfStep:
    """One of the scores, after those before it."""

    planned: PlannedScore
    before: Record | None
    """The record on the chart, where there is one."""
    effect: PlayEffect
    highest: PlayEffect
    """The same, if the chart's constant were the highest of its level: another one only where it is unknown."""
    least: int | None
    """The least score on the chart that counts for sure; None where none does."""

    @property
    def is_record(self) -> bool:
        """Whether the score is better than the record."""
        return self.before is None or self.planned.score > self.before.score


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf:
    """What scores would change together."""

    steps: tuple[WhatIfStep, ...]
    before: RatingSlots = field(repr=False)
    after: RatingSlots = field(repr=False)
    highest: RatingSlots = field(repr=False)
    """As `after`, if each planned chart's unknown constant were the highest of its level."""

    @property
    def thousandths(self) -> int:
        """What all steps add to the player's rating; as they add up."""
        return sum(step.effect.thousandths for step in self.steps)

    @property
    def highest_thousandths(self) -> int:
        """The same, if each unknown constant were the highest of its level."""
        return sum(step.highest.thousandths for step in self.steps)

    @property
    def rating_change(self) -> Hundredths:
        """By how much the rating changes as the game shows it, or the sum of the slots where it counts recent plays."""
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
    """Return what scores would change; one on a chart of which neither constant nor level is known is left out."""
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
