"""All that is told of one player by what they are likely to score: their records, beside what is known of all players."""

import asyncio
from dataclasses import dataclass

from bot.domain.age import Age, oldest
from bot.domain.coach import Coach
from bot.domain.gains import RatingSlots
from bot.domain.game_rating import Explanation
from bot.domain.ids import GuildId, MemberId
from bot.domain.players import Player
from bot.domain.scores import Record
from bot.features.shared.askers import Asker, Askers
from bot.features.shared.chronicle import Chronicles
from bot.features.shared.coaches import Coaches
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.library import SongLibrary, SongLookup


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """What is known of somebody who asks about themselves."""

    asker: Asker
    visit: SongLookup
    player: Player
    records: tuple[Record, ...]
    coach: Coach
    explanation: Explanation
    age: Age

    @property
    def slots(self) -> RatingSlots:
        """What makes the player's rating."""
        return RatingSlots.of(self.explanation.worked_out)


class Studies:
    """Looks at members."""

    def __init__(
        self,
        askers: Askers,
        library: SongLibrary,
        chronicle: Chronicles,
        coaches: Coaches,
        ratings: GameRatings,
    ) -> None:
        self._askers = askers
        self._ratings = ratings
        self._library = library
        self._chronicle = chronicle
        self._coaches = coaches

    async def make(self, viewer: MemberId, guild: GuildId | None) -> Study:
        """Return what is known of the viewer. Raises: NotLinked, and what the service answers."""
        asker = await self._askers.get(viewer)
        visit, answer = await asyncio.gather(
            self._library.enter(asker, guild),
            self._chronicle.fetch(asker),
        )
        player, records = answer.value
        catalogue, at = visit.loaded.catalogue, answer.age.fetched_at
        return Study(
            asker=asker,
            visit=visit,
            player=player,
            records=records,
            coach=await self._coaches.coach(catalogue, player.rating, records, asker.link),
            explanation=await self._ratings.explain_with(catalogue, player, records, at, member=viewer),
            age=oldest(visit.loaded.age, answer.age),
        )
