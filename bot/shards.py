"""The bot's connections to Discord, its shards: opened, handed over to another process, gone on with by the next.

All that is used of discord.py and that it does not promise to keep is here; tests/test_shards.py notices where it moves.
"""
# ruff: noqa: SLF001 - see above
# pyright: reportPrivateUsage=false

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, Final, cast

import discord
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.shard import Shard
from typing_extensions import override
from yarl import URL

from bot.domain.errors import CannotKeep, CannotRead
from bot.store import Presence
from bot.store.leases import Lease

_log = logging.getLogger(__name__)

PARTING_SECONDS: Final = 1.5
"""How long Discord has to take leave of a shard."""
_START_SECONDS: Final = 5.5
"""Between two sessions of one bucket: Discord says 5, by its own clock."""
_TOO_LATE_SECONDS: Final = 2.8
"""After which Discord is about to take no answer any more: it gives three seconds."""
_STAYS: Final = 4000
"""The code with which a connection is closed whose session is gone on with: 1000 would end it."""


@dataclass(frozen=True, slots=True)
class Session:
    """What a process needs to go on where another one stopped listening."""

    id: str
    sequence: int
    gateway: str
    intents: int
    """A session tells what was asked for when it began."""
    guilds: Sequence[int]
    """The servers in it: nobody names them again."""


class ShardedBot(commands.AutoShardedBot):
    """A bot whose servers are shared out among several connections, each of which a process may hand over."""

    presence: Presence | None = None
    """This process among the others; None where none can be known."""

    _buckets: int
    """Of shards, in each of which one session may begin at a time."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._next_start: dict[int, float] = {}
        self._leases: dict[int, Lease] = {}
        self._catching_up: set[int] = set()
        """Shards that are told again what nobody heard."""
        self._bare: set[int] = set()
        """Servers of which no more than the id is known, from the process before."""
        self._claiming: asyncio.Task[None] | None = None
        self._releasing: list[asyncio.Task[None]] = []

    @override
    async def launch_shards(self) -> None:
        """Open as many as were asked for, or as Discord recommends.

        One after the other, which takes long where there are many, and behind whoever calls: those that are open are
        looked after meanwhile.
        """
        recommended, _, limits = await self.http.get_bot_gateway()
        self.shard_count = self.shard_count or recommended
        self._buckets = limits["max_concurrency"]
        # As discord.py's own does, which comes back only when all are open; none of them waits for the others.
        self._connection.shard_count, self._connection.shard_ids = self.shard_count, []
        self._claiming = asyncio.create_task(self._claim_all(self.shard_count))

    async def _claim_all(self, shards: int) -> None:
        for shard in range(shards):
            await self.claim(shard)

    async def claim(self, shard: int) -> None:
        """Serve a shard: go on with the session that another process left, or begin one."""
        session = await self._take_lease(shard)
        if session is None or not await self._resume(shard, session):
            await self.launch_shard(DiscordWebSocket.DEFAULT_GATEWAY, shard)

    async def release(self, shard: int) -> None:
        """Stop listening to a shard at once, leave word for whoever serves it next, and hang up."""
        await self._let_go(self._open.pop(shard))

    async def _let_go(self, parent: Shard) -> None:
        parent._cancel_task()
        await asyncio.wait({cast("asyncio.Task[None]", parent._task)})
        shard, ws = parent.id, parent.ws  # which hears nothing from here on
        guilds, state = self._forget(shard), {}
        if ws.session_id is not None and ws.sequence is not None:
            state = asdict(Session(ws.session_id, ws.sequence, str(ws.gateway), self.intents.value, guilds))
        lease = self._leases.pop(shard, None)
        if lease is not None and self.presence is not None:
            try:
                await self.presence.give(lease, state)
            except CannotKeep:
                _log.warning("shard %d could not be handed over", shard)
        with suppress(TimeoutError):  # Discord may say nothing to our going
            await asyncio.wait_for(ws.close(code=_STAYS), PARTING_SECONDS)

    def hear_no_more(self) -> None:
        """Take no new work, from anywhere; what was begun goes on."""
        if self._claiming is not None:
            self._claiming.cancel()
        while self._open:
            self._releasing.append(asyncio.create_task(self._let_go(self._open.popitem()[1])))

    @override
    async def close(self) -> None:
        self.hear_no_more()
        for failure in await asyncio.gather(*self._releasing, return_exceptions=True):
            if isinstance(failure, Exception):
                _log.error("a shard was not left as it should be", exc_info=failure)
        await super().close()

    @override
    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until Discord takes the next session of the shard's bucket, which names its servers anew."""
        bucket = (shard_id or 0) % self._buckets
        now = asyncio.get_running_loop().time()
        start = max(now, self._next_start.get(bucket, now))
        self._next_start[bucket] = start + _START_SECONDS
        await asyncio.sleep(start - now)
        self._forget(shard_id or 0)

    def is_too_late(self, interaction: discord.Interaction) -> bool:
        """Return whether nobody waits for an answer any more, which was told again to this process.

        Nothing else is judged by the time of day, which may be wrong here.
        """
        age = discord.utils.utcnow() - interaction.created_at
        return bool(self._catching_up) and age.total_seconds() > _TOO_LATE_SECONDS

    async def know(self, guild_id: int) -> discord.Guild | None:
        """Return a server with its channels and the bot's own roles; None where it is not there, or not served here.

        A session that was gone on with does not name them again: they are asked for once, and followed from then on.
        Raises: discord.HTTPException.
        """
        if guild_id in self._bare and self.get_guild(guild_id) is not None:
            me = cast("discord.ClientUser", self.user)
            named: Any = await self.http.get_guild(guild_id, with_counts=False)
            named["channels"] = await self.http.get_all_guild_channels(guild_id)
            named["members"] = [await self.http.get_member(guild_id, me.id)]
            if guild_id in self._bare:  # still: Discord may have named it meanwhile
                self._connection._add_guild_from_data(named)
                self._bare.discard(guild_id)
        guild = self.get_guild(guild_id)
        return None if guild is None or guild.unavailable else guild

    async def on_shard_resumed(self, shard: int) -> None:
        """Note that all was told again."""
        self._catching_up.discard(shard)
        self._connection.call_handlers("ready")

    async def on_shard_ready(self, _shard: int) -> None:
        """Be ready with the first shard: others may take minutes, and no server waits for another one's."""
        self._connection.call_handlers("ready")

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Note that a server was named after all."""
        self._bare.discard(guild.id)

    def _forget(self, shard: int) -> list[int]:
        """Know nothing of a shard any more; returns its servers."""
        guilds = [guild for guild in self.guilds if guild.shard_id == shard]
        for guild in guilds:
            self._connection._remove_guild(guild)
            self._bare.discard(guild.id)
        self._catching_up.discard(shard)
        return [guild.id for guild in guilds]

    async def _take_lease(self, shard: int) -> Session | None:
        """Take the lease of a shard, where there are any; returns what was left with it."""
        if self.presence is None:
            return None
        try:
            lease = await self.presence.take(f"shard {shard} of {self.shard_count}")
            if lease is None:
                return None
            self._leases[shard] = lease
            await self.presence.write(lease, {})  # after a death it would be too old
        except (CannotKeep, CannotRead):
            return None
        try:
            session = Session(**lease.state)
        except TypeError:  # nothing was left, or something of another version
            return None
        return session if session.intents == self.intents.value else None

    async def _resume(self, shard: int, session: Session) -> bool:
        """Go on with a session; return whether Discord was reached."""
        try:
            ws = await DiscordWebSocket.from_client(
                self,
                gateway=URL(session.gateway),
                shard_id=shard,
                session=session.id,
                sequence=session.sequence,
                resume=True,
            )
        except Exception as error:  # noqa: BLE001 - whatever it is, a new session may be had
            _log.info("the session of shard %d cannot be gone on with: %s", shard, type(error).__name__)
            return False
        for guild in session.guilds:
            self._connection._add_guild_from_data(cast("Any", {"id": guild, "unavailable": True}))
        self._bare.update(session.guilds)
        self._catching_up.add(shard)
        self._open[shard] = opened = Shard(ws, self, self._events.put_nowait)
        opened.launch()
        return True

    @property
    def _open(self) -> dict[int, Shard]:
        """Return discord.py's own shards, by their numbers."""
        return vars(self)["_AutoShardedClient__shards"]

    @property
    def _events(self) -> asyncio.PriorityQueue[Any]:
        """Return where discord.py's shards say what has become of them."""
        return vars(self)["_AutoShardedClient__queue"]
