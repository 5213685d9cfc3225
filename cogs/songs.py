"""`/song`, the pages behind its buttons, and the message menu that finds songs."""

import discord

from bot.chat.answers import is_private, reserve, show
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, menu, shows
from bot.chat.options import SongText, song_option
from bot.chat.subjects import guild_of, text_of, viewer_of
from bot.ui.kit.look import Page
from bot.ui.kit.routes import FriendScoresAddress, OwnScoresAddress
from bot.ui.kit.song_routes import SongAddress
from bot.ui.language.text import described, named
from bot.ui.songs import friend_scores_embed, own_embed, song_page


class SongsCog(KirokuCog):
    """Songs of the catalogue."""

    @command(named("command", "song"), described("Look up a song, with all its charts"))
    @song_option("title", named("option", "title"))
    async def song(self, interaction: Interaction, title: SongText) -> None:
        """Show a song's charts, and the asker's scores on them."""
        await self._bot.answer(interaction, SongAddress(asker=viewer_of(interaction), song=title))

    @menu(named("menu", "Find songs in this message"))
    async def _find_in_message(self, interaction: Interaction, message: discord.Message) -> None:
        await reserve(interaction, private=True)
        viewer = viewer_of(interaction)
        found = await self._bot.features.songs.report_in_message(
            viewer, text_of(message), guild_of(interaction)
        )
        await show(interaction, song_page(self._bot.language_of(interaction), found, viewer))

    @shows(SongAddress)
    async def _page(self, interaction: Interaction, address: SongAddress) -> Page:
        found = await self._bot.features.songs.report(
            address.asker, address.song, guild_of(interaction), in_public=not is_private(interaction)
        )
        return song_page(self._bot.language_of(interaction), found, address.asker)

    @shows(OwnScoresAddress)
    async def _own_page(self, interaction: Interaction, address: OwnScoresAddress) -> Page:
        report = await self._bot.features.songs.report_own(address.asker, address.song, guild_of(interaction))
        return Page(own_embed(self._bot.language_of(interaction), report))

    @shows(FriendScoresAddress)
    async def _friends_page(self, interaction: Interaction, address: FriendScoresAddress) -> Page:
        found = await self._bot.features.songs.report_friends(
            address.asker, address.song, guild_of(interaction)
        )
        return Page(friend_scores_embed(self._bot.language_of(interaction), found))
