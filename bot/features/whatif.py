"""What scores would change, were they played now."""

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
    """A chart of which neither constant nor level is known cannot be rated."""

    def __init__(self) -> None:
        super().__init__("the chart's constant is not known")


class ScoreQuestion(NamedTuple):
    """A score that is asked about."""

    song: str
    """Its id, or a text that it is looked for by."""
    difficulty: Difficulty
    score: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfReport(FetchedPlayer):
    """What `/whatif` shows."""

    explanation: Explanation
    found: WhatIf
    songs: Mapping[SongId, Song] = field(repr=False)
    """The songs of the catalogue, for the titles of what falls out of the slots."""


class UnclearSong(NamedTuple):
    """A score whose song may be one of several."""

    number: int
    """Which of the scores asked about, from 0."""
    choice: SongChoice


class WhatIfs:
    """Tells what scores would do to the asker's own rating."""

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
        """Return what scores would change, each after those before it, or songs between which to choose first.

        Raises: NotLinked, NotFound, BadQuery where a song has no such chart, NoConstant, and what the service answers.
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
