"""The gateway, over real sockets. A process is known by the token that it says."""

import asyncio
import json
import time
from collections import deque
from typing import Final

from aiohttp import WSMsgType, web
from rig.guilds import BOT, Json, guild_number, member
from rig.sessions import Session, Sessions
from rig.world import World

from bot.demo.frames import ACK_SECONDS, HEARTBEAT_MILLISECONDS, Op

RATE_LIMITED: Final = 4008
MOST_SENT: Final = (120, 60.0)
"""What a bot may send on one connection, in so many seconds. Source of both: Discord's documentation, gateway."""
GOODBYE: Final = (1000, 1001)
"""Codes with which a bot ends its session. Source: Discord's documentation, disconnecting."""


class Gateway:
    """Opens a session for each IDENTIFY, goes on with one at each RESUME."""

    def __init__(self, world: World, sessions: Sessions) -> None:
        self._world = world
        self._sessions = sessions

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        await _send(socket, Op.HELLO, {"heartbeat_interval": HEARTBEAT_MILLISECONDS})
        session: Session | None = None
        speaking: asyncio.Task[None] | None = None
        said_goodbye = False
        sent = deque[float]()
        try:
            while (message := await socket.receive()).type is WSMsgType.TEXT:
                if _is_too_much(sent):
                    self._world.note("gateway_limited")
                    await socket.close(code=RATE_LIMITED)
                    break
                frame = json.loads(message.data)
                said = frame["d"]
                match frame["op"]:
                    case Op.HEARTBEAT:
                        await asyncio.sleep(ACK_SECONDS)
                        await _send(socket, Op.HEARTBEAT_ACK, None)
                    case Op.IDENTIFY | Op.RESUME if session is None:
                        session, heard = await self._begin(socket, frame["op"], said)
                        if session is not None:
                            session.take(socket, said["token"])
                            self._sessions.connected(session)
                            speaking = asyncio.create_task(self._speak(session, socket, heard))
                    case Op.REQUEST_GUILD_MEMBERS if session is not None:
                        session.tell("GUILD_MEMBERS_CHUNK", self._chunk(said))
                    case _:
                        pass
            said_goodbye = message.type is WSMsgType.CLOSE and message.data in GOODBYE
        finally:
            if speaking is not None and session is not None:
                speaking.cancel()
                session.leave(socket)
                self._sessions.left(session, is_over=said_goodbye)
        return socket

    async def _begin(self, socket: web.WebSocketResponse, op: int, said: Json) -> tuple[Session | None, int]:
        """Return the session that a connection asks for, and how much of it was heard."""
        if op == Op.RESUME:
            session, heard = self._sessions.resume(said["session_id"], said["seq"]), said["seq"]
        else:
            shard, count = said.get("shard", (0, 1))
            if (code := self._sessions.refusal(shard, count)) is not None:
                await socket.close(code=code)
                return None, 0
            session, heard = self._sessions.identify(shard, count), 0
        if session is None:
            await _send(socket, Op.INVALID_SESSION, data=False)
        return session, heard

    async def _speak(self, session: Session, socket: web.WebSocketResponse, heard: int) -> None:
        await self._world.until_told()
        await session.speak(socket, heard)

    def _chunk(self, asked: Json) -> Json:
        """Return the members among those asked for; of a whole server the bot alone, which needs no intent."""
        guild = int(asked["guild_id"])
        wanted = [int(each) for each in asked.get("user_ids") or (BOT["id"],)]
        left = {who for number, who in self._world.left if number == guild_number(guild)}
        return {
            "guild_id": str(guild),
            "members": [member(each) for each in wanted if each not in left],
            "not_found": [str(each) for each in wanted if each in left],
            "chunk_index": 0,
            "chunk_count": 1,
            "nonce": asked.get("nonce"),
        }


def _is_too_much(sent: deque[float]) -> bool:
    """Count what a connection sends; return whether it has sent more than it may."""
    most, seconds = MOST_SENT
    now = time.monotonic()
    sent.append(now)
    while now - sent[0] >= seconds:
        sent.popleft()
    return len(sent) > most


async def _send(socket: web.WebSocketResponse, op: Op, data: object) -> None:
    await socket.send_str(json.dumps({"op": op, "d": data}))
