"""Whatever the service sends, what leaves the API layer is a model or one of our errors.

The suite tries fifty replies of each kind; KIROKU_EXAMPLES=10000 tries as many as it says.
"""

import json
import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.api.checks import Value
from bot.api.protocol import (
    Response,
    make_call,
    parse_response,
    raise_if_brief,
    rate_headers,
    retry_after,
    status_of,
)
from bot.domain.errors import BotError, UnreadableReply
from bot.domain.ids import JP2
from bot.domain.scores import SlotName
from bot.wire.endpoints import ENDPOINTS, Endpoint
from bot.wire.reading import read_reply
from bot.wire.songs import SongsReply

EXAMPLES = int(os.environ.get("KIROKU_EXAMPLES", "50"))
MANGLED = 2
"""Entries of each list that are changed; more of them find nothing more."""
NOW = datetime(2024, 1, 1, tzinfo=UTC)
TOKEN = "t0ken-that-nobody-writes"
SAMPLES = {
    endpoint: (Path(__file__).parent.parent / "samples" / endpoint.path.removeprefix("/")).read_bytes()
    for endpoint in ENDPOINTS
}
REQUIRED = {
    "records": {"id", "idx", "diff", "title", "score", "course_idx", "course_name"},
    "users": {"user_id", "user_name", "player_name", "playername", "id", "name", "account", "player"},
    "friends": {"user_id", "user_name", "player_name"},
    "music": {"meta", "id", "idx", "title", "data", "normal", "we", "users_count"},
}
"""Members without which an entry says nothing, by folder: a new one has its own."""
LISTS = {"records", "scores", "users", "entries", "urls"}
"""Members whose entries are counted where they cannot be read."""

many = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
)
endpoints = st.sampled_from(ENDPOINTS)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
header_names = st.sampled_from(
    [
        "X-Rate-Limit-Limit",
        "X-Rate-Limit-Remaining",
        "X-Rate-Limit-Reset",
        "Retry-After",
        "Date",
        "Content-Type",
    ]
)
header_values = (
    st.text()
    | st.integers().map(str)
    | st.datetimes().map(lambda when: when.strftime("%a, %d %b %Y %H:%M:%S GMT"))
)
headers = st.dictionaries(header_names, header_values)
statuses = st.sampled_from([200, 204, 301, 400, 401, 403, 404, 405, 429, 500, 502, 503, 504]) | st.integers(
    100, 999
)


@st.composite
def mangled(draw: st.DrawFn, endpoint: Endpoint, *, keep: frozenset[str] = frozenset()) -> object:
    """Return a sample with members added, missing and of other types; those in `keep` stay as they are."""

    def mangle(value: object) -> object:
        if isinstance(value, list):
            entries = cast("list[object]", value)
            return [*map(mangle, entries[:MANGLED]), *entries[MANGLED:]]
        if not isinstance(value, dict):
            return value
        changed: dict[str, object] = {}
        for name, member in cast("dict[str, object]", value).items():
            is_kept = name in keep
            change = "keep" if is_kept else draw(st.sampled_from(["keep", "keep", "keep", "drop", "retype"]))
            if change == "retype":
                changed[name] = draw(json_values)
            elif change == "keep":
                changed[name] = mangle(member)
        if draw(st.booleans()):
            changed["ext_" + draw(st.text())] = draw(json_values)
        return changed

    return mangle(orjson.loads(SAMPLES[endpoint]))


def as_json(value: object) -> bytes:
    """Write JSON as an unkind service might: with NaN, and integers of any length."""
    return json.dumps(value, ensure_ascii=False).encode()


def survive(endpoint: Endpoint, response: Response) -> None:
    """Do all that the client does with a response; anything but a BotError fails the test."""
    call = make_call(endpoint, values_for(endpoint))
    rate_headers(response.headers, NOW)
    retry_after(response.headers, NOW)
    status_of(response)
    with suppress(BotError):
        raise_if_brief(response, NOW)
        reply = parse_response(call, response, token=TOKEN).reply
        turn_into_domain(reply)
        assert read_reply(endpoint.reply, reply.model_dump_json().encode()).reply == reply


def turn_into_domain(reply: object) -> None:
    if isinstance(reply, SongsReply):
        reply.to_domain(JP2)
    else:
        getattr(reply, "to_domain")()  # noqa: B009 - typed as any reply


def values_for(endpoint: Endpoint) -> dict[str, Value]:
    right: dict[str, Value] = {"region": "jp2", "id": "0" * 16, "idx": 1, "q": "a", "diff": "m"}
    return {parameter.name: right[parameter.name] for parameter in endpoint.parameters if parameter.required}


@many
@given(endpoints, statuses, headers, st.binary(max_size=200))
def test_any_bytes(endpoint: Endpoint, status: int, heads: dict[str, str], body: bytes) -> None:
    survive(endpoint, Response(status, heads, body))


@many
@given(endpoints, statuses, headers, json_values)
def test_any_json(endpoint: Endpoint, status: int, heads: dict[str, str], value: object) -> None:
    survive(endpoint, Response(status, heads, as_json(value)))


@many
@given(endpoints, statuses.filter(lambda status: status not in {200, 502, 503, 504}), json_values, st.text())
def test_any_error_object(endpoint: Endpoint, status: int, code: object, detail: str) -> None:
    error = {"code": code, "message": code, "additional_message": f"{detail}{TOKEN}{detail}"}
    call = make_call(endpoint, values_for(endpoint))
    with pytest.raises(BotError) as caught:
        parse_response(call, Response(status, {}, as_json({"error": error})), token=TOKEN)
    assert TOKEN not in f"{caught.value!s}{caught.value!r}"
    assert caught.value.__context__ is None


@many
@given(st.data(), endpoints)
def test_any_mangled_reply(data: st.DataObject, endpoint: Endpoint) -> None:
    survive(endpoint, Response(200, {}, as_json(data.draw(mangled(endpoint)))))


def test_each_folder_says_what_its_entries_cannot_lack() -> None:
    folders = {endpoint.name.split("/")[0] for endpoint in ENDPOINTS}
    assert REQUIRED.keys() == folders, "a new folder has a line in REQUIRED"


@many
@given(st.data(), endpoints)
def test_optional_members_never_cost_the_entry(data: st.DataObject, endpoint: Endpoint) -> None:
    slot = data.draw(st.sampled_from(sorted({*SlotName} - {SlotName.NEW})))  # which no reply has
    kept = frozenset({*REQUIRED[endpoint.name.split("/")[0]], *LISTS, slot})
    body = as_json(data.draw(mangled(endpoint, keep=kept)))
    reading = read_reply(endpoint.reply, body)
    assert reading.lost == 0
    turn_into_domain(reading.reply)
    assert read_reply(endpoint.reply, reading.reply.model_dump_json().encode()).reply == reading.reply


@many
@given(endpoints, st.integers(1, 200))
def test_a_reply_cut_short_is_unreadable(endpoint: Endpoint, bytes_lost: int) -> None:
    body = SAMPLES[endpoint].rstrip()
    with pytest.raises(UnreadableReply) as caught:
        read_reply(endpoint.reply, body[: max(0, len(body) - bytes_lost)])
    assert caught.value.__context__ is None
