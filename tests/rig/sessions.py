"""Sessions: what each was told, numbered, so that whoever resumes one is told what they have not heard."""

import asyncio
import json
import time
from collections.abc import Collection
from contextlib import suppress
from typing import Final

from aiohttp import web
from rig.guilds import APPLICATION, BOT, Json, guild_id, snowflake
from rig.world import World

from bot.demo.frames import Op

IDENTIFY_SECONDS: Final = 5.0
"""In which a bucket of shards may IDENTIFY once. Source: Discord's documentation, max_concurrency."""
MOST_GUILDS: Final = 2500
"""On one shard. Source: Discord's documentation, sharding."""
RESUMABLE_SECONDS: Final = 120.0
"""For which a session outlives its connection; Discord says no more than "a few minutes"."""


class Session:
    """One session of one shard, with the connection that it has now."""

    def __init__(self, shard: int, count: int) -> None:
        self.id = f"session{snowflake()}"
        self.shard = shard
        self.count = count
        self.process = ""
        """Whose connection it is."""
        self.left_at: float | None = None
        self._socket: web.WebSocketResponse | None = None
        self._frames: list[str] = []
        self._bus = asyncio.Event()

    @property
    def is_live(self) -> bool:
        return self._socket is not None

    @property
    def length(self) -> int:
        return len(self._frames)

    def has(self, number: int | None) -> bool:
        """Return whether it serves a server, by its number; direct messages where there is none."""
        return self.shard == (0 if number is None else (guild_id(number) >> 22) % self.count)

    def tell(self, event: str, data: Json) -> None:
        self._frames.append(json.dumps({"op": Op.DISPATCH, "t": event, "s": self.length + 1, "d": data}))
        self._bus.set()

    async def hang_up(self, code: int) -> None:
        if self._socket is not None:
            await self._socket.close(code=code)

    def take(self, socket: web.WebSocketResponse, process: str) -> None:
        """Let a connection have the session; one that had it before is closed."""
        self._socket, self.process, self.left_at = socket, process, None
        self._bus.set()

    async def speak(self, socket: web.WebSocketResponse, heard: int) -> None:
        """Tell a connection all that comes after what it has `heard`, while the session is its own."""
        with suppress(ConnectionError):
            while self._socket is socket:
                self._bus.clear()
                for frame in self._frames[heard:]:
                    await socket.send_str(frame)
                    heard += 1
                await self._bus.wait()
        await socket.close(code=4000)

    def leave(self, socket: web.WebSocketResponse) -> None:
        if self._socket is socket:
            self._socket, self.left_at = None, time.monotonic()


class Sessions:
    """All sessions, and when each bucket of shards may IDENTIFY again."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._sessions: dict[str, Session] = {}
        self._identified: dict[int, float] = {}

    def refusal(self, shard: int, count: int) -> int | None:
        """Return the code with which Discord hangs up on such a shard; None if it takes it."""
        if not 0 <= shard < count:
            return 4010
        return 4011 if len(self._guilds(Session(shard, count))) > MOST_GUILDS else None

    def identify(self, shard: int, count: int) -> Session | None:
        """Begin a session; None if that was too soon."""
        now, bucket = time.monotonic(), shard % self._world.concurrency
        before, self._identified[bucket] = self._identified.get(bucket, -IDENTIFY_SECONDS), now
        if now - before < IDENTIFY_SECONDS:
            self._world.note("identifies", "identifies_too_soon")
            return None
        session = Session(shard, count)
        self._sessions[session.id] = session
        guilds = self._guilds(session)
        session.tell(
            "READY",
            {
                "v": 10,
                "user": BOT,
                "application": APPLICATION,
                "session_id": session.id,
                "resume_gateway_url": self._world.gateway,
                "shard": [shard, count],
                "guilds": [{"id": str(guild_id(number)), "unavailable": True} for number in guilds],
            },
        )
        asyncio.get_running_loop().call_later(self._world.late, self._tell_guilds, session, guilds)
        self._world.note("identifies")
        return session

    def _tell_guilds(self, session: Session, guilds: Collection[int]) -> None:
        for number in guilds:
            if number not in self._world.away:
                session.tell("GUILD_CREATE", self._world.guild(number))

    def resume(self, session_id: str, heard: int) -> Session | None:
        """Go on with a session after what was `heard` of it; None if it is refused."""
        session = self._sessions.get(session_id)
        if session is None or self._world.forgets or heard > session.length or self._is_over(session):
            self._world.note("resumes_refused")
            return None
        self._world.counts["replayed"] += session.length - heard
        session.tell("RESUMED", {})
        self._world.note("resumes")
        return session

    def connected(self, session: Session) -> None:
        """Count the servers that two connections serve now."""
        mine = set(self._guilds(session))
        for other in self._sessions.values():
            if other.is_live and other is not session:
                self._world.counts["served_twice"] += len(mine.intersection(self._guilds(other)))
        self._world.note()

    def left(self, session: Session, *, is_over: bool) -> None:
        """Note that a connection is gone, perhaps with its session."""
        if is_over:
            self._sessions.pop(session.id, None)
        self._world.note()

    def tell(self, number: int | None, event: str, data: Json) -> list[str]:
        """Tell whoever serves a server, also those who are away for a moment; returns whose sessions they are."""
        told = [each for each in self._sessions.values() if each.has(number) and not self._is_over(each)]
        for session in told:
            session.tell(event, data)
        return [session.process for session in told]

    def live(self) -> dict[int, list[str]]:
        """Return whose connections serve each shard."""
        shards: dict[int, list[str]] = {}
        for session in self._sessions.values():
            if session.is_live:
                shards.setdefault(session.shard, []).append(session.process)
        return shards

    async def drop(self, shard: int | None, code: int) -> None:
        """Close the connections of a shard, or all."""
        for session in tuple(self._sessions.values()):
            if shard in {None, session.shard}:
                await session.hang_up(code)

    def _guilds(self, session: Session) -> list[int]:
        return [number for number in range(self._world.guilds) if session.has(number)]

    @staticmethod
    def _is_over(session: Session) -> bool:
        return session.left_at is not None and time.monotonic() - session.left_at > RESUMABLE_SECONDS
