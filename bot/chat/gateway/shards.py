"""The shards of this process: opened, handed over to another process, and resumed by the next.

Processes that share a database divide the shards among themselves; a single process opens all.
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
"""Seconds between two checks of the other processes' shards: dead processes send no notification."""
_PROGRESS_NOTE_SECONDS: Final = 1.0
"""Seconds between two notes of each shard's sequence number."""
_SESSION_START_SECONDS: Final = 5.5
"""Seconds between two session starts of one bucket, if no database can be asked."""
_ANSWER_LIMIT_SECONDS: Final = 2.8
"""The age after which an interaction is too old to answer: Discord allows three seconds."""


class ShardedBot(commands.AutoShardedBot):
    """A bot with several connections, each of which a process may hand over to another."""

    fleet: ShardFleet | None = None
    """The serving processes; None if they cannot be known."""

    _buckets: int
    """The number of buckets of shards, in each of which one session may begin at a time."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.served_guilds = ServedGuilds(self)
        self.unreadable = count_unreadable()
        """The counts of unreadable events by kind."""
        restrict_events(self._connection, self.served_guilds.joined, self.unreadable)
        self._leases: dict[int, Lease] = {}
        """The leases of shards that are open or being opened."""
        self._opening: dict[int, asyncio.Task[None]] = {}
        self._bucket_locks = defaultdict[int, asyncio.Lock](asyncio.Lock)
        """A lock per bucket: a connection is opened only when its bucket is free, else Discord would close it."""
        self._waiting_for_bucket: set[int] = set()
        """Shards that wait until their bucket is free."""
        self._next_start_at: dict[int, float] = {}
        """When the next session of a bucket may begin, if no database can be asked."""
        self._catching_up: set[int] = set()
        """Shards that are replaying missed events."""
        self._next_note_at = 0.0
        self._wake = asyncio.Event()
        """Set when this process should check the others at once, or note something."""
        self._sharing: asyncio.Task[None] | None = None
        self._releasing: set[asyncio.Task[None]] = set()
        self._leaving: asyncio.Task[None] | None = None
        self.is_spare = False
        """Whether other processes serve every shard."""

    @override
    async def launch_shards(self) -> None:
        """Open as many shards as configured, or as Discord recommends; beside other processes, a fair share of them.

        They are opened in the background, because that may take long, while open ones are already served.
        """
        recommended, _, limits = await self.http.get_bot_gateway()
        self._buckets = limits["max_concurrency"]
        self._connection.shard_ids = []  # so that nothing waits for all of them
        self._set_shard_count(self.shard_count or recommended)
        is_shared = self.fleet is not None and self.fleet.is_shared
        self._sharing = asyncio.create_task(self._serve_beside_others() if is_shared else self._serve_alone())

    async def release(self, shard: int) -> None:
        """Stop listening to a shard at once, store its session for the next process, and close the connection."""
        connection = await self._hand_over(shard)
        if connection is not None:
            await connection.hang_up()

    def stop_listening(self) -> None:
        """Accept no new work; work in progress continues."""
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
        """Wait until the next session of the shard's bucket may begin, which describes its servers anew."""
        shard = shard_id or 0
        while True:
            seconds = await self._start_session(self._bucket_of(shard))
            if not seconds:
                break
            await asyncio.sleep(seconds)
        self._remove_guilds(shard)

    def is_too_late(self, interaction: discord.Interaction) -> bool:
        """Return whether a replayed interaction is too old to answer.

        Other interactions are not judged by the local clock, which may be wrong.
        """
        if not self._catching_up:
            return False
        age = discord.utils.utcnow() - interaction.created_at
        return age.total_seconds() > _ANSWER_LIMIT_SECONDS

    async def on_shard_connect(self, _shard: int) -> None:
        """Store a new session at once: otherwise it is lost with its process."""
        self._next_note_at = 0.0
        self._wake.set()

    async def on_shard_resumed(self, shard: int) -> None:
        """Note that all missed events were replayed."""
        self._catching_up.discard(shard)
        self._connection.call_handlers("ready")

    async def on_shard_ready(self, _shard: int) -> None:
        """Become ready with the first shard: others may take minutes."""
        self._connection.call_handlers("ready")

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Note that a server known only by id was described after all."""
        self.served_guilds.unnamed.discard(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Note that the servers of a session are others now."""
        if (connection := self._open.get(guild.shard_id)) is not None:
            connection.is_session_written = False

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Note that the servers of a session are others now."""
        await self.on_guild_join(guild)

    def _set_shard_count(self, shards: int) -> None:
        """Set the total number of shards."""
        self.shard_count = self._connection.shard_count = shards

    async def _serve_alone(self) -> None:
        """Open one shard after the other, even if the database cannot be written, because then nobody else can either."""
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
                    await fleet.member.write(lease, {})  # after a kill it would be too old
            await self._open_shard(shard, lease)

    async def _serve_beside_others(self) -> None:
        """Keep this process's share of the shards as other processes come and go."""
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
                pass  # open connections stay until Discord closes them: nobody else can resume them before
            except Exception:  # open shards must be looked after, whatever happens
                _logger.exception("the shards could not be shared out")
            with suppress(TimeoutError):
                async with asyncio.timeout(_ASSIGNMENT_POLL_SECONDS):
                    await self._wake.wait()

    async def _take_share(self, fleet: ShardFleet) -> None:
        """Release shards beyond this process's share, and take free ones up to it."""
        shares, me = await fleet.fetch_assignment(), fleet.member.me
        if me not in shares.serving:  # not yet, or no longer: then under another id, without its leases
            await self._release_all([*self._leases])
            await self._join(fleet)
            return
        lost = self._leases.keys() - shares.of(me)
        most = shares.most(me)
        beyond = max(0, len(self._leases) - len(lost) - most)
        # A shard whose session is just beginning is left alone: that session would be lost, and another one spent.
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
        """Store each shard's sequence number, and its session if that is new."""
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
        """Release shards, even if the caller is cancelled."""
        tasks = {asyncio.create_task(self.release(shard)) for shard in shards}
        self._releasing |= tasks
        if tasks:
            await asyncio.wait(tasks)
        self._releasing -= tasks

    async def _hand_over(self, shard: int) -> ShardConnection | None:
        """Stop listening to a shard and store its session; return the connection, which is still open."""
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
        """Remove all servers of a shard; return their ids."""
        self._catching_up.discard(shard)
        return self.served_guilds.remove_all_on(shard)

    async def _open_shard(self, shard: int, lease: Lease | None) -> None:
        """Serve a shard: resume the session of another process, or begin one."""
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
        """Resume the session stored in a lease; return whether there was one, and Discord was reached."""
        try:
            session = GatewaySession(**lease.state)
        except TypeError:  # no session, or one of another version
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
        """Open a connection; None if that failed for any reason."""
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
        """Take the right to begin a session of a bucket now; return 0, or the seconds after which to ask again."""
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
        """The number of shards leased to this process."""
        return len(self._leases)

    @property
    def served(self) -> list[int]:
        """The shards that this process is listening to."""
        return [*self._open]

    @property
    def absent(self) -> list[int]:
        """The shards that this process should serve but is not connected to now."""
        is_shared = self.fleet is not None and self.fleet.is_shared
        ours = self._leases if is_shared else range(self.shard_count or 0)
        return [shard for shard in ours if shard not in self._open or not self._open[shard].ws.open]

    @property
    def _open(self) -> dict[int, ShardConnection]:
        """Return the connections of this process, by their shards."""
        return connections_of(self)
