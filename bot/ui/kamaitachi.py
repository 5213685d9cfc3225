"""Records for Kamaitachi, a score tracker of many games: a file of its format "batch manual".

Source: Tachi's documentation and its schema `PR_BATCH_MANUAL`, with the metrics of the game there.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from bot.domain.charts import ADVANCED, BASIC, EXPERT, MASTER, ULTIMA, Catalogue, difficulty_name
from bot.domain.ids import SongId
from bot.domain.ranks import MAX_SCORE
from bot.domain.scores import Lamps, Record

_META: Final = {"game": "chunithm", "playtype": "Single", "service": "Kiroku"}
_DIFFICULTIES: Final = frozenset({BASIC, ADVANCED, EXPERT, MASTER, ULTIMA})
"""The difficulties that Kamaitachi has: no World's End."""
_FIRST_MILLISECOND: Final = 1_000_000_000_000
"""The earliest time accepted there: earlier ones are seconds mistaken for milliseconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchManual:
    """The content of a file in that format."""

    content: Mapping[str, object]
    count: int
    left_out: int
    """The number of records left out: of charts that Kamaitachi does not have, or with unknown clear."""


def batch_manual(records: Iterable[Record], catalogue: Catalogue | None) -> BatchManual:
    """Return the played records in Kamaitachi's format.

    It identifies songs by title. Songs with equal titles get the artist too; others do not, since Kamaitachi rejects a
    score if its spelling of the artist differs.
    """
    played = [record for record in records if record.is_played]
    artists = _artists_of_namesakes(catalogue)
    scores = [score for record in played if (score := _score(record, artists)) is not None]
    return BatchManual(
        content={"meta": _META, "scores": scores}, count=len(scores), left_out=len(played) - len(scores)
    )


def _artists_of_namesakes(catalogue: Catalogue | None) -> Mapping[SongId, str]:
    songs = [song for song in catalogue.songs if not song.is_worlds_end] if catalogue else []
    titles = Counter(song.title for song in songs)
    return {song.id: song.artist for song in songs if titles[song.title] > 1 and song.artist}


def _score(record: Record, artists: Mapping[SongId, str]) -> Mapping[str, object] | None:
    lamps = record.lamps
    if record.difficulty not in _DIFFICULTIES or lamps is None or lamps.is_clear is None:
        return None
    score: dict[str, object] = {
        "score": record.score,
        "noteLamp": _note_lamp(record.score, lamps),
        "clearLamp": "CLEAR" if lamps.is_clear else "FAILED",
        "matchType": "songTitle",
        "identifier": record.title,
        "difficulty": difficulty_name(record.difficulty),
    }
    artist = artists.get(record.song_id) if record.song_id else None
    if artist is not None:
        score["artist"] = artist
    moment = int(record.updated_at.timestamp() * 1000) if record.updated_at else 0
    if moment > _FIRST_MILLISECOND:
        score["timeAchieved"] = moment
    return score


def _note_lamp(score: int, lamps: Lamps) -> str:
    if score == MAX_SCORE:
        return "ALL JUSTICE CRITICAL"
    if lamps.is_all_justice:
        return "ALL JUSTICE"
    return "FULL COMBO" if lamps.is_full_combo else "NONE"
