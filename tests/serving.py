"""Serving what a test says, on a free port of this machine."""

import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from aiohttp import web

from service.closing import stop_accepting


@asynccontextmanager
async def serving(runner: web.AppRunner | web.ServerRunner) -> AsyncGenerator[str]:
    """Serve for a block; yields the base address."""
    await runner.setup()
    listener = socket.create_server(("127.0.0.1", 0))
    await web.SockSite(runner, listener).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        await stop_accepting([listener])
        await runner.cleanup()
