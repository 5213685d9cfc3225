"""Discord's two interfaces on this machine, REST and gateway, over real sockets for the unmodified bot."""

import asyncio
import io
import json
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import cast

import yarl
from aiohttp import BodyPartReader, MultipartReader, WSMsgType, web
from pydantic import BaseModel, JsonValue, TypeAdapter

from bot.demo.frames import ACK_SECONDS, HEARTBEAT_MILLISECONDS, Op
from bot.demo.redirected import redirected
from bot.demo.simulator import Payload, SimulatedCall, Simulator, Upload
from service.closing import stop_accepting

MAX_REQUEST_BYTES = 32 * 1024 * 1024

_json = TypeAdapter[JsonValue](JsonValue)


class _Frame(BaseModel):
    """A gateway frame from a bot."""

    op: int
    d: JsonValue = None


class _Identify(BaseModel):
    intents: int


class _RequestMembers(BaseModel):
    guild_id: int
    nonce: str | None = None
    user_ids: list[int] | None = None


class DiscordServer:
    """Speaks Discord's protocol for a simulator, with one bot at a time."""

    def __init__(self, simulator: Simulator, base: yarl.URL) -> None:
        self._simulator = simulator
        self._gateway_url = str(base.with_scheme("ws") / "gateway/")
        self._session = _Session()
        self._clients: set[web.WebSocketResponse] = set()
        self.breaks: Callable[[SimulatedCall], bool] = lambda _call: False
        """The function that says which requests, unread, end with a broken connection, as sometimes with the real Discord."""
        self._connected = asyncio.Event()

    def expect_bot(self) -> None:
        """Drop the session of the previous bot before another one starts."""
        self._session.close()
        self._session = _Session()
        self._connected.clear()

    async def bot_connected(self, seconds: float) -> None:
        """Wait until the bot receives events. Raises: TimeoutError."""
        async with asyncio.timeout(seconds):
            await self._connected.wait()

    async def drop_connections(self, code: int = 4000) -> None:
        """Close the bot's gateway connections, as Discord sometimes does."""
        self._connected.clear()
        for client in tuple(self._clients):
            await client.close(code=code)

    def application(self) -> web.Application:
        """Return the web application for the base address."""
        application = web.Application(client_max_size=MAX_REQUEST_BYTES)
        application.router.add_get("/gateway/", self._gateway)
        application.router.add_get("/api/v10/gateway/bot", self._recommended)
        application.router.add_route("*", "/api/v10/{path:.*}", self._rest)
        return application

    # ------------------------------------------------------------------ REST

    async def _rest(self, request: web.Request) -> web.Response:
        body, files = await _read(request)
        call = SimulatedCall(
            method=request.method,
            path="/" + request.match_info["path"],
            body=body,
            query=dict(request.query),
            files=files,
            reason=request.headers.get("X-Audit-Log-Reason"),
        )
        if self.breaks(call) and request.transport is not None:
            request.transport.abort()
            return web.Response()
        status, reply = self._simulator.answer(call)
        if reply is None:
            return web.Response(status=status)
        # discord.py parses a reply only with exactly this type, without a charset.
        headers = {"Content-Type": "application/json"}
        if status == HTTPStatus.TOO_MANY_REQUESTS and "retry_after" in cast("Payload", reply):
            headers["Via"] = (
                "1.1 simulated"  # tells discord.py that a rate limit is Discord's own, not that of a proxy before it
            )
        return web.Response(status=status, body=_dumps(reply).encode(), headers=headers)

    async def _recommended(self, _request: web.Request) -> web.Response:
        limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
        reply = {"url": self._gateway_url, "shards": 1, "session_start_limit": limit}
        return web.Response(body=_dumps(reply).encode(), headers={"Content-Type": "application/json"})

    # ------------------------------------------------------------------ gateway

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        client = web.WebSocketResponse(max_msg_size=0)
        await client.prepare(request)
        self._clients.add(client)
        sender: asyncio.Task[None] | None = None
        try:
            await _send(client, {"op": Op.HELLO, "d": {"heartbeat_interval": HEARTBEAT_MILLISECONDS}})
            async for message in client:
                if message.type not in {WSMsgType.TEXT, WSMsgType.BINARY}:
                    break
                if await self._receive(client, _Frame.model_validate_json(message.data)):
                    sender = asyncio.create_task(self._session.send_to(client))
                    self._connected.set()
        finally:
            if sender is not None:
                sender.cancel()
            self._clients.discard(client)
        return client

    async def _receive(self, client: web.WebSocketResponse, frame: _Frame) -> bool:
        """Handle a frame from the bot; return True if it should receive events from now on."""
        match frame.op:
            case Op.HEARTBEAT:
                await asyncio.sleep(ACK_SECONDS)
                await _send(client, {"op": Op.HEARTBEAT_ACK})
            case Op.IDENTIFY:
                self.expect_bot()
                intents = _Identify.model_validate(frame.d).intents
                self._session.close = self._simulator.connect(intents, self._deliver)
                self._session.is_open = True
                return True
            case Op.RESUME if self._session.is_open:
                self._deliver("RESUMED", {})
                return True
            case Op.RESUME:  # of a previous bot
                await _send(client, {"op": Op.INVALID_SESSION, "d": False})
            case Op.REQUEST_GUILD_MEMBERS:
                asked = _RequestMembers.model_validate(frame.d)
                self._deliver(
                    "GUILD_MEMBERS_CHUNK",
                    self._simulator.members_chunk(asked.guild_id, asked.nonce, asked.user_ids),
                )
            case _:  # presence and voice are ignored
                pass
        return False

    def _deliver(self, event: str, payload: Payload) -> None:
        if event == "READY":
            payload = {**payload, "resume_gateway_url": self._gateway_url}
        self._session.events.put_nowait((event, payload))


class _Session:
    """The queue of events for a bot, which is kept while its socket is closed."""

    def __init__(self) -> None:
        self.events: asyncio.Queue[tuple[str, Payload]] = asyncio.Queue()
        self.close: Callable[[], None] = lambda: None
        self.is_open = False
        self._sequence = 0

    async def send_to(self, client: web.WebSocketResponse) -> None:
        while not client.closed:
            event, payload = await self.events.get()
            self._sequence += 1
            await _send(client, {"op": Op.DISPATCH, "t": event, "s": self._sequence, "d": payload})


async def _send(client: web.WebSocketResponse, frame: Payload) -> None:
    if not client.closed:
        await client.send_str(_dumps(frame))  # discord.py takes bytes for compressed data


def _dumps(value: object) -> str:
    return json.dumps(value, default=str)


async def _read(request: web.Request) -> tuple[JsonValue, tuple[Upload, ...]]:
    """Return the JSON body and the files of a request, multipart or not."""
    if not request.content_type.startswith("multipart/"):
        raw = await request.read()
        return (_json.validate_json(raw) if raw else None), ()
    body: JsonValue = None
    files: list[Upload] = []
    reader: MultipartReader = await request.multipart()
    async for part in reader:
        if not isinstance(part, BodyPartReader):
            continue
        content = bytes(await part.read(decode=False))
        if part.name == "payload_json":
            body = _json.validate_json(content)
        else:
            files.append(
                Upload(part.filename or "file", io.BytesIO(content), _description(body, part.name or ""))
            )
    return body, tuple(files)


def _description(body: JsonValue, part: str) -> str | None:
    """Return the alternative text of the file sent as "files[0]"; the JSON body comes before the files."""
    said = body.get("attachments") if isinstance(body, dict) else None
    for each in said if isinstance(said, list) else ():
        if isinstance(each, dict) and part == f"files[{each.get('id')}]":
            text = each.get("description")
            return text if isinstance(text, str) else None
    return None


@dataclass(frozen=True, slots=True)
class LocalDiscord:
    """A simulated Discord, served on this machine."""

    simulator: Simulator
    server: DiscordServer


@asynccontextmanager
async def local_discord() -> AsyncGenerator[LocalDiscord]:
    """Serve a simulated Discord, and meanwhile redirect every discord.py client of this process to it."""
    simulator = Simulator()
    listener = socket.create_server(("127.0.0.1", 0))
    base = yarl.URL.build(scheme="http", host="127.0.0.1", port=int(listener.getsockname()[1]))
    server = DiscordServer(simulator, base)
    runner = web.AppRunner(server.application(), access_log=None, shutdown_timeout=0.2)
    try:
        await runner.setup()
        await web.SockSite(runner, listener).start()
        with redirected(base):
            yield LocalDiscord(simulator, server)
    finally:
        await stop_accepting([listener])
        await server.drop_connections(1001)
        await runner.cleanup()
        listener.close()
