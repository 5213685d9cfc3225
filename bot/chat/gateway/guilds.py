"""The servers on the shards of this process, and who is in them."""

# ruff: noqa: SLF001 - discord.py tells these by its private parts alone
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
"""One question to the gateway may name this many members. Source: Discord's documentation, Request Guild Members."""


async def fetch_neighbours(
    guild: discord.Guild, members: Collection[MemberId]
) -> Mapping[MemberId, Neighbour]:
    """Return those of these members who are in a server now, asked for by its connection, a hundred at a time.

    Naming them needs no privileged intent. Raises: MembershipUnknown.
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
    """The servers on the shards of this process, some of which it knows by their ids alone."""

    def __init__(self, bot: commands.AutoShardedBot) -> None:
        self._bot = bot
        self.joined: dict[int, str] = {}
        """When the bot has joined servers, as Discord said in naming them; until `take_joined` has returned it."""
        self.unnamed: set[int] = set()
        """The servers that were left by the process before, of which the id alone is known."""

    def add_unnamed(self, guilds: Collection[int]) -> None:
        """Serve the servers of a session that another process left: Discord names none of them again."""
        for guild in guilds:
            self._bot._connection._add_guild_from_data(cast("Any", {"id": guild, "unavailable": True}))
        self.unnamed.update(guilds)

    async def find(self, guild_id: int) -> discord.Guild | None:
        """Return a server with its language; None where it is not there, or not served here.

        A server without a name is asked for once, and followed from then on.
        Raises: discord.HTTPException.
        """
        guild = self._bot.get_guild(guild_id)
        if guild is not None and guild_id in self.unnamed:
            named = await self._bot.fetch_guild(guild_id, with_counts=False)
            guild.preferred_locale, guild.unavailable = named.preferred_locale, False
            self.unnamed.discard(guild_id)
            guild = self._bot.get_guild(guild_id)  # which may have left meanwhile
        return None if guild is None or guild.unavailable else guild

    def take_joined(self, shard: int) -> Mapping[GuildId, datetime]:
        """Return when this bot has joined the servers of a shard that were named since this was last asked."""
        shards = self._bot.shard_count or 1
        named = [guild for guild in self.joined if shard_of(GuildId(guild), shards) == shard]
        return {GuildId(guild): datetime.fromisoformat(self.joined.pop(guild)) for guild in named}

    def ids_on(self, shard: int) -> list[int]:
        """Return the servers of a shard."""
        return [guild.id for guild in self._bot.guilds if guild.shard_id == shard]

    def remove_all_on(self, shard: int) -> list[int]:
        """Serve no server of a shard any more; return which they were."""
        guilds = self.ids_on(shard)
        for guild in guilds:
            self._bot._connection._remove_guild(cast("discord.Guild", self._bot.get_guild(guild)))
            self.joined.pop(guild, None)
        self.unnamed.difference_update(guilds)
        return guilds
