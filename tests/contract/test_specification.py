"""The specification, field by field, asked of a running service by someone who knows nothing else."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from bot.wire.endpoints import ENDPOINTS
from tests.contract.conftest import Outsider, Reply

Check = Callable[[Any], bool]
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}")
DAY = re.compile(r"\d{4}-\d\d-\d\d")


def text(value: Any) -> bool:
    return isinstance(value, str)


def integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def flag(value: Any) -> bool:
    return isinstance(value, bool)


def day(value: Any) -> bool:
    return text(value) and DAY.fullmatch(value) is not None


def moment(value: Any) -> bool:
    return text(value) and MOMENT.fullmatch(value) is not None


def song_id(value: Any) -> bool:
    return text(value) and re.fullmatch(r"[0-9a-f]{16}", value) is not None


def level(value: Any) -> bool:
    return number(value) and value * 2 == int(value * 2)


def score(value: Any) -> bool:
    return integer(value) and 0 <= value <= 1_010_000


def has_shape(value: Any, shape: Mapping[str, Check]) -> None:
    assert value.keys() == shape.keys()
    for name, check in shape.items():
        assert check(value[name]), (name, value[name])


PLAY: dict[str, Check] = {
    "id": song_id, "diff": text, "level": level, "title": text, "const": number, "score": score,
    "rating": number, "is_const_unknown": flag,
}  # fmt: skip
LAMPS: dict[str, Check] = {"is_clear": flag, "is_fullcombo": flag, "is_alljustice": flag}
RECORD_1_3 = {**PLAY, **LAMPS, "is_fullchain": flag, "genre": text, "is_played": flag}
RECORD_2_0 = {**RECORD_1_3, "updated_at": moment}
RECORD_1_0 = {k: v for k, v in RECORD_1_3.items() if k not in {"id", "is_played"}} | {"idx": integer}
COURSE = {"course_idx": integer, "course_name": text, "course_class": integer, "score": integer, **LAMPS}
META = {"id": song_id, "title": text, "genre": text, "artist": text, "release": day, "bpm": number}
META_1_0: dict[str, Check] = {
    "idx": integer, "is_we": flag, "title": text, "genre": text, "artist": text,
    "release": lambda value: value is None or day(value),
}  # fmt: skip
CHART: dict[str, Check] = {"level": level, "const": number, "maxcombo": integer, "is_const_unknown": flag}
FRIEND = {
    "user_id": integer, "user_name": text, "player_name": text, "rating": number, "rating_max": number,
    "is_protected": flag, "is_accepted": flag, "incoming": flag,
}  # fmt: skip
ACCOUNT: dict[str, Check] = {
    "user_id": integer,
    "user_name": lambda value: re.fullmatch(r"[A-Za-z0-9_]+", value) is not None,
    "is_protected": flag,
    "user_description": text,
    "urls": lambda value: (
        [url["name"] for url in value] == ["mypage", "worldsend", "overpower", "stat", "course"]
        and all(url.keys() == {"name", "title", "url", "url_short"} for url in value)
    ),
}
PLAYER: dict[str, Check] = {
    "playername": text, "honor": text, "honor_type": integer, "level": integer, "rating": number,
    "rating_max": number, "classemblem": integer, "updated_on": day,
}  # fmt: skip


def ok(reply: Reply) -> Any:
    assert reply.status == 200, reply.text
    assert reply.headers["content-type"].startswith("application/json")
    check_rate_headers(reply)
    return reply.json


def check_rate_headers(reply: Reply) -> None:
    for name in ("limit", "remaining", "reset"):
        assert int(reply.headers[f"x-rate-limit-{name}"]) >= 0


def refused(reply: Reply, status: int) -> str:
    assert reply.status == status, reply.text
    has_shape(reply.json, {"error": lambda value: isinstance(value, dict)})
    error = reply.json["error"]
    has_shape(error, {"code": integer, "message": text, "additional_message": text})
    assert error["code"] == status
    check_rate_headers(reply)
    reason: str = error["additional_message"]
    return reason


@pytest.mark.parametrize("region", ["jp", "jp2"])
@pytest.mark.parametrize("player", range(9))
def test_records_2_0(outsider: Outsider, region: str, player: int) -> None:
    for record in ok(outsider.get("/2.0/records/showall.json", player, region=region))["records"]:
        has_shape(record, RECORD_2_0)
        assert record["diff"] != "WE"
        assert (record["const"] == 0) == record["is_const_unknown"]
    for record in ok(outsider.get("/2.0/records/worldsend.json", player, region=region))["records"]:
        has_shape(record, RECORD_2_0)
        values = [record[name] for name in ("diff", "level", "const", "rating")]
        assert values == ["WE", 0, 0, 0]
    for record in ok(outsider.get("/2.0/records/course.json", player, region=region))["records"]:
        has_shape(record, COURSE)


@pytest.mark.parametrize("region", ["jp", "jp2"])
@pytest.mark.parametrize("player", range(9))
def test_rating_data(outsider: Outsider, region: str, player: int) -> None:
    data = ok(outsider.get("/2.0/records/rating_data.json", player, region=region))
    slots = {"best", "recent", "best_candidate", "best_candidate_sss", "best_outside"}
    assert data.keys() == slots
    for name, length, shape in (("best", 30, RECORD_2_0), ("recent", 10, PLAY)):
        has_shape(data[name], {"value": number, "entries": lambda value: isinstance(value, list)})
        entries = data[name]["entries"]
        assert len(entries) == length
        filled = [entry for entry in entries if entry is not None]
        assert entries == filled + [None] * (length - len(filled))
        for entry in filled:
            has_shape(entry, shape)
        hundredths = sum(round(entry["rating"] * 100) for entry in filled)
        assert data[name]["value"] == (hundredths // len(filled) / 100 if filled else 0)
    for name in slots - {"best", "recent"}:
        has_shape(data[name], {"entries": lambda value: isinstance(value, list)})
        assert len(data[name]["entries"]) <= 20
        for entry in data[name]["entries"]:
            has_shape(entry, RECORD_2_0)
    if region == "jp":
        assert data["best_candidate_sss"]["entries"] == []
    assert all(entry["score"] < 1_007_500 for entry in data["best_candidate_sss"]["entries"])
    best = {(entry["id"], entry["diff"]) for entry in data["best"]["entries"] if entry}
    for name in ("best_candidate", "best_outside"):
        assert not best & {(entry["id"], entry["diff"]) for entry in data[name]["entries"]}


@pytest.mark.parametrize("path", ["/2.0/music/showall.json", "/1.3/music/showall.json"])
def test_all_songs(outsider: Outsider, path: str) -> None:
    query = {"region": "jp2"} if path.startswith("/2.0") else {}
    songs = ok(outsider.get(path, **query))
    assert len(songs) == outsider.songs
    for song in songs:
        assert song.keys() == {"meta", "data"}
        has_shape(song["meta"], META)
        for chart in song["data"].values():
            has_shape(chart, CHART)
    one = songs[7]
    assert ok(outsider.get(path.replace("showall", "show"), **query, id=one["meta"]["id"])) == one


def test_one_song_1_0(outsider: Outsider) -> None:
    found = ok(outsider.get("/1.0/music/search.json", q="a"))
    for item in (*found["data"]["normal"][:5], *found["data"]["we"][:2]):
        song = ok(outsider.get("/1.0/music/show.json", idx=item["idx"]))
        assert song.keys() == {"meta", "data"}
        has_shape(song["meta"], META_1_0)
        assert song["meta"]["is_we"] == (item in found["data"]["we"])
        for chart in song["data"].values():
            has_shape(chart, CHART)


def test_search(outsider: Outsider) -> None:
    found = ok(outsider.get("/1.3/music/search.json", q="a"))
    assert 0 < len(found) <= 200
    for item in found:
        has_shape(item, {"title": text, "genre": text, "artist": text, "release": day, "id": song_id})
    old = ok(outsider.get("/1.0/music/search.json", q="a"))
    assert old.keys() == {"count", "data"}
    has_shape(old["count"], {"total": integer, "normal": integer, "we": integer})
    assert old["count"]["normal"] == len(old["data"]["normal"])
    assert old["count"]["we"] == len(old["data"]["we"])
    assert old["count"]["total"] == old["count"]["normal"] + old["count"]["we"]
    for item in (*old["data"]["normal"], *old["data"]["we"]):
        has_shape(item, {name: check for name, check in META_1_0.items() if name != "is_we"})
    normal = ok(outsider.get("/1.0/music/search.json", q="a", target="normal"))
    assert (normal["data"]["we"], normal["count"]["we"]) == ([], 0)
    ok(outsider.get("/1.3/music/search.json", q="x" * 126))
    for length in (127, 2000):
        reason = refused(outsider.get("/1.3/music/search.json", q="x" * length), 400)
        assert reason == "the query is too long."
    refused(outsider.get("/1.3/music/search.json"), 400)


def check_statistics(reply: Any, average: Check) -> None:
    has_shape(reply, {"users_count": integer, "count": lambda v: v.keys() == {"rank", "lamp"}, "avg": bool})
    has_shape(reply["count"]["rank"], dict.fromkeys(("max", "sss", "ss+", "ss", "s", "<s"), integer))
    has_shape(reply["count"]["lamp"], dict.fromkeys(("aj", "fc", "other"), integer))
    assert sum(reply["count"]["rank"].values()) == reply["users_count"]
    assert sum(reply["count"]["lamp"].values()) == reply["users_count"]
    for step, value in reply["avg"].items():
        assert re.fullmatch(r"\d+\.\d\d", step)
        assert value is None or average(value)


def test_statistics(outsider: Outsider) -> None:
    record = ok(outsider.get("/1.3/records/showall.json"))["records"][0]
    letter = {"BAS": "b", "ADV": "a", "EXP": "e", "MAS": "m", "ULT": "m"}[record["diff"]]
    check_statistics(ok(outsider.get("/1.3/music/stat.json", id=record["id"], diff=letter)), number)
    score = ok(outsider.get("/1.0/records/showall.json"))["scores"][0]
    letter = {"BAS": "b", "ADV": "a", "EXP": "e", "MAS": "m"}[score["diff"]]
    check_statistics(ok(outsider.get("/1.0/music/stat.json", idx=score["idx"], diff=letter)), text)
    refused(outsider.get("/1.3/music/stat.json", id="0123456789abcdef", diff="m"), 404)
    assert ok(outsider.get("/1.0/music/stat.json", idx=10**8, diff="w"))["users_count"] == 0
    refused(outsider.get("/1.3/music/stat.json", id="0123456789abcdef", diff="x"), 400)


def test_users(outsider: Outsider) -> None:
    for number_, player in enumerate(outsider.players):
        me = ok(outsider.get("/1.3/users/me.json", number_))
        assert me.keys() == {"account", "player"}
        has_shape(me["account"], ACCOUNT)
        has_shape(me["player"], PLAYER)
        assert me["account"]["user_id"] == player["user_id"]
        assert me["account"]["user_name"] == player["user_name"]
        assert me["account"]["is_protected"] == player["is_protected"]
        assert me == ok(outsider.get("/1.3/users/show.json", number_))
        old = ok(outsider.get("/1.0/users/me.json", number_))
        has_shape(old["account"], {"id": integer, "name": text, "urls": ACCOUNT["urls"]})
        assert old["player"].keys() == {"playername", "honor", "rating", "rating_max", "update_on"}
        assert re.fullmatch(r"\d{4}/\d\d/\d\d", old["player"]["update_on"])
        assert old == ok(outsider.get("/1.0/users/show.json", number_, user_id=player["user_id"]))


def test_friends(outsider: Outsider) -> None:
    for number_, player in enumerate(outsider.players):
        new = ok(outsider.get("/2.0/friends/list.json", number_))["users"]
        for friend in new:
            has_shape(
                friend, {**FRIEND, "updated_at": moment, "user_description": text, "default_region": text}
            )
        old = ok(outsider.get("/1.3/friends/list.json", number_))["users"]
        for friend in old:
            has_shape(friend, {**FRIEND, "updated_on": day})
        accepted = {friend["user_id"] for friend in new if friend["is_accepted"]}
        assert accepted == set(player["friends"])
        assert [friend["user_id"] for friend in old] == [friend["user_id"] for friend in new]


def test_records_1_3_and_1_0(outsider: Outsider) -> None:
    for record in ok(outsider.get("/1.3/records/showall.json"))["records"]:
        has_shape(record, RECORD_1_3)
    for record in ok(outsider.get("/1.3/records/worldsend.json"))["records"]:
        has_shape(record, RECORD_1_3)
        assert record["diff"] == "WE"
    for record in ok(outsider.get("/1.3/records/course.json"))["records"]:
        has_shape(record, COURSE)
    scores = ok(outsider.get("/1.0/records/showall.json"))["scores"]
    assert scores
    for record in scores:
        has_shape(record, RECORD_1_0)
        assert record["diff"] in {"BAS", "ADV", "EXP", "MAS"}


Passes = Callable[[dict[str, Any]], bool]
FILTERS: list[tuple[dict[str, str | int], Passes]] = [
    ({}, lambda r: 1 <= r["level"] <= 14),
    ({"diff": "m"}, lambda r: r["diff"] == "MAS" and r["level"] <= 14),
    ({"min_level": "12.5", "max_level": "13.5"}, lambda r: 12.5 <= r["level"] <= 13.5),
    ({"max_level": 20, "min_score": 1_007_500}, lambda r: r["score"] >= 1_007_500),
    ({"max_level": 20, "max_score": 1_000_000}, lambda r: r["score"] <= 1_000_000),
    ({"max_level": 20, "genre": "toho"}, lambda r: r["genre"] == "東方Project"),
    ({"max_level": 20, "lamp": "aj"}, lambda r: r["is_alljustice"]),
    (
        {"max_level": 20, "lamp": "fc,clear"},
        lambda r: r["is_fullcombo"] and not r["is_alljustice"] and r["is_clear"],
    ),
    ({"max_level": 20, "lamp": "failed,nofch"}, lambda r: not r["is_clear"] and not r["is_fullchain"]),
    ({"max_level": 20, "title": "ＡＥＴＨＥＲ"}, lambda r: "aether" in r["title"].lower()),
]


@pytest.mark.parametrize(("query", "passes"), FILTERS)
def test_filter(outsider: Outsider, query: dict[str, str | int], passes: Passes) -> None:
    every = ok(outsider.get("/1.0/records/showall.json"))["scores"]
    found = ok(outsider.get("/1.0/records/filter.json", **query))["scores"]
    assert found == [record for record in every if passes(record)]


def test_who_may_read_whom(outsider: Outsider) -> None:
    first = outsider.players[0]
    friend = next(p for p in outsider.players if p["is_protected"] and p["user_id"] in first["friends"])
    stranger = next(p for p in outsider.players if p["is_protected"] and p["user_id"] not in first["friends"])
    ok(outsider.get("/1.3/users/show.json", user_name=friend["user_name"]))
    ok(outsider.get("/2.0/records/rating_data.json", user_id=friend["user_id"], region="jp2"))
    refused(outsider.get("/1.3/users/show.json", user_name=stranger["user_name"]), 403)
    refused(outsider.get("/2.0/records/showall.json", user_id=stranger["user_id"], region="jp2"), 403)
    for player in (friend, stranger):
        refused(outsider.get("/1.0/users/show.json", user_id=player["user_id"]), 404)
        refused(outsider.get("/1.0/records/showall.json", user_name=player["user_name"]), 404)
    refused(outsider.get("/1.3/users/show.json", user_name="nobody_of_this_name"), 404)


def test_refusals(outsider: Outsider) -> None:
    refused(outsider.send("GET", "/1.3/users/me.json", {}), 401)
    refused(outsider.send("GET", "/1.3/users/me.json", {"token": "short"}), 401)
    refused(outsider.send("GET", "/1.3/users/me.json", {"token": "f" * 64}), 401)
    refused(outsider.get("/1.3/users/nobody.json"), 404)
    refused(outsider.get("/"), 404)
    token = {"token": outsider.players[0]["token"]}
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        refused(outsider.send(method, "/1.3/users/me.json", token), 405)
    head = outsider.send("HEAD", "/1.3/users/me.json", token)
    assert (head.status, head.text) == (200, b"")
    assert refused(outsider.get("/2.0/records/showall.json"), 400)
    assert refused(outsider.get("/2.0/records/showall.json", region="eu"), 400)
    assert refused(outsider.get("/1.3/users/show.json", user_id=1, user_name="a"), 400)


def test_kept_bytes_compressed_and_tagged(outsider: Outsider) -> None:
    query = {"region": "jp2", "token": outsider.players[0]["token"]}
    plain = outsider.send("GET", "/2.0/music/showall.json", query)
    packed = outsider.send("GET", "/2.0/music/showall.json", query, {"Accept-Encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert len(packed.text) < len(plain.text) / 4
    assert plain.headers["etag"] != packed.headers["etag"]
    tag = {"If-None-Match": plain.headers["etag"]}
    again = outsider.send("GET", "/2.0/music/showall.json", query, tag)
    assert (again.status, again.text) == (304, b"")
    check_rate_headers(again)


def test_documentation_and_health_need_no_token(outsider: Outsider) -> None:
    assert outsider.send("GET", "/healthz", {}).json == {"status": "ok"}
    document = outsider.send("GET", "/openapi.json", {}).json
    assert document["openapi"].startswith("3.1")
    assert len(document["paths"]) == len(ENDPOINTS)
    page = outsider.send("GET", "/docs", {}).text.decode()
    assert "/2.0/records/rating_data.json" in page
    assert "src=" not in page
    assert "http" not in page.replace("GET that returns", "")
