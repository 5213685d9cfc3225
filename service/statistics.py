"""Builds music/stat: what all records say about one chart. Source: specification, "Chart statistics"."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from bot.domain.numbers import Hundredths
from bot.domain.statistics import RANK_GROUPS
from service.model import Flags

_RATING_STEP: Final = 10
"""Averages are by steps of the players' ratings, in hundredths. The specification says only "rating steps"."""

Play = tuple[int, int, Hundredths]
"""A play's score and flags, and its player's rating."""


def statistics(plays: Sequence[Play], *, averages_as_text: bool) -> dict[str, object]:
    """Return the reply; version 1.0 writes averages as strings."""
    return {
        "users_count": len(plays),
        "count": {"rank": _ranks(plays), "lamp": _lamps(plays)},
        "avg": {
            f"{step / 100:.2f}": str(average) if averages_as_text and average is not None else average
            for step, average in _averages(plays).items()
        },
    }


def _ranks(plays: Sequence[Play]) -> dict[str, int]:
    counts = {key: 0 for key, _ in RANK_GROUPS}
    for score, _, _ in plays:
        counts[next(key for key, least in RANK_GROUPS if score >= least)] += 1
    return counts


def _lamps(plays: Sequence[Play]) -> dict[str, int]:
    all_justice = sum(1 for _, flags, _ in plays if flags & Flags.ALL_JUSTICE)
    full_combo = sum(1 for _, flags, _ in plays if flags & Flags.FULL_COMBO and not flags & Flags.ALL_JUSTICE)
    return {"aj": all_justice, "fc": full_combo, "other": len(plays) - all_justice - full_combo}


def _averages(plays: Sequence[Play]) -> dict[int, float | None]:
    """Return the average score by step, from the lowest to the highest held; None where nobody stands.

    Two places, cut as the means of ratings are.
    """
    scores: dict[int, list[int]] = defaultdict(list)
    for score, _, rating in plays:
        scores[rating // _RATING_STEP * _RATING_STEP].append(score)
    if not scores:
        return {}
    return {
        step: sum(scores[step]) * 100 // len(scores[step]) / 100 if step in scores else None
        for step in range(min(scores), max(scores) + 1, _RATING_STEP)
    }
