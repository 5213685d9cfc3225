"""What may be lost on a chart for each rank, for everyone; for who has linked also in their own mix."""

from dataclasses import dataclass

from bot.domain.age import Age, oldest
from bot.domain.borders import Border, borders
from bot.domain.charts import Chart, Difficulty, Song
from bot.domain.errors import BotError
from bot.domain.ids import GuildId, MemberId, Region
from bot.domain.members import Audience
from bot.domain.players import Target
from bot.features.shared.library import SongChoice, SongLibrary, get_chart
from bot.features.shared.mixes import Mixes


@dataclass(frozen=True, slots=True, kw_only=True)
class BorderReport:
    """What `/border` shows."""

    song: Song
    chart: Chart
    borders: tuple[Border, ...]
    """Highest first; none where nobody knows the chart's notes."""
    is_linked: bool
    has_mix: bool
    trouble: BotError | None
    """Why the viewer's own mix is missing, where their records could not be read."""
    region: Region
    age: Age
    audience: Audience


class Borders:
    """Tells what may be lost."""

    def __init__(self, library: SongLibrary, mixes: Mixes) -> None:
        self._library = library
        self._mixes = mixes

    async def report(
        self, viewer: MemberId, wanted: str, difficulty: Difficulty | None, guild: GuildId | None
    ) -> BorderReport | SongChoice:
        """Return what may be lost on a chart of the song that is meant, the hardest where none is named.

        Or songs between which to choose. Raises: NotFound, NoChart, NotLinked where no catalogue is known without a
        token, and what the service answers.
        """
        visit = await self._library.visit(viewer, guild)
        song = await visit.pick(wanted)
        if isinstance(song, SongChoice):
            return song
        chart = get_chart(song, difficulty)
        age, mix, trouble = visit.loaded.age, None, None
        if visit.asker is not None and chart.max_combo:
            try:
                records = await visit.asker.fetch_records(Target(), visit.region)
                mix = await self._mixes.learn(records.value, visit.loaded.catalogue)
                age = oldest(age, records.age)
            except BotError as error:
                # The borders are the answer; one's own mix beside them is a courtesy that must not cost it.
                trouble = error
        is_own = mix is not None and visit.asker is not None and visit.asker.is_only_me
        return BorderReport(
            song=song,
            chart=chart,
            borders=borders(chart.max_combo, visit.region, mix) if chart.max_combo else (),
            is_linked=visit.asker is not None,
            has_mix=mix is not None,
            trouble=trouble,
            region=visit.region,
            age=age,
            audience=Audience.ASKER if is_own else Audience.ANYONE,
        )
