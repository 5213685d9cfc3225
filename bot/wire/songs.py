"""Songs and their charts. Source: specification, "Song and chart data" and "Search result"."""

from typing import Annotated, Self

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from bot.domain.charts import Catalogue, Chart, Difficulty, Song, difficulty_order
from bot.domain.ids import Region, SongId
from bot.wire.fields import (
    MAX_BPM,
    MAX_NOTES,
    NONE_IF_ODD,
    Code,
    Day,
    Flag,
    MaybeNumber,
    MaybeText,
    MaybeWhole,
    Text,
    Whole,
    bounded,
    known_by,
    short,
)
from bot.wire.replies import Array, Reply, hundredths, known_constant


class ChartReply(Reply):
    """One chart of a song."""

    level: MaybeNumber = None
    """n.5 is n+; 0 for World's End."""
    const: MaybeNumber = None
    """Chart constant; 0 where unknown."""
    maxcombo: MaybeWhole = None
    """Notes; 0 where not entered."""
    is_const_unknown: Flag = None

    def to_domain(self, difficulty: str) -> Chart:
        """Return the chart as one of `difficulty`."""
        constant = known_constant(self.const)
        return Chart(
            difficulty=Difficulty(difficulty),
            level=hundredths(self.level),
            constant=constant,
            is_estimated=bool(self.is_const_unknown) and constant is not None,
            max_combo=bounded(self.maxcombo or 0, MAX_NOTES) or None,
        )


Charts = Annotated[dict[str, Annotated[ChartReply | None, NONE_IF_ODD]] | None, NONE_IF_ODD]
"""Charts by difficulty; the list of difficulties is open. A song without charts may come with an array."""


def _charts(entries: Charts) -> tuple[Chart, ...]:
    found = [
        entry.to_domain(code) for code, entry in (entries or {}).items() if entry and short(code) == code
    ]
    return tuple(sorted(found, key=lambda chart: difficulty_order(chart.difficulty)))


class MetaV20(Reply):
    """A song of versions 2.0 and 1.3."""

    id: Code
    """16 hexadecimal characters."""
    title: Text
    genre: MaybeText = None
    artist: MaybeText = None
    release: Day = None
    bpm: MaybeNumber = None
    """Beats per minute; 0 where not entered. Not in the song list of version 1.3."""


class MetaV10(Reply):
    """A song of version 1.0."""

    idx: Whole
    """Internal song index."""
    title: Text
    is_we: Flag = None
    """Whether this is a World's End entry."""
    genre: MaybeText = None
    artist: MaybeText = None
    release: Day = None


class SongEntry(Reply):
    """`music/show` of versions 2.0 and 1.3, and an entry of their `music/showall`."""

    meta: MetaV20
    data: Charts = None

    def to_domain(self) -> Song:
        """Return the song with its charts, easiest first."""
        return Song(
            id=SongId(self.meta.id),
            title=known_by(self.meta.title, self.meta.id),
            genre=self.meta.genre and short(self.meta.genre),
            artist=self.meta.artist and short(self.meta.artist),
            released_on=self.meta.release,
            bpm=bounded(round(self.meta.bpm or 0), MAX_BPM) or None,
            charts=_charts(self.data),
        )


class SongEntryV10(Reply):
    """`music/show` of version 1.0."""

    meta: MetaV10
    data: Charts = None

    def to_domain(self) -> Song:
        """Return the song with its charts, easiest first."""
        return _song_of_index(self.meta, _charts(self.data))


class SongsReply(Array[SongEntry]):
    """`music/showall` of versions 2.0 and 1.3."""

    def to_domain(self, region: Region) -> Catalogue:
        """Return the catalogue of the region that was asked for."""
        return Catalogue.of(region, (song.to_domain() for song in self))


class SearchHit(Reply):
    """An entry of `music/search` of version 1.3."""

    id: Code
    """16 hexadecimal characters."""
    title: Text
    genre: MaybeText = None
    artist: MaybeText = None
    release: Day = None

    def to_domain(self) -> Song:
        """Return the song, without charts."""
        return Song(
            id=SongId(self.id),
            title=known_by(self.title, self.id),
            genre=self.genre and short(self.genre),
            artist=self.artist and short(self.artist),
            released_on=self.release,
            bpm=None,
            charts=(),
        )


class SearchHits(Array[SearchHit]):
    """`music/search` of version 1.3: at most 200."""

    def to_domain(self) -> tuple[Song, ...]:
        """Return the songs in the service's order, without charts."""
        return tuple(hit.to_domain() for hit in self)


class SearchHitV10(Reply):
    """An entry of `music/search` of version 1.0."""

    idx: Whole
    """Internal song index."""
    title: Text
    genre: MaybeText = None
    artist: MaybeText = None
    release: Day = None

    def to_domain(self) -> Song:
        """Return the song, without charts."""
        return _song_of_index(self, ())


class SearchCount(Reply):
    """How many songs a search of version 1.0 found."""

    total: MaybeWhole = None
    normal: MaybeWhole = None
    we: MaybeWhole = None


class SearchData(Reply):
    """The songs that a search of version 1.0 found, World's End apart."""

    normal: tuple[SearchHitV10, ...] | None = None
    we: tuple[SearchHitV10, ...] | None = None
    """World's End."""

    @model_validator(mode="after")
    def _has_either(self) -> Self:
        if not self.model_fields_set:
            raise PydanticCustomError("no_songs", "neither normal nor we")
        return self


class SearchReplyV10(Reply):
    """`music/search` of version 1.0."""

    data: SearchData
    count: Annotated[SearchCount | None, NONE_IF_ODD] = None

    def to_domain(self) -> tuple[Song, ...]:
        """Return the songs, World's End last, without charts."""
        return tuple(hit.to_domain() for hit in (*(self.data.normal or ()), *(self.data.we or ())))


def _song_of_index(meta: MetaV10 | SearchHitV10, charts: tuple[Chart, ...]) -> Song:
    song = SongId(f"idx:{meta.idx}")
    return Song(
        id=song,
        index=meta.idx,
        title=known_by(meta.title, song),
        genre=meta.genre and short(meta.genre),
        artist=meta.artist and short(meta.artist),
        released_on=meta.release,
        bpm=None,
        charts=charts,
    )
