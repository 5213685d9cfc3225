"""Servers that the bot joins and greets, and servers that it leaves, also while it did not run."""

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
    """Greets a server, and erases its data when the bot leaves it.

    If erasing fails, the loop of posts tries again.
    """

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Erase the server's data: a server that is only unavailable causes another event."""
        await self._bot.features.servers.leave(GuildId(guild.id))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Stop erasing the server's data, and say hello."""
        self._bot.features.servers.rejoin(GuildId(guild.id))
        await self._greet(guild)

    async def _greet(self, guild: discord.Guild) -> None:
        """Say hello, or log why that failed; leave a server that the host has blocked."""
        if await is_left_alone(self._bot, GuildId(guild.id)):
            return
        try:
            await self._say_hello(guild)
        except DISCORD_FAILURES as error:
            _logger.info("server %s is not greeted: %s", guild.id, type(error).__name__)

    async def _say_hello(self, guild: discord.Guild) -> None:
        """Say hello in the server's system channel, once. Raises: discord.HTTPException, for example if the bot may not.

        The gateway sends the same event for a join and for a server that is available again, so Discord is asked when
        the bot joined.
        """
        named = await self._bot.http.get_guild(guild.id, with_counts=False)
        me = await guild.fetch_member(cast("discord.ClientUser", self._bot.user).id)
        if me.joined_at is None or not await self._bot.features.servers.may_greet(
            GuildId(guild.id), me.joined_at
        ):
            return
        place = named["system_channel_id"]
        if place is not None:  # otherwise this was its only chance
            page = greeting_page(self._bot.languages[named["preferred_locale"]])
            channel, view = self._bot.get_partial_messageable(int(place)), page.view or discord.utils.MISSING
            await channel.send(embed=page.embed, view=view, nonce=str(guild.id))

    @commands.Cog.listener()
    async def on_shard_ready(self, shard: int) -> None:
        """Erase the data of servers that removed the bot unnoticed, and greet servers that added it unnoticed.

        Discord has just named all of the shard's servers that the bot is in, including unavailable ones. It is still
        asked about each that it did not name: erased data cannot be restored.
        """
        if shard not in self._bot.served:
            return  # the shard was given away meanwhile, with all that was known of its servers
        here = {GuildId(guild.id) for guild in self._bot.guilds}
        shards = self._bot.shard_count or 1
        for guild in await self._bot.features.servers.find_absent(here, shard=shard, shards=shards):
            if await is_outside(self._bot, guild):
                await self._bot.features.servers.leave(guild)
        for guild in await self._bot.features.servers.find_new(self._bot.served_guilds.take_joined(shard)):
            if (known := self._bot.get_guild(guild)) is not None:
                await self._greet(known)
