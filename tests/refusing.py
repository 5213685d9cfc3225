"""A Discord that lets a bot in as far as it is told to."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from aiohttp import web

from bot.demo.frames import Op

ME = {"id": "1", "username": "Kiroku", "discriminator": "0", "avatar": None, "bot": True}
APPLICATION = {
    "id": "1", "name": "Kiroku", "description": "", "verify_key": "", "bot_public": True,
    "bot_require_code_grant": False, "flags": 0, "icon": None, "summary": "", "owner": ME,
}  # fmt: skip
STARTS = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}


class Refusing:
    def __init__(self) -> None:
        self.url = ""
        self.logins = [200]
        """The status of each login, one after another; the last for all that follow."""
        self.commands: tuple[int, object] = (200, [])
        self.close = 4004
        self.silent = ""
        """What is never answered: the end of a path, or "HELLO", "READY" of the gateway."""
        self.begins = False
        """Whether a session begins before its connection is closed."""
        self.asked = asyncio.Condition()
        self.counts = Counter[str]()
        """What was asked, by path, and by the names of the gateway's operations."""

    async def until(self, what: str, times: int = 1) -> None:
        """Wait until something was asked for so often."""
        async with self.asked:
            await self.asked.wait_for(lambda: self.counts[what] >= times)

    async def _note(self, what: str) -> None:
        async with self.asked:
            self.counts[what] += 1
            self.asked.notify_all()
        if what == self.silent:
            await asyncio.sleep(3600)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        await self._note(request.path.removeprefix("/api/v10"))
        match request.method, request.path.removeprefix("/api/v10"):
            case "GET", "/users/@me":
                return _answer(self.logins.pop(0) if len(self.logins) > 1 else self.logins[0], ME)
            case "GET", "/oauth2/applications/@me":
                return _answer(200, APPLICATION)
            case "GET", "/gateway/bot":
                return _answer(200, {"url": self.url, "shards": 1, "session_start_limit": STARTS})
            case "PUT", _:
                return _answer(*self.commands)
            case _:
                return await self._gateway(request)

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await self._note("HELLO")
        await socket.send_str(json.dumps({"op": 10, "d": {"heartbeat_interval": 41_250}}))
        said = {"op": 1}
        while said["op"] == Op.HEARTBEAT:
            said = await socket.receive_json()
        await self._note(Op(said["op"]).name)
        await self._note("READY")
        if self.begins:
            ready = {
                "v": 10, "user": ME, "application": {"id": "1", "flags": 0}, "session_id": "x", "guilds": [],
                "resume_gateway_url": self.url.replace("http", "ws"), "shard": [0, 1],
            }  # fmt: skip
            await socket.send_str(json.dumps({"op": 0, "t": "READY", "s": 1, "d": ready}))
        await socket.close(code=self.close)
        return socket


def _answer(status: int, body: object) -> web.Response:
    return web.Response(
        status=status, body=json.dumps(body).encode(), headers={"Content-Type": "application/json"}
    )


@asynccontextmanager
async def refusing_discord() -> AsyncGenerator[Refusing]:
    discord = Refusing()
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", discord.handle)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    discord.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield discord
    await runner.cleanup()
