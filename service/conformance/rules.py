"""The specification's requirements beyond the shape of replies, one rule after another."""

import re
from collections.abc import AsyncIterator, Callable, Mapping
from datetime import timedelta
from http import HTTPStatus
from typing import Any, Final, TypeAlias

from bot.domain.charts import WORLDS_END
from service.conformance.asking import RATE_HEADERS, Heard, version_of
from service.conformance.examination import Examination
from service.conformance.schema_differences import Difference, differences
from service.refusal import MESSAGES, QUERY_TOO_LONG
from service.reply_schemas import COMPONENTS

Examine: TypeAlias = Callable[[Examination], AsyncIterator[Difference]]
RULES: Final[list[tuple[str, Examine]]] = []
"""The rules, each with a sentence that describes it."""

_RATING: Final = re.compile(r"[0-9]+\.[0-9]{2}")
_LIMITS: Final = {"1.3": 120, "1.0": 200}
"""Source: specification, Limits."""
_WINDOW: Final = timedelta(minutes=15)
_CLOCKS: Final = timedelta(minutes=2)
"""The greatest difference between two machines' clocks."""
_SS: Final = 1_000_000
_SSS: Final = 1_007_500
_LEVELS: Final = (1, 14)
"""The range of levels in records/filter by default. Source: specification."""
_NOBODY: Final = "nobody_of_this_name_plays"
_NO_SONG: Final = "0123456789abcdef"
_FAR_INDEX: Final = 10**8
_LONG_QUERY: Final = "x" * 2_000
_ROUNDED: Final = 0.0101
"""The greatest difference of a mean that is rounded or cut to two decimals."""
_ALL_LEVELS: Final = {"min_level": 1, "max_level": 20}
_FILTERS: Final[tuple[tuple[Mapping[str, str | float], Callable[[Any], bool]], ...]] = (
    ({}, lambda record: _LEVELS[0] <= record["level"] <= _LEVELS[1]),
    ({**_ALL_LEVELS, "diff": "em"}, lambda record: record["diff"] in {"EXP", "MAS"}),
    (
        {**_ALL_LEVELS, "min_score": _SS, "max_score": _SSS},
        lambda record: _SS <= record["score"] <= _SSS,
    ),
    ({**_ALL_LEVELS, "lamp": "aj"}, lambda record: record["is_alljustice"]),
)


def _rule(case: str) -> Callable[[Examine], Examine]:
    def register(examine: Examine) -> Examine:
        RULES.append((case, examine))
        return examine

    return register


def of_envelope(heard: Heard, status: int) -> list[Difference]:
    """Return the differences in status and content type of an answer."""
    found: list[Difference] = []
    if heard.status != status:
        found.append(Difference("status", f"is {heard.status}, not {status}"))
    if not heard.headers.get("Content-Type", "").startswith("application/json"):
        found.append(Difference("Content-Type", "is not application/json"))
    return found


def of_body(heard: Heard, schema: Mapping[str, Any]) -> list[Difference]:
    """Return the differences in the body of an answer."""
    try:
        return [*differences(heard.json(), schema)]
    except ValueError:
        return [Difference("body", "is no JSON")]


async def _refused(x: Examination, path: str, status: int, **query: str | float) -> AsyncIterator[Difference]:
    """Yield the differences of an answer from an error reply with the given status."""
    heard = await x.heard(path, **query)
    found = of_envelope(heard, status)
    if heard.status == status:
        found += of_body(heard, COMPONENTS["Error"])
        if not found and heard.json()["error"]["code"] != status:
            found.append(Difference("error.code", f"is not {status}"))
    for place, what in found:
        yield Difference(f"{path}: {place}", what)


@_rule("users/show is users/me without a user, by one's own id and by one's own name")
async def _oneself(x: Examination) -> AsyncIterator[Difference]:
    me = await x.me()
    account = me["account"]
    for query in ({}, {"user_id": account["user_id"]}, {"user_name": account["user_name"]}):
        heard = await x.heard("1.3/users/show", **query)
        if heard.status != HTTPStatus.OK or _json(heard) != me:
            yield Difference(f"1.3/users/show with {_named(query)}", "is not what 1.3/users/me says")


@_rule("version 1.0 speaks of the same account as version 1.3")
async def _same_account(x: Examination) -> AsyncIterator[Difference]:
    me, old = await x.me(), await x.value("1.0/users/me")
    for name, name_there in (("id", "user_id"), ("name", "user_name")):
        if old["account"][name] != me["account"][name_there]:
            yield Difference(f"1.0/users/me: account.{name}", f"is not account.{name_there} of 1.3/users/me")
    for name in ("playername", "honor", "rating", "rating_max"):
        if old["player"][name] != me["player"][name]:
            yield Difference(f"1.0/users/me: player.{name}", "is not that of 1.3/users/me")
    heard = await x.heard("1.0/users/show", user_id=old["account"]["id"])
    if heard.status != HTTPStatus.OK or _json(heard) != old:
        yield Difference("1.0/users/show with user_id", "is not what 1.0/users/me says")


@_rule("a user who does not exist is 404")
async def _nobody(x: Examination) -> AsyncIterator[Difference]:
    for path in ("2.0/records/showall", "1.3/users/show", "1.0/users/show", "1.0/records/showall"):
        query = {"region": x.region} if path.startswith("2.0") else {}
        async for each in _refused(x, path, HTTPStatus.NOT_FOUND, user_name=_NOBODY, **query):
            yield each


@_rule("a protected friend is readable, but 404 in version 1.0")
async def _friend(x: Examination) -> AsyncIterator[Difference]:
    name = await x.protected_friend()
    for path, query in (("1.3/users/show", {}), ("2.0/records/rating_data", {"region": x.region})):
        for place, what in of_envelope(await x.heard(path, user_name=name, **query), HTTPStatus.OK):
            yield Difference(f"{path}: {place}", what)
    async for each in _refused(x, "1.0/users/show", HTTPStatus.NOT_FOUND, user_name=name):
        yield each


@_rule("a protected player who is no friend is 403, and 404 in version 1.0")
async def _protected(x: Examination) -> AsyncIterator[Difference]:
    name = x.stranger
    for path, status, query in (
        ("1.3/users/show", HTTPStatus.FORBIDDEN, {}),
        ("2.0/records/showall", HTTPStatus.FORBIDDEN, {"region": x.region}),
        ("1.0/records/showall", HTTPStatus.NOT_FOUND, {}),
    ):
        async for each in _refused(x, path, status, user_name=name, **query):
            yield each


@_rule("statistics of a song that does not exist are 404 in version 1.3, and none in version 1.0")
async def _no_song(x: Examination) -> AsyncIterator[Difference]:
    async for each in _refused(x, "1.3/music/stat", HTTPStatus.NOT_FOUND, id=_NO_SONG, diff="m"):
        yield each
    for place, what in of_envelope(await x.heard("1.0/music/stat", idx=_FAR_INDEX, diff="m"), HTTPStatus.OK):
        yield Difference(f"1.0/music/stat: {place}", what)


@_rule("averages stand below ratings with two decimals")
async def _averages(x: Examination) -> AsyncIterator[Difference]:
    diff = await x.argument("diff")
    for path, song in (
        ("1.3/music/stat", {"id": await x.argument("id")}),
        ("1.0/music/stat", {"idx": await x.argument("idx")}),
    ):
        for step in (await x.value(path, **song, diff=diff))["avg"]:
            if not _RATING.fullmatch(step):
                yield Difference(f"{path}: avg", "has a rating that is not written with two decimals")


@_rule("a search text that is too long is 400, with a sentence that says so")
async def _too_long(x: Examination) -> AsyncIterator[Difference]:
    path = "1.3/music/search"
    async for each in _refused(x, path, HTTPStatus.BAD_REQUEST, q=_LONG_QUERY):
        yield each
    heard = await x.heard(path, q=_LONG_QUERY)
    wanted = {"message": MESSAGES[HTTPStatus.BAD_REQUEST], "additional_message": QUERY_TOO_LONG}
    if not of_body(heard, COMPONENTS["Error"]):
        for name, text in wanted.items():
            if heard.json()["error"][name] != text:
                yield Difference(f"{path}: error.{name}", f"is not “{text}”")


@_rule("a search finds a song by its title")
async def _found(x: Examination) -> AsyncIterator[Difference]:
    meta = (await x.songs())[0]["meta"]
    if meta["id"] not in {each["id"] for each in await x.value("1.3/music/search", q=meta["title"])}:
        yield Difference("1.3/music/search", "does not find a song by its title")
    exact = await x.value("1.0/music/search", q=meta["title"], exact_match=1)
    if any(each["title"] != meta["title"] for each in exact["data"]["normal"]):
        yield Difference("1.0/music/search with exact_match", "finds other titles")


@_rule("a search of version 1.0 counts what it lists, and leaves out what it is told to")
async def _counts(x: Examination) -> AsyncIterator[Difference]:
    title = await x.argument("q")
    path = "1.0/music/search"
    for query, empty in (({}, None), ({"target": "normal"}, "we"), ({"target": "we"}, "normal")):
        found = await x.value(path, q=title, **query)
        count, data = found["count"], found["data"]
        sizes = {name: len(data[name]) for name in ("normal", "we")}
        for name, size in (*sizes.items(), ("total", sum(sizes.values()))):
            if count[name] != size:
                yield Difference(f"{path}: count.{name}", "is another number than is listed")
        if empty and data[empty]:
            yield Difference(f"{path} with target", f"has entries of {empty}")


@_rule("a song is the same alone and among all songs")
async def _same_song(x: Examination) -> AsyncIterator[Difference]:
    song = await x.argument("id")
    for version, query in (("2.0", {"region": x.region}), ("1.3", {})):
        alone = await x.value(f"{version}/music/show", id=song, **query)
        every = await x.value(f"{version}/music/showall", **query)
        if alone not in every:
            yield Difference(f"{version}/music/show", f"is not the song of {version}/music/showall")


@_rule("friends are the same in versions 2.0 and 1.3")
async def _same_friends(x: Examination) -> AsyncIterator[Difference]:
    new, old = await x.value("2.0/friends/list"), await x.value("1.3/friends/list")
    if {each["user_id"] for each in new["users"]} != {each["user_id"] for each in old["users"]}:
        yield Difference("1.3/friends/list", "has other friends than 2.0/friends/list")


@_rule("levels are whole or a half")
async def _levels(x: Examination) -> AsyncIterator[Difference]:
    for record in (await x.value("2.0/records/showall", region=x.region))["records"]:
        if record["level"] * 2 % 1:
            yield Difference("2.0/records/showall: records[].level", "is neither whole nor a half")
    for song in await x.songs():
        for chart in song["data"].values():
            if chart["level"] * 2 % 1:
                yield Difference("2.0/music/showall: [].data.*.level", "is neither whole nor a half")


@_rule("a chart whose constant is 0 is one whose constant is unknown")
async def _constants(x: Examination) -> AsyncIterator[Difference]:
    for song in await x.songs():
        for code, chart in song["data"].items():
            if code != WORLDS_END and not chart["const"] and not chart["is_const_unknown"]:
                yield Difference("2.0/music/showall: [].data.*.is_const_unknown", "is false where const is 0")


@_rule("records of World's End have the difficulty WE and no level, constant or rating; others are none")
async def _worlds_end(x: Examination) -> AsyncIterator[Difference]:
    for version, query in (("2.0", {"region": x.region}), ("1.3", {})):
        path = f"{version}/records/worldsend"
        for record in (await x.value(path, **query))["records"]:
            if record["diff"] != WORLDS_END:
                yield Difference(f"{path}: records[].diff", f"is not {WORLDS_END}")
            for name in ("level", "const", "rating"):
                if record[name]:
                    yield Difference(f"{path}: records[].{name}", "is not 0")
        path = f"{version}/records/showall"
        for record in (await x.value(path, **query))["records"]:
            if record["diff"] == WORLDS_END:
                yield Difference(f"{path}: records[].diff", f"is {WORLDS_END}")


@_rule("version 1.0 has no id, no time and no beats per minute")
async def _old_members(x: Examination) -> AsyncIterator[Difference]:
    for record in (await x.value("1.0/records/showall"))["scores"]:
        for name in ("id", "updated_at", "is_played"):
            if name in record:
                yield Difference(f"1.0/records/showall: scores[].{name}", "belongs to a later version")
    song = await x.value("1.0/music/show", idx=await x.argument("idx"))
    for name in ("id", "bpm"):
        if name in song["meta"]:
            yield Difference(f"1.0/music/show: meta.{name}", "belongs to a later version")


@_rule("the filled places of a rating's slots come first, and the slot's value is their mean")
async def _slots(x: Examination) -> AsyncIterator[Difference]:
    data = await x.value("2.0/records/rating_data", region=x.region)
    for name in ("best", "recent"):
        entries = data[name]["entries"]
        filled = [entry for entry in entries if entry is not None]
        if entries[: len(filled)] != filled:
            yield Difference(f"{name}.entries", "has a filled place behind an empty one")
        mean = sum(entry["rating"] for entry in filled) / len(filled) if filled else 0
        if abs(data[name]["value"] - mean) > _ROUNDED:
            yield Difference(f"{name}.value", "is not the mean of the ratings")


@_rule("candidates below SSS are below it, and there are none in the region jp")
async def _below_sss(x: Examination) -> AsyncIterator[Difference]:
    path = "2.0/records/rating_data"
    for entry in (await x.value(path, region=x.region))["best_candidate_sss"]["entries"]:
        if entry["score"] >= _SSS:
            yield Difference(f"{path}: best_candidate_sss.entries[].score", "is that of SSS or more")
    if (await x.value(path, region="jp"))["best_candidate_sss"]["entries"]:
        yield Difference(f"{path}: best_candidate_sss.entries", "is not empty in the region jp")


@_rule("records/filter gives the records that pass, and by default those of level 1 to 14")
async def _filtered(x: Examination) -> AsyncIterator[Difference]:
    every = (await x.value("1.0/records/showall"))["scores"]
    for query, passes in _FILTERS:
        found = (await x.value("1.0/records/filter", **query))["scores"]
        wanted = [(record["idx"], record["diff"]) for record in every if passes(record)]
        if sorted((record["idx"], record["diff"]) for record in found) != sorted(wanted):
            yield Difference(f"1.0/records/filter with {_named(query)}", "gives other records than pass")


@_rule("every reply says how many requests there are, are left, and when they come back")
async def _headers(x: Examination) -> AsyncIterator[Difference]:
    for path, heard in x.replies:
        for name in RATE_HEADERS:
            if heard.number(name) is None:
                yield Difference(f"{path}: {name}", "is missing or no number")


@_rule("each request is counted")
async def _counted(x: Examination) -> AsyncIterator[Difference]:
    last: dict[str, tuple[int, int]] = {}
    for path, heard in x.replies:
        left, reset = heard.number("X-Rate-Limit-Remaining"), heard.number("X-Rate-Limit-Reset")
        if left is not None and reset is not None:
            before = last.get(version_of(path))
            if before is not None and before[1] == reset and left >= before[0]:
                yield Difference(f"{path}: X-Rate-Limit-Remaining", "is no less than before")
            last[version_of(path)] = left, reset


@_rule("the limits are 120 requests in version 1.3 and 200 in version 1.0")
async def _limits(x: Examination) -> AsyncIterator[Difference]:
    for path, heard in x.replies:
        limit = heard.number("X-Rate-Limit-Limit")
        wanted = _LIMITS.get(version_of(path), limit)
        if limit != wanted:
            yield Difference(f"version {version_of(path)}: X-Rate-Limit-Limit", f"is {limit}, not {wanted}")


@_rule("requests come back within fifteen minutes")
async def _windows(x: Examination) -> AsyncIterator[Difference]:
    for path, heard in x.replies:
        reset = heard.number("X-Rate-Limit-Reset")
        seconds = None if reset is None else reset - heard.at.timestamp()
        if (
            seconds is not None
            and not -_CLOCKS.total_seconds() <= seconds <= (_WINDOW + _CLOCKS).total_seconds()
        ):
            yield Difference(
                f"version {version_of(path)}: X-Rate-Limit-Reset", "is no time in the next fifteen minutes"
            )


def _json(heard: Heard) -> Any:
    try:
        return heard.json()
    except ValueError:
        return None


def _named(query: Mapping[str, object]) -> str:
    return ", ".join(query) or "nothing"
