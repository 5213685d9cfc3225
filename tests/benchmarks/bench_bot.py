"""What an answer costs the bot's process, beside a bare discord.py bot that shows the same page from nowhere.

Both take the same events and speak to the same Discord, a few fixed replies in a process of its own. The bare bot shows
the embed and the picture that ours last showed; to a keystroke it suggests the same 25 songs whatever is typed. It defers
and edits, as bots do whose answers may take a while; ours answers in one request where the answer is at hand and has no
picture, and beside that stands a bare bot that does so too. Told is the share of the other's answers that ours makes in the
same CPU time; the median of alternating runs. Exits 1 where a goal is missed, beside the bot that defers.
"""

import asyncio
import json
import multiprocessing
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import count, cycle
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final, cast
from unittest.mock import patch

import discord
import served
from aiohttp import web
from bench_autocomplete import MEMBER, invented_reply, texts
from bench_search import saved
from discord.app_commands import Choice
from discord.ext import commands
from yarl import URL

from bot.base.config import Settings
from bot.demo.redirected import redirected
from bot.domain.members import Visibility
from bot.program.app import create_bot
from bot.ui.songs import song_choices
from cogs.best import BestCog
from cogs.friends import FriendsCog
from cogs.rating import RatingCog
from cogs.songs import SongsCog
from service.options import ServiceOptions
from service.seed import seed
from service.server import running

KEYSTROKE: Final = "keystroke"
GOALS: Final = {"best": 0.5, "rating": 0.6, "song": 0.6, "friends": 0.6}
"""Of the bare bot's rate."""
MOST_A_KEYSTROKE: Final = 0.8
"""Milliseconds, on a quiet machine; the bare bot's show how quiet it is."""
ANSWERS: Final = 10
RUNS: Final = 61
ME: Final[dict[str, Any]] = {"id": "4", "username": "Kiroku", "discriminator": "0", "avatar": None}
USER: Final[dict[str, Any]] = {"id": str(MEMBER), "username": "alice", "discriminator": "0", "avatar": None}


def serve(pipe: Connection) -> None:
    """Be a Discord that takes whatever it is told, in a process of its own, and tell the port."""
    message: dict[str, Any] = {
        "id": "7", "channel_id": "6", "author": ME, "content": "", "timestamp": "2026-01-01T00:00:00+00:00",
        "edited_timestamp": None, "tts": False, "mention_everyone": False, "mentions": [], "mention_roles": [],
        "attachments": [], "embeds": [], "pinned": False, "type": 20, "flags": 0, "components": [],
    }  # fmt: skip
    callback = {"interaction": {"id": "3", "type": 2}, "resource": {"type": 5, "message": message}}

    async def answer(request: web.Request) -> web.Response:
        await request.read()
        told = callback if request.path.endswith("callback") else message
        return web.Response(body=json.dumps(told).encode(), content_type="application/json")

    served.serve(answer, pipe)


def event(number: int, name: str, title: str, *, is_typed: bool = False) -> Any:
    """Return a command as Discord tells it, or a keystroke in its title."""
    options = [{"name": "title", "type": 3, "value": title, "focused": is_typed}] if name == "song" else []
    return {
        "id": str(1000 + number), "application_id": "4", "type": 4 if is_typed else 2, "token": f"t{number}", "version": 1,
        "locale": "ja", "user": USER, "attachment_size_limit": 1, "context": 1, "channel_id": "6",
        "channel": {"id": "6", "type": 1}, "authorizing_integration_owners": {}, "entitlements": [],
        "app_permissions": "0", "data": {"id": "5", "name": name, "type": 1, "options": options},
    }  # fmt: skip


class Rig:
    def __init__(self, bot: discord.Client, title: str, typed: Sequence[str]) -> None:
        self.bot = bot
        self._title = title
        self._typed = cycle(typed)
        self._numbers = count()

    async def ask(self, name: str) -> None:
        before = asyncio.all_tasks()
        number = next(self._numbers)
        told = (
            event(number, "song", next(self._typed), is_typed=True)
            if name == KEYSTROKE
            else event(number, name, self._title)
        )
        self.bot._connection.parse_interaction_create(told)
        await asyncio.gather(*(asyncio.all_tasks() - before))

    async def seconds(self, name: str) -> float:
        start = time.process_time()
        for _ in range(ANSWERS):
            await self.ask(name)
        return time.process_time() - start


class Bare(commands.Bot):
    """Shows what it was given."""

    def __init__(self) -> None:
        super().__init__(commands.when_mentioned, intents=discord.Intents(guilds=True))
        self.shown: tuple[list[discord.Embed], bytes | None] = ([], None)
        self.defers = True
        self.choices: list[Choice[str]] = []
        self.tree.command(name="song", description="-")(titled).autocomplete("title")(suggested)
        for name in GOALS.keys() - {"song"}:
            self.tree.command(name=name, description="-")(plain)

    async def show(self, interaction: discord.Interaction) -> None:
        embeds, png = self.shown
        if not self.defers and png is None:
            await interaction.response.send_message(embeds=embeds)
            return
        await interaction.response.defer()
        files = [] if png is None else [discord.File(BytesIO(png), filename="kiroku.png")]
        await interaction.edit_original_response(embeds=embeds, attachments=files)


async def plain(interaction: discord.Interaction[Bare]) -> None:
    await interaction.client.show(interaction)


async def titled(interaction: discord.Interaction[Bare], title: str) -> None:
    del title
    await interaction.client.show(interaction)


async def suggested(interaction: discord.Interaction[Bare], current: str) -> list[Choice[str]]:
    del current
    return interaction.client.choices


async def main() -> int:
    ours, theirs = multiprocessing.Pipe()
    discord_process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    discord_process.start()
    url = URL(f"http://127.0.0.1:{ours.recv()}")
    try:
        with TemporaryDirectory() as name, redirected(url):
            return 0 if await measure(Path(name)) else 1
    finally:
        discord_process.terminate()
        discord_process.join()


async def measure(folder: Path) -> bool:
    report = seed(folder / "service.db", catalogue=saved() or invented_reply(folder), players=8)
    async with running(folder / "service.db", options=ServiceOptions(quick_seconds=0)) as url:
        settings = Settings(
            record_api_url=url, database_url=f"sqlite+aiosqlite:///{folder / 'kiroku.db'}", fresh_seconds=3600
        )
        async with create_bot(settings) as kiroku, Bare() as bare:
            for bot in (kiroku, bare):
                await bot._async_setup_hook()
                await bot.http.static_login("x")
                bot._connection.user = discord.ClientUser(state=bot._connection, data=cast("Any", ME))
            for cog in (BestCog, FriendsCog, RatingCog, SongsCog):
                await kiroku.add_cog(cog(kiroku))
            await kiroku.features.accounts.link(MEMBER, report.players[0].token, Visibility.ANYONE)
            visit = await kiroku.features.library.visit(MEMBER, None)
            songs_at_hand, typed = visit.loaded.catalogue.songs, texts(visit)
            bare.choices = song_choices(songs_at_hand)
            ours, other = (Rig(bot, songs_at_hand[0].title, typed) for bot in (kiroku, bare))
            return await compare(ours, other, bare)


async def compare(ours: Rig, other: Rig, bare: Bare) -> bool:
    are_met = True
    print(f"{'':10} {'ours':>9} {'bare':>9}   rate           {'bare, at once':>13}   rate")
    for name in (*GOALS, KEYSTROKE):
        with showing_in(bare):
            await ours.ask(name)
        assert bare.shown[1] if name == "best" else bare.shown[0][0].title, name
        assert bare.choices
        runs: list[tuple[float, float, float]] = []
        for _ in range(RUNS):
            mine = await ours.seconds(name)
            bare.defers = True
            deferring = await other.seconds(name)
            bare.defers = False
            runs.append((mine, deferring, await other.seconds(name)))
        rate, strict = (median(run[at] / run[0] for run in runs[1:]) for at in (1, 2))
        mine, theirs, quick = (median(run[at] for run in runs[1:]) / ANSWERS * 1000 for at in range(3))
        goal = f"{GOALS[name]}" if name in GOALS else f"{MOST_A_KEYSTROKE} ms"
        is_met = rate >= GOALS[name] if name in GOALS else mine <= MOST_A_KEYSTROKE
        print(
            f"{name:10} {mine:6.2f} ms {theirs:6.2f} ms   {rate:.2f}"
            f"  {'ok' if is_met else 'MISSED'}, goal {goal:6}   {quick:6.2f} ms   {strict:.2f}"
        )
        are_met = are_met and is_met
    return are_met


@contextmanager
def showing_in(bare: Bare) -> Generator[None]:
    """Let the bare bot show from now on what ours shows in a block."""
    edit, send = discord.Interaction.edit_original_response, discord.InteractionResponse.send_message

    def note(embeds: list[discord.Embed], files: Sequence[discord.File] = ()) -> None:
        bare.shown = embeds, files[0].fp.read() if files else None
        for file in files:
            file.reset()

    async def edited(self: discord.Interaction, **shown: Any) -> Any:
        note(shown["embeds"], shown.get("attachments", ()))
        return await edit(self, **shown)

    async def sent(self: discord.InteractionResponse, **shown: Any) -> Any:
        note(shown["embeds"])
        return await send(self, **shown)

    with (
        patch.multiple(discord.Interaction, edit_original_response=edited),
        patch.multiple(discord.InteractionResponse, send_message=sent),
    ):
        yield


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
