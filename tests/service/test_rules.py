"""Who may read what, and what is refused how."""

import asyncio
import json
import logging
from urllib.parse import urlsplit

import pytest

from bot.wire.endpoints import ENDPOINTS, Endpoint
from service.seed import SeededPlayer
from tests.service.conftest import Caller

HOLDER, FRIEND, STRANGER, PENDING, EMPTY = range(5)
REQUIRED: dict[str, str | int] = {"region": "jp2", "id": "0" * 16, "idx": 1, "diff": "m", "q": "a"}


def required(endpoint: Endpoint) -> dict[str, str | int]:
    return {p.name: REQUIRED[p.name] for p in endpoint.parameters if p.required}


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.path)
async def test_every_endpoint_answers_its_holder(
    caller: Caller, players: tuple[SeededPlayer, ...], endpoint: Endpoint
) -> None:
    status, body, headers = await caller.ask_in_full(
        endpoint.path, players[HOLDER].token, **required(endpoint)
    )
    unknown_song = endpoint.name == "music/show" or endpoint.path == "/1.3/music/stat.json"
    if unknown_song and endpoint.version != "1.0":
        assert (status, body["error"]["code"]) == (404, 404)
    else:
        assert status == 200
        assert headers["Content-Type"] == "application/json; charset=utf-8"


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.path)
@pytest.mark.parametrize("token", [None, "", "x" * 64, "0" * 64])
async def test_no_token_no_answer(caller: Caller, endpoint: Endpoint, token: str | None) -> None:
    status, body, headers = await caller.ask_in_full(endpoint.path, token, **required(endpoint))
    assert status == 401
    assert body["error"].keys() == {"code", "message", "additional_message"}
    assert {"X-Rate-Limit-Limit", "X-Rate-Limit-Remaining", "X-Rate-Limit-Reset"} <= headers.keys()


TARGETED = [endpoint for endpoint in ENDPOINTS if endpoint.takes_target]


@pytest.mark.parametrize("endpoint", TARGETED, ids=lambda endpoint: endpoint.path)
async def test_protected_players_are_for_friends(
    caller: Caller, players: tuple[SeededPlayer, ...], endpoint: Endpoint
) -> None:
    async def status(target: int | str) -> int:
        key = "user_id" if isinstance(target, int) else "user_name"
        query = required(endpoint) | {key: target}
        return (await caller.ask(endpoint.path, players[HOLDER].token, **query))[0]

    old = endpoint.version == "1.0"
    assert players[FRIEND].is_protected
    assert players[STRANGER].is_protected
    assert await status(players[FRIEND].user_id) == (404 if old else 200)
    assert await status(players[FRIEND].user_name) == (404 if old else 200)
    assert await status(players[STRANGER].user_id) == (404 if old else 403)
    assert await status(players[PENDING].user_id) == 200
    assert await status(10**30) == 404
    assert await status("nobody_here") == 404
    own = await caller.ask(
        endpoint.path, players[STRANGER].token, **required(endpoint), user_id=players[STRANGER].user_id
    )
    assert own[0] == 200


@pytest.mark.parametrize(
    ("path", "query", "reason"),
    [
        ("/2.0/records/showall.json", {}, "region is required."),
        ("/2.0/records/showall.json", {"region": "jp3"}, "region must be one of jp, jp2."),
        ("/2.0/music/show.json", {"region": "jp2"}, "id is required."),
        ("/1.3/users/show.json", {"user_id": "x"}, "user_id must be an integer."),
        ("/1.3/users/show.json", {"user_id": 1, "user_name": "a"}, "user_id and user_name exclude each other."),
        ("/1.3/music/search.json", {"q": "x" * 127}, "the query is too long."),
        ("/1.3/music/search.json", {"q": "since:soon"}, "since: is followed by a date, YYYY-MM-DD."),
        ("/1.0/music/search.json", {"q": "x" * 127}, "the query is too long."),
        ("/1.3/music/search.json", {"q": " "}, "q has nothing to look for."),
        ("/1.3/music/search.json", {"q": '""'}, "q has nothing to look for."),
        ("/1.3/music/search.json", {"q": "\x1c"}, "q has nothing to look for."),
        ("/1.3/music/search.json", {"q": "\ufeff"}, "q has nothing to look for."),
        ("/1.0/music/search.json", {"q": " ", "exact_match": 1}, "q has nothing to look for."),
        ("/1.3/users/show.json", {"user_name": ""}, "user_name is empty."),
        ("/1.3/music/stat.json", {"id": "0" * 16, "diff": "u"}, "diff must be one of b, a, e, m, w."),
        ("/1.0/records/filter.json", {"diff": "bx"}, "diff is not written as it must be."),
        ("/1.0/records/filter.json", {"lamp": "clear,"}, "lamp is not written as it must be."),
        ("/1.0/records/filter.json", {"min_level": "ten"}, "min_level must be a number."),
        ("/1.0/records/filter.json", {"include_minfo": 2}, "include_minfo must be one of 0, 1."),
    ],
)  # fmt: skip
async def test_bad_parameters_are_named(
    caller: Caller, players: tuple[SeededPlayer, ...], path: str, query: dict[str, str | int], reason: str
) -> None:
    status, body = await caller.ask(path, players[HOLDER].token, **query)
    assert status == 400
    assert body == {"error": {"code": 400, "message": "bad request.", "additional_message": reason}}


async def test_unknown_paths_and_other_methods(caller: Caller, players: tuple[SeededPlayer, ...]) -> None:
    token = players[HOLDER].token
    status, body, headers = await caller.ask_in_full("/1.3/nothing.json", token)
    assert (status, body["error"]["code"]) == (404, 404)
    assert "X-Rate-Limit-Reset" in headers
    status, body, headers = await caller.send("POST", "/1.3/users/me.json", {"token": token})
    assert (status, body["error"]["message"]) == (405, "the requested method is not allowed.")
    assert headers["Allow"] == "GET, HEAD"
    assert "X-Rate-Limit-Reset" in headers


@pytest.mark.parametrize("path", ["/1.3/users/me.json", "/2.0/music/showall.json", "/healthz", "/nothing"])
async def test_who_asks_for_the_head_is_told_all_but_the_body_and_it_counts(
    caller: Caller, players: tuple[SeededPlayer, ...], path: str
) -> None:
    asked = {"token": players[HOLDER].token, **({"region": "jp2"} if path.startswith("/2.0") else {})}
    status, body, whole = await caller.send("GET", path, dict(asked))
    head_status, nothing, head = await caller.send("HEAD", path, dict(asked))
    assert (status, body is None) == (head_status, False)
    assert nothing is None
    told = {"Content-Type", "Content-Length", "Content-Encoding", "ETag", "Vary"}
    assert {name: head.get(name) for name in told} == {name: whole.get(name) for name in told}
    left = "X-Rate-Limit-Remaining"
    assert (int(head[left]) < int(whole[left])) == (status == 200 and path != "/healthz")


async def test_friend_list_holds_pending_requests_of_both_directions(
    caller: Caller, players: tuple[SeededPlayer, ...]
) -> None:
    for path in ("/2.0/friends/list.json", "/1.3/friends/list.json"):
        _, body = await caller.ask(path, players[HOLDER].token)
        entries = {entry["user_id"]: entry for entry in body["users"]}
        accepted = {user_id for user_id, entry in entries.items() if entry["is_accepted"]}
        assert accepted == set(players[HOLDER].friends)
        incoming, outgoing = entries[players[PENDING].user_id], entries[players[EMPTY].user_id]
        assert (incoming["is_accepted"], incoming["incoming"]) == (False, True)
        assert (outgoing["is_accepted"], outgoing["incoming"]) == (False, False)


async def test_a_request_to_a_protected_player_shows_none_of_their_data(
    caller: Caller, players: tuple[SeededPlayer, ...]
) -> None:
    _, body = await caller.ask("/2.0/friends/list.json", players[7].token)
    entry = next(entry for entry in body["users"] if entry["user_id"] == players[STRANGER].user_id)
    assert (entry["is_protected"], entry["is_accepted"]) == (True, False)
    assert (entry["rating"], entry["rating_max"]) == (0, 0)
    assert entry["updated_at"] == "1970-01-01T09:00:00+0900"


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /1.3/users/me.json?token=%s HTTP/9.9\r\n\r\n",
        b"GET /1.3/users/me.json?token=%s HTTP/1.1\r\nno header\r\n\r\n",
        b"GET /?token=%s" + b"x" * 70_000 + b" HTTP/1.1\r\n\r\n",
        b"token=%s\r\n\r\n",
    ],
)
async def test_what_is_no_http_is_refused_in_shape_and_not_logged(
    caller: Caller, players: tuple[SeededPlayer, ...], caplog: pytest.LogCaptureFixture, sent: bytes
) -> None:
    caplog.set_level(logging.DEBUG)
    token = players[HOLDER].token
    address = urlsplit(caller.base)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.write(sent.replace(b"%s", token.encode()))
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    assert head.startswith((b"HTTP/1.0 400 ", b"HTTP/1.1 400 "))
    assert b"\r\nX-Rate-Limit-Reset: " in head
    assert json.loads(body)["error"]["code"] == 400
    assert token not in caplog.text
