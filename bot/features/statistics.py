"""The statistics of all players on a chart, and the asker's place among them."""

import asyncio
from dataclasses import dataclass

from bot.domain.age import oldest
from bot.domain.charts import LETTERS, Chart, Difficulty, Song
from bot.domain.errors import BotError, NotFound
from bot.domain.ids import JP2, GuildId, MemberId
from bot.domain.numbers import Hundredths
from bot.domain.players import Target
from bot.domain.scores import Record
from bot.domain.statistics import ChartStatistics
from bot.features.shared.askers import Asker, Askers
from bot.features.shared.chronicle import Chronicles
from bot.features.shared.library import SongChoice, SongLibrary
from bot.features.shared.reports import Fetched


class NotCounted(BotError):
    """The song has no chart of this difficulty with statistics."""

    def __init__(self, difficulty: Difficulty | None, counted: tuple[Difficulty, ...]) -> None:
        self.difficulty = difficulty
        """The difficulty; None if none was named."""
        self.counted = counted
        """The song's difficulties with statistics."""
        super().__init__(f"no statistics of the song's {difficulty or ''} chart")


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsReport(Fetched):
    """The content of `/stats`."""

    song: Song
    chart: Chart
    choices: tuple[Difficulty, ...]
    """The song's difficulties with statistics."""
    statistics: ChartStatistics
    own: Record | None
    """The asker's record, if they have one."""
    own_rating: Hundredths | None
    """The asker's rating, if available."""
    trouble: BotError | None = None
    """The reason why the asker's own data is missing; None if it is not."""


class Statistics:
    """Reports statistics."""

    def __init__(self, askers: Askers, library: SongLibrary, chronicle: Chronicles) -> None:
        self._askers = askers
        self._chronicle = chronicle
        self._library = library

    async def report(
        self,
        viewer: MemberId,
        wanted: str,
        difficulty: Difficulty | None,
        guild: GuildId | None,
        *,
        in_public: bool,
    ) -> StatisticsReport | SongChoice:
        """Return the statistics of a chart, by default of the hardest that has some; or songs to choose from.

        In public, the place of a viewer set to "only me" is left out. Raises: NotLinked, NotFound, SongRemoved,
        NotCounted, and errors of the service.
        """
        song = await (await self._library.visit(viewer, guild)).pick_playable(wanted)
        if isinstance(song, SongChoice):
            return song
        asker = await self._askers.get(viewer)
        charts = {chart.difficulty: chart for chart in song.charts}
        choices = tuple(code for code in charts if code in LETTERS)
        chosen = difficulty or next(reversed(choices), None)
        if chosen is None or chosen not in choices:
            raise NotCounted(difficulty, choices)
        is_hidden = in_public and asker.is_only_me
        try:
            answer, (own, own_rating, trouble) = await asyncio.gather(
                asker.fetch_statistics((song.id, chosen)),
                self._own(asker, song, None if is_hidden else chosen),
            )
        except NotFound:  # the cached catalogue still has the song, or already has it
            raise NotCounted(None, ()) from None
        return StatisticsReport(
            song=song,
            chart=charts[chosen],
            choices=choices,
            statistics=answer.value,
            own=own,
            own_rating=own_rating,
            trouble=trouble,
            region=JP2,
            age=answer.age,
        )

    async def _own(
        self, asker: Asker, song: Song, difficulty: Difficulty | None
    ) -> tuple[Record | None, Hundredths | None, BotError | None]:
        """Return the asker's record and rating, or why they are unavailable; nothing if no difficulty is given."""
        if difficulty is None:
            return None, None, None
        fetch = asker.fetch_worlds_end if song.is_worlds_end else asker.fetch_records
        try:
            # Version 1.3 counts today's game, whichever the asker plays.
            records, player = await asyncio.gather(fetch(Target(), JP2), asker.fetch_owner(Target()))
        except BotError as error:
            # The statistics are the answer; a missing own place must not fail it.
            return None, None, error
        if asker.link.region == JP2 and not song.is_worlds_end:
            self._chronicle.note(asker.link, player.value, records.value, oldest(player.age, records.age))
        mine = (each for each in records.value if each.song_id == song.id and each.difficulty == difficulty)
        return next(mine, None), player.value.rating, None
