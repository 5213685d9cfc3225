"""The bot's connections to Discord, its shards: opened, handed over to another process, gone on with by the next.

All that is used of discord.py and that it does not promise to keep is here; tests/test_shards.py notices where it moves.
"""
# ruff: noqa: SLF001 - see above
# pyright: reportPrivateUsage=false

import asyncio
import logging
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final, cast

import aiohttp
import discord
from discord.ext import commands
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.shard import EventItem, EventType, Shard
from typing_extensions import override
from yarl import URL

from bot.base.backoff import doubled_wait
from bot.cluster.leases import Lease, State
from bot.domain.errors import CannotKeep, CannotRead, UnreadableMessage
from bot.domain.ids import GuildId, MemberId, shard_of
from bot.features.shared.askers import MembershipUnknown, Neighbour
from bot.store import ShardFleet

_logger = logging.getLogger(__name__)

PARTING_SECONDS: Final = 1.5
"""How long Discord has to take leave of a shard."""
_LOOK_SECONDS: Final = 0.5
"""Between two looks at what the other processes have, where they tell nothing: the dead do not."""
_NOTE_SECONDS: Final = 1.0
"""Between two notes of how far each shard has come."""
_BACK: Final = 3
"""By how many notes a shard is noted to be behind: after a death what was heard in that time is told again, for it may
still have waited for its first answer."""
_FIRST: Final = 1
"""Where a session begins: the number of its READY."""
_RETRY_SECONDS: Final = 5.0
"""After which a connection is tried again that could not be had."""
_START_SECONDS: Final = 5.5
"""Between two sessions of one bucket, where no database can be asked."""
_TOO_LATE_SECONDS: Final = 2.8
"""After which Discord is about to take no answer any more: it gives three seconds."""
_HEARD: Final = frozenset(
    {"READY", "RESUMED", "GUILD_DELETE", "GUILD_MEMBERS_CHUNK", "INTERACTION_CREATE", "MESSAGE_CREATE"}
)
"""What the bot listens to, beside what names a server; all else would be told to nobody."""
_NAMING: Final = frozenset({"GUILD_CREATE", "GUILD_UPDATE"})
"""What names a server, with everything that is in it."""
_KEPT: Final = frozenset({"id", "unavailable", "preferred_locale"})
"""Of a server, what is read here: with its channels and roles it would take twenty times the room."""
_AT_ONCE: Final = 100
"""Members that one question to the gateway may name. Source: Discord's documentation, Request Guild Members."""
_AT_ONCE_AGAIN: Final = 3
"""How often a connection that does not last is opened anew without a pause; after that each pause is twice the one before."""
_LONGEST_PAUSE_SECONDS: Final = 120.0
"""A bot that begins a thousand sessions a day loses its token. Source: Discord's documentation, session start limit."""
_LASTING_SECONDS: Final = 150.0
"""After which a connection has lasted; more than the longest pause, which is counted with it."""
_CODES: Final[Mapping[int, str]] = {
    1000: "without a reason",
    1001: "going away",
    1006: "the connection broke",
    4000: "an unknown error of Discord's",
    4001: "it did not know what was asked",
    4002: "it could not read what was said",
    4003: "not logged in",
    4005: "logged in twice",
    4007: "the session could not be gone on with from there",
    4008: "too much was said in too short a time",
    4009: "the session is too old",
}
"""Why Discord closes a connection that may be opened again. Source: its documentation, gateway close codes."""
_OPENED_ANEW: Final = (EventType.identify, EventType.resume, EventType.reconnect)
CONNECTION: Final = "connection"
"""Among what could not be read: all that a connection says, not one event of it."""
_STAYS: Final = 4000
"""The code with which a connection is closed whose session is gone on with: 1000 would end it."""


@dataclass(frozen=True, slots=True)
class GatewaySession:
    """What a process needs to go on where another one stopped listening; how far that was is noted beside it."""

    id: str
    gateway: str
    intents: int
    """A session tells what was asked for when it began."""
    guilds: Sequence[int]
    """The servers in it: nobody names them again."""


async def fetch_neighbours(
    guild: discord.Guild, members: Collection[MemberId]
) -> Mapping[MemberId, Neighbour]:
    """Return those of these members who are in a server now, asked for by its connection, a hundred at a time.

    Naming them needs no privileged intent. Raises: MembershipUnknown.
    """
    try:
        found = await asyncio.gather(
            *(
                guild.query_members(user_ids=some, limit=_AT_ONCE, cache=False)
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
    return ([*members[start : start + _AT_ONCE]] for start in range(0, len(members), _AT_ONCE))


class _Connection(Shard):
    """A shard that this process listens to, until it is left to another one."""

    def __init__(self, ws: DiscordWebSocket, bot: "ShardedBot", lease: Lease | None) -> None:
        super().__init__(ws, bot, self._report)
        self._bot = bot
        self.lease = lease
        self.is_left = False
        self.is_written = False
        """Whether its session and the servers in it stand in its lease."""
        self.noted: int | None = None
        """How far it has come, as it stands there."""
        self._session: str | None = None
        self._past = deque[int](maxlen=_BACK + 1)
        self._brief = 0
        """How many times in a row the connection did not last."""
        self._closed_at = -_LASTING_SECONDS

    def go_on(self, session: str, reached: int) -> None:
        """Have the session that another process left."""
        self._session, self.noted, self.is_written = session, reached, True
        self._past.append(reached)

    def look_back(self) -> int | None:
        """Return how far it had come some calls ago; None where it has no session now."""
        if self.ws.session_id is None or self.ws.sequence is None:
            return None
        if self.ws.session_id != self._session:
            self._past.clear()
            self._past.append(_FIRST)
            self._session, self.is_written = self.ws.session_id, False
        self._past.append(self.ws.sequence)
        return self._past[0]

    @override
    async def reidentify(self, exc: Any) -> None:
        ws = self.ws
        if ws.open:  # what it said could not be read
            ws.session_id = ws.sequence = None
            await self.hang_up()
        else:
            level = logging.INFO if ws.session_id else logging.WARNING
            _logger.log(level, "shard %d: %s; it is opened again", self.id, _why_closed(ws, exc))
        if ws.session_id is None:  # closed before it began: there is nothing to go on with
            exc = ReconnectWebSocket(self.id, resume=False)
        await self._open_again(partial(super().reidentify, exc))

    @override
    async def reconnect(self) -> None:
        await self._open_again(super().reconnect)

    def _report(self, item: EventItem) -> None:
        """Tell discord.py what has become of the connection; where it has to be opened anew over and over, with pauses.

        What discord.py does not understand would end the whole bot: it costs the session.
        """
        loop, put = asyncio.get_running_loop(), self._bot._events.put_nowait
        if item.type == EventType.terminate and not isinstance(item.error, discord.PrivilegedIntentsRequired):
            self._bot.unreadable[CONNECTION] += 1
            _logger.error(
                "shard %d: what Discord said could not be read; it is opened again",
                self.id,
                exc_info=item.error,
            )
            item = EventItem(EventType.identify, self, ReconnectWebSocket(self.id, resume=False))
        if item.type not in _OPENED_ANEW:
            put(item)
            return
        self._brief = self._brief + 1 if loop.time() - self._closed_at < _LASTING_SECONDS else 0
        self._closed_at = loop.time()
        brief = self._brief - _AT_ONCE_AGAIN + 1
        if brief <= 0:
            put(item)
        else:
            loop.call_later(doubled_wait(_RETRY_SECONDS, brief, _LONGEST_PAUSE_SECONDS), put, item)

    async def _open_again(self, opening: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Open it anew, unless it is another process's, or may be: that of a session which hung up is Discord's last."""
        if (fleet := self._bot.fleet) is not None:
            await fleet.presence.until_alive()
            # Taken for dead meanwhile, this process has begun anew, and has nothing of before.
            if self.lease is not None and self.lease.owner != fleet.presence.me:
                return
        if self.is_left:
            return
        await opening()
        if self.is_left:  # meanwhile
            await self.hang_up()

    async def stop(self) -> None:
        """Hear nothing from here on."""
        self.is_left = True
        self._cancel_task()
        await asyncio.wait({cast("asyncio.Task[None]", self._task)})

    async def hang_up(self) -> None:
        """Close the connection so that its session stays."""
        self._cancel_task()
        with suppress(TimeoutError):  # Discord may say nothing to our going
            async with asyncio.timeout(PARTING_SECONDS):
                await self.ws.close(code=_STAYS)


class ShardedBot(commands.AutoShardedBot):
    """A bot whose servers are shared out among several connections, each of which a process may hand over."""

    fleet: ShardFleet | None = None
    """The processes that serve; None where none of them can be known."""

    _buckets: int
    """Of shards, in each of which one session may begin at a time."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._joined: dict[int, str] = {}
        """When this bot has joined servers, as Discord said in naming them; until somebody has taken it."""
        parsers = self._connection.parsers
        self._connection.parsers = {name: parsers[name] for name in _HEARD} | {
            name: partial(_parse_kept, parsers[name]) for name in _NAMING
        }
        parse = self._connection.parsers["GUILD_CREATE"]
        self._connection.parsers["GUILD_CREATE"] = partial(_parse_joined, parse, self._joined)
        self._connection.create_message = partial(_create_message, self._connection.create_message)
        self.unreadable: Counter[str] = Counter(dict.fromkeys((*_HEARD, *_NAMING, CONNECTION), 0))
        """How much of what Discord said could not be read, by the kind of event."""
        for name, parse in self._connection.parsers.items():
            self._connection.parsers[name] = partial(_parse_guarded, parse, name, self.unreadable)
        self._leases: dict[int, Lease] = {}
        """Of the shards that are open, or about to be."""
        self._opening: dict[int, asyncio.Task[None]] = {}
        self._turns = defaultdict[int, asyncio.Lock](asyncio.Lock)
        """By bucket: Discord closes a connection on which no session begins."""
        self._waiting: set[int] = set()
        """Shards that are waiting for their turn."""
        self._next_start: dict[int, float] = {}
        """By bucket, where no database can be asked."""
        self._catching_up: set[int] = set()
        """Shards that are told again what nobody heard."""
        self._bare: set[int] = set()
        """Servers of which the id alone is known, from the process before."""
        self._next_note = 0.0
        self._news = asyncio.Event()
        """Set where this process should look at the others at once, or note something."""
        self._serving: asyncio.Task[None] | None = None
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
        self._part(self.shard_count or recommended)
        is_shared = self.fleet is not None and self.fleet.is_shared
        self._serving = asyncio.create_task(self._serve_beside_others() if is_shared else self._serve_alone())

    async def release(self, shard: int) -> None:
        """Stop listening to a shard at once, leave word for whoever serves it next, and hang up."""
        connection = await self._give(shard)
        if connection is not None:
            await connection.hang_up()

    def hear_no_more(self) -> None:
        """Take no new work, from anywhere; what was begun goes on."""
        if self._leaving is None:
            for each in (self._serving, *self._opening.values()):
                if each is not None:
                    each.cancel()
            for connection in self._open.values():
                connection.is_left = True
                connection._cancel_task()
            self._leaving = asyncio.create_task(self._leave())

    async def _leave(self) -> None:
        if self._serving is not None:
            await asyncio.wait({self._serving, *self._releasing})
        shards = {*self._open, *self._leases}
        given = await asyncio.gather(*map(self._give, shards))
        if self.fleet is not None:
            with suppress(CannotKeep):
                await self.fleet.leave()
        await asyncio.gather(*(connection.hang_up() for connection in given if connection is not None))

    @override
    async def close(self) -> None:
        self.hear_no_more()
        (failure,) = await asyncio.gather(cast("asyncio.Task[None]", self._leaving), return_exceptions=True)
        if isinstance(failure, Exception):
            _logger.error("a shard was not left as it should be", exc_info=failure)
        await super().close()

    @override
    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until Discord takes the next session of the shard's bucket, which names its servers anew."""
        while seconds := await self._start_session(self._bucket(shard_id or 0)):  # noqa: ASYNC110 - Discord tells nobody
            await asyncio.sleep(seconds)
        self._forget(shard_id or 0)

    def is_too_late(self, interaction: discord.Interaction) -> bool:
        """Return whether nobody waits for an answer any more, which was told again to this process.

        Nothing else is judged by the time of day, which may be wrong here.
        """
        if not self._catching_up:
            return False
        age = discord.utils.utcnow() - interaction.created_at
        return age.total_seconds() > _TOO_LATE_SECONDS

    async def know(self, guild_id: int) -> discord.Guild | None:
        """Return a server with its language; None where it is not there, or not served here.

        A session that was gone on with does not name it again: it is asked for once, and followed from then on.
        What else is in a server is known of none: its channels, roles and members are asked for where they are needed.
        Raises: discord.HTTPException.
        """
        guild = self.get_guild(guild_id)
        if guild is not None and guild_id in self._bare:
            named = await self.fetch_guild(guild_id, with_counts=False)
            guild.preferred_locale, guild.unavailable = named.preferred_locale, False
            self._bare.discard(guild_id)
            guild = self.get_guild(guild_id)  # which may have left meanwhile
        return None if guild is None or guild.unavailable else guild

    async def on_shard_connect(self, _shard: int) -> None:
        """Note a session that has begun at once: one that was not noted is lost with its process."""
        self._next_note = 0.0
        self._news.set()

    async def on_shard_resumed(self, shard: int) -> None:
        """Note that all was told again."""
        self._catching_up.discard(shard)
        self._connection.call_handlers("ready")

    async def on_shard_ready(self, _shard: int) -> None:
        """Be ready with the first shard: others may take minutes, and no server waits for another one's."""
        self._connection.call_handlers("ready")

    def take_joined(self, shard: int) -> Mapping[GuildId, datetime]:
        """Return when this bot has joined the servers of a shard that were named since this was last asked."""
        named = [guild for guild in self._joined if shard_of(GuildId(guild), self.shard_count or 1) == shard]
        return {GuildId(guild): datetime.fromisoformat(self._joined.pop(guild)) for guild in named}

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Note that a server was named after all."""
        self._bare.discard(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Note that the servers of a session are others now."""
        if (connection := self._open.get(guild.shard_id)) is not None:
            connection.is_written = False

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """As `on_guild_join`."""
        await self.on_guild_join(guild)

    def _part(self, shards: int) -> None:
        """Part the servers into so many shards."""
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
                    await fleet.presence.write(lease, {})  # after a death it would be too old
            await self._open_shard(shard, lease)

    async def _serve_beside_others(self) -> None:
        """Have this process's share of the shards, whoever comes and goes."""
        fleet, loop = cast("ShardFleet", self.fleet), asyncio.get_running_loop()
        fleet.subscribe(self._news.set)
        while True:
            self._news.clear()
            try:
                if loop.time() >= self._next_note:
                    self._next_note = loop.time() + _NOTE_SECONDS
                    await self._note(fleet)
                await self._take_share(fleet)
            except (CannotKeep, CannotRead):
                pass  # what is open stays so until Discord closes it: nobody else can go on with it before
            except Exception:  # what is served is to be looked after, whatever it was
                _logger.exception("the shards could not be shared out")
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_SECONDS):
                    await self._news.wait()

    async def _take_share(self, fleet: ShardFleet) -> None:
        """Give up what this process has beyond its share, and take of what is free as much as it lacks."""
        shares, me = await fleet.fetch_assignment(), fleet.presence.me
        if me not in shares.serving:  # not yet, or not any more: then by another id, with nothing that it had
            await self._release_all([*self._leases])
            await self._join(fleet)
            return
        lost = self._leases.keys() - shares.of(me)
        most = shares.most(me)
        beyond = max(0, len(self._leases) - len(lost) - most)
        # One that is about to be told its session is left alone: that would be lost, and another one spent for it.
        known = [each for each, connection in self._open.items() if connection.ws.session_id is not None]
        movable = [each for each in (*self._waiting, *known) if each in self._leases and each not in lost]
        if given := [*lost, *movable[:beyond]]:
            await self._release_all(given)
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
        self._part(await fleet.join(own))
        if self.shard_count != own:
            _logger.info(
                "the processes that serve have %d shards: %d will count once all of them have ended",
                self.shard_count,
                own,
            )

    async def _note(self, fleet: ShardFleet) -> None:
        """Note how far each shard has come, and its session where that is another one."""
        moved: list[tuple[_Connection, Lease, int]] = []
        for shard, connection in tuple(self._open.items()):
            lease, reached = connection.lease, connection.look_back()
            if lease is None or reached is None:
                continue
            if not connection.is_written:
                connection.is_written = True
                try:
                    await fleet.presence.write(
                        lease, self._state(connection, self._guilds_of(shard)), reached
                    )
                except BaseException:
                    connection.is_written = False
                    raise
                connection.noted = reached
            elif reached != connection.noted:
                moved.append((connection, lease, reached))
        if moved:
            await fleet.presence.note_progress([(lease, reached) for _, lease, reached in moved])
        for connection, _, reached in moved:
            connection.noted = reached

    async def _release_all(self, shards: Collection[int]) -> None:
        """Release some, also where whoever waits for that is cancelled."""
        tasks = {asyncio.create_task(self.release(shard)) for shard in shards}
        self._releasing |= tasks
        if tasks:
            await asyncio.wait(tasks)
        self._releasing -= tasks

    async def _give(self, shard: int) -> _Connection | None:
        """Stop listening to a shard and leave word; returns the connection, which is open still."""
        if (opening := self._opening.get(shard)) is not None:
            opening.cancel()
            await asyncio.wait({opening})
        lease = self._leases.get(shard)
        connection = self._open.pop(shard, None)
        given: State = {} if lease is None else lease.state
        reached = None if lease is None else lease.reached
        if connection is not None:
            await connection.stop()
            given, reached = self._state(connection, self._forget(shard)), connection.ws.sequence
        if lease is not None and self.fleet is not None:
            try:
                await self.fleet.presence.release(lease, given, reached)
            except CannotKeep:
                _logger.warning("shard %d could not be handed over", shard)
        self._leases.pop(shard, None)
        return connection

    def _state(self, connection: Shard, guilds: Sequence[int]) -> State:
        """Return what whoever serves a shard next goes on from: nothing where there is no session."""
        ws = connection.ws
        if ws.session_id is None:
            return {}
        return asdict(GatewaySession(ws.session_id, str(ws.gateway), self.intents.value, guilds))

    def _guilds_of(self, shard: int) -> list[int]:
        return [guild.id for guild in self.guilds if guild.shard_id == shard]

    def _forget(self, shard: int) -> list[int]:
        """Know nothing of a shard any more; returns its servers."""
        guilds = self._guilds_of(shard)
        for guild in guilds:
            self._connection._remove_guild(cast("discord.Guild", self.get_guild(guild)))
            self._joined.pop(guild, None)
        self._bare.difference_update(guilds)
        self._catching_up.discard(shard)
        return guilds

    async def _open_shard(self, shard: int, lease: Lease | None) -> None:
        """Serve a shard: go on with the session that another process left, or begin one."""
        if lease is not None and await self._resume(shard, lease):
            return
        self._waiting.add(shard)
        try:
            async with self._turns[self._bucket(shard)]:
                self._waiting.discard(shard)
                while not await self._connect(shard, lease):  # noqa: ASYNC110 - Discord tells nobody
                    await asyncio.sleep(_RETRY_SECONDS)
        finally:
            self._waiting.discard(shard)

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
        connection.go_on(session.id, lease.reached)
        for guild in session.guilds:
            self._connection._add_guild_from_data(cast("Any", {"id": guild, "unavailable": True}))
        self._bare.update(session.guilds)
        self._catching_up.add(shard)
        return True

    async def _connect(self, shard: int, lease: Lease | None, **session: Any) -> _Connection | None:
        """Open a connection; None where it could not be had, whatever the reason."""
        try:
            async with asyncio.timeout(self.shard_connect_timeout):
                ws = await DiscordWebSocket.from_client(self, shard_id=shard, **session)
        except Exception as error:  # noqa: BLE001 - as the docstring says
            _logger.warning("shard %d cannot be connected: %s", shard, type(error).__name__)
            return None
        self._open[shard] = connection = _Connection(ws, self, lease)
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
        start = self._next_start.get(bucket, now)
        if start <= now:
            self._next_start[bucket] = now + _START_SECONDS
        return max(0.0, start - now)

    def _bucket(self, shard: int) -> int:
        return shard % self._buckets

    @property
    def leased(self) -> int:
        """How many shards are this process's by their leases."""
        return len(self._leases)

    @property
    def served(self) -> list[int]:
        """Shards that this process is listening to."""
        return [*self._open]

    @property
    def absent(self) -> list[int]:
        """Shards that this process is to serve, and that it is not connected to now."""
        is_shared = self.fleet is not None and self.fleet.is_shared
        ours = self._leases if is_shared else range(self.shard_count or 0)
        return [shard for shard in ours if shard not in self._open or not self._open[shard].ws.open]

    @property
    def _open(self) -> dict[int, _Connection]:
        """Return discord.py's own shards, by their numbers."""
        return vars(self)["_AutoShardedClient__shards"]

    @property
    def _events(self) -> asyncio.PriorityQueue[Any]:
        """Return where discord.py's shards say what has become of them."""
        return vars(self)["_AutoShardedClient__queue"]


def _why_closed(ws: DiscordWebSocket, asked: BaseException) -> str:
    """Return why a connection has to be opened again, given what discord.py asks for then."""
    if isinstance(asked.__context__, TimeoutError):
        return "Discord said nothing for too long"
    if ws._close_code is not None:
        return (
            "Discord asked for a new connection, or did not answer"
            if ws.session_id
            else "Discord ended the session"
        )
    code = ws.socket.close_code
    if code is None:
        return "Discord closed a connection that was being opened"
    return f"Discord closed the connection with {code} ({_CODES.get(code, 'a reason that is not known')})"


def _create_message(create: Callable[..., discord.Message], *, channel: Any, data: Any) -> discord.Message:
    """Make what discord.py makes of a message that Discord has answered with. Raises: Unreadable."""
    try:
        return create(channel=channel, data=data)
    except Exception as error:
        raise UnreadableMessage(int(data["id"])) from error


def _parse_guarded(
    parse: Callable[[Any], None], name: str, unreadable: MutableMapping[str, int], said: Any
) -> None:
    """Have an event read that may be other than discord.py believes: it costs itself, where discord.py would end the bot."""
    try:
        parse(said)
    except Exception:  # whatever is wrong with an event, others follow
        unreadable[name] += 1
        _logger.exception("an event of Discord's could not be read: %s", name)


def _parse_joined(
    parse: Callable[[Any], None], joined: MutableMapping[int, str], named: Mapping[str, Any]
) -> None:
    """Note when the bot has joined a server that Discord names: discord.py has no place for it without members."""
    if isinstance(when := named.get("joined_at"), str):
        joined[int(named["id"])] = when
    parse(named)


def _parse_kept(parse: Callable[[Any], None], named: Mapping[str, Any]) -> None:
    """Have discord.py keep of a server that Discord names what is read here."""
    parse({key: value for key, value in named.items() if key in _KEPT})
