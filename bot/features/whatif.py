"""The effects of scores on the rating, if they were played now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.domain.charts import Difficulty, Song, difficulty_name
from bot.domain.errors import BadQuery, BotError
from bot.domain.gains import RatingSlots
from bot.domain.game_rating import Explanation
from bot.domain.ids import GuildId, MemberId, SongId
from bot.domain.rating import constants_of
from bot.domain.whatif import PlannedScore, WhatIf, what_if
from bot.features.shared.askers import Askers
from bot.features.shared.chronicle import Chronicles
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.library import SongChoice, SongLibrary
from bot.features.shared.reports import FetchedPlayer


class NoConstant(BotError):
    """A chart with neither a known constant nor a level cannot be rated."""

    def __init__(self) -> None:
        super().__init__("the chart's constant is not known")


class ScoreQuestion(NamedTuple):
    """A score to evaluate."""

    song: str
    """The id of the song or a search text."""
    difficulty: Difficulty
    score: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfReport(FetchedPlayer):
    """The content of `/whatif`."""

    explanation: Explanation
    found: WhatIf
    songs: Mapping[SongId, Song] = field(repr=False)
    """The songs of the catalogue, for the titles of charts that drop out of the slots."""


class UnclearSong(NamedTuple):
    """A score whose song is ambiguous."""

    number: int
    """The index of the score, from 0."""
    choice: SongChoice


class WhatIfs:
    """Reports the effects of scores on the asker's own rating."""

    def __init__(
        self, askers: Askers, library: SongLibrary, chronicle: Chronicles, ratings: GameRatings
    ) -> None:
        self._askers = askers
        self._library = library
        self._chronicle = chronicle
        self._ratings = ratings

    async def report(
        self, viewer: MemberId, questions: Sequence[ScoreQuestion], guild: GuildId | None
    ) -> WhatIfReport | UnclearSong:
        """Return the effects of scores, each after those before it, or songs to choose from first.

        Raises: NotLinked, NotFound, SongRemoved, BadQuery if a song has no such chart, NoConstant, and errors of the service.
        """
        asker = await self._askers.get(viewer)
        visit = await self._library.enter(asker, guild)
        planned: list[PlannedScore] = []
        for number, question in enumerate(questions):
            song = await visit.pick_playable(question.song)
            if isinstance(song, SongChoice):
                return UnclearSong(number, song)
            planned.append(_planned(song, question))
        answer = await self._chronicle.fetch(asker)
        player, records = answer.value
        catalogue, at = visit.loaded.catalogue, answer.age.fetched_at
        explanation = await self._ratings.explain_with(catalogue, player, records, at, member=viewer)
        held = {(each.song_id, each.difficulty): each for each in records if each.song_id and each.is_played}
        slots = RatingSlots.of(explanation.worked_out)
        return WhatIfReport(
            player=player,
            explanation=explanation,
            found=what_if(slots, planned, held, visit.region),
            songs=catalogue.by_id,
            region=visit.region,
            age=answer.age,
        )


def _planned(song: Song, question: ScoreQuestion) -> PlannedScore:
    chart = song.find_chart(question.difficulty)
    if chart is None:
        names = ", ".join(difficulty_name(each.difficulty) for each in song.charts)
        raise BadQuery("difficulty", names)
    if not any(constants_of(chart.constant, chart.level)):
        raise NoConstant
    return PlannedScore(song, chart, question.score)
