"""The connection to the service: one session, bounded in time and size, that follows no redirects and leaks no token.

The token is in every address, and aiohttp's exceptions carry addresses: none of them leaves this module,
neither as a cause nor as a context.
"""

import re
import ssl
from collections.abc import Callable
from importlib.metadata import version
from types import SimpleNamespace
from typing import Final, Self

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError
from pydantic import BaseModel
from yarl import URL

from bot.api.protocol import ApiCall, Headers, Response, TransientOutage
from bot.api.room import ReplyMemory, ReplyShare
from bot.api.unpacking import ACCEPTED, too_large, unpack
from bot.domain.errors import BotError, ServiceDown, UnreadableReply
from bot.wire.hosts import is_loopback

_DISTRIBUTION: Final = "kiroku" if __name__.startswith("bot.") else "kiroku-api"
"""The package that contains this module: Kiroku, or the wheel of the API layer."""
USER_AGENT: Final = f"{_DISTRIBUTION}/{version(_DISTRIBUTION)} (for players)"
MAX_BODY_BYTES: Final = 32 * 1024 * 1024
"""The largest accepted reply, unpacked; the largest known one is under three megabytes."""
NO_NAME: Final = "its name is not known"
REFUSED: Final = "connection refused"
NOT_TRUSTED: Final = "its certificate is not trusted"
"""The reason why nothing was sent; the host can do something about it."""
_VERSION: Final = re.compile(r"v?\d+\.\d+")
_CONNECT_SECONDS: Final = 5.0
_CHUNK_BYTES: Final = 256 * 1024


class RequestNotSent(TransientOutage):
    """The request never reached the service."""


class _NotAllowed(Exception):
    """The permit expired before the connection was established."""


class HttpTransport:
    """One HTTP session to one base address."""

    def __init__(self, base_url: str, *, max_body_bytes: int = MAX_BODY_BYTES) -> None:
        """Check that tokens may be sent to the address. Raises: ValueError."""
        self._base = parse_base_url(base_url)
        self._max_body_bytes = max_body_bytes
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            cookie_jar=aiohttp.DummyCookieJar(),
            headers={
                "User-Agent": USER_AGENT,
                "Accept": "application/json",
                "Accept-Encoding": ACCEPTED,
            },
            auto_decompress=False,  # aiohttp would do it on the loop
            timeout=aiohttp.ClientTimeout(total=30),
            trace_configs=[_asking_leave()],
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def fetch(
        self,
        call: ApiCall[BaseModel],
        token: str,
        *,
        seconds: float,
        may_send: Callable[[], bool] = lambda: True,
        hear: Callable[[int, Headers], None] = lambda _status, _headers: None,
        share: ReplyShare | None = None,
    ) -> Response:
        """Send one request and read the whole answer within `seconds`.

        `may_send` is called once the connection is established, right before the first byte is written. `hear` gets the
        status and headers of an answer as soon as they arrive, because its body may never come. `share` counts the
        answer's bytes; without one, it has a share of its own until it has arrived.
        Raises: ServiceDown, or its kinds TransientOutage and RequestNotSent; UnreadableReply.
        """
        if self._session is None:
            message = "the API layer is used outside of its `async with`"
            raise RuntimeError(message)
        url = self._base.joinpath(call.endpoint.path.removeprefix("/"))
        url = url.with_query([*call.query, ("token", token)])
        timeout = aiohttp.ClientTimeout(total=seconds, connect=min(seconds, _CONNECT_SECONDS))
        failure: BotError
        share = share or ReplyMemory().share()
        share.begin_anew()
        try:
            async with self._session.get(
                url, timeout=timeout, allow_redirects=False, trace_request_ctx=may_send
            ) as response:
                hear(response.status, response.headers)
                body = await self._read(response, share)
            return Response(response.status, response.headers, body)
        except _NotAllowed:
            failure = RequestNotSent("it was no longer allowed")
        except UnreadableReply as error:
            failure = error.with_traceback(None)  # its frames hold what arrived
        except (aiohttp.ClientError, HttpProcessingError, OSError, TimeoutError, ValueError) as error:
            failure = _failure(error)
        raise failure  # outside of the handler: no context, which would hold the address

    async def _read(self, response: aiohttp.ClientResponse, share: ReplyShare) -> bytes:
        async for chunk in response.content.iter_chunked(_CHUNK_BYTES):
            share.grow(len(chunk))
            share.body += chunk
            if len(share.body) > self._max_body_bytes:
                raise too_large(self._max_body_bytes)
        encoding = response.headers.get("Content-Encoding", "")
        body, share.body = bytes(share.body), bytearray()
        return await unpack(body, encoding, limit=self._max_body_bytes, grow=share.grow)


def _asking_leave() -> aiohttp.TraceConfig:
    """Return a trace that calls `may_send`: aiohttp reports headers as sent right before it writes them, without a wait between."""

    async def ask(_session: aiohttp.ClientSession, context: SimpleNamespace, _sent: object) -> None:
        if not context.trace_request_ctx():
            raise _NotAllowed

    config = aiohttp.TraceConfig()
    config.on_request_headers_sent.append(ask)
    return config


def parse_base_url(text: str) -> URL:
    """Return the base address of the service.

    Raises: ValueError if it is not an https address; http is accepted only on this machine, because the token is in
    every request.
    """
    try:
        url = URL(text.strip())
    except ValueError:
        url = URL()
    if url.scheme not in {"https", "http"} or not url.host:
        message = "the record service's address is not a URL: write it as https://host or https://host/path"
        raise ValueError(message)
    if url.user is not None or url.password is not None or url.query_string or url.fragment:
        message = "the record service's address must be plain: leave out user, password, query and fragment"
        raise ValueError(message)
    if _VERSION.fullmatch(url.path.rstrip("/").rpartition("/")[2]):
        message = "the record service's address must end before the version: every request names its own"
        raise ValueError(message)
    if url.scheme == "http" and not is_loopback(url.host):
        message = (
            f"plain http would show every member's token on the way to {url.host}:"
            " use https:// (http:// is taken for this machine alone)"
        )
        raise ValueError(message)
    return url


def _failure(error: Exception) -> BotError:  # noqa: PLR0911 - a table
    """Return our error for one of aiohttp's, without its text."""
    match error:
        case aiohttp.ClientConnectorCertificateError() | ssl.CertificateError():
            return ServiceDown(NOT_TRUSTED)
        case aiohttp.ClientSSLError():
            return ServiceDown("no secure connection")
        case aiohttp.ConnectionTimeoutError():
            return RequestNotSent("no connection in time")
        case TimeoutError():
            return ServiceDown("no answer in time")
        case aiohttp.ClientConnectorDNSError():
            return RequestNotSent(NO_NAME)
        case aiohttp.ClientConnectorError(os_error=ConnectionRefusedError()):
            return RequestNotSent(REFUSED)
        case aiohttp.ClientConnectorError():
            return RequestNotSent("no connection")
        case aiohttp.ClientConnectionError() | aiohttp.ClientPayloadError() | OSError():
            return TransientOutage("connection lost")
        case _:
            return UnreadableReply("malformed HTTP")
