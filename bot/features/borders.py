"""The judgements that each rank allows on a chart, for everyone; for linked members also in their own mix."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bot.domain.age import oldest
from bot.domain.borders import Border, borders
from bot.domain.charts import Chart, Difficulty, Song
from bot.domain.errors import BotError
from bot.domain.gains import PlayEffect, RatingSlots, gain_of
from bot.domain.ids import GuildId, MemberId, Region
from bot.domain.members import Audience
from bot.domain.players import Target
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.library import SongChoice, SongLibrary, get_chart
from bot.features.shared.mixes import Mixes
from bot.features.shared.reports import Fetched


@dataclass(frozen=True, slots=True, kw_only=True)
class BorderReport(Fetched):
    """The content of `/border`."""

    song: Song
    chart: Chart
    borders: tuple[Border, ...]
    """The borders, highest first; none if the chart's note count is unknown."""
    is_linked: bool
    has_mix: bool
    gains: Mapping[int, PlayEffect] = field(default_factory=dict[int, PlayEffect])
    """The effects of each border's score on the viewer's rating, of those that would raise it."""
    trouble: BotError | None
    """The reason why the viewer's own mix is missing, if their records could not be read."""
    audience: Audience


class Borders:
    """Computes borders."""

    def __init__(self, library: SongLibrary, mixes: Mixes, ratings: GameRatings) -> None:
        self._library = library
        self._mixes = mixes
        self._ratings = ratings

    async def report(
        self, viewer: MemberId, wanted: str, difficulty: Difficulty | None, guild: GuildId | None
    ) -> BorderReport | SongChoice:
        """Return the borders of a chart of the song, by default the hardest; or songs to choose from.

        Raises: NotFound, SongRemoved, NoChart, NotLinked if there is no catalogue without a token, and errors of the
        service.
        """
        visit = await self._library.visit(viewer, guild)
        song = await visit.pick_playable(wanted)
        if isinstance(song, SongChoice):
            return song
        chart = get_chart(song, difficulty)
        age, mix, trouble, slots = visit.loaded.age, None, None, None
        if visit.asker is not None and chart.max_combo:
            try:
                records = await visit.asker.fetch_records(Target(), visit.region)
                mix = await self._mixes.learn(records.value, visit.loaded.catalogue)
                slots = await self._ratings.find_slots(viewer, visit.region, records.value)
                age = oldest(age, records.age)
            except BotError as error:
                # The borders are the answer; a missing own mix must not fail it.
                trouble = error
        found = borders(chart.max_combo, visit.region, mix) if chart.max_combo else ()
        gains = _gains(slots, song, chart, found, visit.region)
        is_own = bool(mix or gains) and visit.asker is not None and visit.asker.is_only_me
        return BorderReport(
            song=song,
            chart=chart,
            borders=found,
            is_linked=visit.asker is not None,
            has_mix=mix is not None,
            gains=gains,
            trouble=trouble,
            region=visit.region,
            age=age,
            audience=Audience.ASKER if is_own else Audience.ANYONE,
        )


def _gains(
    slots: RatingSlots | None, song: Song, chart: Chart, found: Iterable[Border], region: Region
) -> Mapping[int, PlayEffect]:
    """Return the effects on the rating of each border's score, if played now; those without effect are left out."""
    gains: dict[int, PlayEffect] = {}
    if slots is None:
        return gains
    for each in found:
        play = slots.play_on(song, chart, each.score, region)
        effect = None if play is None else gain_of(slots, play)
        if effect is not None and effect.sum_gain > 0:
            gains[each.score] = effect
    return gains
