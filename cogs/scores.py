"""`/score`, `/scores` and `/worldsend`."""

from dataclasses import replace

from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.options import (
    FilterText,
    PlayerName,
    Someone,
    SongText,
    filter_option,
    song_option,
    sort_option,
    subject_options,
)
from bot.chat.subjects import guild_of, subject_of, viewer_of
from bot.domain.entries import Order
from bot.features.shared.library import SongChoice
from bot.ui.kit.look import Page
from bot.ui.kit.pages import with_refresh, with_share
from bot.ui.kit.routes import ScoreAddress, ScoresAddress, WorldsEndAddress
from bot.ui.language.text import described, named
from bot.ui.scores import scores_page, song_scores_page, worlds_end_page
from bot.ui.songs import choice_page


class ScoresCog(KirokuCog):
    """A player's scores."""

    @command(named("command", "score"), described("Show scores on every chart of a song"))
    @song_option()
    @subject_options()
    async def score(
        self,
        interaction: Interaction,
        song: SongText,
        member: Someone | None = None,
        player: PlayerName | None = None,
    ) -> None:
        """Show the asker's scores on a song, or those of a member or player."""
        subject = subject_of(interaction, member, player)
        address = ScoreAddress(asker=viewer_of(interaction), subject=subject, song=song)
        await self._bot.answer(interaction, address, about=subject)

    @command(named("command", "scores"), described("List your scores that match a filter; only you see it"))
    @filter_option(described("Such as const>=14 rank<sss; all scores if left out"))
    @sort_option(described("What comes first; the highest rating if left out"))
    @subject_options()
    async def scores(
        self,
        interaction: Interaction,
        wanted: FilterText = "",
        sort: str = Order.RATING_DOWN.value,
        member: Someone | None = None,
        player: PlayerName | None = None,
    ) -> None:
        """List the asker's scores, or those of a member or player."""
        address = ScoresAddress(
            asker=viewer_of(interaction),
            subject=subject_of(interaction, member, player),
            order=Order(sort),
            wanted=" ".join(wanted.split()),
        )
        await self._bot.answer(interaction, address, private=True)

    @command(named("command", "worldsend"), described("List your World's End scores; only you see it"))
    async def worldsend(self, interaction: Interaction) -> None:
        """List the asker's scores on World's End charts."""
        await self._bot.answer(interaction, WorldsEndAddress(asker=viewer_of(interaction)), private=True)

    @shows(ScoreAddress)
    async def _song_page(self, interaction: Interaction, address: ScoreAddress) -> Page:
        found = await self._bot.features.scores.report_song(
            address.asker, address.subject, address.song, guild_of(interaction)
        )
        t = self._bot.language_of(interaction)
        if isinstance(found, SongChoice):
            return choice_page(t, found, lambda song: replace(address, song=song))
        shown = song_scores_page(t, found, address)
        whole = replace(address, song=found.song.id)
        return with_share(t, with_refresh(t, shown, whole), whole)

    @shows(ScoresAddress)
    async def _page(self, interaction: Interaction, address: ScoresAddress) -> Page:
        report = await self._bot.features.scores.report(
            address.asker,
            address.subject,
            address.wanted,
            address.order,
            address.number,
            guild_of(interaction),
        )
        t = self._bot.language_of(interaction)
        return with_share(t, with_refresh(t, scores_page(t, report, address), address), address)

    @shows(WorldsEndAddress)
    async def _worlds_end_page(self, interaction: Interaction, address: WorldsEndAddress) -> Page:
        report = await self._bot.features.scores.report_worlds_end(address.asker, address.number)
        t = self._bot.language_of(interaction)
        return with_share(t, worlds_end_page(t, report, address), address)
