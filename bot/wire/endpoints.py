"""The endpoints of the specification, once: client, service and documentation are held against this."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Generic, Literal

from pydantic import BaseModel
from typing_extensions import TypeVar

from bot.domain.charts import LETTERS, WORLDS_END
from bot.wire.players import FriendsV13, FriendsV20, User, UserV10
from bot.wire.rating_data import RatingDataReply
from bot.wire.records import CourseRecords, RecordsV10, RecordsV13, RecordsV20
from bot.wire.songs import SearchHits, SearchReplyV10, SongEntry, SongEntryV10, SongsReply
from bot.wire.statistics import StatV10, StatV13
from bot.wire.versions import Version

R_co = TypeVar("R_co", bound=BaseModel, covariant=True, default=BaseModel)

FILTER_DIFFICULTIES: Final = "".join(letter for code, letter in LETTERS.items() if code != WORLDS_END)
FILTER_GENRES: Final = ("all", "pops", "niconico", "toho", "variety", "irodori", "gekimai", "orig")
FILTER_LAMPS: Final = ("clear", "failed", "fc", "aj", "noajfc", "fch", "nofch")
SEARCH_TARGETS: Final = ("all", "normal", "we")
MAX_QUERY_LENGTH: Final = 126
"""Characters of `q`. Source: the real service's behaviour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One query parameter, named exactly as in the specification."""

    name: str
    type: Literal["string", "integer", "number"] = "string"
    required: bool = False
    default: str | int | float | None = None
    allowed: tuple[str | int, ...] = ()
    """The only values taken; empty where any of its type is."""
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint(Generic[R_co]):
    """One GET endpoint; the token, which every call carries, is not listed among its parameters."""

    version: Version
    name: str
    """The path between version and suffix: "records/showall"."""
    parameters: tuple[Parameter, ...] = ()
    reply: type[R_co]

    @property
    def path(self) -> str:
        """The path below the base address."""
        return f"/{self.version}/{self.name}.json"

    @property
    def takes_target(self) -> bool:
        """Whether it can ask about another user than the token holder."""
        return any(parameter.name == "user_id" for parameter in self.parameters)


def _flag(name: str, meaning: str) -> Parameter:
    return Parameter(name=name, type="integer", default=0, allowed=(0, 1), meaning=meaning)


_TARGET = (
    Parameter(name="user_id", type="integer", meaning="target user by internal id"),
    Parameter(name="user_name", meaning="target user by the name on the web site"),
)
_REGION = Parameter(name="region", required=True, meaning="region identifier; jp and jp2 are known")
_ID = Parameter(name="id", required=True, meaning="song id, 16 hexadecimal characters")
_IDX = Parameter(name="idx", type="integer", required=True, meaning="internal song index")
_QUERY = Parameter(name="q", required=True, meaning="search text")
_STAT_DIFF = Parameter(
    name="diff", required=True, allowed=tuple(LETTERS.values()), meaning="one-letter difficulty"
)
_MINFO = _flag("include_minfo", "include song detail")

RECORDS_SHOWALL_V20: Final = Endpoint(
    version="2.0", name="records/showall", parameters=(*_TARGET, _REGION), reply=RecordsV20
)
RECORDS_WORLDSEND_V20: Final = Endpoint(
    version="2.0", name="records/worldsend", parameters=(*_TARGET, _REGION), reply=RecordsV20
)
RECORDS_RATING_DATA_V20: Final = Endpoint(
    version="2.0", name="records/rating_data", parameters=(*_TARGET, _REGION), reply=RatingDataReply
)
RECORDS_COURSE_V20: Final = Endpoint(
    version="2.0", name="records/course", parameters=(*_TARGET, _REGION), reply=CourseRecords
)
MUSIC_SHOW_V20: Final = Endpoint(version="2.0", name="music/show", parameters=(_ID, _REGION), reply=SongEntry)
MUSIC_SHOWALL_V20: Final = Endpoint(
    version="2.0", name="music/showall", parameters=(_REGION,), reply=SongsReply
)
FRIENDS_LIST_V20: Final = Endpoint(version="2.0", name="friends/list", reply=FriendsV20)
USERS_ME_V13: Final = Endpoint(version="1.3", name="users/me", reply=User)
USERS_SHOW_V13: Final = Endpoint(version="1.3", name="users/show", parameters=_TARGET, reply=User)
FRIENDS_LIST_V13: Final = Endpoint(version="1.3", name="friends/list", reply=FriendsV13)
MUSIC_SEARCH_V13: Final = Endpoint(version="1.3", name="music/search", parameters=(_QUERY,), reply=SearchHits)
MUSIC_SHOW_V13: Final = Endpoint(version="1.3", name="music/show", parameters=(_ID,), reply=SongEntry)
MUSIC_SHOWALL_V13: Final = Endpoint(version="1.3", name="music/showall", reply=SongsReply)
MUSIC_STAT_V13: Final = Endpoint(
    version="1.3", name="music/stat", parameters=(_ID, _STAT_DIFF), reply=StatV13
)
RECORDS_SHOWALL_V13: Final = Endpoint(
    version="1.3", name="records/showall", parameters=_TARGET, reply=RecordsV13
)
RECORDS_WORLDSEND_V13: Final = Endpoint(
    version="1.3", name="records/worldsend", parameters=_TARGET, reply=RecordsV13
)
RECORDS_COURSE_V13: Final = Endpoint(
    version="1.3", name="records/course", parameters=_TARGET, reply=CourseRecords
)
USERS_ME_V10: Final = Endpoint(version="1.0", name="users/me", reply=UserV10)
USERS_SHOW_V10: Final = Endpoint(version="1.0", name="users/show", parameters=_TARGET, reply=UserV10)
MUSIC_SEARCH_V10: Final = Endpoint(
    version="1.0",
    name="music/search",
    parameters=(
        _QUERY,
        Parameter(name="target", default="all", allowed=SEARCH_TARGETS, meaning="which songs"),
        _MINFO,
        _flag("exact_match", "whole title only"),
    ),
    reply=SearchReplyV10,
)
MUSIC_SHOW_V10: Final = Endpoint(version="1.0", name="music/show", parameters=(_IDX,), reply=SongEntryV10)
MUSIC_STAT_V10: Final = Endpoint(
    version="1.0", name="music/stat", parameters=(_IDX, _STAT_DIFF), reply=StatV10
)
RECORDS_SHOWALL_V10: Final = Endpoint(
    version="1.0", name="records/showall", parameters=(*_TARGET, _MINFO), reply=RecordsV10
)
RECORDS_FILTER_V10: Final = Endpoint(
    version="1.0",
    name="records/filter",
    parameters=(
        Parameter(name="title", default="", meaning="part of the title"),
        Parameter(name="diff", default=FILTER_DIFFICULTIES, meaning="letters of b, a, e, m, joined"),
        Parameter(name="min_score", type="integer", default=0, meaning="least score"),
        Parameter(name="max_score", type="integer", default=1_010_000, meaning="greatest score"),
        Parameter(name="min_level", type="number", default=1, meaning="least level; n+ is n.5"),
        Parameter(name="max_level", type="number", default=14, meaning="greatest level; n+ is n.5"),
        Parameter(name="genre", default="all", allowed=FILTER_GENRES, meaning="genre code"),
        Parameter(name="lamp", default=",".join(FILTER_LAMPS), meaning="lamp kinds, comma separated"),
        _MINFO,
    ),
    reply=RecordsV10,
)

ENDPOINTS: Final[tuple[Endpoint, ...]] = (
    RECORDS_SHOWALL_V20,
    RECORDS_WORLDSEND_V20,
    RECORDS_RATING_DATA_V20,
    RECORDS_COURSE_V20,
    MUSIC_SHOW_V20,
    MUSIC_SHOWALL_V20,
    FRIENDS_LIST_V20,
    USERS_ME_V13,
    USERS_SHOW_V13,
    FRIENDS_LIST_V13,
    MUSIC_SEARCH_V13,
    MUSIC_SHOW_V13,
    MUSIC_SHOWALL_V13,
    MUSIC_STAT_V13,
    RECORDS_SHOWALL_V13,
    RECORDS_WORLDSEND_V13,
    RECORDS_COURSE_V13,
    USERS_ME_V10,
    USERS_SHOW_V10,
    MUSIC_SEARCH_V10,
    MUSIC_SHOW_V10,
    MUSIC_STAT_V10,
    RECORDS_SHOWALL_V10,
    RECORDS_FILTER_V10,
)

BY_PATH: Final[Mapping[str, Endpoint]] = {endpoint.path: endpoint for endpoint in ENDPOINTS}


def _parameters() -> Mapping[Parameter, tuple[str, ...]]:
    takers: dict[Parameter, dict[str, None]] = {}
    for endpoint in ENDPOINTS:
        for parameter in endpoint.parameters:
            takers.setdefault(parameter, {})[endpoint.name] = None
    return {parameter: tuple(names) for parameter, names in takers.items()}


PARAMETERS: Final = _parameters()
"""Every parameter with the names of the endpoints that take it: one name can have two meanings."""
