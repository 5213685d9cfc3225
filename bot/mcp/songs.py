"""Which songs and charts are meant, and which pass a filter."""

from collections.abc import Iterable, Sequence
from typing import Final

from bot.domain.charts import ADVANCED, BASIC, EXPERT, MASTER, ULTIMA, Chart, Song, difficulty_name
from bot.domain.entries import ChartEntry, Order, catalogue_entries, record_entries, sort_entries
from bot.domain.errors import BadQuery, NotFound
from bot.domain.filters import Filter, FilterCondition
from bot.domain.ids import SongId
from bot.domain.scores import Record
from bot.mcp.answers import MAX_ITEMS, PossibleSong
from bot.mcp.lines import possible_song
from bot.mcp.reader import SearchableSongs

_NORMAL: Final = {difficulty_name(each): each for each in (BASIC, ADVANCED, EXPERT, MASTER, ULTIMA)}
_MAX_CHOICES: Final = 10


def pick_song(songs: SearchableSongs, text: str) -> Song | tuple[PossibleSong, ...]:
    """Return the song that is meant by an id or a text, or several between which to choose. Raises: NotFound."""
    song = songs.catalogue.by_id.get(SongId(text))
    if song is not None:
        return song
    found = songs.index.find(text)
    if not found.songs:
        raise NotFound(text)
    return found.songs[0] if found.is_certain else tuple(map(possible_song, found.songs[:_MAX_CHOICES]))


def pick_chart(song: Song, difficulty: str | None) -> Chart:
    """Return a chart of a song, the hardest where no difficulty is named. Raises: BadQuery."""
    charts = {chart.difficulty: chart for chart in song.charts}
    code = _NORMAL[difficulty] if difficulty else next(reversed(charts), None)
    if code is None or code not in charts:
        raise BadQuery("difficulty", ", ".join(map(difficulty_name, charts)) or "the song has no chart")
    return charts[code]


def passing_charts(
    songs: SearchableSongs, records: Iterable[Record], wanted: Filter, sort: Order
) -> list[ChartEntry]:
    """Return the charts of the catalogue that pass a filter, in order."""
    looked_up = wanted.searched(songs.index.matches)
    entries = catalogue_entries(songs.catalogue, records)
    return sort_entries(looked_up.passing(entries), sort)


def passing_scores(
    songs: SearchableSongs, records: Iterable[Record], wanted: Filter, sort: Order
) -> list[ChartEntry]:
    """Return the scores that pass a filter, in order."""
    looked_up = wanted.searched(songs.index.matches)
    entries = record_entries(records, songs.catalogue.region, songs.catalogue)
    return sort_entries(looked_up.passing(entry for entry in entries if entry.played), sort)


def page_of(entries: Sequence[ChartEntry], number: int) -> tuple[Sequence[ChartEntry], int]:
    """Return one page of entries, and how many pages there are; behind the last one there are none."""
    start = (number - 1) * MAX_ITEMS
    return entries[start : start + MAX_ITEMS], max(1, -(-len(entries) // MAX_ITEMS))


def needs_worlds_end(wanted: Filter) -> bool:
    """Return whether a filter may speak of World's End, whose records are a request of their own."""
    return any(isinstance(term, FilterCondition) and term.name == "diff" for term in wanted.terms)
