"""The bot as a program: the signals that end it, and the reasons why it cannot run, as sentences."""

import asyncio
import contextlib
import gc
import logging
import os
import signal
import threading
from collections.abc import Collection, Generator, Mapping
from http import HTTPStatus
from typing import Any, Final

import aiohttp
import discord

from bot.background.periodic import PeriodicTasks
from bot.base.config import CannotStart
from bot.chat.answers import is_anybody_waiting
from bot.chat.client import KirokuBot

_logger = logging.getLogger(__name__)

NO_LOGIN: Final = "DISCORD_TOKEN is not set. Put the bot's token from Discord's developer portal into .env."
_REJECTED: Final = (
    "Discord rejected DISCORD_TOKEN. Make a new one in the developer portal and put it into .env."
)
_UNREACHABLE: Final = (
    "Discord cannot be reached. Check this machine's connection to the internet and try again."
)
_NO_NAME: Final = (
    "Discord cannot be reached. No address is found for its name (DNS): check this machine's resolver."
)
_REFUSED: Final = (
    "Discord cannot be reached. The connection is refused on the way: look for a firewall; no proxy is used."
)
_NOT_TRUSTED: Final = "Discord cannot be reached. What answers in its place has a certificate that is not trusted: check this machine's clock and certificates."
_OUTDATED: Final = "a newer version of Kiroku brings the database up to date: this process serves no more, and waits to be ended"
_CLOSE_CODES: Final[Mapping[int, str]] = {
    4004: _REJECTED,
    4010: "Discord did not take the number of this connection: report this.",
    4011: "This bot is in more servers than Discord lets so few connections serve. Set SHARDS to auto.",
    4012: "Discord no longer speaks the version of its gateway that Kiroku uses. Update Kiroku.",
    4013: "Discord does not know the intents that Kiroku asks for. Update Kiroku.",
    4014: (
        "Discord does not grant this bot the intents that Kiroku asks for. "
        "Look at the page of the bot in the developer portal."
    ),
}
"""The sentences for close codes with which Discord's gateway refuses the bot. Source: its documentation."""

_LOGIN_RETRY_SECONDS: Final = 30.0
"""Seconds between two attempts to log in; Discord also counts refused ones."""
_SHUTDOWN_TIMEOUT_SECONDS: Final = 9.0
"""The process ends this long after the signal, whatever is still running: systemd and container runtimes commonly kill after
ten seconds, and a thread that waits for a name server or a disk can keep Python from ending for any time."""
_LAST_LOG_SECONDS: Final = 0.5
"""The longest time for the last log lines: the reader of the log may have stopped."""
_CANCEL_RETRY_SECONDS: Final = 0.1
"""Seconds until a cancelled task that keeps running is cancelled again."""

_FULL_COLLECTION_SECONDS: Final = 600.0
"""Seconds between full collections. Each interaction leaves a reference cycle, which only these collect: 8 MB in ten minutes
at eight commands a second."""
QUIET_POLL_SECONDS: Final = 1.0
NEVER: Final = 1_000_000_000
"""A threshold that keeps the garbage collector from collecting a generation by itself."""


class _Outdated(Exception):
    """A newer version wants to upgrade the database."""


async def run_until_signalled(bot: KirokuBot, token: str) -> None:
    """Run the bot until SIGINT or SIGTERM, and then until people who wait are answered or told.

    Raises: CannotStart, also if Discord refuses a running bot.
    """
    signalled = asyncio.Event()
    with _set_by_signals(signalled):
        reload_asked = asyncio.Event()
        if hasattr(signal, "SIGHUP"):  # not on Windows
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, reload_asked.set)
        running = asyncio.create_task(_run(bot, token, reload_asked))
        waiting = asyncio.create_task(signalled.wait())
        await asyncio.wait({running, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if not running.done():
            _logger.info("told to stop: finishing the answers under way")
            running.cancel()  # which closes the bot on its way out
            await asyncio.wait({running})
        if not running.cancelled():
            try:
                running.result()
            except _Outdated:  # if it ended, its supervisor would restart it for ever
                _logger.warning(_OUTDATED)
                await signalled.wait()


@contextlib.contextmanager
def _set_by_signals(signalled: asyncio.Event) -> Generator[None]:
    """Set `signalled` at SIGINT or SIGTERM; from then on the process has `_SHUTDOWN_TIMEOUT_SECONDS` left."""
    loop = asyncio.get_running_loop()

    # Not through the event loop, which may be too busy to notice a signal.
    def tell(_signal: int, _frame: Any) -> None:
        if not signalled.is_set():
            last = threading.Timer(_SHUTDOWN_TIMEOUT_SECONDS, _end_now)
            last.daemon = True
            last.start()
        loop.call_soon_threadsafe(signalled.set)

    before = {each: signal.signal(each, tell) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _end_now() -> None:
    """End the process at once: committed data is safe, as after a kill."""
    saying = threading.Thread(
        target=_logger.error,
        args=("ended before everything was closed: something did not end in time",),
        daemon=True,
    )
    saying.start()
    saying.join(_LAST_LOG_SECONDS)
    os._exit(0)


async def _run(bot: KirokuBot, token: str, reload_asked: asyncio.Event) -> None:
    try:
        async with bot:
            await _log_in(bot, token)
            with _collecting_when_quiet(bot.background):
                await _serve(bot, reload_asked)
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        raise CannotStart(refusal_of(error)) from error


@contextlib.contextmanager
def _collecting_when_quiet(tasks: PeriodicTasks) -> Generator[None]:
    """Let older generations of garbage be collected only in quiet moments."""
    thresholds = gc.get_threshold()
    gc.set_threshold(*thresholds[:2], NEVER)
    tasks.start("collecting garbage", collect_when_quiet)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)


async def collect_when_quiet() -> float:
    """Collect all garbage, unless somebody waits for an answer; return the seconds until the next run.

    A full collection stops every thread: for a tenth of a second at rest, for several tenths after a thousand members.
    """
    if is_anybody_waiting():
        return QUIET_POLL_SECONDS
    gc.collect()
    return _FULL_COLLECTION_SECONDS


async def _log_in(bot: KirokuBot, token: str) -> None:
    """Log in as soon as Discord allows it: other processes with the same token may have used up the limit."""
    while True:
        try:
            return await bot.login(token)
        except discord.HTTPException as error:
            if error.status != HTTPStatus.TOO_MANY_REQUESTS:
                raise
        _logger.warning(
            "Discord accepts no more requests from this bot for now: it will log in a little later"
        )
        await bot.http.close()
        bot.http.connector = discord.utils.MISSING  # the next login creates another
        await asyncio.sleep(_LOGIN_RETRY_SECONDS)


async def _serve(bot: KirokuBot, reload_asked: asyncio.Event) -> None:
    """Serve until Discord refuses the bot, or a newer version wants to upgrade the database. Raises: _Outdated."""
    serving, outdated = asyncio.create_task(bot.connect()), asyncio.create_task(bot.until_outdated())
    beside = {asyncio.create_task(_log_ready(bot)), asyncio.create_task(_reload_when(reload_asked, bot))}
    try:
        await asyncio.wait({serving, outdated}, return_when=asyncio.FIRST_COMPLETED)
        if outdated.done():
            raise _Outdated
        await serving
    finally:
        await _cancel({serving, outdated, *beside})


async def _cancel(tasks: Collection[asyncio.Task[None]]) -> None:
    """Cancel tasks until they have ended: discord.py swallows a cancellation while it reconnects."""
    while tasks:
        for each in tasks:
            each.cancel()
        _, tasks = await asyncio.wait(tasks, timeout=_CANCEL_RETRY_SECONDS)


async def _reload_when(reload_asked: asyncio.Event, bot: KirokuBot) -> None:
    while True:
        await reload_asked.wait()
        reload_asked.clear()
        try:
            await bot.reload()
        except Exception:  # nobody waits for this task, and the next signal may do better
            _logger.exception("aliases and translations could not be reloaded")


async def _log_ready(bot: KirokuBot) -> None:
    await bot.wait_until_ready()
    try:
        _logger.info("ready: %s", await bot.describe())
    except Exception:  # nobody waits for this task
        _logger.exception("ready, but it could not be said with what")


def refusal_of(error: Exception) -> str:  # noqa: PLR0911 - a table
    """Return the sentence for an error with which Discord refuses the bot."""
    match error:
        case discord.LoginFailure():
            return _REJECTED
        case discord.PrivilegedIntentsRequired():
            return _CLOSE_CODES[4014]
        case discord.ConnectionClosed(code=code):
            return _CLOSE_CODES.get(
                code, f"Discord closed the connection for good (code {code}). Try again later."
            )
        case discord.HTTPException(status=status) if status < HTTPStatus.INTERNAL_SERVER_ERROR:
            return f"Discord refused this bot (status {status}). Look at its page in the developer portal."
        case discord.HTTPException() | discord.GatewayNotFound():
            return "Discord has trouble of its own just now. Try again in a few minutes."
        case aiohttp.ClientConnectorCertificateError():
            return _NOT_TRUSTED
        case aiohttp.ClientConnectorDNSError():
            return _NO_NAME
        case aiohttp.ClientConnectorError(os_error=ConnectionRefusedError()):
            return _REFUSED
        case _:
            return _UNREACHABLE
