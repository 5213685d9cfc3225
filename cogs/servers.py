"""Servers that the bot leaves: by whoever manages one, and while it did not run."""

import discord
from discord.ext import commands

from bot.client import KirokuBot
from bot.domain.ids import GuildId
from bot.subjects import is_outside


class ServersCog(commands.Cog):
    """Has what is kept about a server erased when the bot leaves it; the loop of posts tries again where need be."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Erase it: one that is only unavailable for a while is told by another event."""
        await self._bot.features.servers.leave(GuildId(guild.id))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Erase nothing after all."""
        self._bot.features.servers.rejoin(GuildId(guild.id))

    @commands.Cog.listener()
    async def on_shard_ready(self, shard: int) -> None:
        """Erase what is kept about servers that the bot was taken out of unseen.

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


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(ServersCog(bot))
