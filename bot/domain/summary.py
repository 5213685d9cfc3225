"""A list of scores, summarised in a few numbers."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bot.domain.ids import Region
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE, Rank, rank_of, ranks_of
from bot.domain.scores import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The number of scores, and how good they are."""

    count: int
    average_score: int | None
    """Floored; None if there are no scores."""
    average_rating: Hundredths | None
    """Floored, over the charts of known constant; None if there are none."""
    ranks: Mapping[Rank, int]
    """The ranks that occur, highest first."""
    maximum: int
    """The number of scores that are the theoretical maximum."""
    all_justice: int
    full_combo: int
    """The number of full combos, including all justice, as in the game."""
    failed: int


def summarise(records: Iterable[Record], region: Region) -> Summary:
    """Count and average scores."""
    listed = [record for record in records if record.is_played]
    rated = [record.rating for record in listed if record.constant is not None]
    counted = Counter(rank_of(record.score, region) for record in listed)
    lamps = [record.lamps for record in listed if record.lamps is not None]
    return Summary(
        count=len(listed),
        average_score=sum(record.score for record in listed) // len(listed) if listed else None,
        average_rating=Hundredths(sum(rated) // len(rated)) if rated else None,
        ranks={rank: counted[rank] for rank in reversed(ranks_of(region)) if counted[rank]},
        maximum=sum(record.score >= MAX_SCORE for record in listed),
        all_justice=sum(lamp.is_all_justice for lamp in lamps),
        full_combo=sum(lamp.is_full_combo or lamp.is_all_justice for lamp in lamps),
        failed=sum(lamp.is_clear is False for lamp in lamps),
    )
