"""The service on the network: one handler below aiohttp's application layer, for speed."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from ssl import SSLContext
from typing import Final

import orjson
from aiohttp import web

from bot.clock import Clock, SystemClock
from bot.domain.ids import UserId
from bot.wire.endpoints import Version
from service.answers import ROUTES, Question, Route, check_region, find_subject
from service.keep import Kept
from service.library import Library
from service.limits import Window, Windows, headers, windows_path
from service.options import VERSIONS, ServiceOptions
from service.parameters import parse_query, read_arguments
from service.refusal import Refusal

_log = logging.getLogger(__name__)
_access = logging.getLogger("service.access")

_JSON: Final = "application/json; charset=utf-8"
_LONGEST_LINE: Final = 64 * 1024
DEFAULT_OPTIONS: Final = ServiceOptions()


class Service:
    """Answers requests; knows HTTP, and asks the rest for everything else."""

    def __init__(self, library: Library, windows: Windows, options: ServiceOptions) -> None:
        self._library = library
        self._windows = windows
        self._options = options

    async def __call__(self, request: web.BaseRequest) -> web.Response:
        """Answer one request; whatever happens, in the service's own shapes."""
        if self._options.delay_seconds:
            await asyncio.sleep(self._options.delay_seconds)
        try:
            response = self._answer(request)
        except Exception:  # noqa: BLE001 - whatever fails, the client gets the error shape
            _log.exception("a request to %s failed", request.path)
            version = _version(request.path)
            response = _refused(Refusal(500), self._windows.peek(version, None))
        if self._options.access_log:
            size = response.content_length or 0
            _access.info("%s %s %d %d", request.method, request.path, response.status, size)
        return response

    def _answer(self, request: web.BaseRequest) -> web.Response:
        self._library.refresh()
        path = request.path
        query = parse_query(request.rel_url.raw_query_string)
        tokens = query.get("token", [])
        holder = self._library.find_holder(tokens[0]) if len(tokens) == 1 else None
        route = ROUTES.get(path)
        if route is None or request.method != "GET":
            refusal = Refusal(404) if route is None else Refusal(405)
            return _refused(refusal, self._windows.peek(_version(path), holder))
        version = route.endpoint.version
        if holder is None:
            reason = "the token is not valid." if tokens else "the token is missing."
            return _refused(Refusal(401, reason), self._windows.peek(version, None))
        window = self._windows.spend(version, holder)
        if window.is_refused:
            return _refused(Refusal(429), window)
        try:
            kept = self._reply(route, holder, query)
        except Refusal as refusal:
            return _refused(refusal, window)
        return self._sent(kept, request, window)

    def _reply(self, route: Route, holder: UserId, query: Mapping[str, list[str]]) -> Kept:
        library = self._library
        arguments = read_arguments(route.endpoint, query)
        check_region(library, arguments)
        subject = find_subject(library, route, holder, arguments)
        others = tuple(v for name, v in arguments.values.items() if name not in {"user_id", "user_name"})
        key = (route.endpoint.path, subject, others)
        kept = library.keep.find(key)
        if kept is None:
            reply = route.build(Question(library, subject, arguments))
            kept = library.keep.put(key, orjson.dumps(reply))
        return kept

    def _sent(self, kept: Kept, request: web.BaseRequest, window: Window) -> web.Response:
        body, etag = kept.body, kept.etag
        fields = {**headers(window), "Content-Type": _JSON}
        if kept.is_worth_compressing:
            fields["Vary"] = "Accept-Encoding"
            if "gzip" in request.headers.get("Accept-Encoding", ""):
                body, etag = self._library.keep.compressed(kept), kept.compressed_etag
                fields["Content-Encoding"] = "gzip"
        fields["ETag"] = etag
        if request.headers.get("If-None-Match") == etag:
            return web.Response(status=304, headers={**headers(window), "ETag": etag})
        return web.Response(body=body, headers=fields)


def _version(path: str) -> Version:
    """Return whose window a path belongs to; outside all versions the newest one's."""
    for version in VERSIONS:
        if path.startswith(f"/{version}/"):
            return version
    return VERSIONS[0]


def _refused(refusal: Refusal, window: Window) -> web.Response:
    fields = {**headers(window), "Content-Type": _JSON}
    if refusal.status == web.HTTPMethodNotAllowed.status_code:
        fields["Allow"] = "GET"
    return web.Response(status=refusal.status, body=refusal.body(), headers=fields)


@asynccontextmanager
async def running(
    database: Path,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    options: ServiceOptions = DEFAULT_OPTIONS,
    clock: Clock | None = None,
    tls: SSLContext | None = None,
) -> AsyncGenerator[str]:
    """Serve a database for a block; yields the base address. Port 0 takes a free one.

    Raises: ValueError if the file is not a database of the service, OSError if the port is taken.
    """
    async with AsyncExitStack() as stack:
        library = stack.enter_context(Library(database, options))
        windows = stack.enter_context(Windows(windows_path(database), options, clock or SystemClock()))
        server = web.Server(Service(library, windows, options), access_log=None, max_line_size=_LONGEST_LINE)
        runner = web.ServerRunner(server)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        await web.TCPSite(runner, host, port, ssl_context=tls).start()
        bound: int = runner.addresses[0][1]
        yield f"{'https' if tls else 'http'}://{f'[{host}]' if ':' in host else host}:{bound}"
