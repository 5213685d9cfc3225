"""The bot's connections to Discord, its shards."""

import asyncio
from typing import Final

from discord.ext import commands
from discord.gateway import DiscordWebSocket
from typing_extensions import override

_START_SECONDS: Final = 5.5
"""Between two sessions of one bucket: Discord says 5, by its own clock."""


class ShardedBot(commands.AutoShardedBot):
    """A bot whose servers are shared out among several connections."""

    _buckets: int
    """Of shards, in each of which one session may begin at a time."""
    _launching: asyncio.Task[None] | None = None

    @override
    async def launch_shards(self) -> None:
        """Open as many as were asked for, or as Discord recommends.

        One after the other, which takes long where there are many, and behind whoever calls: those that are open are
        looked after meanwhile.
        """
        recommended, _, limits = await self.http.get_bot_gateway()
        self.shard_count = self.shard_count or recommended
        self._buckets = limits["max_concurrency"]
        self._next_start: dict[int, float] = {}
        shards = range(self.shard_count)
        # As discord.py's own does, which comes back only when all are open.
        self._connection.shard_count, self._connection.shard_ids = self.shard_count, shards
        self._launching = asyncio.create_task(self._launch(shards))

    async def _launch(self, shards: range) -> None:
        for shard in shards:
            await self.launch_shard(DiscordWebSocket.DEFAULT_GATEWAY, shard)

    @override
    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until Discord takes the next session of the shard's bucket."""
        bucket = (shard_id or 0) % self._buckets
        now = asyncio.get_running_loop().time()
        start = max(now, self._next_start.get(bucket, now))
        self._next_start[bucket] = start + _START_SECONDS
        await asyncio.sleep(start - now)

    @override
    async def close(self) -> None:
        if self._launching is not None:
            self._launching.cancel()
        await super().close()
