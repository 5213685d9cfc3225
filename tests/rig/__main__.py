"""A Discord for tests, as a process of its own: `python -m rig` prints where it stands, and ends with its input."""

import asyncio
import dataclasses
import socket
import sys
import time
from typing import Any

from aiohttp import web
from rig.gateway import Gateway
from rig.guilds import channel_id, guild_id, member
from rig.guilds import user as person
from rig.interactions import Asked, Interactions
from rig.messages import Messages
from rig.rest import Rest
from rig.sessions import Sessions
from rig.world import World
from yarl import URL

FOREVER_SECONDS = 3600.0


class Rig:
    """Everything together, and what tests may do to it by POST at `/control/NAME` with their arguments as JSON."""

    def __init__(self, address: URL) -> None:
        self._world = World(address)
        self._messages = Messages()
        self._sessions = Sessions(self._world)
        self._interactions = Interactions(self._world, self._messages)
        self._rest = Rest(self._world, self._messages, self._interactions)
        self._gateway = Gateway(self._world, self._sessions)

    def application(self) -> web.Application:
        application = web.Application()
        application.router.add_get("/{process}/gateway/", self._gateway.serve)
        application.router.add_post("/control/{name}", self._control)
        application.router.add_route("*", "/{process}/api/v10/{path:.*}", self._rest.serve)
        return application

    async def _control(self, request: web.Request) -> web.Response:
        does = getattr(self, request.match_info["name"])
        return web.json_response(await does(**await request.json()))

    async def set(self, **what: Any) -> None:
        """Change what this Discord is like."""
        for name, value in what.items():
            assert name in {field.name for field in dataclasses.fields(self._world)}, name
            setattr(self._world, name, value)
        self._world.note()

    async def state(self, past: int) -> dict[str, Any]:
        """Return what was counted and who is connected, once something has happened since."""
        await self._world.past(past)
        asked = self._interactions.asked.values()
        late = [each for each in asked if not each.is_acknowledged and each.age > self._world.patience]
        left = [each for each in asked if each.is_acknowledged and not each.answered.is_set()]
        return {
            "version": self._world.version,
            "counts": {
                **self._world.counts,
                "asked": len(asked),
                "unanswered": len(late),
                "begun": len(left),
            },
            "shards": self._sessions.live(),
            "poster": self._world.poster,
        }

    async def sent(self) -> list[dict[str, Any]]:
        """Return the requests that were kept."""
        return self._world.sent

    async def ids(self) -> list[str]:
        """Return the ids of all buttons below all messages."""
        return [
            button["custom_id"]
            for each in self._messages
            for row in each["components"]
            for button in row["components"]
        ]

    async def posts(self, number: int) -> list[str]:
        """Return what the bot has posted in a server by itself, oldest first."""
        return [
            embed.get("description", "")
            for each in self._messages.in_channel(str(channel_id(number)))
            for embed in each["embeds"]
            if each["nonce"]
        ]

    async def ask(
        self,
        user: int,
        guild: int | None,
        command: str,
        options: dict[str, Any],
        seconds: float = FOREVER_SECONDS,
    ) -> dict[str, Any]:
        """Let somebody use a command; returns the answer, or what there is of it after so many seconds."""
        data = self._interactions.command(command, options)
        return await self._await(self._interactions.ask(user, guild, data), seconds)

    async def press(
        self, user: int, guild: int | None, message: str, button: str, seconds: float = FOREVER_SECONDS
    ) -> dict[str, Any]:
        """Let somebody press a button; otherwise as `ask`."""
        data = {"custom_id": button, "component_type": 2}
        return await self._await(self._interactions.ask(user, guild, data, pressed=message), seconds)

    async def play(self, lanes: list[list[dict[str, Any]]], seconds: float) -> list[list[float | None]]:
        """Let people do things, those of one lane one after another, and all lanes side by side.

        A step is a command with its options, as in `ask`; with `typed`, the option that is being written. It is done once
        the one before is answered, not before `at`, in seconds from now. Returned is after how many seconds each was
        answered, counted from when it was to be done, or None where it was not within `seconds`.
        """
        began = time.monotonic()
        return await asyncio.gather(*(self._play_lane(lane, began, seconds) for lane in lanes))

    async def _play_lane(
        self, lane: list[dict[str, Any]], began: float, seconds: float
    ) -> list[float | None]:
        took: list[float | None] = []
        for step in lane:
            due = began + step["at"] if "at" in step else time.monotonic()
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            data = self._interactions.command(step["command"], step["options"], step.get("typed"))
            asked = self._interactions.ask(step["user"], step["guild"], data, is_typed="typed" in step)
            await self._await(asked, seconds)
            took.append(time.monotonic() - due if asked.answered.is_set() else None)
        return took

    async def commands(self) -> list[dict[str, Any]]:
        """Return the commands that are registered."""
        return self._interactions.commands

    async def forget(self) -> None:
        """Forget all that was asked and answered, and what was kept."""
        self._interactions.asked.clear()
        self._messages.clear()
        self._world.sent.clear()

    async def say(self, user: int, number: int, text: str) -> None:
        """Let somebody write in a server."""
        message = self._messages.say(str(channel_id(number)), person(user), text)
        place = {"guild_id": str(guild_id(number)), "member": member(user)}
        self._sessions.tell(number, "MESSAGE_CREATE", message | place)

    async def _await(self, asked: Asked, seconds: float) -> dict[str, Any]:
        asked.told = self._sessions.tell(asked.guild, "INTERACTION_CREATE", asked.payload)
        self._world.note()
        try:
            async with asyncio.timeout(seconds):
                await asked.answered.wait()
        except TimeoutError:
            pass
        return asked.report(self._messages)

    async def asked(self) -> list[dict[str, Any]]:
        """Return all that was asked."""
        return [each.report(self._messages) for each in self._interactions.asked.values()]

    async def drop(self, shard: int | None = None, code: int = 4000) -> None:
        """Close the connections of a shard, or all."""
        await self._sessions.drop(shard, code)

    async def outage(self, number: int, *, over: bool = False) -> None:
        """Take a server away for a while, or give it back."""
        if over:
            self._world.away.discard(number)
            self._sessions.tell(number, "GUILD_CREATE", self._world.guild(number))
        else:
            self._world.away.add(number)
            self._sessions.tell(number, "GUILD_DELETE", {"id": str(guild_id(number)), "unavailable": True})

    async def leave(self, user: int, number: int) -> None:
        """Let somebody leave a server."""
        self._world.left.add((number, user))


async def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    address = URL.build(scheme="http", host="127.0.0.1", port=listener.getsockname()[1])
    runner = web.AppRunner(Rig(address).application(), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.SockSite(runner, listener).start()
    sys.stdout.write(f"{address}\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(main())
