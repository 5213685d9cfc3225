"""Strict JSON schemas of the replies: every field is required, and no other is allowed."""

from collections.abc import Mapping
from typing import Final

from bot.domain.charts import LETTERS, WORLDS_END
from bot.wire.endpoints import Endpoint
from service.catalogue import SONG_ID_PATTERN

Schema = dict[str, object]

_TEXT: Final[Schema] = {"type": "string"}
_INTEGER: Final[Schema] = {"type": "integer"}
_NUMBER: Final[Schema] = {"type": "number"}
_LEVEL: Final[Schema] = {"type": "number", "minimum": 0}
_FLAG: Final[Schema] = {"type": "boolean"}
_SCORE: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": 1_010_000}
_DAY: Final[Schema] = {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"}
_MOMENT: Final[Schema] = {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{4}$"}
_SONG_ID: Final[Schema] = {"type": "string", "pattern": SONG_ID_PATTERN}
_NULLABLE_DAY: Final[Schema] = {"anyOf": [_DAY, {"type": "null"}]}
_V1_0: Final[Schema] = {"enum": [code for code in LETTERS if code != WORLDS_END]}


def _object(**fields: object) -> Schema:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def _list(item: object, **rest: int) -> Schema:
    return {"type": "array", "items": item, **rest}


def _map(item: object, *keys: object) -> Schema:
    schema: Schema = {"type": "object", "additionalProperties": item}
    return {**schema, "propertyNames": {"enum": list(keys)}} if keys else schema


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _slot(entry: str, size: int) -> Schema:
    entries = _list({"anyOf": [_ref(entry), {"type": "null"}]}, minItems=size, maxItems=size)
    return _object(value=_NUMBER, entries=entries)


_PLAY: Final[Mapping[str, object]] = {
    "id": _SONG_ID,
    "diff": _TEXT,
    "level": _LEVEL,
    "title": _TEXT,
    "const": _NUMBER,
    "score": _SCORE,
    "rating": _NUMBER,
    "is_const_unknown": _FLAG,
}
_LAMPS: Final = ("is_clear", "is_fullcombo", "is_alljustice")
_SAID: Final[Schema] = {"type": ["boolean", "null"], "description": "null where an import did not say"}
_RECORD: Final = {
    **_PLAY,
    **dict.fromkeys((*_LAMPS, "is_fullchain"), _SAID),
    "genre": _TEXT,
    "is_played": _FLAG,
}
_META_V1_0: Final = {
    "idx": _INTEGER,
    "title": _TEXT,
    "genre": _TEXT,
    "artist": _TEXT,
    "release": _NULLABLE_DAY,
}
_FRIEND: Final = {
    "user_id": _INTEGER,
    "user_name": _TEXT,
    "player_name": _TEXT,
    "rating": _NUMBER,
    "rating_max": _NUMBER,
    "is_protected": _FLAG,
    "is_accepted": _FLAG,
    "incoming": _FLAG,
}
_RECORD_V1_0: Final = {
    **{name: schema for name, schema in _RECORD.items() if name not in {"id", "is_played"}},
    "idx": _INTEGER,
    "diff": _V1_0,
}
_RANKS: Final = ("max", "sss", "ss+", "ss", "s", "<s")
_URL: Final = _object(
    name={"enum": ["mypage", "worldsend", "overpower", "stat", "course"]},
    title=_TEXT,
    url=_TEXT,
    url_short=_TEXT,
)


def _with(schema: Schema, name: str, field: object) -> Schema:
    """Return an object's schema with one more field, which is there only when asked for."""
    properties = schema["properties"]
    return {**schema, "properties": {**(properties if isinstance(properties, dict) else {}), name: field}}


def _statistics(average: Schema) -> Schema:
    return _object(
        users_count=_INTEGER,
        count=_object(
            rank=_object(**dict.fromkeys(_RANKS, _INTEGER)),
            lamp=_object(aj=_INTEGER, fc=_INTEGER, other=_INTEGER),
        ),
        avg=_map({"anyOf": [average, {"type": "null"}]}),
    )


COMPONENTS: Final[Mapping[str, Schema]] = {
    "Error": _object(error=_object(code=_INTEGER, message=_TEXT, additional_message=_TEXT)),
    "RecordV20": _object(**_RECORD, updated_at=_MOMENT),
    "RecordV13": _object(**_RECORD),
    "RecordV10": _with(_object(**_RECORD_V1_0), "meta", _object(**_META_V1_0)),
    "RecentPlay": _object(**_PLAY),
    "RatingData": _object(
        best=_slot("RecordV20", 30),
        recent=_slot("RecentPlay", 10),
        best_candidate=_object(entries=_list(_ref("RecordV20"), maxItems=20)),
        best_candidate_sss=_object(entries=_list(_ref("RecordV20"), maxItems=20)),
        best_outside=_object(entries=_list(_ref("RecordV20"), maxItems=20)),
    ),
    "CourseRecord": _object(
        course_idx=_INTEGER,
        course_name=_TEXT,
        course_class=_INTEGER,
        score=_INTEGER,
        **dict.fromkeys(_LAMPS, _FLAG),
    ),
    "Chart": _object(level=_LEVEL, const=_NUMBER, maxcombo=_INTEGER, is_const_unknown=_FLAG),
    "Song": _object(
        meta=_object(id=_SONG_ID, title=_TEXT, genre=_TEXT, artist=_TEXT, release=_DAY, bpm=_NUMBER),
        data=_map(_ref("Chart")),
    ),
    "SongV10": _object(
        meta=_object(**_META_V1_0, is_we=_FLAG),
        data=_map(_ref("Chart"), *LETTERS),
    ),
    "FoundSong": _object(title=_TEXT, genre=_TEXT, artist=_TEXT, release=_DAY, id=_SONG_ID),
    "FoundSongV10": _with(_object(**_META_V1_0), "data", _map(_ref("Chart"))),
    "FriendV20": _object(**_FRIEND, updated_at=_MOMENT, user_description=_TEXT, default_region=_TEXT),
    "FriendV13": _object(**_FRIEND, updated_on=_DAY),
    "User": _object(
        account=_object(
            user_id=_INTEGER,
            user_name={"type": "string", "pattern": "^[A-Za-z0-9_]+$"},
            is_protected=_FLAG,
            user_description=_TEXT,
            urls=_list(_URL),
        ),
        player=_object(
            playername=_TEXT,
            honor=_TEXT,
            honor_type=_INTEGER,
            level=_INTEGER,
            rating=_NUMBER,
            rating_max=_NUMBER,
            classemblem=_INTEGER,
            updated_on=_DAY,
        ),
    ),
    "UserV10": _object(
        account=_object(id=_INTEGER, name=_TEXT, urls=_list(_URL)),
        player=_object(
            playername=_TEXT,
            honor=_TEXT,
            rating=_NUMBER,
            rating_max=_NUMBER,
            update_on={"type": "string", "pattern": r"^\d{4}/\d{2}/\d{2}$"},
        ),
    ),
    "StatisticsV13": _statistics(_NUMBER),
    "StatisticsV10": _statistics(_TEXT),
}

_REPLIES: Final[Mapping[str, Schema]] = {
    "2.0 records/showall": _object(records=_list(_ref("RecordV20"))),
    "2.0 records/worldsend": _object(records=_list(_ref("RecordV20"))),
    "2.0 records/rating_data": _ref("RatingData"),
    "2.0 records/course": _object(records=_list(_ref("CourseRecord"))),
    "2.0 music/show": _ref("Song"),
    "2.0 music/showall": _list(_ref("Song")),
    "2.0 friends/list": _object(users=_list(_ref("FriendV20"))),
    "1.3 users/me": _ref("User"),
    "1.3 users/show": _ref("User"),
    "1.3 friends/list": _object(users=_list(_ref("FriendV13"))),
    "1.3 music/search": _list(_ref("FoundSong"), maxItems=200),
    "1.3 music/show": _ref("Song"),
    "1.3 music/showall": _list(_ref("Song")),
    "1.3 music/stat": _ref("StatisticsV13"),
    "1.3 records/showall": _object(records=_list(_ref("RecordV13"))),
    "1.3 records/worldsend": _object(records=_list(_ref("RecordV13"))),
    "1.3 records/course": _object(records=_list(_ref("CourseRecord"))),
    "1.0 users/me": _ref("UserV10"),
    "1.0 users/show": _ref("UserV10"),
    "1.0 music/search": _object(
        count=_object(total=_INTEGER, normal=_INTEGER, we=_INTEGER),
        data=_object(normal=_list(_ref("FoundSongV10")), we=_list(_ref("FoundSongV10"))),
    ),
    "1.0 music/show": _ref("SongV10"),
    "1.0 music/stat": _ref("StatisticsV10"),
    "1.0 records/showall": _object(scores=_list(_ref("RecordV10"))),
    "1.0 records/filter": _object(scores=_list(_ref("RecordV10"))),
}


def reply_schema(endpoint: Endpoint) -> Schema:
    """Return the schema of an endpoint's answer."""
    return _REPLIES[f"{endpoint.version} {endpoint.name}"]
