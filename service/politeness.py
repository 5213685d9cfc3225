"""Judges how a client treats the service, from all of its requests."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

from aiohttp import web

from bot.base.clock import Clock

_ANSWERED: Final = frozenset({HTTPStatus.OK, HTTPStatus.NOT_MODIFIED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One request and its answer."""

    at: float
    """Seconds, by the monotonic clock."""
    question: str = field(repr=False)
    """Path and parameters without the token; equal texts are the same question."""
    account: str = field(repr=False)
    """The account and version that the request counts for."""
    status: int
    remaining: int
    resets_in: float
    """Seconds until the requests are restored, by the answer."""
    tag: str | None = None
    """The answer's ETag, with which the next answer can be avoided."""
    names_tag: bool = False
    """Whether the request named a tag."""
    takes_gzip: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """The summary of a client's requests."""

    requests: int
    answers: int
    """Different questions that were answered."""
    refused: int
    """Requests that were answered with 429."""
    quick: int
    """Requests that came so soon after another that they cost two."""
    headers_ignored: int
    """Requests that were sent although the last answer said that nothing was left, or was a 429."""
    tags_ignored: int
    """Questions that were repeated without the tag of the earlier answer."""
    unpacked: int
    """Answers with a tag, which are large, to requests that do not accept gzip."""

    @property
    def is_polite(self) -> bool:
        """Whether the service never had to refuse, and its headers were respected."""
        return not self.refused and not self.headers_ignored

    def lines(self) -> list[str]:
        """Return the report."""
        each = f"{self.requests / self.answers:.1f}" if self.answers else "none answered"
        return [
            f"requests            {self.requests}, {self.answers} different answers, {each} an answer",
            f"refused with 429    {self.refused}",
            f"quick succession    {self.quick}, each of which cost two",
            f"headers ignored     {self.headers_ignored}, sent though nothing was left or after a 429",
            f"tags ignored        {self.tags_ignored}, asked again without If-None-Match",
            f"not compressed      {self.unpacked}, large answers to a request that takes no gzip",
        ]


class Witness:
    """Records every request that the service answers."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.exchanges: list[Exchange] = []

    def note(self, request: web.BaseRequest, response: web.Response) -> None:
        """Record one request, unless it counts for no account."""
        version, token = request.path.split("/")[1], request.query.get("token", "")
        headers = response.headers
        if "X-Rate-Limit-Reset" not in headers or response.status == HTTPStatus.UNAUTHORIZED:
            return
        asked = sorted((name, value) for name, value in request.query.items() if name != "token")
        self.exchanges.append(
            Exchange(
                at=self._clock.monotonic(),
                question=f"{request.path} {asked}",
                account=f"{version} {token}",
                status=response.status,
                remaining=int(headers["X-Rate-Limit-Remaining"]),
                resets_in=int(headers["X-Rate-Limit-Reset"]) - self._clock.now().timestamp(),
                tag=headers.get("ETag"),
                names_tag="If-None-Match" in request.headers,
                takes_gzip="gzip" in request.headers.get("Accept-Encoding", ""),
            )
        )


def judge(exchanges: Sequence[Exchange], quick_seconds: float) -> Manners:
    """Summarise requests, given in the order of their answers."""
    answered = [each for each in exchanges if each.status in _ANSWERED]
    pairs = [*_pairs(exchanges)]
    tagged: set[str] = set()
    ignored = 0
    for each in exchanges:
        ignored += each.question in tagged and not each.names_tag
        if each.tag is not None:
            tagged.add(each.question)
    return Manners(
        requests=len(exchanges),
        answers=len({each.question for each in answered}),
        refused=sum(each.status == HTTPStatus.TOO_MANY_REQUESTS for each in exchanges),
        quick=sum(now.at - before.at < quick_seconds for before, now in pairs),
        headers_ignored=sum(
            before.remaining == 0 and now.at < before.at + before.resets_in for before, now in pairs
        ),
        tags_ignored=ignored,
        unpacked=sum(each.tag is not None and not each.takes_gzip for each in answered),
    )


def _pairs(exchanges: Iterable[Exchange]) -> Iterable[tuple[Exchange, Exchange]]:
    """Yield each request with the previous one that counted for the same account and version."""
    last: dict[str, Exchange] = {}
    for each in exchanges:
        if each.account in last:
            yield last[each.account], each
        last[each.account] = each
