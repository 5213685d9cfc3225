"""The simulated Discord itself: simcord's backend, in real time, behind plain requests and events.

simcord is made for tests that run the bot in the same event loop. We use its state, its rules and its page, but
the bot talks to them over sockets, which needs private parts of simcord. These are only used here, in
`bot.demo.page` and in `bot.demo.markdown`; the version is pinned, and tests/demo/ detects when a new one
changes them.
"""
# ruff: noqa: SLF001 - see above: private parts of simcord are used here so that no other module needs to
# pyright: reportPrivateUsage=false

import asyncio
import io
import logging
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import discord
from simcord import (
    BackendError,
    ChannelHandle,
    Env,
    InteractionResult,
    ResponseMessage,
    RouteNotImplemented,
    UnsupportedField,
    UserHandle,
)
from simcord._clock import Clock
from simcord.actors import _dispatch_actor_interaction, _resolve_visible_command
from simcord.backend import Backend, serializers
from simcord.backend.cdn import CDN_BASE
from simcord.backend.models import Interaction, Member, Message
from simcord.enums import AppCommandType, InteractionType
from simcord.gateway import FakeGateway
from simcord.http import routes as _routes  # noqa: F401  # pyright: ignore[reportUnusedImport]  # registers the routes
from simcord.http.router import dispatch

from bot.demo import emoji

Payload = Mapping[str, object]
Deliver = Callable[[str, Payload], None]

_ANSWER = re.compile(r"/webhooks/\d+/(?P<token>[^/]+)(/messages/@original)?")

logger = logging.getLogger(__name__)

ACKNOWLEDGE_SECONDS = 3.0
"""The seconds that Discord waits for a bot's first answer. Source: Discord's documentation of interactions."""
KEPT_INTERACTIONS = 200
"""The number of newest interactions kept; Discord itself drops them after 15 minutes."""
HERE_FOR = timedelta(days=365)
"""The time since the bot joined a server, unless stated otherwise."""


class WallClock(Clock):
    """Real time instead of simcord's simulated clock; it can be moved ahead."""

    def __init__(self) -> None:
        super().__init__()
        self.ahead = timedelta()

    def now(self) -> datetime:
        """Return the current time, aware, in UTC."""
        return datetime.now(UTC) + self.ahead

    def advance(self, seconds: float) -> None:
        """Move ahead of the real time by `seconds`."""
        self.ahead += timedelta(seconds=seconds)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file sent by the bot."""

    filename: str
    fp: io.BytesIO
    description: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedCall:
    """A REST request from the bot, as received."""

    method: str
    path: str
    body: object = None
    query: Mapping[str, str] = field(default_factory=dict[str, str])
    files: tuple[Upload, ...] = ()
    reason: str | None = None


class _Parsers(defaultdict[str, Callable[[Payload], None]]):
    """Forwards every event by name, in place of discord.py's table of parsers that simcord expects."""

    def __init__(self, deliver: Deliver) -> None:
        super().__init__()
        self._deliver = deliver

    def __missing__(self, event: str) -> Callable[[Payload], None]:
        return lambda payload: self._deliver(event, payload)


class _Backend(Backend):
    """simcord's state, with a bot that joined its servers long ago, unless stated otherwise."""

    def add_member(self, guild_id: int, user_id: int, **what: Any) -> Member:
        """Add a member; the bot as one that joined long ago, since it greets servers that it has just joined."""
        member = super().add_member(guild_id, user_id, **what)
        if user_id == self.bot_user.id:
            member.joined_at = (self.clock.now() - HERE_FOR).isoformat()
        return member


class Simulator(Env):
    """A simulated Discord: servers, channels and people (simcord's builders), requests and events."""

    def __init__(self) -> None:
        # The bot is behind a socket; simcord gets an idle client, only to create discord.py's objects.
        super().__init__(discord.Client(intents=discord.Intents(guilds=True)), check_errors=False)
        self.backend = _Backend(clock=WallClock())
        self.gaps: list[str] = []
        """The requests that the simulation could not answer: a test that causes one proves nothing."""
        self.locales: dict[int, str] = {}
        """The Discord locale of each person; English if none is set."""
        self.deliveries = 1
        """The number of times each interaction is delivered: Discord only guarantees at least once."""
        self._watchers: list[Callable[[], None]] = []
        self._waiters: set[asyncio.Future[None]] = set()
        self._started = True
        self._generation = 1
        self._message_states.add(self.bot._connection)
        self.backend.subscribers.append(lambda _event, _payload: self._changed())

    # ------------------------------------------------------------------ changes

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call `watcher` after every change of state."""
        self._watchers.append(watcher)

    def _changed(self) -> None:
        for watcher in self._watchers:
            watcher()
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)
        self._waiters.clear()

    async def until(self, holds: Callable[[], bool], seconds: float) -> bool:
        """Wait until `holds()` is true after a change; return False if it was not within `seconds`."""
        try:
            async with asyncio.timeout(seconds):
                while not holds():
                    waiter = asyncio.get_running_loop().create_future()
                    self._waiters.add(waiter)
                    await waiter
        except TimeoutError:
            return holds()
        return True

    # ------------------------------------------------------------------ the bot's side

    def answer(self, call: SimulatedCall) -> tuple[int, object]:
        """Return status and JSON body for a REST request; None for an empty body."""
        thinking = self._thinking(call)
        try:
            picture = self._emoji_in(call)
            reply: object = dispatch(
                self.backend,
                call.method,
                call.path,
                json=call.body,
                params=dict(call.query),
                files=list(call.files),
                reason=call.reason,
            )
            if picture:
                newest = next(reversed(self.backend.application_emojis.values()))
                self.backend.cdn._blobs[f"{CDN_BASE}/emojis/{newest.id}.png"] = picture
        except (RouteNotImplemented, UnsupportedField) as gap:
            self.gaps.append(str(gap))
            return gap.status, gap.to_json()
        except BackendError as refusal:
            return refusal.status, refusal.to_json()
        except emoji.EmojiRefused as refusal:
            return 400, {"code": refusal.code, "message": refusal.message}
        except Exception as failure:
            logger.exception("The simulated Discord failed on %s", call.method)
            self.gaps.append(f"{call.method}: {type(failure).__name__}: {failure}")
            return 400, {"code": 0, "message": "the simulation failed"}
        finally:
            self._changed()
        if thinking is not None:
            self._complete(thinking)
        return (204, None) if reply is None else (200, reply)

    def _emoji_in(self, call: SimulatedCall) -> bytes:
        """Return the picture of an emoji's upload, empty for other requests. Raises: EmojiRefused."""
        if not emoji.is_upload(call.method, call.path):
            return b""
        return emoji.picture_of(call.body, [each.name for each in self.backend.application_emojis.values()])

    def _thinking(self, call: SimulatedCall) -> Interaction | None:
        """Return the interaction whose deferred answer this request may complete."""
        about = _ANSWER.fullmatch(call.path)
        token = about["token"] if about is not None else ""
        if token not in self.backend.interaction_tokens:
            return None
        interaction = self.backend.interactions[self.backend.interaction_tokens[token]]
        if interaction.loading and self._answer_of(interaction) is None:  # it was deleted
            interaction.complete_deferred()
        return interaction if interaction.loading else None

    def _complete(self, interaction: Interaction) -> None:
        """Handle a deferred answer as Discord does and simcord does not."""
        message = self._answer_of(interaction)
        if message is None:  # deleted: the next answer is a new message
            interaction.complete_deferred()
        elif not interaction.loading:  # completed: the answer does not count as edited
            message.edited_timestamp = None

    def _answer_of(self, interaction: Interaction) -> Message | None:
        return self.backend.messages.get(interaction.channel_id, {}).get(interaction.message_id or 0)

    def name_bot(self, name: str) -> None:
        """Set the bot's name before it connects."""
        self.backend.bot_user.name = name

    async def answered(self, asked: InteractionResult, seconds: float) -> bool:
        """Wait until the bot has answered a command beyond deferring it; return False if it did not."""
        return await self.until(lambda: not asked._interaction.loading, seconds)

    def direct(self, person: int) -> ChannelHandle:
        """Return the direct messages between a person and the bot."""
        return ChannelHandle(self, None, self.backend.get_dm_channel(person))

    async def direct_menu(
        self, person: UserHandle, chosen: str, target: ResponseMessage | UserHandle
    ) -> None:
        """Use a command of a context menu in direct messages, which simcord lacks; a person's menu sends no member there.

        Raises: SetupError if there is no such command.
        """
        channel = self.direct(person.id)
        if isinstance(target, UserHandle):
            kind = AppCommandType.USER
            shown = serializers.user_payload(self.backend.get_user(target.id))
        else:
            kind = AppCommandType.MESSAGE
            shown = serializers.message_payload(self.backend, self.backend.get_message(channel.id, target.id))
        root = _resolve_visible_command(person, channel.id, chosen, kind)
        data = {
            "id": root["id"],
            "name": root["name"],
            "type": kind,
            "target_id": str(target.id),
            "resolved": {
                "users" if kind == AppCommandType.USER else "messages": {str(target.id): dict(shown)}
            },
        }
        await _dispatch_actor_interaction(person, InteractionType.APPLICATION_COMMAND, channel, data)

    def post_as_bot(self, channel: ChannelHandle, text: str, *rows: Mapping[str, object]) -> ResponseMessage:
        """Put a message of the bot into a channel, like one that it sent earlier."""
        components = [dict(row) for row in rows]
        message = self.backend.create_message(
            channel.id, self.backend.bot_user.id, text, components=components
        )
        return ResponseMessage(self, message)

    def invite(self, guild_id: int, joined_at: datetime) -> None:
        """Tell the bot about a server that it has joined: with an event that lacks `unavailable`."""
        guild = self.backend.get_guild(guild_id)
        guild.members[self.backend.bot_user.id].joined_at = joined_at.isoformat()
        named = dict(serializers.guild_create_payload(self.backend, guild))
        del named["unavailable"]
        self.backend.emit("GUILD_CREATE", named)

    def _joined(self, guild_id: int) -> Mapping[str, str]:
        """Return when the bot joined a server; simcord would give the current moment."""
        return {"joined_at": self.backend.guilds[guild_id].members[self.backend.bot_user.id].joined_at}

    def connect(self, intents: int, deliver: Deliver) -> Callable[[], None]:
        """Deliver all events from now on to a bot with these intents; return the function that stops it."""
        state = SimpleNamespace(intents=discord.Intents._from_value(intents), parsers=_Parsers(deliver))
        gateway = FakeGateway(self.backend, state)

        def feed(event: str, payload: Payload) -> None:
            match event:
                case "INTERACTION_CREATE":
                    for _ in range(self.deliveries):
                        gateway.feed(event, self._personal(payload))
                case "GUILD_CREATE":
                    gateway.feed(event, {**payload, **self._joined(int(cast("str", payload["id"])))})
                case _:
                    gateway.feed(event, payload)

        self.backend.subscribers.append(feed)
        gateway.feed("READY", self._ready())
        for guild in self.backend.guilds.values():
            feed("GUILD_CREATE", serializers.guild_create_payload(self.backend, guild))
        return lambda: self.backend.subscribers.remove(feed)

    def _ready(self) -> Payload:
        return {
            "v": 10,
            "user": dict(serializers.user_payload(self.backend.bot_user)),
            "guilds": [{"id": str(guild_id), "unavailable": True} for guild_id in self.backend.guilds],
            "session_id": "simulated",
            "shard": [0, 1],
            "application": {"id": str(self.backend.application_id), "flags": 0},
        }

    def _personal(self, payload: Payload) -> Payload:
        """Add what Discord sends about the person and simcord leaves out: locales and the kind of install."""
        guild_id = payload.get("guild_id")
        member = cast("Mapping[str, Mapping[str, str]]", payload.get("member") or payload)
        personal = dict(payload)
        personal["locale"] = self.locales.get(int(member["user"]["id"]), "en-US")
        personal["authorizing_integration_owners"] = {"0": str(guild_id or 0)}
        if guild_id is not None:
            guild = self.backend.get_guild(int(str(guild_id)))
            personal["guild_locale"] = guild.preferred_locale or "en-US"
        return personal

    def members_chunk(self, guild_id: int, nonce: object, wanted: Sequence[int] | None) -> Payload:
        """Return the members of a server, or the wanted ones, for a bot that requests them."""
        guild = self.backend.get_guild(guild_id)
        members = [
            serializers.member_payload(self.backend, guild, member)
            for number, member in guild.members.items()
            if wanted is None or number in wanted
        ]
        return {
            "guild_id": str(guild_id),
            "members": members,
            "chunk_index": 0,
            "chunk_count": 1,
            "nonce": nonce,
        }

    # ------------------------------------------------------------------ simcord's own expectations

    def _begin_operation(self, label: str) -> None:
        """Let people act at the same time, which simcord would refuse because it steps the bot itself."""
        del label
        self._operation_depth += 1

    def _end_operation(self) -> None:
        self._operation_depth -= 1

    async def _settle_internal(
        self,
        *,
        timeout: float | None = None,  # noqa: ASYNC109 - simcord's signature
        idle: float = 0.05,
        dispatch: str | None = None,
        _deadline: float | None = None,
    ) -> None:
        """Wait only for the bot's first answer to the interaction that was just sent."""
        del timeout, idle, _deadline
        if dispatch == "INTERACTION_CREATE":
            interaction = next(reversed(self.backend.interactions.values()))
            await self.until(lambda: interaction.responded, ACKNOWLEDGE_SECONDS)

    def trim(self, keep: int) -> None:
        """Delete all but the first and the newest `keep` messages of each channel, and old interactions."""
        for messages in self.backend.messages.values():
            for message_id in sorted(messages)[1:-keep]:
                del messages[message_id]
        for interaction_id in sorted(self.backend.interactions)[:-KEPT_INTERACTIONS]:
            del self.backend.interaction_tokens[self.backend.interactions.pop(interaction_id).token]
        self.backend.transcript.clear()
        self.backend.http_requests.clear()
