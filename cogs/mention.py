"""Answers to mentions of the bot: the song that they name, or what the bot can do."""

import asyncio

import discord
from discord.ext import commands

from bot.base.logs import note
from bot.chat.answers import reply
from bot.chat.cogs import KirokuCog
from bot.domain.ids import GuildId, MemberId
from bot.domain.typed import check_typed
from bot.ui.help import commands_embed, entries_called, entries_in
from bot.ui.kit.look import Page
from bot.ui.language.text import Language
from bot.ui.servers import greeting_page
from bot.ui.songs import song_page

_MAX_QUERY_CHARACTERS = 100
"""The most characters of a search, as in `/song`."""


class MentionCog(KirokuCog):
    """A mention with a title is another way to `/song`; it needs no privileged intent."""

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Answer a person who mentions the bot."""
        wanted = self._asked(message)
        if wanted is not None:
            note(command="mention", shard=message.guild.shard_id if message.guild else 0)
            loop = asyncio.get_running_loop()
            began = loop.time()
            t = await self._language(message)
            outcome = await reply(message, t, self._page(message, t, wanted))
            self._bot.answered.add(loop.time() - began, "mention", outcome)

    async def _language(self, message: discord.Message) -> Language:
        """Return the person's known language, else that of the server: a message does not carry one."""
        preferences, author = self._bot.features.preferences, MemberId(message.author.id)
        chosen = await preferences.get(author)
        locale = preferences.locale_of(author) or (message.guild.preferred_locale if message.guild else None)
        return self._bot.languages[chosen.language or locale].in_zone(chosen.zone)

    def _asked(self, message: discord.Message) -> str | None:
        """Return the question to the bot, which may be empty; None if there is none, as in a reply that only pings.

        In direct messages every message is a question.
        """
        me = self._bot.user
        if me is None or message.author.bot:
            return None
        calls = (f"<@{me.id}>", f"<@!{me.id}>")
        is_direct = message.guild is None and bool(message.content)  # nobody else can be meant there
        if not is_direct and not any(call in message.content for call in calls):
            return None
        said = message.content
        for call in calls:
            said = said.replace(call, " ")
        return " ".join(said.split())[:_MAX_QUERY_CHARACTERS]

    async def _page(self, message: discord.Message, t: Language, wanted: str) -> Page:
        if not wanted:
            return greeting_page(t, in_server=message.guild is not None)
        check_typed(wanted)
        if called := entries_called(entries_in(t, self._bot.tree), wanted):
            return Page(commands_embed(t, called))
        viewer = MemberId(message.author.id)
        guild = GuildId(message.guild.id) if message.guild else None
        found = await self._bot.features.songs.report(viewer, wanted, guild, in_public=True)
        return song_page(t, found, viewer)
