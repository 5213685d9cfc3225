"""What one score would change, were it played now."""

from dataclasses import dataclass

from bot.domain.numbers import Hundredths
from bot.domain.plan import ChartKey, Slots, chart_key
from bot.domain.rating import least_score, song_rating
from bot.domain.scores import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf:
    """A score on a chart, and the best slot with and without it. Sums of ratings are in hundredths."""

    score: int
    rating: Hundredths
    before: Record | None
    """The record on the chart, where there is one."""
    sum_before: int
    places_before: int
    """Filled ones."""
    sum_after: int
    places_after: int
    is_in_best: bool
    """Whether the chart stands in the best slot afterwards."""
    pushed_out: Record | None
    least: int | None
    """The least score on the chart that raises the sum; None where none does."""

    @property
    def is_record(self) -> bool:
        """Whether the score is better than the record."""
        return self.before is None or self.score > self.before.score


def what_if(slots: Slots, key: ChartKey, constant: Hundredths, score: int, before: Record | None) -> WhatIf:
    """Return what `score` on the chart `key` would change; a score below the record changes nothing."""
    rating = song_rating(constant, score, slots.region)
    inside = next((record for record in slots.best if chart_key(record) == key), None)
    known = before or inside
    counts = known is None or score > known.score
    last = min(slots.best, key=lambda record: record.rating, default=None)
    change, filled, out = 0, 0, None
    if counts and inside is not None:
        change = max(0, rating - inside.rating)
    elif counts and slots.empty:
        change, filled = rating, 1
    elif counts and last is not None and rating > last.rating:
        change, out = rating - last.rating, last
    floor = inside.rating if inside else last.rating if last and not slots.empty else 0
    return WhatIf(
        score=score,
        rating=rating,
        before=known,
        sum_before=slots.sum,
        places_before=len(slots.best),
        sum_after=slots.sum + change,
        places_after=len(slots.best) + filled,
        is_in_best=inside is not None or bool(filled) or out is not None,
        pushed_out=out,
        least=least_score(constant, Hundredths(floor + 1), slots.region),
    )
