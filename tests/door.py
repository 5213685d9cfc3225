"""A door before the service, which shows what is asked side by side without measuring time."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from aiohttp import ClientSession, web
from patience import PATIENT_SECONDS
from serving import serving

Outage = Callable[[web.Request], Awaitable[web.StreamResponse]]


async def close(request: web.Request) -> web.StreamResponse:
    """Close the connection without a word."""
    assert request.transport is not None
    request.transport.close()
    return web.Response()


async def be_unavailable(_request: web.Request) -> web.StreamResponse:
    """Say what a gateway says before a service that is away."""
    return web.Response(status=503, text="<html>down</html>", content_type="text/html")


async def cut(request: web.Request) -> web.StreamResponse:
    """Begin an answer without the headers that a service adds, and close the connection."""
    response = web.StreamResponse(headers={"Content-Length": "5000"})
    await response.prepare(request)
    await response.write(b'{"records":[')
    return await close(request)


class Door:
    """Holds the questions that it is to hold, until so many of them wait here at once; then it stays open."""

    def __init__(self, holds: Callable[[str], bool], company: int) -> None:
        """Take what tells by its path whether a question is held, and how many open the door."""
        self.most = 0
        """The most questions that ever waited here at once."""
        self.passed: Callable[[str], None] = lambda _path: None
        """Told the path of each question whose answer goes out."""
        self.outage: Outage | None = None
        """What questions get instead of the service's answer, whose count goes on."""
        self._holds = holds
        self._company = company
        self._waiting: list[asyncio.Event] = []
        self._is_open = False

    def shut(self) -> None:
        """Hold questions again."""
        self.most, self._is_open = 0, False

    @asynccontextmanager
    async def before(self, service: str) -> AsyncGenerator[str]:
        """Stand before a service for a block; yields the address to ask instead of its own."""
        async with ClientSession(auto_decompress=False) as session:

            async def handle(request: web.Request) -> web.StreamResponse:
                if self._holds(request.path) and not self._is_open:
                    await self._company_came()
                if self.outage is not None:
                    return await self.outage(request)
                async with session.get(f"{service}{request.path_qs}") as reply:
                    answer = web.Response(status=reply.status, body=await reply.read(), headers=reply.headers)
                self.passed(request.path)
                return answer

            application = web.Application()
            application.router.add_get("/{path:.*}", handle)
            runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
            async with serving(runner) as url:
                yield url

    async def _company_came(self) -> None:
        came = asyncio.Event()
        self._waiting.append(came)
        self.most = max(self.most, len(self._waiting))
        if len(self._waiting) >= self._company:
            for each in self._waiting:
                each.set()
            self._waiting.clear()
            self._is_open = True
        try:
            await asyncio.wait_for(came.wait(), PATIENT_SECONDS)
        except TimeoutError:
            self._waiting.remove(came)
