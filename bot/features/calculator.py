"""Calculates single-song ratings from scores and the reverse, for everyone."""

from dataclasses import dataclass

from bot.domain.errors import NotLinked
from bot.domain.ids import MemberId, Region
from bot.domain.numbers import Hundredths
from bot.domain.overpower import OverPower, over_power
from bot.domain.ranks import MAX_SCORE, Rank, rank_of, ranks_of
from bot.domain.rating import least_score, song_rating
from bot.features.shared.askers import Askers


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """A score on a chart with the given constant."""

    score: int
    rank: Rank
    rating: Hundredths
    over_power: OverPower
    """The over power without the bonus for full combo or all justice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculation:
    """The content of `/calc`."""

    constant: Hundredths
    region: Region
    rated: Rated | None
    """The value of the given score."""
    wanted: Hundredths | None
    """The given rating."""
    needed: Rated | None
    """The least score for the given rating; None if no score earns it."""
    ranks: tuple[Rated, ...]
    """The least score of each rank, highest first, after the theoretical maximum."""


class Calculator:
    """Calculates for the asker's region."""

    def __init__(self, askers: Askers, *, default_region: Region) -> None:
        self._askers = askers
        self._default_region = default_region

    async def calculate(
        self, viewer: MemberId, constant: Hundredths, score: int | None, wanted: Hundredths | None
    ) -> Calculation:
        """Return the rating of a score, the least score for a rating, and both for every rank from S up."""
        try:
            region = (await self._askers.get(viewer)).link.region
        except NotLinked:
            region = self._default_region
        least = None if wanted is None else least_score(constant, wanted, region)
        tops = [MAX_SCORE, *(rank.least_score for rank in reversed(ranks_of(region)))]
        return Calculation(
            constant=constant,
            region=region,
            rated=None if score is None else _rated(constant, score, region),
            wanted=wanted,
            needed=None if least is None else _rated(constant, least, region),
            ranks=tuple(_rated(constant, top, region) for top in tops if top >= Rank.S.least_score),
        )


def _rated(constant: Hundredths, score: int, region: Region) -> Rated:
    return Rated(
        score=score,
        rank=rank_of(score, region),
        rating=song_rating(constant, score, region),
        over_power=over_power(constant, score),
    )
