from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http import HTTPStatus

import orjson
import pytest

from bot.api.checks import Values
from bot.api.protocol import Response, make_call, parse_response, rate_headers, retry_after, status_of
from bot.domain.errors import (
    BadQuery,
    BotError,
    NotFound,
    PlayerProtected,
    ServiceDown,
    TokenRejected,
    UnreadableReply,
)
from bot.wire.endpoints import BY_PATH, USERS_SHOW_V13
from bot.wire.versions import Version

NOW = datetime(2024, 1, 1, tzinfo=UTC)
TARGET: Values = {"user_name": "yuki"}
SONG = "0123456789abcdef"


def refusal(status: int, code: int | None = None, detail: str = "") -> Response:
    error = {"code": code or status, "message": "…", "additional_message": detail}
    return Response(status, {}, orjson.dumps({"error": error}))


@pytest.mark.parametrize(
    ("version", "name", "values", "response", "error"),
    [
        ("1.3", "users/show", TARGET, refusal(400, detail="no such thing"), BadQuery),
        ("1.3", "users/show", TARGET, refusal(400), BadQuery),
        ("1.3", "users/show", TARGET, refusal(400, detail="Invalid token."), TokenRejected),
        ("1.3", "users/me", {}, refusal(400), TokenRejected),
        ("1.3", "users/me", {}, refusal(403), TokenRejected),
        # The service refuses a token, and does not find a player, by JSON or by a page.
        ("1.3", "users/me", {}, Response(400, {}, b"<html>"), TokenRejected),
        ("1.3", "users/me", {}, Response(401, {}, b"<html>"), TokenRejected),
        ("1.3", "users/me", {}, Response(403, {}, b"<html>"), TokenRejected),
        ("1.3", "users/show", TARGET, Response(403, {}, b"<html>"), PlayerProtected),
        ("1.3", "users/show", TARGET, Response(404, {}, b"<html>"), NotFound),
        ("1.3", "music/search", {"q": "x"}, refusal(400, detail="the query is too long."), BadQuery),
        ("1.3", "users/show", TARGET, refusal(403), PlayerProtected),
        ("1.3", "users/show", {}, refusal(403), TokenRejected),
        ("1.0", "users/show", TARGET, refusal(403), TokenRejected),
        ("1.0", "users/show", TARGET, refusal(404), NotFound),
        ("1.3", "users/show", TARGET, Response(404, {}, b""), NotFound),
        ("1.3", "music/stat", {"id": SONG, "diff": "m"}, refusal(404), NotFound),
        ("1.3", "users/me", {}, Response(404, {}, b"<html>"), ServiceDown),
        ("1.3", "users/show", TARGET, refusal(200, 403), PlayerProtected),
        ("1.3", "users/me", {}, refusal(200, 503), ServiceDown),
        ("1.3", "users/me", {}, refusal(503, 404), ServiceDown),
        ("1.3", "users/me", {}, Response(200, {}, b'{"error": "maintenance"}'), UnreadableReply),
        ("1.3", "users/me", {}, Response(200, {}, b"<html>"), UnreadableReply),
        ("1.3", "users/me", {}, Response(200, {}, b""), UnreadableReply),
        ("1.3", "users/me", {}, Response(204, {}, b""), UnreadableReply),
        ("1.3", "users/me", {}, Response(200, {}, b"[]"), UnreadableReply),
        ("2.0", "records/rating_data", {"region": "jp2"}, Response(200, {}, b"{}"), UnreadableReply),
        ("1.3", "users/me", {}, Response(301, {}, b""), ServiceDown),
        ("1.3", "users/me", {}, refusal(405), ServiceDown),
        ("1.3", "users/me", {}, Response(414, {}, b""), BadQuery),
        ("1.3", "users/me", {}, Response(500, {}, b""), ServiceDown),
        ("1.3", "users/me", {}, Response(999, {}, b"\x00"), ServiceDown),
    ],
)
def test_what_each_refusal_means(
    version: Version, name: str, values: Values, response: Response, error: type[BotError]
) -> None:
    call = make_call(BY_PATH[f"/{version}/{name}.json"], values)
    with pytest.raises(error):
        parse_response(call, response, token="t0ken")


def test_what_was_not_found_is_told_as_it_was_asked() -> None:
    call = make_call(USERS_SHOW_V13, TARGET)
    with pytest.raises(NotFound) as caught:
        parse_response(call, refusal(404), token="t0ken")
    assert caught.value.what == "yuki"


@pytest.mark.parametrize(("detail", "told"), [("no such thing", "no such thing"), ("", "bad request")])
def test_what_is_wrong_with_a_question_is_told_as_the_service_says_it(detail: str, told: str) -> None:
    call = make_call(USERS_SHOW_V13, TARGET)
    with pytest.raises(BadQuery) as caught:
        parse_response(call, refusal(400, detail=detail), token="t0ken")
    assert caught.value.allowed == told


def test_an_error_object_under_200_counts_by_its_code() -> None:
    assert status_of(refusal(200, 429)) == HTTPStatus.TOO_MANY_REQUESTS
    assert status_of(refusal(404, 429)) == HTTPStatus.NOT_FOUND


def rates(reset: datetime, **more: str) -> dict[str, str]:
    return {
        "X-Rate-Limit-Limit": "120",
        "X-Rate-Limit-Remaining": "119",
        "X-Rate-Limit-Reset": str(int(reset.timestamp())),
    } | more


def test_the_services_clock_may_run_apart_from_ours() -> None:
    there = NOW + timedelta(hours=2)
    found = rate_headers(rates(there + timedelta(minutes=5), Date=format_datetime(there, usegmt=True)), NOW)
    assert found is not None
    assert found.ends_in == 300
    assert found.reset_at == there.timestamp() + 300


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-Rate-Limit-Limit": "120"},
        rates(NOW) | {"X-Rate-Limit-Limit": "0"},
        rates(NOW) | {"X-Rate-Limit-Remaining": "-1"},
        rates(NOW) | {"X-Rate-Limit-Remaining": "many"},
        rates(NOW) | {"X-Rate-Limit-Reset": "9" * 400},
        rates(NOW + timedelta(days=400)),
    ],
)
def test_rate_headers_that_make_no_sense_are_none(headers: dict[str, str]) -> None:
    assert rate_headers(headers, NOW) is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "30"}, 30),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": format_datetime(NOW + timedelta(seconds=90), usegmt=True)}, 90),
        ({"Retry-After": format_datetime(NOW - timedelta(seconds=90), usegmt=True)}, 0),
        ({"Retry-After": "9999999999"}, 86_400),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds
