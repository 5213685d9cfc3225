"""Three charts for today, chosen by what the viewer is likely to score."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from heapq import nlargest

from bot.apart import apart
from bot.domain.age import Age, oldest
from bot.domain.chronicle.state import BEST_PLACES
from bot.domain.coach import Coach
from bot.domain.entries import catalogue_entries
from bot.domain.filters import Filter, parse_filter
from bot.domain.ids import GuildId, MemberId, Region
from bot.domain.members import Audience
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.domain.practice import Aim, Drill, drills
from bot.domain.scores import Record
from bot.features.askers import Askers
from bot.features.chronicle import Chronicles
from bot.features.coaches import Coaches
from bot.features.library import Library, Visit


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeReport:
    """What `/practice` shows."""

    player: Player
    wanted: Filter
    drills: Mapping[Aim, Drill] = field(repr=False)
    charts: int
    """How many pass the filter."""
    is_known: bool
    """Whether anything is known of what the viewer scores."""
    region: Region
    age: Age
    audience: Audience


class Practice:
    """Draws charts."""

    def __init__(self, askers: Askers, library: Library, chronicle: Chronicles, coaches: Coaches) -> None:
        self._askers = askers
        self._library = library
        self._chronicle = chronicle
        self._coaches = coaches

    async def report(self, viewer: MemberId, text: str, seed: int, guild: GuildId | None) -> PracticeReport:
        """Return what to play among the charts that a filter lets through; the same for the same seed.

        Raises: BadFilter, NotLinked, and what the service answers.
        """
        wanted = parse_filter(text)
        asker = await self._askers.get(viewer)
        region = asker.link.region
        visit, answer = await asyncio.gather(
            self._library.enter(asker, guild),
            self._chronicle.fetch(asker),
        )
        player, records = answer.value
        found = await self._coaches.coach(visit.loaded.catalogue, player.rating, records)
        drawn, charts = await apart(_drawn, visit, wanted, records, found, seed)
        return PracticeReport(
            player=player,
            wanted=wanted,
            drills=drawn,
            charts=charts,
            is_known=bool(found.outlooks),
            region=region,
            age=oldest(visit.loaded.age, answer.age),
            audience=asker.audience_of(player),
        )


def _drawn(
    visit: Visit, wanted: Filter, records: tuple[Record, ...], found: Coach, seed: int
) -> tuple[Mapping[Aim, Drill], int]:
    """Return what is drawn, and among how many charts."""
    searched = wanted.searched(visit.matches)
    entries = [each for each in catalogue_entries(visit.loaded.catalogue, records) if searched.matches(each)]
    ratings = nlargest(BEST_PLACES, (record.rating for record in records))
    counts_from = ratings[-1] if len(ratings) == BEST_PLACES else Hundredths(0)
    return drills(entries, found, seed, counts_from=counts_from), len(entries)
