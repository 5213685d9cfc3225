"""What the viewer is strong and weak at, by kinds of charts, beside what they do with all."""

import asyncio
from dataclasses import dataclass, field

from bot.domain.age import Age, oldest
from bot.domain.coach import Coach
from bot.domain.ids import GuildId, MemberId, Region
from bot.domain.members import Audience
from bot.domain.players import Player
from bot.features.askers import Askers
from bot.features.chronicle import Chronicles
from bot.features.coaches import Coaches
from bot.features.library import Library


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillReport:
    """What `/skill` shows."""

    player: Player
    found: Coach = field(repr=False)
    played: int
    """Charts behind it."""
    region: Region
    age: Age
    audience: Audience


class Skills:
    """Tells what members are good at."""

    def __init__(self, askers: Askers, library: Library, chronicle: Chronicles, coaches: Coaches) -> None:
        self._askers = askers
        self._library = library
        self._chronicle = chronicle
        self._coaches = coaches

    async def report(self, viewer: MemberId, guild: GuildId | None) -> SkillReport:
        """Return what the viewer is strong and weak at. Raises: NotLinked, and what the service answers."""
        asker = await self._askers.get(viewer)
        region = asker.link.region
        visit, answer = await asyncio.gather(
            self._library.enter(asker, guild),
            self._chronicle.fetch(asker),
        )
        player, records = answer.value
        found = await self._coaches.coach(visit.loaded.catalogue, player.rating, records)
        played = {(each.song_id, each.difficulty) for each in records if each.is_played}
        return SkillReport(
            player=player,
            found=found,
            played=len(played & found.outlooks.keys()),
            region=region,
            age=oldest(visit.loaded.age, answer.age),
            audience=asker.audience_of(player),
        )
