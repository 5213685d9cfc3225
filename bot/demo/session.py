"""The demo itself: service, simulated Discord, bot and page, started and stopped together."""

import asyncio
import contextlib
import logging
import signal
import webbrowser
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from aiohttp import ClientSession
from pydantic import SecretStr

from bot.base.clock import ShiftedClock
from bot.base.config import Settings
from bot.chat.client import KirokuBot
from bot.demo.days import DAY, play_day
from bot.demo.gateway import LocalDiscord, local_discord
from bot.demo.page import LivePage, served
from bot.demo.past import write_past
from bot.demo.simulator import Simulator
from bot.demo.world import OPERATOR, DemoServer, Resident, build
from bot.domain.game_versions import Formula, game_day
from bot.domain.ids import JP2, MemberId
from bot.domain.members import Visibility
from bot.features.shared.game_data import read_game_versions
from bot.program.app import create_bot
from service.catalogue import lines_left_out
from service.seed import seed
from service.server import running

_logger = logging.getLogger(__name__)

START_SECONDS: Final = 30.0
"""The time in seconds after which the demo gives up if the bot has not connected."""

TURN_AFTER: Final = 4 * DAY
"""The time from the start to the beginning of a new game version, which `/version` and posts announce."""

Say = Callable[[str], None]


PLAYERS: Final = 60
"""The number of the service's players: few are on the simulated Discord, but all count in statistics."""
CROWD: Final = 400
"""The number of further players for statistics only: fewer would not show how hard charts are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoOptions:
    """The options of the command line."""

    port: int
    catalogue: Path | None = None
    opens_browser: bool = True


@asynccontextmanager
async def demo(folder: Path, options: DemoOptions) -> AsyncGenerator[tuple[LivePage, dict[str, str]]]:
    """Run everything on fresh databases in `folder`; yields the page, and tokens of people not linked, by name.

    Raises: SetupError if the port is taken, BrokenSource for a bad catalogue, TimeoutError.
    """
    report = await asyncio.to_thread(
        seed, folder / "service.db", catalogue=options.catalogue, players=PLAYERS, crowd_size=CROWD
    )
    for line in lines_left_out(report.left_out):
        _logger.warning("%s: %s", options.catalogue, line)
    tokens = {str(player.user_name): player.token for player in report.players}
    async with AsyncExitStack() as stack:
        clock = ShiftedClock()
        service = await stack.enter_async_context(running(folder / "service.db", clock=clock))
        local = await stack.enter_async_context(local_discord())
        server = build(local.simulator)
        coming = _coming_version(folder, clock.now())
        settings = _settings(folder, service, tokens[OPERATOR], coming)
        versions = read_game_versions(coming)
        linked = {member: each.player for member, each in server.ids() if each.is_linked}
        await write_past(settings, folder / "service.db", linked, clock.now())
        bot = create_bot(settings, clock=clock)
        await stack.enter_async_context(connected(bot, local))
        first, *others = [(member, each) for member, each in server.ids() if each.is_linked]
        await _link(bot, server, tokens, [first])
        await asyncio.gather(
            _first_look(local.simulator, server, first[1]), _link(bot, server, tokens, others)
        )

        evenings = count(1)

        async def next_day() -> None:
            players = [each.player for _, each in server.ids()]
            play = partial(play_day, folder / "service.db", players, clock.now() + DAY, versions)
            await asyncio.to_thread(play, evening=next(evenings))
            await bot.features.posts.keep_until(clock.now() + DAY)
            clock.advance(DAY.total_seconds())

        page = LivePage(
            local.simulator,
            server.channel,
            tuple(server.members.values()),
            port=options.port,
            zone=local_zone(),
            next_day=next_day,
        )
        await stack.enter_async_context(served(page))
        yield page, {each.name: tokens[each.player] for _, each in server.ids() if not each.is_linked}


def _coming_version(folder: Path, now: datetime) -> Path:
    """Return a file with a game version that begins in a few days, which the page's next day leads to."""
    file, first = folder / "versions.csv", game_day(now + TURN_AFTER)
    file.write_text(f"Next, {JP2}, {first}, {Formula.BEST_AND_NEW}, {first}\n", encoding="utf-8")
    return file


def _settings(folder: Path, service: str, operator_token: str, versions: Path) -> Settings:
    # Independent of the environment: the demo is the same for everybody, and touches nobody's database.
    return Settings(
        record_api_url=service,
        record_token=SecretStr(operator_token),
        database_url=f"sqlite+aiosqlite:///{folder / 'kiroku.db'}",
        game_versions=versions,
    )


@asynccontextmanager
async def connected(bot: KirokuBot, local: LocalDiscord) -> AsyncGenerator[None]:
    """Run the bot; enters when it is connected, and raises whatever prevents that."""
    local.server.expect_bot()
    running_bot = asyncio.create_task(_run(bot))
    ready = asyncio.create_task(local.server.bot_connected(START_SECONDS))
    try:
        await asyncio.wait({running_bot, ready}, return_when=asyncio.FIRST_COMPLETED)
        if running_bot.done():
            await running_bot
        await ready
        yield
    finally:
        ready.cancel()
        await bot.close()
        await running_bot


async def _run(bot: KirokuBot) -> None:
    async with bot:
        await bot.start("simulated")


async def _link(
    bot: KirokuBot, server: DemoServer, tokens: dict[str, str], people: Iterable[tuple[MemberId, Resident]]
) -> None:
    for member, resident in people:
        await bot.features.accounts.link(member, tokens[resident.player], Visibility.SERVERS)
        bot.features.boards.note_sighting(member, server.guild)


async def _first_look(simulator: Simulator, server: DemoServer, who: Resident) -> None:
    """Let somebody post their card, so that whoever opens the page sees at once what the bot does."""
    asked = await server.members[who.name].slash(server.channel, "best")
    await simulator.answered(asked, START_SECONDS)


def local_zone() -> str:
    """Return the name of this machine's time zone; UTC if it has none."""
    path = str(Path("/etc/localtime").resolve())
    _, found, name = path.partition("zoneinfo/")
    return name if found else "UTC"


async def run(options: DemoOptions, say: Say) -> None:
    """Run the demo until it is stopped. Raises: as `demo`."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C arrives as KeyboardInterrupt
            loop.add_signal_handler(each, stop.set)
    with TemporaryDirectory(prefix="kiroku-demo-") as folder:
        async with demo(Path(folder), options) as (page, unlinked):
            for name, token in unlinked.items():
                say(
                    f"{name} has not linked an account. Choose {name} on the page and try /link with: {token}"
                )
            await _check(page.url)
            say(f"ready: {page.url}")
            if options.opens_browser:
                await asyncio.to_thread(webbrowser.open, page.url)
            ended = asyncio.create_task(page.wait_closed())
            stopped = asyncio.create_task(stop.wait())
            await asyncio.wait({ended, stopped}, return_when=asyncio.FIRST_COMPLETED)
            ended.cancel()
            stopped.cancel()


async def _check(url: str) -> None:
    async with ClientSession(raise_for_status=True) as session, session.get(url):
        pass
