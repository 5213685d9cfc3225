"""`/song`, what its buttons show, and the message menu that finds songs."""

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.answers import is_private, reserve, show
from bot.client import Interaction, KirokuBot
from bot.features.library import SongChoice
from bot.features.songs import SongPage
from bot.subjects import guild_of, viewer_of
from bot.suggestions import suggest_songs
from bot.ui.look import Page
from bot.ui.markdown import unescape
from bot.ui.pages import Address
from bot.ui.song import choice_page, friends_embed, own_embed, song_page
from bot.ui.text import described, named

_KIND: Final = "song"


class SongCog(commands.Cog):
    """Songs of the catalogue."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        bot.pages[_KIND] = self._page
        bot.pages["mine"] = self._own_page
        bot.pages["friendscores"] = self._friends_page
        menu = app_commands.ContextMenu(
            name=named("menu", "Find songs in this message"), callback=self._find_in_message
        )
        bot.tree.add_command(menu)

    @app_commands.command(
        name=named("command", "song"), description=described("Look a song up, with all its charts")
    )
    @app_commands.rename(title=named("option", "title"))
    @app_commands.autocomplete(title=suggest_songs)
    @app_commands.describe(title=described("Part of a title or artist, in any script"))
    async def song(self, interaction: Interaction, title: app_commands.Range[str, 1, 100]) -> None:
        """Show a song's charts, and the asker's scores on them."""
        await reserve(interaction)
        address = Address(kind=_KIND, asker=viewer_of(interaction), query=title)
        await show(interaction, await self._page(interaction, address))

    async def _find_in_message(self, interaction: Interaction, message: discord.Message) -> None:
        await reserve(interaction, private=True)
        text = unescape("\n".join([message.content, *map(_embed_text, message.embeds)]))
        viewer = viewer_of(interaction)
        found = await self._bot.features.songs.in_message(viewer, text, guild_of(interaction))
        await show(interaction, self._show(interaction, found, Address(kind=_KIND, asker=viewer)))

    async def _page(self, interaction: Interaction, address: Address) -> Page:
        found = await self._bot.features.songs.page(
            address.asker, address.query, guild_of(interaction), in_public=not is_private(interaction)
        )
        return self._show(interaction, found, Address(kind=_KIND, asker=address.asker))

    def _show(self, interaction: Interaction, found: SongPage | SongChoice, address: Address) -> Page:
        t = self._bot.language_of(interaction)
        return (
            choice_page(t, found, address) if isinstance(found, SongChoice) else song_page(t, found, address)
        )

    async def _own_page(self, interaction: Interaction, address: Address) -> Page:
        page = await self._bot.features.songs.own(address.asker, address.query, guild_of(interaction))
        return Page(own_embed(self._bot.language_of(interaction), page))

    async def _friends_page(self, interaction: Interaction, address: Address) -> Page:
        found = await self._bot.features.songs.friends(address.asker, address.query, guild_of(interaction))
        return Page(friends_embed(self._bot.language_of(interaction), found))


def _embed_text(embed: discord.Embed) -> str:
    return "\n".join(part for part in (embed.title, embed.description) if part)


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(SongCog(bot))
