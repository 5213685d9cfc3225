"""The asker's scores beside another player's."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.apart import apart
from bot.domain.age import Age, oldest
from bot.domain.charts import Difficulty
from bot.domain.comparison import Comparison, Duel, Outcome, compare
from bot.domain.entries import record_entries
from bot.domain.errors import BotError
from bot.domain.filters import Filter, parse_filter
from bot.domain.ids import GuildId, MemberId, Region
from bot.domain.members import Audience
from bot.domain.players import Player, Target
from bot.domain.scores import Record
from bot.features.askers import Askers, Subject
from bot.features.chronicle import Chronicles
from bot.features.library import Library, Visit
from bot.features.paging import Part, part_of

PAGE_SIZE: Final = 10


class NobodyToCompare(BotError):
    """A comparison needs somebody else."""

    def __init__(self) -> None:
        super().__init__("no other player was named")


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonReport:
    """What `/compare` shows."""

    me: Player
    other: Player
    wanted: Filter
    total: Outcome
    by_difficulty: Mapping[Difficulty, Outcome]
    """Easiest first; those alone that both have played."""
    part: Part[Duel]
    """Of the charts that both have played, the greatest gaps first."""
    region: Region
    age: Age
    audience: Audience


class Comparisons:
    """Compares."""

    def __init__(self, askers: Askers, library: Library, chronicle: Chronicles) -> None:
        self._askers = askers
        self._chronicle = chronicle
        self._library = library

    async def report(
        self,
        viewer: MemberId,
        subject: Subject,
        text: str = "",
        number: int = 0,
        guild: GuildId | None = None,
    ) -> ComparisonReport:
        """Return one page of the charts that both have played, the greatest gaps first.

        The filter looks at the viewer's own records.
        Raises: NobodyToCompare, BadFilter, NotLinked as for every command about a member, and what the service
        answers to the viewer's token.
        """
        wanted = parse_filter(text)
        asker = await self._askers.get(viewer)
        target = await self._askers.get_target(asker, subject)
        region = asker.link.region
        if target.is_holder or target.user_id == asker.link.user_id:
            raise NobodyToCompare
        me, other, mine, theirs, visit = await asyncio.gather(
            asker.fetch_owner(Target()),
            asker.fetch_owner(target),
            asker.fetch_all_records(Target(), region),
            asker.fetch_all_records(target, region),
            self._library.find(asker, guild),
        )
        if other.value.user_id == asker.link.user_id:
            raise NobodyToCompare
        self._chronicle.note(asker.link, me.value, mine.value, oldest(me.age, mine.age))
        # Two full accounts take longer to go through than one turn of the event loop should.
        comparison = await apart(_compared, mine.value, theirs.value, region, visit, wanted)
        answers = (me, other, mine, theirs)
        return ComparisonReport(
            me=me.value,
            other=other.value,
            wanted=wanted,
            total=comparison.total,
            by_difficulty=comparison.by_difficulty,
            part=part_of(comparison.duels, PAGE_SIZE, number),
            region=region,
            age=oldest(*(answer.age for answer in answers)),
            audience=asker.audience_of(other.value),
        )


def _compared(
    mine: tuple[Record, ...],
    theirs: tuple[Record, ...],
    region: Region,
    visit: Visit | None,
    wanted: Filter,
) -> Comparison:
    wanted = wanted.searched(visit.matches) if visit else wanted
    entries = record_entries(mine, region, visit.loaded.catalogue if visit else None)
    return compare([entry.record for entry in entries if entry.record and wanted.matches(entry)], theirs)
