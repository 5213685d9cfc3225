"""Looking songs up: suggestions while typing, and one song with the asker's own scores."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from bot.domain.charts import Difficulty, Song
from bot.domain.errors import BotError, NotFound, NotLinked
from bot.domain.ids import MemberId, Region, SongId
from bot.domain.players import Target
from bot.domain.scores import Record
from bot.features.askers import Asker, Askers
from bot.features.catalogues import Catalogues, LoadedCatalogue


@dataclass(frozen=True, slots=True, kw_only=True)
class SongPage:
    """What `/song` shows."""

    song: Song
    scores: Mapping[Difficulty, Record] = field(repr=False)
    """The asker's own; empty where they have none, are not linked or cannot be asked about now."""
    region: Region
    fetched_at: datetime
    is_stale: bool


class Songs:
    """Looks songs up."""

    def __init__(self, askers: Askers, catalogues: Catalogues, *, default_region: Region) -> None:
        self._askers = askers
        self._catalogues = catalogues
        self._default_region = default_region

    async def suggest(self, viewer: MemberId, text: str) -> list[Song]:
        """Return at most 25 songs for what was typed so far; none where no catalogue can be had now."""
        asker, region = await self._find_asker(viewer)
        loaded = await self._catalogues.find(region, asker and asker.link.token)
        return loaded.index.search(text) if loaded else []

    async def page(self, viewer: MemberId, wanted: str) -> SongPage:
        """Return the song with the id `wanted`, or the one that a search for it finds first.

        Raises: NotFound, NotLinked where no catalogue is known without a token, and what the service answers.
        """
        asker, region = await self._find_asker(viewer)
        song, loaded = await self.get(wanted, region, asker and asker.link.token)
        return SongPage(
            song=song,
            scores=await self._own_scores(asker, song, region) if asker else {},
            region=region,
            fetched_at=loaded.fetched_at,
            is_stale=loaded.is_stale,
        )

    async def get(self, wanted: str, region: Region, token: str | None) -> tuple[Song, LoadedCatalogue]:
        """Return the song with the id `wanted`, or the one that a search for it finds first.

        Raises: as `page`.
        """
        loaded = await self._catalogues.get(region, token)
        song = loaded.catalogue.by_id.get(SongId(wanted))
        if song is None:
            song = next(iter(loaded.index.search(wanted, limit=1)), None)
        if song is None:
            raise NotFound(wanted)
        return song, loaded

    async def _find_asker(self, viewer: MemberId) -> tuple[Asker | None, Region]:
        try:
            asker = await self._askers.get(viewer)
        except NotLinked:
            return None, self._default_region
        return asker, asker.link.region

    async def _own_scores(self, asker: Asker, song: Song, region: Region) -> dict[Difficulty, Record]:
        fetch = asker.fetch_worlds_end if song.is_worlds_end else asker.fetch_records
        try:
            answer = await fetch(Target(), region)
        except BotError:
            # The song is the answer; scores beside it are a courtesy that must not cost it.
            return {}
        return {record.difficulty: record for record in answer.value if record.song_id == song.id}
