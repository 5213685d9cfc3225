"""Somebody else's server, in a process of its own: what it costs is none of the bot's."""

import asyncio
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from typing import Final

from aiohttp import web

_MOST_BYTES: Final = 2**24
"""Of what it is sent: pictures."""


def serve(answer: Callable[[web.Request], Awaitable[web.StreamResponse]], pipe: Connection) -> None:
    """Answer every request so until the process is ended, and tell the port first."""

    async def run() -> None:
        application = web.Application(client_max_size=_MOST_BYTES)
        application.router.add_route("*", "/{path:.*}", answer)
        runner = web.AppRunner(application)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        pipe.send(runner.addresses[0][1])
        await asyncio.Event().wait()

    asyncio.run(run())
