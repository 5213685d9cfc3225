"""`/export`: a member's own records as a file."""

import csv
import json
from collections.abc import Mapping
from io import StringIO
from typing import Final

from bot.domain.numbers import format_hundredths, format_level
from bot.domain.ranks import rank_of
from bot.domain.scores import Record
from bot.features.exports import RecordExport
from bot.ui.look import BRAND, Page, add_text, fetched_card
from bot.ui.studio import Document
from bot.ui.text import Language

Value = str | int | bool | None

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for a formula; such a text gets an apostrophe, as spreadsheets themselves do."""
_BOM: Final = "\ufeff"
"""Without it a spreadsheet takes the file for something else than Unicode."""


def export_page(t: Language, export: RecordExport, kind: str) -> Page:
    """Return the file, for its owner alone; `kind` is "csv" or "json"."""
    embed = fetched_card(t, t("Your records"), BRAND, export)
    add_text(embed, t.plural("{count} record", "{count} records", len(export.records)))
    rows = [_row(record, export) for record in export.records]
    content = _csv(rows) if kind == "csv" else json.dumps(rows, ensure_ascii=False, indent=1)
    name = f"records-{export.region}-{export.age.fetched_at:%Y-%m-%d}.{kind}"
    return Page(embed, documents=(Document(content=content.encode(), name=name),))


def _row(record: Record, export: RecordExport) -> dict[str, Value]:
    lamps = record.lamps
    return {
        "id": record.song_id,
        "title": record.title,
        "difficulty": record.difficulty,
        "level": format_level(record.level),
        "constant": format_hundredths(record.constant, places=1) if record.constant else None,
        "score": record.score,
        "rank": rank_of(record.score, export.region).label,
        "rating": format_hundredths(record.rating),
        "is_clear": lamps.is_clear if lamps else None,
        "is_full_combo": lamps.is_full_combo if lamps else None,
        "is_all_justice": lamps.is_all_justice if lamps else None,
        "is_full_chain": lamps.is_full_chain if lamps else None,
        "genre": record.genre,
        "updated_at": record.updated_at.isoformat() if record.updated_at else None,
    }


def _csv(rows: list[dict[str, Value]]) -> str:
    written = StringIO()
    if rows:
        writer = csv.DictWriter(written, list(rows[0]), lineterminator="\r\n")
        writer.writeheader()
        writer.writerows(map(_harmless, rows))
    return _BOM + written.getvalue()


def _harmless(row: Mapping[str, Value]) -> dict[str, Value]:
    return {
        key: f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
        for key, value in row.items()
    }
