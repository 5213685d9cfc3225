"""Our service passes every case, and of whatever is not as specified each thing is named."""

import asyncio
import gzip
import json
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from serving import serving

from bot.base.clock import SystemClock
from bot.wire.endpoints import ENDPOINTS
from service.conformance import cases, rules
from service.conformance.asking import Heard, PoliteAsker
from service.conformance.cases import Outcome, outcomes
from service.conformance.examination import Examination
from service.conformance.schema_differences import Difference
from service.options import ServiceOptions
from service.seed import SeedReport
from service.server import running

UNPACED = ServiceOptions(quick_seconds=0)
KEPT = ("X-Rate-Limit-", "Content-Type")


@dataclass
class Said:
    """What the service said to one question, to be said again, or otherwise."""

    path: str
    query: Mapping[str, str]
    status: int
    headers: Mapping[str, str]
    body: bytes

    def change(self, change: Callable[[Any], object]) -> None:
        """Say another value."""
        value = json.loads(self.body)
        change(value)
        self.body = json.dumps(value).encode()


Fault = Callable[[Said], None]


def asked_by(request: web.BaseRequest) -> tuple[str, ...]:
    """Return what tells two questions apart."""
    asked = (f"{name}={value}" for name, value in request.query.items() if name != "token")
    return (request.path, *asked)


@dataclass
class Recorded:
    """One whole examination of our service: what was asked, and what it answered."""

    replies: dict[tuple[str, ...], Said]
    outcomes: list[Outcome]
    token: str
    stranger: str

    @asynccontextmanager
    async def faulty(self, fault: Fault) -> AsyncGenerator[str]:
        """Serve the same answers but for one fault."""

        async def answer(request: web.BaseRequest) -> web.Response:
            said = replace(self.replies[asked_by(request)])
            fault(said)
            return web.Response(body=said.body, status=said.status, headers=said.headers)

        async with serving(web.ServerRunner(web.Server(answer))) as address:
            yield address


async def examine(address: str, token: str, stranger: str) -> tuple[PoliteAsker, list[Outcome]]:
    async with PoliteAsker(address, token, SystemClock(), pause=0) as asker:
        x = Examination(asker, region="jp2", stranger=stranger)
        return asker, [outcome async for outcome in outcomes(x)]


@pytest.fixture(scope="module", autouse=True)
def compared_once() -> Generator[None]:
    """Hold each body against its schema once: nearly all are the same in every examination, and some are long."""
    known: dict[tuple[bytes, str], list[Difference]] = {}
    compare = rules.of_body

    def of_body(heard: Heard, schema: Mapping[str, Any]) -> list[Difference]:
        key = heard.body, json.dumps(schema)
        if key not in known:
            known[key] = compare(heard, schema)
        return [*known[key]]

    with pytest.MonkeyPatch.context() as monkeypatch:
        for module in (cases, rules):
            monkeypatch.setattr(module, "of_body", of_body)
        yield


def told(found: list[Outcome]) -> set[str]:
    """Return each difference with its case."""
    return {f"{outcome.case}: {each}" for outcome in found for each in outcome.found}


@pytest.fixture(scope="session")
def recorded(seeded: tuple[Path, SeedReport]) -> Recorded:
    database, report = seeded
    first = report.players[0]
    stranger = next(
        each for each in report.players[1:] if each.is_protected and each.user_id not in first.friends
    )

    async def record() -> Recorded:
        replies: dict[tuple[str, ...], Said] = {}

        def note(request: web.BaseRequest, response: web.Response) -> None:
            body = response.body
            assert isinstance(body, bytes)
            if "Content-Encoding" in response.headers:
                body = gzip.decompress(body)
            kept = {name: text for name, text in response.headers.items() if name.startswith(KEPT)}
            query = {name: value for name, value in request.query.items() if name != "token"}
            said = Said(request.path[1:-5], query, response.status, kept, body)
            replies[asked_by(request)] = said

        async with running(database, options=UNPACED, watch=note) as address:
            _, found = await examine(address, first.token, stranger.user_name)
        return Recorded(replies, found, first.token, stranger.user_name)

    return asyncio.run(record())


def test_our_service_is_as_specified_in_every_case(recorded: Recorded) -> None:
    assert told(recorded.outcomes) == set()
    assert [outcome.case for outcome in recorded.outcomes if outcome.unchecked] == []
    assert len(recorded.outcomes) == len(ENDPOINTS) + len(rules.RULES)


def test_it_costs_few_requests(recorded: Recorded) -> None:
    assert len(recorded.replies) <= 50


def on(path: str, change: Callable[[Any], object], **having: str) -> Fault:
    """Return a fault of the value of one endpoint, where the question has these parameters."""

    def fault(said: Said) -> None:
        if said.path == path and said.status == HTTPStatus.OK and having.items() <= said.query.items():
            said.change(change)

    return fault


def sets(name: str, value: object, *way: str | int) -> Callable[[Any], None]:
    """Return what sets a member of what lies at the end of a way into a value."""

    def change(holder: Any) -> None:
        for step in way:
            holder = holder[step]
        holder[name] = value

    return change


def drops(name: str, *way: str | int) -> Callable[[Any], None]:
    """Return what takes out a member of what lies at the end of a way into a value."""

    def change(holder: Any) -> None:
        for step in way:
            holder = holder[step]
        del holder[name]

    return change


def becomes(status: int, before: int, path: str = "", body: bytes | None = None) -> Fault:
    """Return a fault by which what has one status has another, or another body."""

    def fault(said: Said) -> None:
        if said.status == before and said.path.startswith(path):
            said.status, said.body = status, body or said.body

    return fault


def refuses(change: Callable[[Any], None], status: int) -> Fault:
    """Return a fault of the errors of one status."""

    def fault(said: Said) -> None:
        if said.status == status:
            said.change(change)

    return fault


def header(name: str, value: str | None, path: str) -> Fault:
    """Return a fault by which a header says something else, or is missing."""

    def fault(said: Said) -> None:
        if said.path.startswith(path):
            others = {each: text for each, text in said.headers.items() if each != name}
            said.headers = others if value is None else {**others, name: value}

    return fault


SHOWALL, RATING = "2.0/records/showall", "2.0/records/rating_data"
SONGS, FOUND = "2.0/music/showall", "1.0/music/search"
FIRST = ("records", 0)
FAULTS: dict[str, tuple[Fault, str]] = {
    "a member is missing": (on(SHOWALL, drops("score", *FIRST)), "records[].score is missing"),
    "a score that there is not": (on(SHOWALL, sets("score", 1_010_001, *FIRST)), "score is above 1010000"),
    "an offset with a colon": (
        on(SHOWALL, sets("updated_at", "2026-01-01T00:00:00+09:00", *FIRST)),
        "records[].updated_at is not written as",
    ),
    "an id in capitals": (
        on(SHOWALL, sets("id", "0123456789ABCDEF", *FIRST)),
        "records[].id is not written as",
    ),
    "a flag that is a number": (
        on(SHOWALL, sets("is_played", 1, *FIRST)),
        "records[].is_played is an integer, not true or false",
    ),
    "a level with tenths": (
        on(SHOWALL, sets("level", 13.7, *FIRST)),
        "records[].level is neither whole nor a half",
    ),
    "a rating of World's End": (
        on("2.0/records/worldsend", sets("rating", 14.5, *FIRST)),
        "2.0/records/worldsend: records[].rating is not 0",
    ),
    "another difficulty in World's End": (
        on("1.3/records/worldsend", sets("diff", "MAS", *FIRST)),
        "1.3/records/worldsend: records[].diff is not WE",
    ),
    "twenty-nine places": (
        on(RATING, lambda value: value["best"]["entries"].pop()),
        "best.entries has 29 entries, not 30",
    ),
    "another mean": (on(RATING, sets("value", 1.5, "best")), "best.value is not the mean of the ratings"),
    "a hole in a slot": (
        on(
            RATING,
            lambda value: value["recent"]["entries"].insert(0, value["recent"]["entries"].pop() and None),
        ),
        "recent.",
    ),
    "candidates in jp": (
        on(
            RATING,
            lambda value: value["best_candidate_sss"].update(entries=value["best"]["entries"][:3]),
            region="jp",
        ),
        "best_candidate_sss.entries is not empty in the region jp",
    ),
    "a candidate of SSS": (
        on(RATING, sets("score", 1_007_500, "best_candidate_sss", "entries", 0), region="jp2"),
        "best_candidate_sss.entries[].score is that of SSS or more",
    ),
    "an index that is a text": (
        on("2.0/records/course", sets("course_idx", "1", *FIRST)),
        "records[].course_idx is a text, not an integer",
    ),
    "a song that is another": (
        on("2.0/music/show", sets("title", "another", "meta")),
        "2.0/music/show is not the song of 2.0/music/showall",
    ),
    "a day that is null": (
        on(SONGS, sets("release", None, 0, "meta")),
        "[].meta.release is null, not a text",
    ),
    "a constant of nothing": (
        on(SONGS, lambda value: value[-1]["data"]["MAS"].update(const=0, is_const_unknown=False)),
        "[].data.*.is_const_unknown is false where const is 0",
    ),
    "no time of a friend": (
        on("2.0/friends/list", drops("updated_at", "users", 0)),
        "users[].updated_at is missing",
    ),
    "a friend less": (
        on("1.3/friends/list", lambda value: value["users"].pop()),
        "1.3/friends/list has other friends than 2.0/friends/list",
    ),
    "a page that is none": (
        on("1.3/users/me", sets("name", "blog", "account", "urls", 0)),
        "account.urls[].name is none of mypage",
    ),
    "somebody else": (
        on(
            "1.3/users/show",
            lambda value: value["account"].update(user_name="else"),
            user_name="minamo_plays",
        ),
        "1.3/users/show with user_name is not what 1.3/users/me says",
    ),
    "too many found": (on("1.3/music/search", lambda value: value.extend(value * 201)), "not at most 200"),
    "nothing found": (
        on("1.3/music/search", lambda value: value.clear()),
        "does not find a song by its title",
    ),
    "one decimal": (
        on("1.3/music/stat", lambda value: value["avg"].update({"14.5": 1000.0})),
        "1.3/music/stat: avg has a rating that is not written with two decimals",
    ),
    "averages that are numbers": (
        on("1.0/music/stat", lambda value: value["avg"].update({"14.50": 9.5})),
        "avg.* is a number, not a text",
    ),
    "a rank less": (on("1.3/music/stat", drops("<s", "count", "rank")), "count.rank.<s is missing"),
    "a day with hyphens": (
        on("1.0/users/me", sets("update_on", "2026-01-01", "player")),
        "player.update_on is not written as",
    ),
    "another honor in 1.0": (
        on("1.0/users/me", sets("honor", "another", "player")),
        "1.0/users/",
    ),
    "a wrong count": (on(FOUND, sets("total", 0, "count")), "count.total is another number than is listed"),
    "a target that is not heeded": (
        on(FOUND, lambda value: value["data"]["we"].append(value["data"]["normal"][0]), target="normal"),
        "1.0/music/search",
    ),
    "a later member": (
        on("1.0/records/showall", sets("updated_at", "now", "scores", 0)),
        "scores[].updated_at belongs to a later version",
    ),
    "beats per minute in 1.0": (
        on("1.0/music/show", sets("bpm", 200, "meta")),
        "1.0/music/show: meta.bpm belongs to a later version",
    ),
    "a filter that is not heeded": (
        on("1.0/records/filter", lambda value: value["scores"].pop(), diff="em"),
        "1.0/records/filter with min_level, max_level, diff gives other records than pass",
    ),
    "nobody is a bad request": (
        becomes(400, 404, "1.3/users/show"),
        "1.3/users/show: status is 400, not 404",
    ),
    "a stranger does not exist": (becomes(404, 403, SHOWALL), "2.0/records/showall: status is 404, not 403"),
    "statistics of no song": (becomes(200, 404, "1.3/music/stat"), "1.3/music/stat: status is 200, not 404"),
    "a long text is taken": (becomes(200, 400), "1.3/music/search: status is 200, not 400"),
    "no sentence": (
        refuses(sets("additional_message", "no.", "error"), 400),
        "1.3/music/search: error.additional_message is not “the query is too long.”",
    ),
    "an error without a code": (refuses(drops("code", "error"), 404), "error.code is missing"),
    "an error with another code": (refuses(sets("code", 0, "error"), 404), "error.code is not 404"),
    "no count": (
        header("X-Rate-Limit-Remaining", None, "1.3/friends"),
        "1.3/friends/list.json: X-Rate-Limit-Remaining is missing or no number",
    ),
    "a count that stands still": (
        header("X-Rate-Limit-Remaining", "99", "1.0"),
        "X-Rate-Limit-Remaining is no less than before",
    ),
    "another limit": (
        header("X-Rate-Limit-Limit", "180", "1.3"),
        "version 1.3: X-Rate-Limit-Limit is 180, not 120",
    ),
    "milliseconds": (
        header("X-Rate-Limit-Reset", "1795219200000", "2.0"),
        "version 2.0: X-Rate-Limit-Reset is no time in the next fifteen minutes",
    ),
    "another kind of text": (
        header("Content-Type", "text/html", "2.0/friends"),
        "2.0 friends/list: Content-Type is not application/json",
    ),
    "an endpoint that fails": (
        becomes(500, 200, "1.3/records/course"),
        "1.3 records/course: status is 500, not 200",
    ),
    "no JSON": (becomes(200, 200, "1.3/records/showall", b"<html>"), "1.3 records/showall: body is no JSON"),
}
"""By what is wrong: what makes it so, and what each line says that tells of it."""


@pytest.mark.parametrize("name", FAULTS)
async def test_a_planted_fault_is_named_and_nothing_else(recorded: Recorded, name: str) -> None:
    fault, words = FAULTS[name]
    async with recorded.faulty(fault) as address:
        _, found = await examine(address, recorded.token, recorded.stranger)
    lines = told(found)
    assert lines
    assert [line for line in lines if words not in line] == []


async def test_at_least_thirty_faults_are_planted() -> None:
    assert len(FAULTS) >= 30
