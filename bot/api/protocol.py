"""The service's protocol without I/O: a call becomes a request, a response becomes a model or an error."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Final, Generic, TypeVar
from urllib.parse import quote

from pydantic import BaseModel

from bot.api.budget.window import RateHeaders
from bot.api.checks import Values, check_values
from bot.domain.errors import (
    BadQuery,
    BotError,
    NotFound,
    PlayerProtected,
    ServiceDown,
    TokenRejected,
    UnreadableReply,
)
from bot.wire.endpoints import Endpoint
from bot.wire.reading import Reading, find_error, read_reply
from bot.wire.replies import ErrorDetail

R_co = TypeVar("R_co", bound=BaseModel, covariant=True)

Headers = Mapping[str, str]
"""Response headers by name; whoever provides them makes the lookup case-insensitive."""

_MAX_DETAIL_CHARACTERS: Final = 200
"""The most characters of the service's error message that are passed on."""
_MAX_WINDOW: Final = timedelta(days=1)
"""A window that seems to end later than this is an error in the header."""
_BRIEF: Final = frozenset(
    {HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT}
)
_REJECTING: Final = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
"""Statuses that can mean that the token is rejected."""
_ASKED: Final = ("user_name", "user_id", "id", "idx")
"""Parameters whose value can be what was not found."""


class TransientOutage(ServiceDown):
    """A failure after which a retry may succeed."""

    def __init__(self, reason: str, *, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        """Seconds that the service asks us to wait; None if it does not say."""
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class ApiCall(Generic[R_co]):
    """One question, checked."""

    endpoint: Endpoint[R_co]
    query: tuple[tuple[str, str], ...]
    """The query string without the token."""

    @property
    def has_target(self) -> bool:
        """Whether it is about another user than the token holder."""
        return any(name in {"user_id", "user_name"} for name, _ in self.query)

    @property
    def what(self) -> str:
        """What is looked for, as the asker wrote it; may be empty."""
        asked = dict(self.query)
        return next((asked[name] for name in _ASKED if name in asked), "")


@dataclass(frozen=True, slots=True)
class Response:
    """An HTTP response."""

    status: int
    headers: Headers
    body: bytes


def make_call(endpoint: Endpoint[R_co], values: Values) -> ApiCall[R_co]:
    """Check the values and format them for the service; None leaves a parameter out.

    Raises: BadQuery.
    """
    check_values(endpoint, values)
    query = tuple((name, _written(value)) for name, value in values.items() if value is not None)
    return ApiCall(endpoint, query)


def _written(value: str | float) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def status_of(response: Response) -> int:
    """Return the effective status: an error object can come under status 200."""
    if not _is_success(response.status):
        return response.status
    error = find_error(response.body)
    return response.status if error is None or error.code is None else error.code


def rejects_token(call: ApiCall[BaseModel], response: Response) -> bool:
    """Return whether the service rejected the token."""
    status = status_of(response)
    if status not in _REJECTING:
        return False
    return isinstance(error_of(call, status, find_error(response.body), token=""), TokenRejected)


def raise_if_brief(response: Response, now: datetime) -> None:
    """Recognise responses that are worth a retry. Raises: TransientOutage."""
    status = status_of(response)
    if status in _BRIEF:
        reason = f"status {status}"
        raise TransientOutage(reason, retry_after=retry_after(response.headers, now))


def parse_response(call: ApiCall[R_co], response: Response, *, token: str) -> Reading[R_co]:
    """Return what the service answered; `token` is what no error may repeat.

    Raises: every BotError but NotLinked and BudgetSpent; 429 is handled by the budget.
    """
    error = find_error(response.body)
    if response.status == HTTPStatus.OK and error is None:
        return read_reply(call.endpoint.reply, response.body)
    raise error_of(call, status_of(response), error, token=token)


def error_of(  # noqa: PLR0911 - a table
    call: ApiCall[BaseModel], status: int, error: ErrorDetail | None, *, token: str
) -> BotError:
    """Return the error that a status means for a call."""
    detail = _without(token, (error.additional_message or "") if error else "")
    match status:
        case HTTPStatus.BAD_REQUEST:
            return _bad_request(call, detail)
        case HTTPStatus.UNAUTHORIZED:
            return TokenRejected()
        case HTTPStatus.FORBIDDEN:
            is_protected = call.has_target and call.endpoint.version != "1.0"
            return PlayerProtected() if is_protected else TokenRejected()
        case HTTPStatus.NOT_FOUND:
            is_address = error is None and not call.what
            return ServiceDown("status 404 for an endpoint") if is_address else NotFound(call.what)
        case HTTPStatus.REQUEST_URI_TOO_LONG:
            return BadQuery("", "a shorter query")
        case _ if _is_success(status):
            return UnreadableReply(f"status {status} without a reply")
        case _:
            return ServiceDown(f"status {status}")


def _is_success(status: int) -> bool:
    return HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES


def _bad_request(call: ApiCall[BaseModel], detail: str) -> BotError:
    """Tell a bad question from a bad token. Source: the real service's behaviour; the specification is silent."""
    is_about_token = "token" in detail.lower() or not (detail or call.has_target)
    return TokenRejected() if is_about_token else BadQuery("", detail or "bad request")


def _without(token: str, text: str) -> str:
    for secret in (token, quote(token), quote(token, safe="")):
        text = text.replace(secret, "…") if secret else text
    return text[:_MAX_DETAIL_CHARACTERS]


def rate_headers(headers: Headers, now: datetime) -> RateHeaders | None:
    """Return the three rate headers; None if one is missing or is not what it should be.

    `now` stands in for the service's clock if there is no date in the headers.
    """
    limit = _whole(headers.get("X-Rate-Limit-Limit"))
    remaining = _whole(headers.get("X-Rate-Limit-Remaining"))
    reset = _whole(headers.get("X-Rate-Limit-Reset"))
    if limit is None or remaining is None or reset is None or limit < 1:
        return None
    there = parse_date(headers.get("Date")) or now
    ahead = reset - there.timestamp()
    if abs(ahead) > _MAX_WINDOW.total_seconds():
        return None
    return RateHeaders(
        limit=limit,
        remaining=min(remaining, limit),
        reset_at=reset,
        ends_in=ahead,
    )


def retry_after(headers: Headers, now: datetime) -> float | None:
    """Return the seconds that the service asks us to wait, or None if it does not say."""
    text = headers.get("Retry-After")
    seconds = _whole(text)
    if seconds is None:
        moment = parse_date(text)
        if moment is None:
            return None
        there = parse_date(headers.get("Date")) or now
        seconds = math.ceil((moment - there).total_seconds())
    return float(min(max(0, seconds), _MAX_WINDOW.total_seconds()))


def _whole(text: str | None) -> int | None:
    """Return a header's number; None if it is not a number, negative or absurdly long."""
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= len("9999999999") else None


def parse_date(text: str | None) -> datetime | None:
    """Return a header's date in UTC."""
    try:
        moment = parsedate_to_datetime(text or "")
    except (ValueError, OverflowError):
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
