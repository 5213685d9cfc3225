"""A player's records combined with the models of all players, for several features."""

import asyncio
from dataclasses import dataclass, replace
from typing import Final

from bot.api.answer import Answer
from bot.domain.age import Age, oldest
from bot.domain.coach.feeling import FeltByMember
from bot.domain.coach.player_model import PlayerModel
from bot.domain.entries import ChartEntry, Order, catalogue_entries
from bot.domain.filters import Filter
from bot.domain.gains import RatingSlots
from bot.domain.game_rating import Explanation
from bot.domain.game_versions import GameVersion, game_day
from bot.domain.ids import GuildId, MemberId
from bot.domain.numbers import to_hundredths
from bot.domain.players import Player, Target
from bot.domain.scores import Record
from bot.features.shared.askers import Asker, Askers
from bot.features.shared.asking import ask_both
from bot.features.shared.chronicle import Chronicles
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.library import SongLibrary, SongLookup
from bot.features.shared.player_models import PlayerModels
from bot.features.shared.subjects import Subject

_ALL: Final = Filter()


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberLook:
    """A member's own records, with the songs that they look through."""

    asker: Asker
    visit: SongLookup
    player: Player
    records: tuple[Record, ...]
    age: Age

    def passing(self, wanted: Filter, felt: FeltByMember | None) -> list[ChartEntry]:
        """Return the charts that pass a filter; goes through thousands."""
        entries = catalogue_entries(self.visit.loaded.catalogue, self.records, self.asker.locked)
        return wanted.searched(self.visit.matches).passing(felt.on_entries(entries) if felt else entries)

    def open_to_play(self, wanted: Filter = _ALL, felt: FeltByMember | None = None) -> list[ChartEntry]:
        """Return the same without locked songs, unless the filter names locked songs itself."""
        passing = self.passing(wanted, felt)
        return passing if wanted.names_locked else [entry for entry in passing if not entry.is_locked]


@dataclass(frozen=True, slots=True, kw_only=True)
class Study(MemberLook):
    """The same, with predictions."""

    model: PlayerModel
    felt: FeltByMember
    explanation: Explanation
    turned: GameVersion | None
    """The version of the game that has begun since the member's profile was updated."""

    @property
    def slots(self) -> RatingSlots:
        """The slots that make up the player's rating."""
        return RatingSlots.of(self.explanation.worked_out)


class Studies:
    """Requests members' data from the service, and combines it for several features."""

    def __init__(
        self,
        askers: Askers,
        library: SongLibrary,
        chronicle: Chronicles,
        player_models: PlayerModels,
        ratings: GameRatings,
    ) -> None:
        self._askers = askers
        self._ratings = ratings
        self._library = library
        self._chronicle = chronicle
        self._player_models = player_models

    async def look(self, viewer: MemberId, guild: GuildId | None) -> MemberLook:
        """Return all records of the viewer, including World's End. Raises: NotLinked, and errors of the service."""
        asker = await self._askers.get(viewer)
        visit, answer = await asyncio.gather(
            self._library.enter(asker, guild),
            ask_both(asker.fetch_owner(Target()), asker.fetch_all_records(Target(), asker.link.region)),
        )
        player, records = answer.value
        self._chronicle.note(asker.link, player, records, answer.age)
        age = oldest(visit.loaded.age, answer.age)
        return MemberLook(asker=asker, visit=visit, player=player, records=records, age=age)

    async def look_at(self, look: MemberLook, subject: Subject) -> Answer[tuple[Player, tuple[Record, ...]]]:
        """Return the profile and the records of another player. Raises: NotLinked, and errors of the service."""
        asker = look.asker
        target = await self._askers.get_target(asker, subject)
        return await ask_both(asker.fetch_owner(target), asker.fetch_records(target, asker.link.region))

    async def get_model(self, look: MemberLook, *, of_all: bool = False) -> PlayerModel:
        """Return the model of the member, or if `of_all` that of all players at their level."""
        catalogue, rating = look.visit.loaded.catalogue, look.player.rating
        found = await self._player_models.get_model(catalogue, rating, look.records, look.asker.link)
        if not of_all:
            return found
        found = await self._player_models.get_model(catalogue, to_hundredths(found.level), ())
        return found if found.counted else replace(found, predictions={})

    async def feel(self, look: MemberLook, wanted: Filter, order: Order | None = None) -> FeltByMember | None:
        """Return the felt difficulty, if a filter or an order needs it. Raises: FeltNotKnown."""
        catalogue, rating = look.visit.loaded.catalogue, look.player.rating
        return await self._player_models.feel(wanted, order, catalogue, rating, look.records, look.asker.link)

    async def make(self, viewer: MemberId, guild: GuildId | None) -> Study:
        """Return the study of the viewer. Raises: NotLinked, and errors of the service."""
        asker = await self._askers.get(viewer)
        visit, answer = await asyncio.gather(
            self._library.enter(asker, guild),
            self._chronicle.fetch(asker),
        )
        player, records = answer.value
        catalogue, at = visit.loaded.catalogue, answer.age.fetched_at
        model, felt = await self._player_models.get_model_and_felt(
            catalogue, player.rating, records, asker.link
        )
        explanation = await self._ratings.explain_with(catalogue, player, records, at, member=viewer)
        version = explanation.worked_out.version
        return Study(
            asker=asker,
            visit=visit,
            player=player,
            records=records,
            model=model,
            felt=felt,
            explanation=explanation,
            turned=self._ratings.versions.turned_since(version, player.updated_on, game_day(at)),
            age=oldest(visit.loaded.age, answer.age),
        )
