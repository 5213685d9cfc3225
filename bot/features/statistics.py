"""How all players together fare on a chart, and where the asker stands among them."""

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
    """The song has no chart of this difficulty for which the service counts anything."""

    def __init__(self, difficulty: Difficulty | None, counted: tuple[Difficulty, ...]) -> None:
        self.difficulty = difficulty
        """None where none was named."""
        self.counted = counted
        """The song's difficulties that are counted."""
        super().__init__(f"no statistics of the song's {difficulty or ''} chart")


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsReport(Fetched):
    """What `/stats` shows."""

    song: Song
    chart: Chart
    choices: tuple[Difficulty, ...]
    """The song's difficulties that the service counts."""
    statistics: ChartStatistics
    own: Record | None
    """The asker's record, where they have one."""
    own_rating: Hundredths | None
    """The asker's rating, where it can be had."""
    trouble: BotError | None = None
    """Why nothing is known of the asker's own; None where it is."""


class Statistics:
    """Looks statistics up."""

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
        """Return the statistics of a chart, of the hardest that is counted where none is named; or songs to choose from.

        Where everyone can read the answer, the place of a viewer set to "only me" is left out.
        Raises: NotLinked, NotFound, SongRemoved, NotCounted, and what the service answers.
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
        except NotFound:  # the catalogue at hand still has the song, or has it already
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
        """Return the asker's record and rating, or why they cannot be had; nothing where no difficulty is named."""
        if difficulty is None:
            return None, None, None
        fetch = asker.fetch_worlds_end if song.is_worlds_end else asker.fetch_records
        try:
            # Version 1.3 counts the game of today, whatever the asker plays.
            records, player = await asyncio.gather(fetch(Target(), JP2), asker.fetch_owner(Target()))
        except BotError as error:
            # The statistics are the answer; the asker's own place is a courtesy that must not cost it.
            return None, None, error
        if asker.link.region == JP2 and not song.is_worlds_end:
            self._chronicle.note(asker.link, player.value, records.value, oldest(player.age, records.age))
        mine = (each for each in records.value if each.song_id == song.id and each.difficulty == difficulty)
        return next(mine, None), player.value.rating, None
