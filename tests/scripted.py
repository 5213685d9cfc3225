"""A service that says what it is told to say: the API layer must survive what our own never sends."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import orjson
from aiohttp import web
from serving import serving

Answer = Callable[[web.Request], web.StreamResponse | Awaitable[web.StreamResponse]]


@dataclass
class Scripted:
    """Answers each request with the next of `answers`, the last one again and again."""

    url: str = ""
    answers: list[Answer] = field(default_factory=list[Answer])
    requests: list[web.Request] = field(default_factory=list[web.Request])

    def says(self, body: object, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        """Answer JSON, or bytes as they are, once."""
        content = body if isinstance(body, bytes) else orjson.dumps(body)
        self.answers.append(lambda _: web.Response(body=content, status=status, headers=headers))

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        said = answer(request)
        return said if isinstance(said, web.StreamResponse) else await said


@asynccontextmanager
async def scripted_service() -> AsyncGenerator[Scripted]:
    """Run one on a free port of this machine."""
    script = Scripted()
    application = web.Application()
    application.router.add_get("/{path:.*}", script.handle)
    async with serving(web.AppRunner(application, access_log=None)) as script.url:
        yield script
