"""A plain HTTP client: one request after another, with pauses, and never the last ones of a window."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from typing import Any, Final, Self
from urllib.parse import urlencode, urlsplit

import aiohttp

from bot.base.clock import Clock
from bot.wire.hosts import is_loopback

RATE_HEADERS: Final = ("X-Rate-Limit-Limit", "X-Rate-Limit-Remaining", "X-Rate-Limit-Reset")
_KEPT_REQUESTS: Final = 5
"""Requests of each version that are left to the token's owner."""
_REPLY_TIMEOUT_SECONDS: Final = 30.0
"""One answer may take this long."""
_MAX_DIGITS: Final = 20
"""A header's number has fewer digits than this."""


class CannotAsk(Exception):
    """No further requests are possible; the text says why, without address or token."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Heard:
    """A reply of the service."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    at: datetime
    """The moment at which its headers arrived."""

    def json(self) -> Any:
        """Return the body's value. Raises: ValueError if it is not JSON."""
        return json.loads(self.body)

    def number(self, header: str) -> int | None:
        """Return a header's number; None if it has none."""
        text = self.headers.get(header, "")
        return int(text) if text.isascii() and text.isdecimal() and len(text) < _MAX_DIGITS else None


class PoliteAsker:
    """Asks a service with one token, each question once. Use it as an async context manager."""

    def __init__(
        self,
        address: str,
        token: str,
        clock: Clock,
        *,
        pause: float,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Refuse an address that no token may be sent to. Raises: CannotAsk."""
        self._address = _checked(address)
        self._token = token
        self._clock = clock
        self._pause = pause
        self._sleep = sleep
        self._session: aiohttp.ClientSession | None = None
        self._free_at = 0.0
        """The moment, by the monotonic clock, at which the next request may be sent."""
        self._known: dict[tuple[str, str], Heard] = {}
        self.heard: list[tuple[str, Heard]] = []
        """Every reply with its path, in order."""

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=_REPLY_TIMEOUT_SECONDS),
            headers={"Accept": "application/json"},
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def ask(self, path: str, **query: str | float) -> Heard:
        """Return the answer to a question, which is sent only the first time. Raises: CannotAsk."""
        key = path, urlencode(query)
        if key not in self._known:
            self._check_budget(version_of(path))
            await self._sleep(max(0.0, self._free_at - self._clock.monotonic()))
            heard = await self._send(path, query)
            self._free_at = self._clock.monotonic() + self._pause
            self._known[key] = heard
            self.heard.append((path, heard))
            if heard.status == HTTPStatus.TOO_MANY_REQUESTS:
                message = f"the service takes no more requests{_until(heard)}"
                raise CannotAsk(message)
        return self._known[key]

    def _check_budget(self, version: str) -> None:
        """Refuse to use the last requests of a version. Raises: CannotAsk."""
        last = next((heard for path, heard in reversed(self.heard) if version_of(path) == version), None)
        left = None if last is None else last.number("X-Rate-Limit-Remaining")
        if last is not None and left is not None and left <= _KEPT_REQUESTS:
            message = f"the requests of version {version} are nearly spent{_until(last)}"
            raise CannotAsk(message)

    async def _send(self, path: str, query: Mapping[str, str | float]) -> Heard:
        if self._session is None:
            message = "asked outside of its `async with`"
            raise RuntimeError(message)
        failure = "the service cannot be reached, or does not speak HTTP"
        try:
            async with self._session.get(
                f"{self._address}{path}", params={**query, "token": self._token}, allow_redirects=False
            ) as response:
                at = self._clock.now()
                return Heard(
                    status=response.status, headers=response.headers, body=await response.read(), at=at
                )
        except TimeoutError:
            failure = "the service does not answer in time"
        except (aiohttp.ClientError, OSError, ValueError):
            pass
        raise CannotAsk(failure)  # outside the handler: no context, which would hold the address


def version_of(path: str) -> str:
    """Return the version whose requests a path costs."""
    return path.split("/")[1]


def _checked(address: str) -> str:
    """Return an address that a path can be added to. Raises: CannotAsk."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        parts = urlsplit("")
    host = parts.hostname or ""
    if not host or parts.scheme not in {"http", "https"} or parts.query or parts.fragment or parts.username:
        message = "the address is none: write it as https://host or https://host/path"
        raise CannotAsk(message)
    if parts.scheme == "http" and not is_loopback(host):
        message = (
            "plain http would show the token on its way: use https (http is taken for this machine alone)"
        )
        raise CannotAsk(message)
    return address.strip().rstrip("/")


def _until(heard: Heard) -> str:
    reset = heard.number("X-Rate-Limit-Reset")
    seconds = 0 if reset is None else max(0, reset - int(heard.at.timestamp()))
    return f" for the next {seconds} seconds" if seconds else ""
