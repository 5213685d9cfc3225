"""The endpoints: for each, whose data it reports and how its reply is built."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from bot.domain.charts import LETTERS, WORLDS_END
from bot.domain.ids import Region, UserId
from bot.wire.endpoints import ENDPOINTS, Endpoint
from bot.wire.versions import Version
from service import people, plays, songs, store
from service.model import Friendship, StoredAccount, StoredRecord, StoredSong
from service.parameters import Arguments
from service.rating_data import rating_data
from service.record_filter import filter_records
from service.refusal import Refusal, bad_request
from service.search import found_v1_0, parse_search, search, search_exactly
from service.snapshot import SnapshotReader
from service.statistics import statistics

MAX_SEARCH_RESULTS: Final = 200
"""music/search in version 1.3 returns this many at most. Source: specification, Limits."""


@dataclass(frozen=True, slots=True)
class RequestContext:
    """One request, with its arguments read and its access checked."""

    reader: SnapshotReader
    user_id: UserId
    """The reply is about this account: the target, or the token holder."""
    arguments: Arguments

    @property
    def region(self) -> Region:
        """The region asked about; versions 1.3 and 1.0 answer for the default one, which is our choice."""
        if self.arguments.has("region"):
            return Region(self.arguments.text("region"))
        return self.reader.default_region

    @property
    def account(self) -> StoredAccount:
        """The account that the reply is about."""
        return self.reader.account(self.user_id)

    @property
    def songs(self) -> Sequence[StoredSong]:
        """The songs of the region."""
        return self.reader.catalogue(self.region).songs

    def get_song(self) -> StoredSong:
        """Return the song asked for by `id` or `idx`. Raises: Refusal (404)."""
        song = self.find_song()
        if song is None:
            raise Refusal(404, "the song does not exist.")
        return song

    def find_song(self) -> StoredSong | None:
        """Return the song asked for by `id` or `idx`, or None."""
        catalogue = self.reader.catalogue(self.region)
        if self.arguments.has("id"):
            return catalogue.by_id.get(self.arguments.text("id"))
        return catalogue.by_index.get(self.arguments.integer("idx"))

    def records(self, *, worlds_end: bool) -> list[StoredRecord]:
        """Return the records of normal charts, or those of World's End."""
        every = self.reader.records(self.user_id, self.region)
        return [record for record in every if (record.chart.difficulty == WORLDS_END) == worlds_end]


BuildReply = Callable[[RequestContext], object]


def _records(shape: Callable[[StoredRecord], object], *, worlds_end: bool) -> BuildReply:
    """Return a function that builds a list of records, each in the shape of its version."""
    return lambda request: {"records": [shape(record) for record in request.records(worlds_end=worlds_end)]}


def _friends(shape: Callable[[Friendship], object]) -> BuildReply:
    """Return a function that builds a friend list, each entry in the shape of its version."""

    def build(request: RequestContext) -> object:
        found = store.load_friendships(request.reader.connection, request.user_id)
        return {"users": [shape(friendship) for friendship in found]}

    return build


def _rating_data(request: RequestContext) -> object:
    catalogue = request.reader.catalogue(request.region)
    recents = store.load_recents(request.reader.connection, catalogue, request.user_id)
    return rating_data(request.records(worlds_end=False), recents, request.region)


def _courses(request: RequestContext) -> object:
    found = store.load_course_records(request.reader.connection, request.user_id, request.region)
    return {"records": [plays.course_record(record) for record in found]}


def _song(request: RequestContext) -> object:
    return songs.song_v2_0(request.get_song())


def _songs(request: RequestContext) -> object:
    return [songs.song_v2_0(song) for song in request.songs]


def _search_v1_3(request: RequestContext) -> object:
    found = search(request.songs, parse_search(request.arguments.text("q")))
    return [songs.found_v1_3(song) for song in found[:MAX_SEARCH_RESULTS]]


def _search_v1_0(request: RequestContext) -> object:
    arguments = request.arguments
    text = arguments.text("q")
    if arguments.integer("exact_match"):
        found = search_exactly(request.songs, text)
    else:
        found = search(request.songs, parse_search(text))
    with_charts = bool(arguments.integer("include_minfo"))
    return found_v1_0(found, target=arguments.text("target"), with_charts=with_charts)


def _statistics(request: RequestContext, song: StoredSong | None, *, averages_as_text: bool) -> object:
    letter = request.arguments.text("diff")
    charts = [chart for chart in song.charts if LETTERS.get(chart.difficulty) == letter] if song else []
    found = store.load_chart_scores(request.reader.connection, charts[0].chart_id) if charts else []
    return statistics(found, averages_as_text=averages_as_text)


def _filtered_scores(request: RequestContext) -> object:
    return _scores(filter_records(request.records(worlds_end=False), request.arguments), request)


def _scores(records: Sequence[StoredRecord], request: RequestContext) -> object:
    with_song = bool(request.arguments.integer("include_minfo"))
    known = (record for record in records if songs.is_in_v1_0(record.chart))
    return {"scores": [plays.record_v1_0(record, with_song=with_song) for record in known]}


_BUILDERS: Final[Mapping[tuple[Version, str], BuildReply]] = {
    ("2.0", "records/showall"): _records(plays.record_v2_0, worlds_end=False),
    ("2.0", "records/worldsend"): _records(plays.record_v2_0, worlds_end=True),
    ("2.0", "records/rating_data"): _rating_data,
    ("2.0", "records/course"): _courses,
    ("2.0", "music/show"): _song,
    ("2.0", "music/showall"): _songs,
    ("2.0", "friends/list"): _friends(people.friend_v2_0),
    ("1.3", "users/me"): lambda request: people.user_v1_3(request.account),
    ("1.3", "users/show"): lambda request: people.user_v1_3(request.account),
    ("1.3", "friends/list"): _friends(people.friend_v1_3),
    ("1.3", "music/search"): _search_v1_3,
    ("1.3", "music/show"): _song,
    ("1.3", "music/showall"): _songs,
    ("1.3", "music/stat"): lambda request: _statistics(request, request.get_song(), averages_as_text=False),
    ("1.3", "records/showall"): _records(plays.record_v1_3, worlds_end=False),
    ("1.3", "records/worldsend"): _records(plays.record_v1_3, worlds_end=True),
    ("1.3", "records/course"): _courses,
    ("1.0", "users/me"): lambda request: people.user_v1_0(request.account),
    ("1.0", "users/show"): lambda request: people.user_v1_0(request.account),
    ("1.0", "music/search"): _search_v1_0,
    ("1.0", "music/show"): lambda request: songs.song_v1_0(request.get_song()),
    ("1.0", "music/stat"): lambda request: _statistics(request, request.find_song(), averages_as_text=True),
    ("1.0", "records/showall"): lambda request: _scores(request.records(worlds_end=False), request),
    ("1.0", "records/filter"): _filtered_scores,
}

ReplySubject = Literal["target", "holder", "nobody"]
"""Whose data a reply holds: that of the account asked about, of the token's holder, or no account's."""


@dataclass(frozen=True, slots=True)
class EndpointRoute:
    """One endpoint and the function that builds its reply."""

    endpoint: Endpoint
    subject: ReplySubject
    build: BuildReply


def _subject(endpoint: Endpoint) -> ReplySubject:
    if endpoint.takes_target:
        return "target"
    return "nobody" if endpoint.name.startswith("music/") else "holder"


ROUTES: Final[Mapping[str, EndpointRoute]] = {
    endpoint.path: EndpointRoute(endpoint, _subject(endpoint), _BUILDERS[endpoint.version, endpoint.name])
    for endpoint in ENDPOINTS
}


def find_subject(
    reader: SnapshotReader, route: EndpointRoute, holder: UserId, arguments: Arguments
) -> UserId:
    """Return the account that a request is about, if the token's holder may see it. Raises: Refusal (403, 404).

    Source: specification, common parameters and versioning 3: in version 1.0 friendship gives no access.
    """
    if route.subject != "target":
        return holder if route.subject == "holder" else UserId(0)
    if arguments.has("user_id"):
        target = store.find_account(reader.connection, arguments.integer("user_id"))
    elif arguments.has("user_name"):
        target = store.find_account_by_name(reader.connection, arguments.text("user_name"))
    else:
        return holder
    if target is None:
        raise Refusal(404, "the user does not exist.")
    if target.user_id == holder or not target.is_protected:
        return target.user_id
    if route.endpoint.version == "1.0":
        raise Refusal(404, "the user does not exist.")
    if not store.are_friends(reader.connection, holder, target.user_id):
        raise Refusal(403, "the user is protected.")
    return target.user_id


def check_region(reader: SnapshotReader, arguments: Arguments) -> None:
    """Refuse a region that the service does not know. Raises: Refusal (400)."""
    if arguments.has("region") and arguments.text("region") not in reader.regions:
        known = ", ".join(sorted(reader.regions))
        bad_request(f"region must be one of {known}.")
