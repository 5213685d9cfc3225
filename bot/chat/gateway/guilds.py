"""The servers on the shards of this process, and who is in them."""

# ruff: noqa: SLF001 - discord.py has these only in private parts
# pyright: reportPrivateUsage=false

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, cast

import aiohttp
import discord
from discord.ext import commands

from bot.domain.ids import GuildId, MemberId, shard_of
from bot.features.shared.subjects import MembershipUnknown, Neighbour

_MAX_MEMBERS_PER_QUERY: Final = 100
"""The most members in one request to the gateway. Source: Discord's documentation, Request Guild Members."""


async def fetch_neighbours(
    guild: discord.Guild, members: Collection[MemberId]
) -> Mapping[MemberId, Neighbour]:
    """Return which of these members are in a server now, asking its gateway connection for a hundred at a time.

    Asking for members by id needs no privileged intent. Raises: MembershipUnknown.
    """
    try:
        found = await asyncio.gather(
            *(
                guild.query_members(user_ids=some, limit=_MAX_MEMBERS_PER_QUERY, cache=False)
                for some in _parts(list(members))
            )
        )
    except (TimeoutError, LookupError, RuntimeError, OSError, aiohttp.ClientError) as error:
        raise MembershipUnknown from error
    return {
        MemberId(member.id): Neighbour(member.display_name, frozenset(member._roles))
        for each in found
        for member in each
    }


def _parts(members: Sequence[MemberId]) -> Iterable[list[int]]:
    size = _MAX_MEMBERS_PER_QUERY
    return ([*members[start : start + size]] for start in range(0, len(members), size))


class ServedGuilds:
    """The servers on the shards of this process, some of which are known only by id."""

    def __init__(self, bot: commands.AutoShardedBot) -> None:
        self._bot = bot
        self.joined: dict[int, str] = {}
        """When the bot joined servers, as described by Discord, until `take_joined` returns it."""
        self.unnamed: set[int] = set()
        """The servers taken over from another process, of which only the id is known."""

    def add_unnamed(self, guilds: Collection[int]) -> None:
        """Add the servers of a session taken over from another process: Discord does not describe them again."""
        for guild in guilds:
            self._bot._connection._add_guild_from_data(cast("Any", {"id": guild, "unavailable": True}))
        self.unnamed.update(guilds)

    async def find(self, guild_id: int) -> discord.Guild | None:
        """Return a server with its language; None if it does not exist, or is not served here.

        A server known only by id is fetched once, and kept up to date from then on.
        Raises: discord.HTTPException.
        """
        guild = self._bot.get_guild(guild_id)
        if guild is not None and guild_id in self.unnamed:
            named = await self._bot.fetch_guild(guild_id, with_counts=False)
            guild.preferred_locale, guild.unavailable = named.preferred_locale, False
            self.unnamed.discard(guild_id)
            guild = self._bot.get_guild(guild_id)  # the bot may have left it meanwhile
        return None if guild is None or guild.unavailable else guild

    def take_joined(self, shard: int) -> Mapping[GuildId, datetime]:
        """Return when this bot joined the servers of a shard that were described since the last call."""
        shards = self._bot.shard_count or 1
        named = [guild for guild in self.joined if shard_of(GuildId(guild), shards) == shard]
        return {GuildId(guild): datetime.fromisoformat(self.joined.pop(guild)) for guild in named}

    def ids_on(self, shard: int) -> list[int]:
        """Return the servers of a shard."""
        return [guild.id for guild in self._bot.guilds if guild.shard_id == shard]

    def remove_all_on(self, shard: int) -> list[int]:
        """Remove all servers of a shard; return their ids."""
        guilds = self.ids_on(shard)
        for guild in guilds:
            self._bot._connection._remove_guild(cast("discord.Guild", self._bot.get_guild(guild)))
            self.joined.pop(guild, None)
        self.unnamed.difference_update(guilds)
        return guilds
