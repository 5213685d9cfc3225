"""The real bot on the real service, on a simulated Discord, as one thing that a test can hold."""

import asyncio
import os
import shutil
import sqlite3
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from functools import partial
from pathlib import Path
from typing import cast

import pytest
from aiohttp import web
from cluster import run_sql
from door import Door
from harness import LogBook, Person, Reply, SimulatedDiscord, Value
from pydantic import SecretStr
from sqlalchemy import Table, make_url
from yarl import URL

from bot.base.clock import ManualClock
from bot.base.config import Settings
from bot.chat.client import KirokuBot
from bot.chat.post_scheduler import PostScheduler
from bot.database.engine import Database
from bot.domain.members import Visibility
from bot.program.app import App, create_bot
from bot.store import new_key
from bot.ui.kit.renderer import PictureRenderer
from service.options import ServiceOptions
from service.seed import SeededPlayer, SeedReport
from service.server import Service, running

HOURS_LATER = timedelta(hours=float(os.environ.get("KIROKU_TEST_HOURS_LATER", "0")))
"""Have the suite go as it will at another time of day: no test may know the hour at which it was written."""
MORNING = datetime.combine(datetime.now(UTC), time(6), UTC) + HOURS_LATER
"""When every world begins: what passes in the morning passes in the evening."""
_LOOKING = "discord.py: on_shard_ready"
"""The tasks in which it is done what is to be done as soon as all servers are known, as discord.py names them."""
PICTURE_SECONDS = 60.0
"""A picture comes in every test that asks for one, however busy the machine is."""


@dataclass
class World:
    """Everything that runs for one test, and what it is set up with."""

    discord: SimulatedDiscord
    log: LogBook
    database: Path
    service_database: Path
    options: ServiceOptions
    players: dict[str, SeededPlayer]
    settings: Settings
    clock: ManualClock
    stack: AsyncExitStack
    bot: KirokuBot = field(init=False)

    async def start_bot(self) -> None:
        self.bot = create_bot(self.settings, clock=self.clock)
        self.bot.renderer = PictureRenderer(timeout=PICTURE_SECONDS)
        await self.discord.restart(self.bot)

    async def begun(self) -> None:
        """Wait until the bot was told of all its servers, and has looked at them."""
        await self.bot.wait_until_ready()
        await asyncio.gather(*(task for task in asyncio.all_tasks() if task.get_name() == _LOOKING))

    @asynccontextmanager
    async def behind(self, door: Door) -> AsyncGenerator[None]:
        """Let a bot that has just started ask through a door, for a block."""
        async with door.before(self.settings.record_api_url) as url:
            self.settings = self.settings.model_copy(update={"record_api_url": url})
            await self.start_bot()
            yield
            await self.discord.stop()

    @asynccontextmanager
    async def unanswered(self, path: str = "/") -> AsyncGenerator[None]:
        """Let the service answer nothing that is asked under a path, until the block is over."""
        over, answer = asyncio.Event(), Service.__call__

        async def wait(service: Service, request: web.BaseRequest) -> web.Response:
            if request.rel_url.raw_path.startswith(path):
                await over.wait()
            return await answer(service, request)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Service, "__call__", wait)
            try:
                yield
            finally:
                over.set()

    async def stop_service(self) -> None:
        await self.stack.aclose()

    async def restart_service(self) -> None:
        """Serve the same database anew, on the same address."""
        await self.stop_service()
        port = URL(self.settings.record_api_url).port or 0
        service = running(self.service_database, port=port, options=self.options)
        await self.stack.enter_async_context(service)

    async def change_database(self, statement: str) -> None:
        """Change the bot's database behind its back; off the loop, on which its own writes may have to end first."""
        url = make_url(self.settings.database_url)

        def change() -> None:
            if url.get_backend_name() == "postgresql":
                run_sql(Path(str(url.query["host"])), statement, database=url.database or "")
                return
            with closing(sqlite3.connect(self.database)) as database, database:
                database.execute(statement)

        await asyncio.to_thread(change)

    async def rename_song(self, title: str, new: str) -> None:
        """Have a song called otherwise on the service."""

        def rename() -> None:
            with closing(sqlite3.connect(self.service_database)) as database, database:
                database.execute("UPDATE songs SET title = ? WHERE title = ?", [new, title])

        await asyncio.to_thread(rename)

    async def rows(self, table: Table) -> list[Mapping[str, object]]:
        """Return what stands in one table of the bot's database."""
        database = Database(self.settings.database_url)
        async with database.read() as connection:
            found = (await connection.execute(table.select())).mappings().all()
        await database.close()
        return [dict(row) for row in found]

    @asynccontextmanager
    async def locked(self) -> AsyncGenerator[None]:
        """Let another program write all the while, and not end."""
        connect = partial(sqlite3.connect, isolation_level=None, check_same_thread=False)
        with closing(connect(self.database)) as other:
            await asyncio.to_thread(other.execute, "BEGIN IMMEDIATE")  # what the bot writes has to end first
            yield
            other.execute("ROLLBACK")

    async def tick(self) -> None:
        """Do what the loop of posts does at each look at the clock, and let the loop itself do nothing beside it."""
        posts = await self.rest_posts()
        await posts.make_due()

    async def rest_posts(self) -> PostScheduler:
        """Let what runs by itself, and claims posts that are due, do nothing from now on."""
        await self.bot.background.stop()
        return cast("App", self.bot._resources).posts

    def token(self, player: str) -> str:
        return self.players[player].token

    async def link(self, person: Person, player: str, visibility: Visibility = Visibility.ONLY_ME) -> Reply:
        """Link the way people do: command, form, menu."""
        form = await person.slash(self.discord.channel, "link")
        assert form.form is not None
        reply = await person.submit(form, {form.form.inputs[0].custom_id: self.token(player)})
        if visibility is not Visibility.ONLY_ME:
            menu = reply.components[0]
            reply = await person.choose(
                reply, menu.custom_id, menu.options[list(Visibility).index(visibility)]
            )
        return reply

    async def best(self, person: Person, **options: Value) -> Reply:
        """Return the list that the button below the card of `/best` leads to."""
        return await person.click(await person.slash(self.discord.channel, "best", **options), "List")


@asynccontextmanager
async def running_world(
    discord: SimulatedDiscord,
    log: LogBook,
    folder: Path,
    url: str,
    seeded: tuple[Path, SeedReport],
    options: ServiceOptions,
) -> AsyncGenerator[World]:
    """Run everything for a block, with the files in a folder and the bot's database at an address."""
    seeds, report = seeded
    shutil.copytree(seeds, folder / "service")
    served = folder / "service" / "service.db"
    players = {str(player.user_name): player for player in report.players}
    async with AsyncExitStack() as stack:
        record_api_url = await stack.enter_async_context(running(served, options=options))
        settings = Settings(
            record_api_url=record_api_url,
            record_token=SecretStr(report.players[-1].token),
            database_url=url,
            token_keys=() if url.startswith("sqlite") else (SecretStr(new_key()),),
        )
        clock = ManualClock(MORNING)
        world = World(discord, log, folder / "kiroku.db", served, options, players, settings, clock, stack)
        await world.start_bot()
        yield world
        await discord.stop()
