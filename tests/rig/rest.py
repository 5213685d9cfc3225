"""Discord's requests, with its limits. A process is known by the first part of the path that it asks."""

import asyncio
import json
import re
import time
from base64 import b64encode
from collections import defaultdict, deque
from collections.abc import Mapping
from typing import Any, Final

from aiohttp import BodyPartReader, web
from rig.guilds import APPLICATION, BOT, Json, channel, channel_id, guild_number, member
from rig.interactions import Interactions
from rig.messages import Messages, Refused, shown
from rig.world import World

ALL_REQUESTS: Final = (50, 1.0)
"""Requests, in so many seconds; those about interactions do not count."""
CHANNEL_MESSAGES: Final = (5, 5.0)
"""Messages that may be posted in a channel. Source of both: Discord's documentation, rate limits."""
APPLICATION_EMOJIS: Final = 2_000
"""Source: Discord's documentation, emoji resource."""


_REFUSALS: Final = {403: (50001, "Missing Access"), 404: (10003, "Unknown Channel")}


class Limit:
    """So many in so many seconds."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most = most
        self._seconds = seconds
        self._times = deque[float]()

    def wait(self) -> float:
        """Let one through, or return after how many seconds the next one may come."""
        now = time.monotonic()
        while self._times and now - self._times[0] >= self._seconds:
            self._times.popleft()
        if len(self._times) >= self._most:
            return self._seconds - (now - self._times[0])
        self._times.append(now)
        return 0.0


class Rest:
    """Answers a bot's requests."""

    def __init__(self, world: World, messages: Messages, interactions: Interactions) -> None:
        self._world = world
        self._messages = messages
        self._interactions = interactions
        self._all = Limit(*ALL_REQUESTS)
        self._emojis: dict[str, Json] = {}
        self._channels = defaultdict[str, Limit](lambda: Limit(*CHANNEL_MESSAGES))

    async def serve(self, request: web.Request) -> web.Response:
        path = request.match_info["path"].split("/")
        body, contents = await _read(request)
        files = [*contents]
        if self._world.keeps:
            found = "/" + request.match_info["path"]
            kept = {name: b64encode(content).decode() for name, content in contents.items()}
            self._world.sent.append(
                {"method": request.method, "path": found, "body": body or None, "files": kept}
            )
        what = f"{request.method} {path[0]}"
        try:
            if path[0] in {"interactions", "webhooks"}:
                return self._answer(request, path, body, files)
            self._world.counts["requests"] += 1
            if wait := self._all.wait():
                return self._limited(wait, is_global=True)
            if what == "POST channels" and (wait := self._channels[path[1]].wait()):
                return self._limited(wait, is_global=False)
            if what == "POST channels" and path[2:] == ["messages"]:
                return await self._post(request, path[1], body, files)
            return _reply(200, self._look_up(request.method, path, body, files))
        except Refused as refused:
            return _reply(refused.status, refused.body)

    async def _post(self, request: web.Request, found: str, body: Json, files: list[str]) -> web.Response:
        """Make a message, with all that may go wrong beside it. Raises: Refused."""
        world, number = self._world, self._number(int(found))
        world.note("posting")
        if status := world.refuses.get(str(number)):
            raise Refused(status, *_REFUSALS[status])
        if world.fails and world.counts["posting"] % world.fails == 0:
            raise Refused(503, 0, "Service Unavailable")
        message, is_new = self._messages.post(found, body, files)
        world.poster = request.match_info["process"]
        world.note("posted" if is_new else "posted_before")
        is_removed = is_new and world.loses and world.counts["posted"] % world.loses == 0
        await asyncio.sleep(world.hold)
        if is_removed and request.transport is not None:
            world.note("replies_lost")
            request.transport.abort()
        return _reply(200, shown(message))

    def _limited(self, wait: float, *, is_global: bool) -> web.Response:
        self._world.note("limited")
        headers = {"Retry-After": f"{wait:.3f}", "Via": "1.1 rig"}
        body = {"message": "You are being rate limited.", "retry_after": wait, "global": is_global}
        return _reply(429, body, headers)

    def _look_up(self, method: str, path: list[str], body: Json, files: list[str]) -> object:
        """Return what is not about interactions. Raises: Refused."""
        match path:
            case ["users", "@me"]:
                return BOT
            case ["oauth2", "applications", "@me"]:
                return APPLICATION
            case ["gateway", "bot"]:
                return self._gateway()
            case ["applications", _, kind, *rest]:
                return self._register(method, body) if kind == "commands" else self._emoji(method, rest, body)
            case ["guilds", guild_id, *rest]:
                return self._in_guild(self._number(int(guild_id)), rest)
            case ["channels", found, *rest] if self._is_channel(int(found)):
                return self._in_channel(method, found, rest, (body, files))
            case _:
                raise Refused(404, 10003 if path[0] == "channels" else 0, "Unknown")

    def _gateway(self) -> Json:
        starts = {
            "total": 1000,
            "remaining": 1000,
            "reset_after": 0,
            "max_concurrency": self._world.concurrency,
        }
        return {"url": self._world.gateway, "shards": self._world.shards, "session_start_limit": starts}

    def _in_guild(self, number: int, rest: list[str]) -> object:
        if not rest:
            return {
                key: value
                for key, value in self._world.guild(number).items()
                if key not in {"channels", "members"}
            }
        if rest == ["channels"]:
            return [channel(number)]
        if rest[-1] == BOT["id"]:
            return {**member(int(BOT["id"])), "user": BOT}
        if (number, int(rest[-1])) in self._world.left:
            raise Refused(404, 10007, "Unknown Member")
        return member(int(rest[-1]))

    def _in_channel(self, method: str, found: str, rest: list[str], said: tuple[Json, list[str]]) -> object:
        if not rest:
            return channel(guild_number(int(found)))
        if method == "GET":
            return self._messages.in_channel(found)[::-1][:100]
        return shown(self._change(method, rest[-1], *said))

    def _register(self, method: str, commands: Any) -> list[Json]:
        if method == "PUT":
            self._interactions.commands = [
                {"description": "", **each, "id": str(9000 + n), "application_id": BOT["id"], "version": "1"}
                for n, each in enumerate(commands)
            ]
            self._world.note("registered")
        return self._interactions.commands

    def _emoji(self, method: str, rest: list[str], body: Json) -> object:
        """List the application's emoji, take one, or delete one. Raises: Refused."""
        if method == "GET":
            return {"items": list(self._emojis.values())}
        if method == "DELETE":
            return self._emojis.pop(rest[0], None) or {}
        if len(self._emojis) >= APPLICATION_EMOJIS:
            raise Refused(400, 30008, "Maximum number of emojis reached (2000)")
        if re.fullmatch(r"\w{2,32}", body["name"], re.ASCII) is None:
            raise Refused(400, 50035, "Invalid Form Body")
        number = str(max(map(int, self._emojis), default=8 * 10**18) + 1)
        self._emojis[number] = {"id": number, "name": body["name"], "animated": False, "available": True}
        self._world.note("emoji")
        return self._emojis[number]

    def _change(self, method: str, message_id: str, body: Json, files: list[str]) -> Json:
        message = self._messages.get(message_id)
        if method == "PATCH":
            self._messages.edit(message, body, files)
        elif method == "DELETE":
            self._messages.delete(message_id)
        return message

    def _number(self, guild_id: int) -> int:
        number = guild_number(guild_id)
        if not 0 <= number < self._world.guilds:
            raise Refused(404, 10004, "Unknown Guild")
        return number

    def _is_channel(self, found: int) -> bool:
        number = guild_number(found)
        return 0 <= number < self._world.guilds and found == channel_id(number)

    def _answer(self, request: web.Request, path: list[str], body: Json, files: list[str]) -> web.Response:
        """Let a process answer somebody, and remember how."""
        token, status = path[2], 200
        message: Json = {}
        try:
            message = self._say(request.method, path, body, files)
        except Refused as refused:
            status = refused.status
            raise
        finally:
            said = " ".join([request.method, *path[3:], str(body.get("type", ""))]).strip()
            message_id = message.get("id")
            process = request.match_info["process"]
            self._interactions.note_try(token, process=process, said=said, status=status, message=message_id)
            self._world.note()
        if path[0] == "webhooks":
            return _reply(200, shown(message)) if message else web.Response(status=204)
        if "with_response" not in request.query:
            return web.Response(status=204)
        about = {"id": path[1], "type": 2, "response_message_id": message.get("id", "0")}
        return _reply(200, {"interaction": about})

    def _say(self, method: str, path: list[str], body: Json, files: list[str]) -> Json:
        interactions = self._interactions
        match method, path:
            case "POST", ["interactions", _, token, "callback"]:
                return interactions.acknowledge(token, body, files)
            case "POST", ["webhooks", _, token]:
                return interactions.follow_up(token, body, files)
            case "PATCH", ["webhooks", _, token, "messages", "@original"]:
                return interactions.fill(token, body, files)
            case _, ["webhooks", _, token, "messages", message_id]:
                if message_id == "@original":
                    message_id = interactions.original(token)["id"]
                changed = self._change(method, message_id, body, files)
                return {} if method == "DELETE" else changed
            case _:
                raise Refused(404, 0, "404: Not Found")


def _reply(status: int, body: object, headers: Mapping[str, str] = {}) -> web.Response:
    # discord.py parses a reply only if its type is exactly this, without a charset.
    kind = {"Content-Type": "application/json"}
    return web.Response(status=status, body=json.dumps(body).encode(), headers={**kind, **headers})


async def _read(request: web.Request) -> tuple[Json, Mapping[str, bytes]]:
    """Return the JSON body of a request, multipart or not, and its files by their names."""
    if not request.content_type.startswith("multipart/"):
        raw = await request.read()
        return (json.loads(raw) if raw else {}), {}
    body: Json = {}
    files: dict[str, bytes] = {}
    async for part in await request.multipart():
        if isinstance(part, BodyPartReader) and part.name == "payload_json":
            body = json.loads(await part.read())
        elif isinstance(part, BodyPartReader):
            files[part.filename or "file"] = bytes(await part.read())
    return body, files
