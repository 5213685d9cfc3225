"""`/export`: a member's own records as files."""

import csv
from collections.abc import Mapping, Sequence
from decimal import Decimal
from io import StringIO
from typing import Final

import orjson
from discord import Embed

from bot.base.worker import run_in_worker
from bot.domain.history import ChartKey
from bot.domain.numbers import format_hundredths, format_level
from bot.domain.overpower import over_power
from bot.domain.ranks import rank_of
from bot.domain.scores import CourseRecord, Record, SlotName
from bot.features.exports import RecordExport
from bot.ui.kamaitachi import batch_manual
from bot.ui.kit.look import BRAND, Page, add_text, fetched_embed
from bot.ui.kit.renderer import Document
from bot.ui.language.text import Language

Value = str | int | bool | None
Row = Mapping[str, Value]

_FORMULA_STARTS: Final = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
"""The prefixes of texts that a spreadsheet takes for formulas; such texts get an apostrophe, as spreadsheets do it."""
_BYTE_ORDER_MARK: Final = "\ufeff"
"""The mark without which a spreadsheet does not read the file as Unicode."""


async def export_page(t: Language, export: RecordExport, kind: str) -> Page:
    """Return the files, for their owner only; `kind` is "csv", "json" or "kamaitachi"."""
    embed = fetched_embed(t, t("Your records"), BRAND, export)
    if kind == "kamaitachi":
        return await _kamaitachi_page(t, export, embed)
    counts = [
        t.plural("{count} record", "{count} records", len(export.records)),
        t.plural("{count} course", "{count} courses", len(export.courses)),
    ]
    add_text(embed, " · ".join(counts) if export.records or export.courses else t("No scores yet."))
    # Writing thousands of records would block the event loop for too long.
    return Page(embed, documents=await run_in_worker(_documents, t, export, kind))


async def _kamaitachi_page(t: Language, export: RecordExport, embed: Embed) -> Page:
    found = await run_in_worker(batch_manual, export.records, export.catalogue)
    if not found.count:
        add_text(embed, t("No scores yet."))
        return Page(embed)
    add_text(embed, t.plural("{count} record", "{count} records", found.count))
    add_text(embed, t("Import the file at Kamaitachi as a Batch Manual."))
    if found.left_out:
        add_text(
            embed,
            t.plural(
                "{count} record is not in it: Kamaitachi has no WORLD'S END charts, and needs to know whether a chart was cleared.",
                "{count} records are not in it: Kamaitachi has no WORLD'S END charts, and needs to know whether a chart was cleared.",
                found.left_out,
            ),
        )
    written = await run_in_worker(orjson.dumps, found.content)
    return Page(
        embed, documents=(Document(content=written, name=f"kamaitachi-{_ending(t, export, 'json')}"),)
    )


def _ending(t: Language, export: RecordExport, kind: str) -> str:
    return f"{export.region}-{export.age.fetched_at.astimezone(t.zone):%Y-%m-%d}.{kind}"


def _documents(t: Language, export: RecordExport, kind: str) -> tuple[Document, ...]:
    ending = _ending(t, export, kind)
    places = _places(export)
    records = [_row(record, export, places) for record in export.records]
    courses = [_course_row(record) for record in export.courses]
    if kind == "json":
        told = {
            "region": export.region,
            "fetched_at": export.age.fetched_at,
            "records": records,
            "courses": courses,
        }
        written = orjson.dumps(told, option=orjson.OPT_INDENT_2)
        return (Document(content=written, name=f"records-{ending}"),)
    tables = {"records": records, "courses": courses}
    return tuple(
        Document(content=_csv(rows), name=f"{name}-{ending}") for name, rows in tables.items() if rows
    )


def _places(export: RecordExport) -> Mapping[ChartKey, tuple[SlotName, int]]:
    """Return the slot and place of charts that make the rating."""
    if export.slots is None:
        return {}
    slots = {SlotName.BEST: export.slots.best, SlotName.NEW: export.slots.new}
    return {
        each.key: (name, place) for name, slot in slots.items() for place, each in enumerate(slot, start=1)
    }


def _row(record: Record, export: RecordExport, places: Mapping[ChartKey, tuple[SlotName, int]]) -> Row:
    lamps = record.lamps
    power = over_power(record.constant, record.score, lamps) if record.constant else None
    song = record.song_id
    slot, place = (None if song is None else places.get((song, record.difficulty))) or (None, None)
    return {
        "id": record.song_id,
        "title": record.title,
        "difficulty": record.difficulty,
        "level": format_level(record.level),
        "constant": format_hundredths(record.constant, places=1) if record.constant else None,
        "is_const_unknown": not record.constant,
        "is_const_estimated": record.is_estimated,
        "is_const_hosts": record.is_hosts,
        "score": record.score,
        "rank": rank_of(record.score, export.region).label,
        "rating": format_hundredths(record.rating),
        "slot": slot,
        "place": place,
        "over_power": None if power is None else f"{Decimal(power) / 1000:.3f}",
        "is_clear": lamps.is_clear if lamps else None,
        "is_full_combo": lamps.is_full_combo if lamps else None,
        "is_all_justice": lamps.is_all_justice if lamps else None,
        "is_full_chain": lamps.is_full_chain if lamps else None,
        "genre": record.genre,
        "updated_at": record.updated_at.isoformat() if record.updated_at else None,
    }


def _course_row(record: CourseRecord) -> Row:
    return {
        "course": record.name,
        "class": record.course_class,
        "score": record.score,
        "is_clear": record.is_clear,
        "is_full_combo": record.is_full_combo,
        "is_all_justice": record.is_all_justice,
    }


def _csv(rows: Sequence[Row]) -> bytes:
    written = StringIO()
    if rows:
        writer = csv.DictWriter(written, list(rows[0]), lineterminator="\r\n")
        writer.writeheader()
        writer.writerows(map(_harmless, rows))
    return (_BYTE_ORDER_MARK + written.getvalue()).encode()


def _harmless(row: Row) -> Row:
    return {
        key: f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_STARTS) else value
        for key, value in row.items()
    }
