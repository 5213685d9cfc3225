"""What the service says of one player, asked with their own token and kept in memory for a while."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.api import Holder, Priority
from bot.api.cache import Answer, AnswerCache, Key
from bot.domain.charts import Catalogue
from bot.domain.ids import Region
from bot.domain.players import Player
from bot.domain.scores import Record
from bot.domain.search import SongIndex

FRESH_FOR: Final[Mapping[str, timedelta]] = {
    "player": timedelta(minutes=1),
    "records": timedelta(minutes=3),
    "worlds_end": timedelta(minutes=3),
    "catalogue": timedelta(hours=6),
}
"""What was said is not asked again for this long, by the first word of the question."""
_CATALOGUE_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class SearchableSongs:
    """A catalogue that can be searched."""

    catalogue: Catalogue
    index: SongIndex

    @classmethod
    def of(cls, catalogue: Catalogue) -> "SearchableSongs":
        """Make an index of a catalogue."""
        return cls(catalogue, SongIndex(catalogue.songs))


@dataclass(frozen=True, slots=True)
class PlayerData:
    """What a rating, a plan and a prediction are made of."""

    player: Player
    records: tuple[Record, ...]
    """The records of normal charts."""
    catalogue: Catalogue


class PlayerReader:
    """Asks as the holder of a token."""

    def __init__(self, holder: Holder, cache: AnswerCache, region: Region) -> None:
        self._holder = holder
        self._cache = cache
        self.region = region

    async def player(self) -> Answer[Player]:
        """Return the holder's profile. Raises: BotError."""

        async def ask() -> Player:
            return (await self._holder.v1_3.users.me()).to_domain()

        return await self._cache.get(Key(None, ("player",)), ask)

    async def records(self) -> Answer[tuple[Record, ...]]:
        """Return the holder's records of normal charts. Raises: BotError."""

        async def ask() -> tuple[Record, ...]:
            return (await self._holder.v2_0.records.showall(region=self.region)).to_domain()

        return await self._cache.get(Key(None, ("records",)), ask)

    async def all_records(self) -> Answer[tuple[Record, ...]]:
        """Return all records, World's End last. Raises: BotError."""

        async def ask() -> tuple[Record, ...]:
            return (await self._holder.v2_0.records.worldsend(region=self.region)).to_domain()

        both = (await self.records()).beside(await self._cache.get(Key(None, ("worlds_end",)), ask))
        return Answer((*both.value[0], *both.value[1]), both.age)

    async def songs(self) -> Answer[SearchableSongs]:
        """Return the catalogue; from memory at once if there is one, which is refreshed in the background. Raises: BotError."""

        async def ask() -> Catalogue:
            return (await self._holder.v2_0.music.showall(region=self.region)).to_domain(self.region)

        answer = await self._cache.get_at_hand(
            Key(None, ("catalogue",)),
            lambda _urgency: ask(),
            priority=Priority.PERSON,
            patience=_CATALOGUE_SECONDS,
            grace=0,
            is_for_all=True,
        )
        return Answer(answer.made_by(SearchableSongs.of), answer.age)

    async def data(self) -> Answer[PlayerData]:
        """Return profile, records and catalogue, as old as the older of the first two. Raises: BotError."""
        songs = await self.songs()
        both = (await self.player()).beside(await self.records())
        return Answer(PlayerData(*both.value, songs.value.catalogue), both.age)
