"""Servers that the bot joins, and greets, and that it leaves: by whoever manages one, and while it did not run."""

import logging
from typing import cast

import discord
from discord.ext import commands

from bot.chat.cogs import KirokuCog
from bot.chat.failures import DISCORD_FAILURES
from bot.chat.hosting import is_left_alone
from bot.chat.subjects import is_outside
from bot.domain.ids import GuildId
from bot.ui.servers import greeting_page

_logger = logging.getLogger(__name__)


class ServersCog(KirokuCog):
    """Greets a server, and has what is kept about it erased when the bot leaves it.

    Where that cannot be yet, the loop of posts tries again.
    """

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Erase it: one that is only unavailable for a while is told by another event."""
        await self._bot.features.servers.leave(GuildId(guild.id))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Erase nothing after all, and say hello."""
        self._bot.features.servers.rejoin(GuildId(guild.id))
        await self._greet(guild)

    async def _greet(self, guild: discord.Guild) -> None:
        """Say hello, or log why that could not be; a server that the host has blocked is left."""
        if await is_left_alone(self._bot, GuildId(guild.id)):
            return
        try:
            await self._say_hello(guild)
        except DISCORD_FAILURES as error:
            _logger.info("server %s is not greeted: %s", guild.id, type(error).__name__)

    async def _say_hello(self, guild: discord.Guild) -> None:
        """Say hello where the server has messages like that, once. Raises: discord.HTTPException, as where the bot may not.

        The gateway tells of a join what it tells of a server that is back: when the bot has joined, it is asked.
        """
        named = await self._bot.http.get_guild(guild.id, with_counts=False)
        me = await guild.fetch_member(cast("discord.ClientUser", self._bot.user).id)
        if me.joined_at is None or not await self._bot.features.servers.may_greet(
            GuildId(guild.id), me.joined_at
        ):
            return
        place = named["system_channel_id"]
        if place is not None:  # else that was its one try
            page = greeting_page(self._bot.languages[named["preferred_locale"]])
            channel, view = self._bot.get_partial_messageable(int(place)), page.view or discord.utils.MISSING
            await channel.send(embed=page.embed, view=view, nonce=str(guild.id))

    @commands.Cog.listener()
    async def on_shard_ready(self, shard: int) -> None:
        """Erase what is kept about servers that the bot was taken out of unseen, and greet those that took it in unheard.

        Discord has just named all of the shard that the bot is in, also those that are unavailable. It is asked all
        the same about each that it did not name: what was erased cannot be had back.
        """
        if shard not in self._bot.served:
            return  # it was given away meanwhile, with all that was known of its servers
        here = {GuildId(guild.id) for guild in self._bot.guilds}
        shards = self._bot.shard_count or 1
        for guild in await self._bot.features.servers.find_absent(here, shard=shard, shards=shards):
            if await is_outside(self._bot, guild):
                await self._bot.features.servers.leave(guild)
        for guild in await self._bot.features.servers.find_new(self._bot.served_guilds.take_joined(shard)):
            if (known := self._bot.get_guild(guild)) is not None:
                await self._greet(known)
