"""Builds the songs of replies, one function per version and shape. Source: specification, "Song and chart data"."""

from typing import Final

from bot.domain.charts import LETTERS
from service.model import StoredChart, StoredSong
from service.numbers import number

NO_DATE: Final = "1970-01-01"
"""The release of a song for which nobody entered one, where null is not allowed. It is our choice."""


def is_in_v1_0(chart: StoredChart) -> bool:
    """Return whether version 1.0 knows the chart's difficulty: it was closed before ULTIMA and others came."""
    return chart.difficulty in LETTERS


def song_v2_0(song: StoredSong) -> dict[str, object]:
    """Return `{meta, data}` of versions 2.0 and 1.3."""
    return {
        "meta": {
            "id": song.song_id,
            "title": song.title,
            "genre": song.genre,
            "artist": song.artist,
            "release": song.release or NO_DATE,
            "bpm": number(song.bpm),
        },
        "data": {chart.difficulty: _chart(chart) for chart in song.charts},
    }


def song_v1_0(song: StoredSong) -> dict[str, object]:
    """Return `{meta, data}` of version 1.0."""
    return {
        "meta": {**meta_v1_0(song), "is_we": song.is_worlds_end},
        "data": data_v1_0(song),
    }


def meta_v1_0(song: StoredSong) -> dict[str, object]:
    """Return the song detail of version 1.0."""
    return {
        "idx": song.index,
        "title": song.title,
        "genre": song.genre,
        "artist": song.artist,
        "release": song.release,
    }


def data_v1_0(song: StoredSong) -> dict[str, object]:
    """Return the chart data of version 1.0."""
    return {chart.difficulty: _chart(chart) for chart in song.charts if is_in_v1_0(chart)}


def found_v1_3(song: StoredSong) -> dict[str, object]:
    """Return a search result of version 1.3."""
    return {
        "title": song.title,
        "genre": song.genre,
        "artist": song.artist,
        "release": song.release or NO_DATE,
        "id": song.song_id,
    }


def _chart(chart: StoredChart) -> dict[str, object]:
    return {
        "level": number(chart.level),
        "const": number(chart.constant),
        "maxcombo": chart.max_combo,
        "is_const_unknown": chart.is_constant_unknown,
    }
