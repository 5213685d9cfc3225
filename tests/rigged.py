"""Discord as a process of its own (tests/rig), for real `kiroku run` processes.

    async with running_rig(shards=2) as rig, started(rig, "one", folder):
        told = await rig.ask("about", guild=1)
        assert told.processes == ["one"]

A process is known by its name: the first part of the path of its requests, and its token on the gateway.
"""

import sys
from asyncio.subprocess import PIPE, Process, create_subprocess_exec
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, ClientTimeout
from redirected import start_program
from rig.guilds import Json

SOMEBODY = 5_000_000 << 22
SECONDS = 60.0


@dataclass(frozen=True)
class Told:
    """What became of something that was asked."""

    report: Json

    @property
    def processes(self) -> list[str]:
        """Those whose first answer Discord took."""
        return [
            each["process"]
            for each in self.report["tries"]
            if "callback" in each["said"] and each["status"] == 200
        ]

    @property
    def message(self) -> Json:
        (message,) = self.report["messages"]
        return message


@dataclass(frozen=True)
class State:
    """What the rig has counted, and whose connections serve each shard."""

    version: int
    counts: Mapping[str, int]
    shards: Mapping[int, list[str]]
    poster: str
    """The process that has posted last."""


class Rig:
    """How a test speaks to the rig."""

    def __init__(self, address: str, session: ClientSession) -> None:
        self._address = address
        self._session = session

    def address(self, process: str) -> str:
        """Return where a process finds Discord."""
        return f"{self._address}/{process}"

    async def do(self, name: str, **arguments: Any) -> Any:
        """Do something to this Discord, as `rig.__main__.Rig` says."""
        async with self._session.post(f"{self._address}/control/{name}", json=arguments) as reply:
            assert reply.status == 200, name
            return await reply.json()

    async def ask(
        self,
        command: str,
        *,
        guild: int | None = 0,
        user: int = SOMEBODY,
        seconds: float = SECONDS,
        **options: Any,
    ) -> Told:
        """Use a command; the answer, or what there is of it after so many seconds."""
        return Told(
            await self.do("ask", command=command, guild=guild, user=user, seconds=seconds, options=options)
        )

    async def state(self, past: int = -1) -> State:
        said = await self.do("state", past=past)
        shards = {int(shard): processes for shard, processes in said["shards"].items()}
        return State(said["version"], said["counts"], shards, said["poster"])

    async def until(self, holds: Callable[[State], bool]) -> State:
        """Wait until something holds."""
        state = await self.state()
        while not holds(state):
            state = await self.state(state.version)
        return state


@asynccontextmanager
async def running_rig(**world: Any) -> AsyncGenerator[Rig]:
    """Run a Discord of its own, as `rig.world.World` says."""
    process = await create_subprocess_exec(
        sys.executable, "-m", "rig", stdin=PIPE, stdout=PIPE, cwd=Path(__file__).parent
    )
    try:
        assert process.stdout is not None
        address = (await process.stdout.readline()).decode().strip()
        async with ClientSession(timeout=ClientTimeout(total=SECONDS)) as session:
            rig = Rig(address, session)
            await rig.do("set", **world)
            yield rig
    finally:
        await process.communicate(b"")  # the end of its input ends it


@asynccontextmanager
async def started(rig: Rig, name: str, folder: Path, **settings: str) -> AsyncGenerator[Process]:
    """Run `kiroku run` under a name; it is killed where it has not ended by itself."""
    given = {
        "DISCORD_TOKEN": name,
        "RECORD_API_URL": "http://127.0.0.1:1",
        "LOG_LEVEL": "WARNING",
        **settings,
    }
    process = await start_program(rig.address(name), "run", folder, given)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        _, said = await process.communicate()
        sys.stdout.writelines(f"{name}: {line}\n" for line in said.decode().splitlines())
