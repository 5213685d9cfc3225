"""One connection to Discord, reopened when it breaks, with pauses if it breaks repeatedly."""

# ruff: noqa: SLF001 - discord.py handles its shards in private parts
# pyright: reportPrivateUsage=false

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine, Mapping, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Final, cast

import discord
from discord.ext import commands
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.shard import EventItem, EventType, Shard
from typing_extensions import override

from bot.base.backoff import doubled_wait
from bot.chat.gateway.events import CONNECTION
from bot.cluster.leases import Lease, State
from bot.store import ClusterMember

_logger = logging.getLogger(__name__)

CLOSE_TIMEOUT_SECONDS: Final = 1.5
"""How long Discord has to confirm that a connection is closed."""
_PROGRESS_LAG_NOTES: Final = 3
"""A shard's noted progress lags by this many notes: after a kill the events of that time are replayed, because some may have
been waiting for their first answer."""
_FIRST_SEQUENCE: Final = 1
"""The sequence number of READY, with which a session begins."""
RETRY_SECONDS: Final = 5.0
"""A connection that could not be opened is tried again after this."""
_PROMPT_RETRIES: Final = 3
"""A short-lived connection is reopened this often without a pause; after that each pause is twice the last."""
_MAX_PAUSE_SECONDS: Final = 120.0
"""The longest pause; a bot that begins a thousand sessions a day loses its token. Source: Discord, session start limit."""
_LASTING_SECONDS: Final = 150.0
"""A connection that lives for this long is not short-lived; more than the longest pause, which counts too."""
_CLOSE_REASONS: Final[Mapping[int, str]] = {
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
"""Reasons for which Discord closes a connection that may be reopened. Source: its documentation, gateway close codes."""
_REOPENING_EVENTS: Final = (EventType.identify, EventType.resume, EventType.reconnect)
_RESUMABLE_CLOSE_CODE: Final = 4000
"""The close code after which a session can be resumed; 1000 would end it."""


@dataclass(frozen=True, slots=True)
class GatewaySession:
    """What a process needs to resume a session of another one; the sequence number is stored separately."""

    id: str
    gateway: str
    intents: int
    """The intents with which the session began."""
    guilds: Sequence[int]
    """The servers in the session, which Discord does not send again."""


class ShardConnection(Shard):
    """A shard that this process listens to, until it hands it over."""

    def __init__(
        self,
        ws: DiscordWebSocket,
        bot: commands.AutoShardedBot,
        lease: Lease | None,
        *,
        member: ClusterMember | None,
        unreadable: MutableMapping[str, int],
    ) -> None:
        super().__init__(ws, bot, self._report)
        self._bot = bot
        self._member = member
        self._unreadable = unreadable
        self.lease = lease
        self.is_released = False
        """Whether this process has stopped listening."""
        self.is_session_written = False
        """Whether its session with its servers is stored in its lease."""
        self.noted_sequence: int | None = None
        """The sequence number stored in its lease."""
        self._session: str | None = None
        self._recent_sequences = deque[int](maxlen=_PROGRESS_LAG_NOTES + 1)
        self._short_lived = 0
        """The number of short-lived connections in a row."""
        self._closed_at = -_LASTING_SECONDS
        """The time by the event loop's clock when it was last closed."""

    def resume_from(self, session: str, reached: int) -> None:
        """Take over a session of another process, at its sequence number."""
        self._session, self.noted_sequence, self.is_session_written = session, reached, True
        self._recent_sequences.append(reached)

    def note_progress(self) -> int | None:
        """Note the current sequence number; return that of some notes ago, None if there is no session now."""
        if self.ws.session_id is None or self.ws.sequence is None:
            return None
        if self.ws.session_id != self._session:
            self._recent_sequences.clear()
            self._recent_sequences.append(_FIRST_SEQUENCE)
            self._session, self.is_session_written = self.ws.session_id, False
        self._recent_sequences.append(self.ws.sequence)
        return self._recent_sequences[0]

    def session_state(self, guilds: Sequence[int]) -> State:
        """Return the state from which the next process resumes; empty if there is no session."""
        ws = self.ws
        if ws.session_id is None:
            return {}
        return asdict(GatewaySession(ws.session_id, str(ws.gateway), self._bot.intents.value, guilds))

    @override
    async def reidentify(self, exc: Any) -> None:
        ws = self.ws
        if ws.open:  # an event could not be read
            ws.session_id = ws.sequence = None
            await self.hang_up()
        else:
            level = logging.INFO if ws.session_id else logging.WARNING
            _logger.log(level, "shard %d: %s; it is opened again", self.id, _why_closed(ws, exc))
        if ws.session_id is None:  # closed before it began: there is nothing to resume
            exc = ReconnectWebSocket(self.id, resume=False)
        await self._open_again(partial(super().reidentify, exc))

    @override
    async def reconnect(self) -> None:
        await self._open_again(super().reconnect)

    def _report(self, item: EventItem) -> None:
        """Report the state of the connection to discord.py, with pauses if it has to be reopened repeatedly.

        An event that discord.py does not understand would end the whole bot: here it only costs the session.
        """
        loop, put = asyncio.get_running_loop(), events_of(self._bot).put_nowait
        if item.type == EventType.terminate and not isinstance(item.error, discord.PrivilegedIntentsRequired):
            self._unreadable[CONNECTION] += 1
            _logger.error(
                "shard %d: what Discord said could not be read; it is opened again",
                self.id,
                exc_info=item.error,
            )
            item = EventItem(EventType.identify, self, ReconnectWebSocket(self.id, resume=False))
        if item.type not in _REOPENING_EVENTS:
            put(item)
            return
        self._short_lived = self._short_lived + 1 if loop.time() - self._closed_at < _LASTING_SECONDS else 0
        self._closed_at = loop.time()
        brief = self._short_lived - _PROMPT_RETRIES + 1
        if brief <= 0:
            put(item)
        else:
            loop.call_later(doubled_wait(RETRY_SECONDS, brief, _MAX_PAUSE_SECONDS), put, item)

    async def _open_again(self, opening: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Reopen the connection, unless it may belong to another process: Discord gives a session to the last one to ask."""
        if self._member is not None:
            await self._member.until_alive()
            # Taken for dead meanwhile, this process has rejoined without its former leases.
            if self.lease is not None and self.lease.owner != self._member.me:
                return
        if self.is_released:
            return
        await opening()
        if self.is_released:  # meanwhile
            await self.hang_up()

    def stop_listening(self) -> None:
        """Handle no further events; the connection stays open."""
        self.is_released = True
        self._cancel_task()

    async def stop(self) -> None:
        """Stop listening, and wait until the last event is handled."""
        self.stop_listening()
        await asyncio.wait({cast("asyncio.Task[None]", self._task)})

    async def hang_up(self) -> None:
        """Close the connection so that its session can be resumed."""
        self._cancel_task()
        with suppress(TimeoutError):  # Discord may not confirm it
            async with asyncio.timeout(CLOSE_TIMEOUT_SECONDS):
                await self.ws.close(code=_RESUMABLE_CLOSE_CODE)


def connections_of(bot: commands.AutoShardedBot) -> dict[int, ShardConnection]:
    """Return discord.py's own shards, by their numbers."""
    return vars(bot)["_AutoShardedClient__shards"]


def events_of(bot: commands.AutoShardedBot) -> asyncio.PriorityQueue[Any]:
    """Return the queue in which discord.py's shards report their state."""
    return vars(bot)["_AutoShardedClient__queue"]


def _why_closed(ws: DiscordWebSocket, asked: BaseException) -> str:
    """Return why a connection has to be reopened, given discord.py's request for it."""
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
    return f"Discord closed the connection with {code} ({_CLOSE_REASONS.get(code, 'a reason that is not known')})"
