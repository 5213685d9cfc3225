"""Values of the domain as lines of answers."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final, TypedDict

from bot.domain.age import Age
from bot.domain.borders import Border
from bot.domain.charts import Song, difficulty_name
from bot.domain.entries import ChartEntry
from bot.domain.game_rating import SlotEntry
from bot.domain.notes import Judgement
from bot.domain.numbers import Hundredths, format_level
from bot.domain.ranks import rank_of
from bot.domain.scores import Lamps
from bot.mcp.answers import BorderLine, ChartLine, JudgementCounts, OthersText, PossibleSong, SlotLine
from bot.mcp.errors import sentence_of

_PLURALS: Final = {"chart": "charts", "day": "days", "record": "records", "score": "scores", "try": "tries"}


class _Aged(TypedDict):
    as_of: datetime
    not_newer_because: str | None


def aged(age: Age) -> _Aged:
    """Return the members of an answer that tell its age."""
    return {
        "as_of": age.fetched_at,
        "not_newer_because": None if age.trouble is None else sentence_of(age.trouble),
    }


def counted(count: int, what: str) -> str:
    """Return how many there are of something."""
    return f"{count} {what if count == 1 else _PLURALS[what]}"


def number(value: Hundredths | None) -> float | None:
    """Return a rating or constant as people write it."""
    return None if value is None else value / 100


def possible_song(song: Song) -> PossibleSong:
    """Return a song by its id and words."""
    return PossibleSong(
        song_id=song.id,
        title=OthersText.of(song.title),
        artist=OthersText.of(song.artist) if song.artist else None,
    )


def chart_line(entry: ChartEntry) -> ChartLine:
    """Return a chart, with the record where there is a play behind it."""
    played = entry.played
    return ChartLine(
        song_id=entry.song.id,
        title=OthersText.of(entry.song.title),
        difficulty=difficulty_name(entry.chart.difficulty),
        level=format_level(entry.chart.level),
        constant=number(entry.chart.constant),
        score=played.score if played else None,
        rank=rank_of(played.score, entry.region).label if played else None,
        rating=number(played.rating) if played and entry.chart.constant is not None else None,
        lamp=_lamp(played.lamps) if played and played.lamps else None,
        set_at=played.updated_at if played else None,
    )


def slot_lines(entries: Iterable[SlotEntry]) -> tuple[SlotLine, ...]:
    """Return the places of a slot, in order."""
    return tuple(
        SlotLine(
            song_id=entry.key[0],
            title=OthersText.of(entry.record.title),
            difficulty=difficulty_name(entry.key[1]),
            score=entry.record.score,
            rating=entry.rating / 100,
            highest=None if entry.is_certain else entry.highest / 100,
        )
        for entry in entries
    )


def border_line(border: Border) -> BorderLine:
    """Return what may be lost for a rank."""
    return BorderLine(
        rank=border.rank.label,
        score=border.score,
        alone=_counts(border.alone),
        in_own_mix=None if border.mixed is None else _counts(border.mixed),
    )


def _counts(counts: Mapping[Judgement, int]) -> JudgementCounts:
    return JudgementCounts(
        justice=counts[Judgement.JUSTICE], attack=counts[Judgement.ATTACK], miss=counts[Judgement.MISS]
    )


def _lamp(lamps: Lamps) -> str | None:
    if lamps.is_all_justice:
        return "all justice"
    if lamps.is_full_combo:
        return "full combo"
    return None if lamps.is_clear is None else "clear" if lamps.is_clear else "failed"
