"""`/whatif`."""

from dataclasses import replace
from typing import Final

from discord import app_commands

from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.options import SongText, difficulty_option, option, song_option
from bot.chat.subjects import guild_of, viewer_of
from bot.domain.charts import DIFFICULTIES, MASTER, WORLDS_END, Difficulty
from bot.domain.errors import BadQuery
from bot.domain.ranks import MAX_SCORE
from bot.features.whatif import ScoreQuestion, UnclearSong
from bot.ui.kit.look import Page
from bot.ui.kit.pages import with_leads, with_share
from bot.ui.kit.routes import BorderAddress, WhatIfAddress
from bot.ui.language.text import described, named
from bot.ui.songs import choice_page
from bot.ui.whatif import what_if_embed

_WITH_CONSTANTS: Final = [code for code in reversed(DIFFICULTIES) if code != WORLDS_END]
_OTHER_SONG: Final = described("Another song, played after the one before")
_OTHER_CHART: Final = described("Which chart of that song; MASTER if left out")
_OTHER_SCORE: Final = described("The score to try there")
_SONGS: Final = ("song", "song2", "song3")
"""The fields of an address with songs."""


class WhatIfCog(KirokuCog):
    """The effects of scores on the rating."""

    @command(
        named("command", "whatif"),
        described("Show what up to three scores would do to your rating; only you see it"),
    )
    @song_option()
    @difficulty_option(described("Which chart of the song"), _WITH_CONSTANTS)
    @option("score", named("option", "score"), described("The score to try, such as 1007500"))
    @song_option("song2", named("option", "song2"), _OTHER_SONG)
    @difficulty_option(_OTHER_CHART, _WITH_CONSTANTS, "difficulty2", named("option", "difficulty2"))
    @option("score2", named("option", "score2"), _OTHER_SCORE)
    @song_option("song3", named("option", "song3"), _OTHER_SONG)
    @difficulty_option(_OTHER_CHART, _WITH_CONSTANTS, "difficulty3", named("option", "difficulty3"))
    @option("score3", named("option", "score3"), _OTHER_SCORE)
    async def whatif(  # noqa: PLR0913, PLR0917 - Discord has no option that takes several songs
        self,
        interaction: Interaction,
        song: SongText,
        difficulty: str,
        score: app_commands.Range[int, 0, MAX_SCORE],
        song2: SongText = "",
        difficulty2: str = MASTER,
        score2: app_commands.Range[int, 0, MAX_SCORE] | None = None,
        song3: SongText = "",
        difficulty3: str = MASTER,
        score3: app_commands.Range[int, 0, MAX_SCORE] | None = None,
    ) -> None:
        """Show the effects of scores."""
        address = WhatIfAddress(
            asker=viewer_of(interaction),
            song=song,
            difficulty=Difficulty(difficulty),
            score=score,
            song2=song2,
            difficulty2=Difficulty(difficulty2) if song2 else None,
            score2=score2,
            song3=song3,
            difficulty3=Difficulty(difficulty3) if song3 else None,
            score3=score3,
        )
        await self._bot.answer(interaction, address, private=True)

    @shows(WhatIfAddress)
    async def _page(self, interaction: Interaction, address: WhatIfAddress) -> Page:
        questions = questions_of(address)
        names = [name for name in _SONGS if getattr(address, name)]
        found = await self._bot.features.whatif.report(address.asker, questions, guild_of(interaction))
        t = self._bot.language_of(interaction)
        if isinstance(found, UnclearSong):
            name = names[found.number]
            return choice_page(t, found.choice, lambda song: replace(address, **{name: song}))
        steps = found.found.steps
        first = steps[0].planned
        shown = Page(what_if_embed(t, found))
        if len(steps) == 1:
            border = BorderAddress(asker=address.asker, song=first.song.id, difficulty=first.chart.difficulty)
            shown = with_leads(shown, {t("Border"): border})
        ids = {name: step.planned.song.id for name, step in zip(names, steps, strict=True)}
        return with_share(t, shown, replace(address, **ids))


def questions_of(address: WhatIfAddress) -> list[ScoreQuestion]:
    """Return the scores in an address. Raises: BadQuery for a song without a score, or a score without a song."""
    questions = [ScoreQuestion(address.song, address.difficulty, address.score)]
    others = (
        (address.song2, address.difficulty2, address.score2, ("song2", "score2")),
        (address.song3, address.difficulty3, address.score3, ("song3", "score3")),
    )
    for song, difficulty, score, (song_name, score_name) in others:
        if song and score is None:
            raise BadQuery(score_name, "1007500")
        if score is not None and not song:
            raise BadQuery(song_name, "…")
        if song and score is not None:
            questions.append(ScoreQuestion(song, difficulty or MASTER, score))
    return questions
