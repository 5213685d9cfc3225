"""music/search: words, quoted phrases, `since:` and `until:`. Our syntax: the specification shows none."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.domain.folding import spelling
from bot.wire.endpoints import MAX_QUERY_LENGTH
from service.model import StoredSong
from service.refusal import QUERY_TOO_LONG, Refusal, bad_request
from service.songs import data_v1_0, meta_v1_0

_TERM: Final = re.compile(r'"([^"]*)"?|(\S+)')
SAYS_SOMETHING: Final = r'[^"\x00-\x20\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]'
"""A pattern that `q` must contain. Spaces and control characters are given by number: clients read the pattern from the
OpenAPI, and `\\s` differs between Python and ECMAScript."""
_LAST_DAY: Final = "9999-12-31"
_DATE_FORMATS: Final = ("%Y-%m-%d", "%Y/%m/%d")


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query; songs match it as a whole."""

    words: tuple[str, ...]
    """The words in the form of `spelling`; each must occur in title or artist."""
    since: str = ""
    until: str = _LAST_DAY


def parse_search(text: str) -> Query:
    """Parse `q`. Raises: Refusal (400) if it is too long, has nothing to look for, or has an invalid date."""
    _check_query(text)
    words: list[str] = []
    dates: dict[str, str] = {}
    for match in _TERM.finditer(text):
        phrase, word = match.groups()
        key, colon, value = (word or "").partition(":")
        if colon and key in {"since", "until"}:
            dates[key] = _date(key, value)
        elif term := spelling(word or phrase or ""):
            words.append(term)
    return Query(tuple(words), **dates)


def _check_query(text: str) -> None:
    """Raise Refusal (400) if a query is too long or has nothing to look for."""
    if len(text) > MAX_QUERY_LENGTH:
        bad_request(QUERY_TOO_LONG)
    if not re.search(SAYS_SOMETHING, text):
        bad_request("q has nothing to look for.")


def _date(key: str, value: str) -> str:
    for form in _DATE_FORMATS:
        try:
            return datetime.strptime(value, form).date().isoformat()  # noqa: DTZ007 - a day, no moment
        except ValueError:
            continue
    raise Refusal(400, f"{key}: is followed by a date, YYYY-MM-DD.")


def search(songs: Sequence[StoredSong], query: Query) -> list[StoredSong]:
    """Return the songs that match, in the catalogue's order."""
    return [song for song in songs if _matches(song, query)]


def _matches(song: StoredSong, query: Query) -> bool:
    title, artist = spelling(song.title), spelling(song.artist)
    if (query.since or query.until != _LAST_DAY) and song.release is None:
        return False
    if not query.since <= (song.release or "") <= query.until:
        return False
    return all(word in title or word in artist for word in query.words)


def search_exactly(songs: Sequence[StoredSong], title: str) -> list[StoredSong]:
    """Return the songs with exactly this title, folded. Raises: Refusal (400), as `parse_search`."""
    _check_query(title)
    wanted = spelling(title)
    return [song for song in songs if spelling(song.title) == wanted]


def found_v1_0(songs: Sequence[StoredSong], *, target: str, with_charts: bool) -> dict[str, object]:
    """Return a search reply of version 1.0; `include_minfo` adds the charts as `data`: our reading."""
    normal = [_item(song, with_charts=with_charts) for song in songs if not song.is_worlds_end]
    worlds_end = [_item(song, with_charts=with_charts) for song in songs if song.is_worlds_end]
    if target == "normal":
        worlds_end = []
    elif target == "we":
        normal = []
    return {
        "count": {"total": len(normal) + len(worlds_end), "normal": len(normal), "we": len(worlds_end)},
        "data": {"normal": normal, "we": worlds_end},
    }


def _item(song: StoredSong, *, with_charts: bool) -> dict[str, object]:
    return {**meta_v1_0(song), "data": data_v1_0(song)} if with_charts else meta_v1_0(song)
