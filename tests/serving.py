"""Serving what a test says, on a free port of this machine."""

import asyncio
import gc
import socket
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from aiohttp import web
from yarl import URL

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


async def ends_what_it_takes_while_closing(server: AbstractAsyncContextManager[str], turns: int) -> bool:
    """Return whether a connection is ended that came so many turns of the event loop before its server closed.

    One that is forgotten open warns when it is collected, which fails the test.
    """
    gc.freeze()  # of what was there before, nothing is looked at below
    with socket.socket() as client:
        client.settimeout(5)
        async with server as base:
            url = URL(base)
            client.connect((url.host or "", url.port or 0))
            for _ in range(turns):
                await asyncio.sleep(0)
        try:
            said = await asyncio.to_thread(client.recv, 1)
        except ConnectionResetError:  # what was not taken yet is the system's alone
            said = b""
    gc.collect()
    return said == b""
