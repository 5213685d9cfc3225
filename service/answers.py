"""The 24 endpoints: for each one, whom it is about and how its reply is built."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from bot.domain.charts import LETTERS, WORLDS_END
from bot.domain.ids import Region, UserId
from bot.wire.endpoints import ENDPOINTS, Endpoint
from bot.wire.versions import Version
from service import people, plays, songs, store
from service.library import SnapshotReader
from service.model import StoredAccount, StoredChart, StoredRecord, StoredSong
from service.parameters import Arguments
from service.rating_data import rating_data
from service.record_filter import filter_records
from service.refusal import Refusal, bad_request
from service.search import found_v1_0, parse_search, search, search_exactly
from service.statistics import statistics

SEARCH_LIMIT: Final = 200
"""Results of music/search in version 1.3. Source: specification, Limits."""


@dataclass(frozen=True, slots=True)
class RequestContext:
    """One request, understood and allowed."""

    library: SnapshotReader
    user_id: UserId
    """Whom it is about: the target, or the token holder."""
    arguments: Arguments

    @property
    def region(self) -> Region:
        """The region asked about; versions 1.3 and 1.0 speak of the default one: our choice."""
        if self.arguments.has("region"):
            return Region(self.arguments.text("region"))
        return self.library.default_region

    @property
    def account(self) -> StoredAccount:
        """The account it is about."""
        return self.library.account(self.user_id)

    @property
    def songs(self) -> Sequence[StoredSong]:
        """The catalogue of the region."""
        return self.library.catalogue(self.region).songs

    def song(self) -> StoredSong:
        """Return the song asked for by `id` or `idx`. Raises: Refusal (404)."""
        song = self.find_song()
        if song is None:
            raise Refusal(404, "the song does not exist.")
        return song

    def find_song(self) -> StoredSong | None:
        """Return the song asked for by `id` or `idx`, or None."""
        catalogue = self.library.catalogue(self.region)
        if self.arguments.has("id"):
            return catalogue.by_id.get(self.arguments.text("id"))
        return catalogue.by_index.get(self.arguments.integer("idx"))

    def records(self, *, worlds_end: bool) -> list[StoredRecord]:
        """Return the records of normal charts, or those of World's End."""
        every = self.library.records(self.user_id, self.region)
        return [record for record in every if (record.chart.difficulty == WORLDS_END) == worlds_end]


def _showall_v2_0(question: RequestContext) -> object:
    return {"records": [plays.record_v2_0(record) for record in question.records(worlds_end=False)]}


def _worldsend_v2_0(question: RequestContext) -> object:
    return {"records": [plays.record_v2_0(record) for record in question.records(worlds_end=True)]}


def _rating_data_v2_0(question: RequestContext) -> object:
    catalogue = question.library.catalogue(question.region)
    recents = store.recents(question.library.connection, catalogue, question.user_id)
    return rating_data(question.records(worlds_end=False), recents, question.region)


def _course(question: RequestContext) -> object:
    found = store.course_records(question.library.connection, question.user_id, question.region)
    return {"records": [plays.course_record(record) for record in found]}


def _music_show(question: RequestContext) -> object:
    return songs.song_v2_0(question.song())


def _music_showall(question: RequestContext) -> object:
    return [songs.song_v2_0(song) for song in question.songs]


def _friends_v2_0(question: RequestContext) -> object:
    found = store.friendships(question.library.connection, question.user_id)
    return {"users": [people.friend_v2_0(friendship) for friendship in found]}


def _friends_v1_3(question: RequestContext) -> object:
    found = store.friendships(question.library.connection, question.user_id)
    return {"users": [people.friend_v1_3(friendship) for friendship in found]}


def _user_v1_3(question: RequestContext) -> object:
    return people.user_v1_3(question.account)


def _user_v1_0(question: RequestContext) -> object:
    return people.user_v1_0(question.account)


def _search_v1_3(question: RequestContext) -> object:
    found = search(question.songs, parse_search(question.arguments.text("q")))
    return [songs.found_v1_3(song) for song in found[:SEARCH_LIMIT]]


def _search_v1_0(question: RequestContext) -> object:
    arguments = question.arguments
    text = arguments.text("q")
    if arguments.integer("exact_match"):
        found = search_exactly(question.songs, text)
    else:
        found = search(question.songs, parse_search(text))
    with_charts = bool(arguments.integer("include_minfo"))
    return found_v1_0(found, target=arguments.text("target"), with_charts=with_charts)


def _stat_v1_3(question: RequestContext) -> object:
    return _statistics(question, question.song(), averages_as_text=False)


def _stat_v1_0(question: RequestContext) -> object:
    return _statistics(question, question.find_song(), averages_as_text=True)


def _statistics(question: RequestContext, song: StoredSong | None, *, averages_as_text: bool) -> object:
    chart = _find_chart(song, question.arguments.text("diff")) if song else None
    found = store.scores_of_chart(question.library.connection, chart.chart_id) if chart else []
    return statistics(found, averages_as_text=averages_as_text)


def _find_chart(song: StoredSong, letter: str) -> StoredChart | None:
    return next((chart for chart in song.charts if LETTERS.get(chart.difficulty) == letter), None)


def _records_v1_3(question: RequestContext) -> object:
    return {"records": [plays.record_v1_3(record) for record in question.records(worlds_end=False)]}


def _worldsend_v1_3(question: RequestContext) -> object:
    return {"records": [plays.record_v1_3(record) for record in question.records(worlds_end=True)]}


def _music_show_v1_0(question: RequestContext) -> object:
    return songs.song_v1_0(question.song())


def _scores_v1_0(question: RequestContext) -> object:
    records = question.records(worlds_end=False)
    return _scores(records, question)


def _filter_v1_0(question: RequestContext) -> object:
    return _scores(filter_records(question.records(worlds_end=False), question.arguments), question)


def _scores(records: Sequence[StoredRecord], question: RequestContext) -> object:
    with_song = bool(question.arguments.integer("include_minfo"))
    known = (record for record in records if songs.is_in_v1_0(record.chart))
    return {"scores": [plays.record_v1_0(record, with_song=with_song) for record in known]}


Build = Callable[[RequestContext], object]

_BUILDERS: Final[Mapping[tuple[Version, str], Build]] = {
    ("2.0", "records/showall"): _showall_v2_0,
    ("2.0", "records/worldsend"): _worldsend_v2_0,
    ("2.0", "records/rating_data"): _rating_data_v2_0,
    ("2.0", "records/course"): _course,
    ("2.0", "music/show"): _music_show,
    ("2.0", "music/showall"): _music_showall,
    ("2.0", "friends/list"): _friends_v2_0,
    ("1.3", "users/me"): _user_v1_3,
    ("1.3", "users/show"): _user_v1_3,
    ("1.3", "friends/list"): _friends_v1_3,
    ("1.3", "music/search"): _search_v1_3,
    ("1.3", "music/show"): _music_show,
    ("1.3", "music/showall"): _music_showall,
    ("1.3", "music/stat"): _stat_v1_3,
    ("1.3", "records/showall"): _records_v1_3,
    ("1.3", "records/worldsend"): _worldsend_v1_3,
    ("1.3", "records/course"): _course,
    ("1.0", "users/me"): _user_v1_0,
    ("1.0", "users/show"): _user_v1_0,
    ("1.0", "music/search"): _search_v1_0,
    ("1.0", "music/show"): _music_show_v1_0,
    ("1.0", "music/stat"): _stat_v1_0,
    ("1.0", "records/showall"): _scores_v1_0,
    ("1.0", "records/filter"): _filter_v1_0,
}

Subject = Literal["target", "holder", "nobody"]


@dataclass(frozen=True, slots=True)
class EndpointRoute:
    """One endpoint with what answers it."""

    endpoint: Endpoint
    subject: Subject
    """Whose data the reply holds."""
    build: Build


def _subject(endpoint: Endpoint) -> Subject:
    if endpoint.takes_target:
        return "target"
    return "nobody" if endpoint.name.startswith("music/") else "holder"


ROUTES: Final[Mapping[str, EndpointRoute]] = {
    endpoint.path: EndpointRoute(endpoint, _subject(endpoint), _BUILDERS[endpoint.version, endpoint.name])
    for endpoint in ENDPOINTS
}


def find_subject(
    library: SnapshotReader, route: EndpointRoute, holder: UserId, arguments: Arguments
) -> UserId:
    """Return whom the request is about, if the holder may know. Raises: Refusal (403, 404).

    Source: specification, common parameters and versioning 3: in version 1.0 friends do not help.
    """
    if route.subject != "target":
        return holder if route.subject == "holder" else UserId(0)
    if arguments.has("user_id"):
        target = store.find_account(library.connection, arguments.integer("user_id"))
    elif arguments.has("user_name"):
        target = store.find_account_by_name(library.connection, arguments.text("user_name"))
    else:
        return holder
    if target is None:
        raise Refusal(404, "the user does not exist.")
    if target.user_id == holder or not target.is_protected:
        return target.user_id
    if route.endpoint.version == "1.0":
        raise Refusal(404, "the user does not exist.")
    if not store.are_friends(library.connection, holder, target.user_id):
        raise Refusal(403, "the user is protected.")
    return target.user_id


def check_region(library: SnapshotReader, arguments: Arguments) -> None:
    """Refuse a region that the service does not know. Raises: Refusal (400)."""
    if arguments.has("region") and arguments.text("region") not in library.regions:
        known = ", ".join(sorted(library.regions))
        bad_request(f"region must be one of {known}.")
