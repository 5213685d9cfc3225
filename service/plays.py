"""Builds the records of replies, one function per version and shape. Source: specification, "Resources"."""

from service.model import Flags, StoredCourseRecord, StoredRecord
from service.numbers import number, timestamp
from service.songs import meta_v1_0


def record_v2_0(record: StoredRecord) -> dict[str, object]:
    """Return a record of version 2.0."""
    return {
        **_record(record),
        "updated_at": timestamp(record.updated_at),
        "is_played": _flag(record, Flags.PLAYED),
    }


def record_v1_3(record: StoredRecord) -> dict[str, object]:
    """Return a record of version 1.3."""
    return {**_record(record), "is_played": _flag(record, Flags.PLAYED)}


def _record(record: StoredRecord) -> dict[str, object]:
    return {
        **recent_v2_0(record),
        "is_clear": _flag(record, Flags.CLEAR),
        "is_fullcombo": _flag(record, Flags.FULL_COMBO),
        "is_alljustice": _flag(record, Flags.ALL_JUSTICE),
        "is_fullchain": _flag(record, Flags.FULL_CHAIN),
        "genre": record.song.genre,
    }


def _flag(record: StoredRecord | StoredCourseRecord, flag: int) -> bool | None:
    return None if record.flags & Flags.unsaid(flag) else bool(record.flags & flag)


def recent_v2_0(record: StoredRecord) -> dict[str, object]:
    """Return an entry of the RECENT slot, which carries less."""
    song, chart = record.song, record.chart
    return {
        "id": song.song_id,
        "diff": chart.difficulty,
        "level": number(chart.level),
        "title": song.title,
        "const": number(chart.constant),
        "score": record.score,
        "rating": number(record.rating),
        "is_const_unknown": chart.is_constant_unknown,
    }


def record_v1_0(record: StoredRecord, *, with_song: bool) -> dict[str, object]:
    """Return a record of version 1.0; `include_minfo` adds the song as `meta`: our reading."""
    fields = {"idx": record.song.index, **_record(record)}
    del fields["id"]
    if with_song:
        fields["meta"] = meta_v1_0(record.song)
    return fields


def course_record(record: StoredCourseRecord) -> dict[str, object]:
    """Return a course record of versions 2.0 and 1.3."""
    return {
        "course_idx": record.index,
        "course_name": record.name,
        "course_class": record.course_class,
        "score": record.score,
        "is_clear": _flag(record, Flags.CLEAR),
        "is_fullcombo": _flag(record, Flags.FULL_COMBO),
        "is_alljustice": _flag(record, Flags.ALL_JUSTICE),
    }
