"""Redirects discord.py to another Discord than the real one."""

from collections.abc import Generator
from contextlib import contextmanager

import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route


@contextmanager
def redirected(base: yarl.URL) -> Generator[None]:
    """Send every discord.py client of this process to `base` instead of Discord."""
    kept = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    Route.BASE = str(base / "api/v10")
    DiscordWebSocket.DEFAULT_GATEWAY = base.with_scheme("ws") / "gateway/"
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = kept
