"""The shards of this process: opened, handed over to another process, and gone on with by the next.

Processes that share a database share the shards out among them; one that is alone opens all.
"""
# pyright: reportPrivateUsage=false

import asyncio
import logging
from collections import defaultdict
from collections.abc import Collection
from contextlib import suppress
from typing import Any, Final, cast

import discord
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from typing_extensions import override
from yarl import URL

from bot.chat.gateway.connection import RETRY_SECONDS, GatewaySession, ShardConnection, connections_of
from bot.chat.gateway.events import count_unreadable, restrict_events
from bot.chat.gateway.guilds import ServedGuilds
from bot.cluster.leases import Lease, State
from bot.domain.errors import CannotKeep, CannotRead
from bot.store import ShardFleet

_logger = logging.getLogger(__name__)

_ASSIGNMENT_POLL_SECONDS: Final = 0.5
"""Seconds between two looks at what the other processes have, where they tell nothing: the dead do not."""
_PROGRESS_NOTE_SECONDS: Final = 1.0
"""Seconds between two notes of how far each shard has come."""
_SESSION_START_SECONDS: Final = 5.5
"""Seconds between two sessions of one bucket, where no database can be asked."""
_ANSWER_LIMIT_SECONDS: Final = 2.8
"""Discord is about to take no answer any more after this: it gives three seconds."""


class ShardedBot(commands.AutoShardedBot):
    """A bot whose servers are shared out among several connections, each of which a process may hand over."""

    fleet: ShardFleet | None = None
    """The processes that serve; None where none of them can be known."""

    _buckets: int
    """The shards are in this many buckets, in each of which one session may begin at a time."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.served_guilds = ServedGuilds(self)
        self.unreadable = count_unreadable()
        """How much of what Discord said could not be read, by the kind of event."""
        restrict_events(self._connection, self.served_guilds.joined, self.unreadable)
        self._leases: dict[int, Lease] = {}
        """The leases of the shards that are open, or about to be."""
        self._opening: dict[int, asyncio.Task[None]] = {}
        self._bucket_locks = defaultdict[int, asyncio.Lock](asyncio.Lock)
        """A connection is opened when its bucket is free: Discord closes one on which no session begins."""
        self._waiting_for_bucket: set[int] = set()
        """These shards wait until their bucket is free."""
        self._next_start_at: dict[int, float] = {}
        """When the next session of a bucket may begin, where no database can be asked."""
        self._catching_up: set[int] = set()
        """These shards are told again what nobody heard."""
        self._next_note_at = 0.0
        self._wake = asyncio.Event()
        """It is set where this process should look at the others at once, or note something."""
        self._sharing: asyncio.Task[None] | None = None
        self._releasing: set[asyncio.Task[None]] = set()
        self._leaving: asyncio.Task[None] | None = None
        self.is_spare = False
        """Whether other processes serve every shard."""

    @override
    async def launch_shards(self) -> None:
        """Open as many as were asked for, or as Discord recommends; beside other processes, a fair share of them.

        Behind whoever calls, for it may take long: those that are open are looked after meanwhile.
        """
        recommended, _, limits = await self.http.get_bot_gateway()
        self._buckets = limits["max_concurrency"]
        self._connection.shard_ids = []  # nothing waits for all of them
        self._set_shard_count(self.shard_count or recommended)
        is_shared = self.fleet is not None and self.fleet.is_shared
        self._sharing = asyncio.create_task(self._serve_beside_others() if is_shared else self._serve_alone())

    async def release(self, shard: int) -> None:
        """Stop listening to a shard at once, leave word for whoever serves it next, and hang up."""
        connection = await self._hand_over(shard)
        if connection is not None:
            await connection.hang_up()

    def stop_listening(self) -> None:
        """Take no new work, from anywhere; what was begun goes on."""
        if self._leaving is None:
            for each in (self._sharing, *self._opening.values()):
                if each is not None:
                    each.cancel()
            for connection in self._open.values():
                connection.stop_listening()
            self._leaving = asyncio.create_task(self._leave())

    async def _leave(self) -> None:
        if self._sharing is not None:
            await asyncio.wait({self._sharing, *self._releasing})
        shards = {*self._open, *self._leases}
        left = await asyncio.gather(*map(self._hand_over, shards))
        if self.fleet is not None:
            with suppress(CannotKeep):
                await self.fleet.leave()
        await asyncio.gather(*(connection.hang_up() for connection in left if connection is not None))

    @override
    async def close(self) -> None:
        self.stop_listening()
        (failure,) = await asyncio.gather(cast("asyncio.Task[None]", self._leaving), return_exceptions=True)
        if isinstance(failure, Exception):
            _logger.error("a shard was not left as it should be", exc_info=failure)
        await super().close()

    @override
    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until Discord takes the next session of the shard's bucket, which names its servers anew."""
        shard = shard_id or 0
        while True:
            seconds = await self._start_session(self._bucket_of(shard))
            if not seconds:
                break
            await asyncio.sleep(seconds)
        self._remove_guilds(shard)

    def is_too_late(self, interaction: discord.Interaction) -> bool:
        """Return whether nobody waits for an answer any more, which was told again to this process.

        Nothing else is judged by the time of day, which may be wrong here.
        """
        if not self._catching_up:
            return False
        age = discord.utils.utcnow() - interaction.created_at
        return age.total_seconds() > _ANSWER_LIMIT_SECONDS

    async def on_shard_connect(self, _shard: int) -> None:
        """Note a session that has begun at once: one that was not noted is lost with its process."""
        self._next_note_at = 0.0
        self._wake.set()

    async def on_shard_resumed(self, shard: int) -> None:
        """Note that all was told again."""
        self._catching_up.discard(shard)
        self._connection.call_handlers("ready")

    async def on_shard_ready(self, _shard: int) -> None:
        """Be ready with the first shard: others may take minutes, and no server waits for another one's."""
        self._connection.call_handlers("ready")

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Note that a server was named after all."""
        self.served_guilds.unnamed.discard(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Note that the servers of a session are others now."""
        if (connection := self._open.get(guild.shard_id)) is not None:
            connection.is_session_written = False

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Note that the servers of a session are others now."""
        await self.on_guild_join(guild)

    def _set_shard_count(self, shards: int) -> None:
        """Share the servers out among this many shards."""
        self.shard_count = self._connection.shard_count = shards

    async def _serve_alone(self) -> None:
        """Open one shard after the other; also where the database takes nothing, since nobody else can write it then."""
        fleet, shards = self.fleet, self.shard_count or 1
        with suppress(CannotKeep, CannotRead):
            if fleet is not None:
                await fleet.join(shards)
        for shard in range(shards):
            lease = None
            with suppress(CannotKeep, CannotRead):
                if fleet is not None:
                    lease = await fleet.acquire_shard(shard)
                    if lease is None:
                        continue
                    self._leases[shard] = lease
                    await fleet.member.write(lease, {})  # after a death it would be too old
            await self._open_shard(shard, lease)

    async def _serve_beside_others(self) -> None:
        """Have this process's share of the shards, whoever comes and goes."""
        fleet, loop = cast("ShardFleet", self.fleet), asyncio.get_running_loop()
        fleet.subscribe(self._wake.set)
        while True:
            self._wake.clear()
            try:
                if loop.time() >= self._next_note_at:
                    self._next_note_at = loop.time() + _PROGRESS_NOTE_SECONDS
                    await self._note_progress(fleet)
                await self._take_share(fleet)
            except (CannotKeep, CannotRead):
                pass  # what is open stays so until Discord closes it: nobody else can go on with it before
            except Exception:  # what is served is to be looked after, whatever it was
                _logger.exception("the shards could not be shared out")
            with suppress(TimeoutError):
                async with asyncio.timeout(_ASSIGNMENT_POLL_SECONDS):
                    await self._wake.wait()

    async def _take_share(self, fleet: ShardFleet) -> None:
        """Give up what this process has beyond its share, and take of what is free as much as it lacks."""
        shares, me = await fleet.fetch_assignment(), fleet.member.me
        if me not in shares.serving:  # not yet, or not any more: then by another id, with nothing that it had
            await self._release_all([*self._leases])
            await self._join(fleet)
            return
        lost = self._leases.keys() - shares.of(me)
        most = shares.most(me)
        beyond = max(0, len(self._leases) - len(lost) - most)
        # One that is about to be told its session is left alone: that would be lost, and another one spent for it.
        known = [each for each, connection in self._open.items() if connection.ws.session_id is not None]
        movable = [
            each for each in (*self._waiting_for_bucket, *known) if each in self._leases and each not in lost
        ]
        if left := [*lost, *movable[:beyond]]:
            await self._release_all(left)
            await fleet.publish_released()
        for shard in shares.free:
            if len(self._leases) >= most:
                break
            lease = await fleet.acquire_shard(shard)
            if lease is not None:
                self._leases[shard] = lease
                self._opening[shard] = opening = asyncio.create_task(self._open_shard(shard, lease))
                opening.add_done_callback(lambda _, shard=shard: self._opening.pop(shard, None))
        if not most and not self.is_spare:
            _logger.info("other processes serve every shard: waiting until one of them ends")
        self.is_spare = not most

    async def _join(self, fleet: ShardFleet) -> None:
        own = self.shard_count
        self._set_shard_count(await fleet.join(own))
        if self.shard_count != own:
            _logger.info(
                "the processes that serve have %d shards: %d will count once all of them have ended",
                self.shard_count,
                own,
            )

    async def _note_progress(self, fleet: ShardFleet) -> None:
        """Note how far each shard has come, and its session where that is another one."""
        moved: list[tuple[ShardConnection, Lease, int]] = []
        for shard, connection in tuple(self._open.items()):
            lease, reached = connection.lease, connection.note_progress()
            if lease is None or reached is None:
                continue
            if not connection.is_session_written:
                connection.is_session_written = True
                try:
                    state = connection.session_state(self.served_guilds.ids_on(shard))
                    await fleet.member.write(lease, state, reached)
                except BaseException:
                    connection.is_session_written = False
                    raise
                connection.noted_sequence = reached
            elif reached != connection.noted_sequence:
                moved.append((connection, lease, reached))
        if moved:
            await fleet.member.note_progress([(lease, reached) for _, lease, reached in moved])
        for connection, _, reached in moved:
            connection.noted_sequence = reached

    async def _release_all(self, shards: Collection[int]) -> None:
        """Release some, also where whoever waits for that is cancelled."""
        tasks = {asyncio.create_task(self.release(shard)) for shard in shards}
        self._releasing |= tasks
        if tasks:
            await asyncio.wait(tasks)
        self._releasing -= tasks

    async def _hand_over(self, shard: int) -> ShardConnection | None:
        """Stop listening to a shard and leave word; returns the connection, which is open still."""
        if (opening := self._opening.get(shard)) is not None:
            opening.cancel()
            await asyncio.wait({opening})
        lease = self._leases.get(shard)
        connection = self._open.pop(shard, None)
        left: State = {} if lease is None else lease.state
        reached = None if lease is None else lease.reached
        if connection is not None:
            await connection.stop()
            left, reached = connection.session_state(self._remove_guilds(shard)), connection.ws.sequence
        if lease is not None and self.fleet is not None:
            try:
                await self.fleet.member.release(lease, left, reached)
            except CannotKeep:
                _logger.warning("shard %d could not be handed over", shard)
        self._leases.pop(shard, None)
        return connection

    def _remove_guilds(self, shard: int) -> list[int]:
        """Serve no server of a shard any more; return which they were."""
        self._catching_up.discard(shard)
        return self.served_guilds.remove_all_on(shard)

    async def _open_shard(self, shard: int, lease: Lease | None) -> None:
        """Serve a shard: go on with the session that another process left, or begin one."""
        if lease is not None and await self._resume(shard, lease):
            return
        self._waiting_for_bucket.add(shard)
        try:
            async with self._bucket_locks[self._bucket_of(shard)]:
                self._waiting_for_bucket.discard(shard)
                while True:
                    if await self._connect(shard, lease) is not None:
                        break
                    await asyncio.sleep(RETRY_SECONDS)
        finally:
            self._waiting_for_bucket.discard(shard)

    async def _resume(self, shard: int, lease: Lease) -> bool:
        """Go on with the session that was left with a lease; return whether there was one, and Discord was reached."""
        try:
            session = GatewaySession(**lease.state)
        except TypeError:  # nothing was left, or something of another version
            return False
        if lease.reached is None or session.intents != self.intents.value:
            return False
        connection = await self._connect(
            shard,
            lease,
            gateway=URL(session.gateway),
            session=session.id,
            sequence=lease.reached,
            resume=True,
        )
        if connection is None:
            return False
        connection.resume_from(session.id, lease.reached)
        self.served_guilds.add_unnamed(session.guilds)
        self._catching_up.add(shard)
        return True

    async def _connect(self, shard: int, lease: Lease | None, **session: Any) -> ShardConnection | None:
        """Open a connection; None where it could not be had, whatever the reason."""
        try:
            async with asyncio.timeout(self.shard_connect_timeout):
                ws = await DiscordWebSocket.from_client(self, shard_id=shard, **session)
        except Exception as error:  # noqa: BLE001 - as the docstring says
            _logger.warning("shard %d cannot be connected: %s", shard, type(error).__name__)
            return None
        self._open[shard] = connection = ShardConnection(
            ws, self, lease, member=self.fleet and self.fleet.member, unreadable=self.unreadable
        )
        connection.launch()
        return connection

    async def _start_session(self, bucket: int) -> float:
        """Take the right to begin a session of a bucket now; return 0, or after how many seconds to ask again."""
        if self.fleet is not None:
            try:
                return await self.fleet.start_session(bucket)
            except CannotKeep:
                if self.fleet.is_shared:
                    return 1.0
        now = asyncio.get_running_loop().time()
        start = self._next_start_at.get(bucket, now)
        if start <= now:
            self._next_start_at[bucket] = now + _SESSION_START_SECONDS
        return max(0.0, start - now)

    def _bucket_of(self, shard: int) -> int:
        return shard % self._buckets

    @property
    def leased(self) -> int:
        """How many shards are this process's by their leases."""
        return len(self._leases)

    @property
    def served(self) -> list[int]:
        """The shards that this process is listening to."""
        return [*self._open]

    @property
    def absent(self) -> list[int]:
        """The shards that this process is to serve, and that it is not connected to now."""
        is_shared = self.fleet is not None and self.fleet.is_shared
        ours = self._leases if is_shared else range(self.shard_count or 0)
        return [shard for shard in ours if shard not in self._open or not self._open[shard].ws.open]

    @property
    def _open(self) -> dict[int, ShardConnection]:
        """Return the connections of this process, by their shards."""
        return connections_of(self)
