import json
from dataclasses import asdict, fields, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TypeVar

import orjson
import pytest
from pydantic import BaseModel

from bot.domain.charts import Difficulty
from bot.domain.errors import UnreadableReply
from bot.domain.ids import JP2
from bot.domain.scores import SlotName
from bot.wire import reading
from bot.wire.players import FriendsV13, FriendsV20, User, UserV10
from bot.wire.rating_data import RatingDataReply
from bot.wire.reading import find_error, read_reply
from bot.wire.records import RecordsV10, RecordsV13, RecordsV20, RecordV20
from bot.wire.replies import Array
from bot.wire.songs import SearchHits, SearchReplyV10, SongEntry, SongEntryV10, SongsReply
from bot.wire.statistics import StatV10, StatV13

R = TypeVar("R", bound=BaseModel)
RECORD = {"id": "0" * 16, "diff": "MAS", "title": "A", "score": 1}


class _Records(Array[RecordV20]):
    pass


def read(**members: object) -> RecordV20:
    """Return the only record of a reply that holds one with these members."""
    found = read_reply(RecordsV20, orjson.dumps({"records": [RECORD | members]}))
    return found.reply.records[0]


@pytest.mark.parametrize(
    ("sent", "flag"),
    [
        (True, True),
        (1, True),
        ("1", True),
        (0, False),
        ("0", False),
        (False, False),
        (None, None),
        ([], None),
    ],
)
def test_flags(sent: object, flag: bool | None) -> None:  # noqa: FBT001 - a table's column
    assert read(is_clear=sent).is_clear is flag


@pytest.mark.parametrize(
    ("sent", "number"), [(14.7, 14.7), ("14.7", 14.7), (14, 14), (None, None), ("?", None), (1e300, None)]
)
def test_numbers(sent: object, number: float | None) -> None:
    assert read(const=sent).const == number


def test_a_number_that_json_does_not_know_costs_its_member_alone() -> None:
    body = orjson.dumps({"records": [RECORD | {"const": 0.125}]}).replace(b"0.125", b"NaN")
    (record,) = read_reply(RecordsV20, body).reply.records
    assert (record.title, record.const) == ("A", None)


@pytest.mark.parametrize(
    ("sent", "moment"),
    [
        ("2023-10-08T21:04:05+0900", datetime(2023, 10, 8, 12, 4, 5, tzinfo=UTC)),
        ("2023-10-08T21:04:05+09:00", datetime(2023, 10, 8, 12, 4, 5, tzinfo=UTC)),
        ("1970-01-01T09:00:00+0900", None),
        ("1970-01-01T00:00:00+00:00", None),
        ("2023-10-08T21:04:05", None),
        ("9999-12-31T23:59:59-1200", None),
        ("never", None),
        (None, None),
    ],
)
def test_moments(sent: object, moment: datetime | None) -> None:
    assert read(updated_at=sent).to_domain().updated_at == read(updated_at=sent).updated_at == moment


@pytest.mark.parametrize(("sent", "is_known"), [("2023-10-08", True), ("1970-01-01", False)])
def test_no_field_of_a_reply_is_of_1970(sent: str, *, is_known: bool) -> None:
    day = date.fromisoformat(sent) if is_known else None
    friend = {"user_id": 4, "user_name": "yuki", "player_name": "x"}
    song, moment = {"id": "0" * 16, "title": "A", "release": sent}, f"{sent}T09:00:00+0900"
    of_index = {"idx": 1, "title": "A", "release": sent}

    def said(kind: type[R], body: object) -> R:
        return read_reply(kind, orjson.dumps(body)).reply

    player = {"playername": "x", "updated_on": sent, "update_on": sent}
    account = {"user_id": 4, "user_name": "yuki", "id": 4, "name": "yuki"}
    assert said(User, {"account": account, "player": player}).player.updated_on == day
    assert said(UserV10, {"account": account, "player": player}).player.update_on == (day and sent)
    assert said(FriendsV13, {"users": [friend | {"updated_on": sent}]}).users[0].updated_on == day
    (of_20,) = said(FriendsV20, {"users": [friend | {"updated_at": moment}]}).users
    assert (of_20.updated_at and of_20.updated_at.date()) == day
    assert said(SongEntry, {"meta": song}).meta.release == day
    assert said(SongEntryV10, {"meta": of_index}).meta.release == day
    assert said(SearchHits, [song])[0].release == day
    found = said(SearchReplyV10, {"data": {"normal": [of_index]}}).data.normal
    assert found
    assert found[0].release == day


@pytest.mark.parametrize(
    ("score", "ours"), [(-5, 0), (1_010_000, 1_010_000), (1_010_021, 1_010_000), (2**62, 1_010_000)]
)
def test_numbers_are_held_to_their_range(score: int, ours: int) -> None:
    record = read(score=score, level=1e8, const=1e8, rating=-3).to_domain()
    assert (record.score, record.level, record.constant, record.rating) == (ours, 99_999, 99_999, 0)
    meta = {"id": "0" * 16, "title": "A", "bpm": -1e9}
    body = orjson.dumps({"meta": meta, "data": {"MAS": {"maxcombo": 2**60}}})
    song = read_reply(SongEntry, body).reply.to_domain()
    assert (song.bpm, song.charts[0].max_combo) == (None, 99_999)


def test_texts_are_cut_and_codes_cost_their_entry() -> None:
    long = "輝" * 4_000
    record = read(title=long, genre=long).to_domain()
    assert record.title == record.genre == "輝" * 1_023 + "…"
    records = [RECORD, RECORD | {"id": long}, RECORD | {"diff": long}]
    assert read_reply(RecordsV20, orjson.dumps({"records": records})).lost == 2
    meta = {"id": "0" * 16, "title": long, "artist": long}
    song = read_reply(
        SongEntry, orjson.dumps({"meta": meta, "data": {"MAS": {}, long: {}}})
    ).reply.to_domain()
    assert len(song.title) == len(song.artist or "") == 1_024
    assert [chart.difficulty for chart in song.charts] == ["MAS"]


@pytest.mark.parametrize(
    ("sent", "day"), [("2023/10/08", date(2023, 10, 8)), ("2023-10-08", date(2023, 10, 8)), ("-", None)]
)
def test_the_day_of_version_1_0(sent: str, day: date | None) -> None:
    account = {"id": 3, "name": "hibiki"}
    body = orjson.dumps({"account": account, "player": {"playername": "x", "update_on": sent}})
    assert read_reply(UserV10, body).reply.to_domain().updated_on == day


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_byte_order_mark_is_no_content(mark: bytes) -> None:
    assert read_reply(RecordsV20, mark + b'{"records": []}').reply.records == ()
    assert find_error(mark + b'{"error": {"code": 404}}') is not None


def test_one_bad_record_costs_that_record() -> None:
    bad: list[object] = [RECORD | {"score": "many"}, {"id": "x"}, None, 7, []]
    found = read_reply(RecordsV13, orjson.dumps({"records": [RECORD, *bad, RECORD]}))
    assert len(found.reply.records) == 2
    assert found.lost == 5


def test_a_long_list_is_read_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """While pydantic is called no other thread goes on."""
    given: list[int] = []
    read_piece = RecordsV20.model_validate_json

    def noted(body: bytes) -> RecordsV20:
        given.append(len(body))
        return read_piece(body)

    monkeypatch.setattr(RecordsV20, "model_validate_json", noted)
    records = [RECORD | {"score": score} for score in range(6_000)]
    reply = read_reply(RecordsV20, orjson.dumps({"records": records})).reply
    assert [record.score for record in reply.records] == [*range(6_000)]
    assert max(given) < 40_000


ODD: tuple[dict[str, object], ...] = (
    {"title": 'a},{"b'},
    {"title": "},{" * 20_000},
    {"title": '"}] , {\\"'},
    {"later": [[{"a": 1}, {"b": 2}], {"records": [{}, {}]}] * 1_000},
    {"title": "\ud800"},
    {"const": float("nan")},
    {},
)


@pytest.mark.parametrize("record", ODD, ids=lambda record: str(record)[:20])
def test_where_it_is_cut_costs_nothing(record: dict[str, object]) -> None:
    """Whatever looks like the end of an entry, and wherever it is not JSON that pydantic knows."""
    records = [RECORD | {"score": number} | (record if number % 97 == 0 else {}) for number in range(2_000)]
    for kind, body in ((RecordsV20, {"records": records, "more": 1}), (_Records, records)):
        for spacing in (None, 1):
            found = read_reply(kind, json.dumps(body, indent=spacing).encode())
            entries = found.reply.records if isinstance(found.reply, RecordsV20) else found.reply.root
            scores = [each.score for each in entries]
            assert (scores, found.lost) == ([*range(2_000)], 0)
            assert all(each.title.encode() for each in entries)


def test_pieces_of_which_nothing_can_be_read_cost_themselves() -> None:
    good = [RECORD | {"score": score} for score in range(1_000)]
    found = read_reply(RecordsV20, orjson.dumps({"records": [*[{}] * 30_000, *good]}))
    assert (len(found.reply.records), found.lost) == (1_000, 30_000)
    with pytest.raises(UnreadableReply, match=r"records\.0\.id: Field required$"):
        read_reply(RecordsV20, orjson.dumps({"records": [{}] * 30_000}))


def test_whoever_holds_a_reply_reads_what_its_members_mean() -> None:
    described = RecordsV20.model_json_schema()["$defs"]["RecordV20"]["properties"]
    assert described["diff"]["description"] == "BAS, ADV, EXP, MAS or WE; the list is open."
    assert described["updated_at"]["description"].startswith("When the record was set")


def test_other_programs_find_a_record_to_be_a_dataclass() -> None:
    record = read(updated_at="2026-11-20T12:34:56+09:00").to_domain()
    worse = replace(record, score=1)
    assert asdict(worse) == asdict(record) | {"score": 1}
    assert replace(worse, score=record.score) == record
    assert [each.name for each in fields(record)][:2] == ["song_id", "title"]


def test_a_bad_entry_of_a_long_list_costs_that_entry() -> None:
    records = [RECORD | {"score": number} for number in range(1_000)]
    records[700] = {}
    found = read_reply(RecordsV20, orjson.dumps({"records": records}))
    assert [record.score for record in found.reply.records] == [*range(700), *range(701, 1_000)]
    assert found.lost == 1


def test_a_list_of_which_nothing_can_be_read_is_no_empty_list() -> None:
    with pytest.raises(UnreadableReply, match=r"^unreadable reply: records\.0\.id: Field required$"):
        read_reply(RecordsV13, b'{"records": [{"secret": 1}]}')


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            b'{"records": [{"id": "s3cret", "diff": ["s3cret"], "title": "s3cret", "score": 1}]}',
            "records.0.diff: Input should be a valid string",
        ),
        (
            b'{"records": [{"id": "s3cret", "diff": "s3cret", "title": "s3cret", "score": "s3cret"}]}',
            "records.0.score: Input should be a valid integer",
        ),
        (b'{"records": [{"id": "s3cret\xff", "diff": "MAS"}]}', "records.0.title: Field required"),
        (b'{"records": "s3cret", "s3cret": 1}', "records: Input should be a valid tuple"),
        (b'{"records": [s3cret]}', "no JSON"),
        (b"[" * 100_000, "no JSON"),
    ],
)
def test_what_is_wrong_has_a_place_and_tells_nothing_of_what_was_sent(body: bytes, reason: str) -> None:
    with pytest.raises(UnreadableReply) as caught:
        read_reply(RecordsV20, body)
    assert caught.value.reason.startswith(reason)
    assert "s3cret" not in f"{caught.value!s}{caught.value!r}"
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    "body", [b"", b"null", b"[]", b"{}", b"<html>", b'{"records": {}}', b'{"records": null}']
)
def test_another_shape_is_unreadable(body: bytes) -> None:
    with pytest.raises(UnreadableReply):
        read_reply(RecordsV20, body)


def test_places_of_rating_data_stay_where_they_are() -> None:
    body = {"best": {"value": "16.5", "entries": [None, {"id": "x"}, RECORD]}, "later": 1}
    found = read_reply(RatingDataReply, orjson.dumps(body))
    slot = found.reply.to_domain()[SlotName.BEST]
    assert [entry and entry.title for entry in slot.entries] == [None, None, "A"]
    assert slot.average == Decimal("16.5")
    assert found.lost == 1
    assert found.reply.to_domain()[SlotName.OUTSIDE].entries == ()


@pytest.mark.parametrize("odd", [[], "x", 7, None, {"entries": "x"}, {"entries": {}}])
@pytest.mark.parametrize("name", SlotName)
def test_an_odd_slot_costs_that_slot(name: SlotName, odd: object) -> None:
    other = SlotName.RECENT if name is SlotName.BEST else SlotName.BEST
    body = {name.value: odd, other.value: {"value": 1, "entries": [RECORD, {"id": "x"}]}}
    found = read_reply(RatingDataReply, orjson.dumps(body))
    slots = found.reply.to_domain().slots
    assert list(slots) == [other]
    assert [entry and entry.title for entry in slots[other].entries] == ["A", None]
    assert found.lost == 1


@pytest.mark.parametrize("body", [{}, {"best": None}, {"best": [], "recent": 7}])
def test_rating_data_without_any_slot_is_unreadable(body: object) -> None:
    with pytest.raises(UnreadableReply):
        read_reply(RatingDataReply, orjson.dumps(body))


def test_lists_that_are_null_are_empty() -> None:
    slot = read_reply(RatingDataReply, b'{"best": {"value": 1, "entries": null}}').reply.best
    assert slot is not None
    assert slot.entries == ()
    hit = {"idx": 3, "title": "A"}
    for name, other in (("normal", "we"), ("we", "normal")):
        body = orjson.dumps({"data": {name: None, other: [hit]}})
        assert [song.index for song in read_reply(SearchReplyV10, body).reply.to_domain()] == [3]


def test_a_search_finds_nothing_or_is_unreadable() -> None:
    found_nothing = b'{"data": {"normal": null, "we": null}, "count": 0}'
    assert read_reply(SearchReplyV10, found_nothing).reply.to_domain() == ()
    for odd in (b'{"data": {}}', b'{"data": {"normal": 7}}', b'{"data": {"normal": [7]}}'):
        with pytest.raises(UnreadableReply):
            read_reply(SearchReplyV10, odd)


def test_a_text_of_digits_may_be_a_number_and_an_id_may_not() -> None:
    reply = read_reply(RecordsV20, orjson.dumps({"records": [RECORD | {"title": 1.5}, RECORD | {"id": 1}]}))
    assert ([record.title for record in reply.reply.records], reply.lost) == (["1.5"], 1)


@pytest.mark.parametrize("odd", [None, 7, [7], {}])
def test_odd_links_cost_nothing_else(odd: object) -> None:
    account = {"id": 3, "name": "hibiki", "urls": odd}
    reply = read_reply(UserV10, orjson.dumps({"account": account, "player": {"playername": "x"}})).reply
    assert (reply.account.name, reply.account.urls) == ("hibiki", None)


def test_unknown_difficulties_are_kept_in_order() -> None:
    charts = {code: {"level": 1} for code in ("NEW", "ULT", "MAS", "OLD", "BAS")}
    body = orjson.dumps({"meta": {"id": "0" * 16, "title": 39}, "data": charts | {"BAD": 7}})
    song = read_reply(SongEntry, body).reply.to_domain()
    assert [chart.difficulty for chart in song.charts] == ["BAS", "MAS", "ULT", "NEW", "OLD"]
    assert song.title == "39"


@pytest.mark.parametrize(
    ("chart", "constant", "is_estimated"),
    [
        ({"const": 13.7, "is_const_unknown": 0}, 1370, False),
        ({"const": 13.7, "is_const_unknown": 1}, 1370, True),
        ({"const": 0, "is_const_unknown": 0}, None, False),
        ({"const": None}, None, False),
        ({}, None, False),
    ],
)
def test_a_constant_above_0_is_known(chart: object, constant: int | None, *, is_estimated: bool) -> None:
    body = orjson.dumps({"meta": {"id": "0" * 16, "title": "A"}, "data": {"MAS": chart}})
    found = read_reply(SongEntry, body).reply.to_domain().charts[0]
    assert (found.constant, found.is_estimated, found.max_combo) == (constant, is_estimated, None)


def test_a_song_without_charts_or_dates_is_a_song() -> None:
    meta = {"id": "0" * 16, "title": "A", "release": "1970-01-01", "bpm": 0, "genre": None}
    body = orjson.dumps([{"meta": meta, "data": []}, {"meta": meta | {"id": "1" * 16}, "data": {"WE": {}}}])
    catalogue = read_reply(SongsReply, body).reply.to_domain(JP2)
    bare = catalogue.songs[0]
    assert (bare.released_on, bare.bpm, bare.charts) == (None, None, ())
    assert catalogue.songs[1].charts[0].difficulty == Difficulty("WE")


@pytest.mark.parametrize(("reply", "sent"), [(StatV13, 998_765.5), (StatV10, "998765.5")])
def test_averages_are_numbers_or_text_by_version(reply: type[StatV13 | StatV10], sent: object) -> None:
    averages = {"14.50": "1e999999999", "14.00": sent, "1e999999999": sent, "x": sent}
    body = orjson.dumps({"users_count": 2, "count": {"rank": {"max": 1, "sss": None}}, "avg": averages})
    found = read_reply(reply, body).reply.to_domain()
    assert found.averages == {1400: Decimal("998765.5"), 1450: None}
    assert list(found.averages) == [1400, 1450]
    assert found.ranks == {"max": 1, "sss": 0}


def test_a_friend_request_is_told_from_a_friend() -> None:
    entry = {"user_id": "4", "user_name": "yuki", "player_name": "ＹＵＫＩ", "is_accepted": 0, "incoming": 1}
    friend = read_reply(FriendsV20, orjson.dumps({"users": [entry]})).reply.to_domain()[0]
    assert (friend.user_id, friend.is_accepted, friend.is_incoming) == (4, False, True)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"error": {"code": "503", "message": "x"}}', "x"),
        (b'{"error": "maintenance"}', "maintenance"),
    ],
)
def test_error_objects_are_found(body: bytes, message: str) -> None:
    error = find_error(body)
    assert error is not None
    assert error.message == message


@pytest.mark.parametrize(
    "body", [b"", b'{"error": null}', b'["error"]', b'{"records": [{"title": "error"}]}']
)
def test_what_is_no_error_object_is_none(body: bytes) -> None:
    assert find_error(body) is None


def test_a_song_of_version_1_0_is_known_by_an_index_that_is_no_id_of_a_later_version() -> None:
    body = {"data": {"normal": [{"idx": 7, "title": "A"}]}}
    (song,) = read_reply(SearchReplyV10, orjson.dumps(body)).reply.to_domain()
    assert song.id == "idx:7"


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_records_of_one_chart_the_better_one_stays(order: int) -> None:
    """Each page would take another of them, or count both."""
    other = RECORD | {"diff": "EXP"}
    sent = [
        RECORD | {"score": 1_000_000},
        other,
        *[RECORD | {"score": score} for score in (7, 1_000_001)[::order]],
    ]
    for reply in (RecordsV13, RecordsV20):
        found = read_reply(reply, orjson.dumps({"records": sent})).reply.to_domain()
        assert [(each.difficulty, each.score) for each in found] == [("MAS", 1_000_001), ("EXP", 1)]
    songs = [
        {"idx": each, "diff": "MAS", "title": "A", "score": score} for each, score in ((1, 5), (2, 6), (1, 7))
    ]
    first = read_reply(RecordsV10, orjson.dumps({"scores": songs})).reply.to_domain()
    assert [(each.index, each.score) for each in first] == [(1, 7), (2, 6)]


@pytest.mark.parametrize("name", ["", " ", "\u3000", "\u200b\u3000", "\u202e", "\0"])
def test_what_nobody_can_see_is_no_name(name: str) -> None:
    """A player is known by the name of their account then, a song by its id."""
    assert read(title=name).to_domain().title == RECORD["id"]
    song = read_reply(SongEntry, orjson.dumps({"meta": {"id": "0" * 16, "title": name}})).reply.to_domain()
    assert song.title == song.id
    body = {"data": {"normal": [{"idx": 7, "title": name}]}}
    (song,) = read_reply(SearchReplyV10, orjson.dumps(body)).reply.to_domain()
    assert song.title == song.id
    account = {"user_id": 4, "user_name": "yuki"}
    player = {"playername": name, "rating": 1, "rating_max": 1}
    user = read_reply(User, orjson.dumps({"account": account, "player": player})).reply.to_domain()
    entry = account | {"player_name": name}
    (friend,) = read_reply(FriendsV20, orjson.dumps({"users": [entry]})).reply.to_domain()
    assert user.player_name == friend.player_name == "yuki"


@pytest.mark.parametrize("name", ["ＹＵ　ＫＩ", "\u3000a", "…", "零", "\U0001fae9", "-"])
def test_what_has_anything_to_see_is_a_name(name: str) -> None:
    assert read(title=name).to_domain().title == name


def test_a_reply_of_too_many_values_is_not_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each costs many times the bytes that it is sent in, whatever it is."""
    body = orjson.dumps({"records": [RECORD] * 4})
    monkeypatch.setattr(reading, "_MAX_VALUES", body.count(b","))
    assert len(read_reply(RecordsV20, body).reply.records) == 4
    with pytest.raises(UnreadableReply, match=f"more than {body.count(b',')} values"):
        read_reply(RecordsV20, body.replace(b"]", b",1]"))
