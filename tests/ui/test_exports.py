"""Files of records: what is in them, nothing that acts in a spreadsheet, and no event loop that stands still."""

import asyncio
import csv
import json
from collections.abc import Coroutine
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO

import careers
import pytest

from bot.domain.age import Age
from bot.domain.charts import WORLDS_END
from bot.domain.gains import RatedPlace, RatingSlots
from bot.domain.ids import JP2, MemberId, SongId
from bot.domain.scores import CourseRecord, Record
from bot.features.exports import RecordExport
from bot.features.privacy import Export
from bot.ui import exports, privacy
from bot.ui.kit.look import Page
from bot.ui.language.text import Languages

T = Languages()["en"]
NOW = datetime(2026, 11, 21, tzinfo=UTC)
COURSE = CourseRecord(
    index=1, name="=course", course_class=None, score=3_000_000, is_clear=True, is_full_combo=False,
    is_all_justice=False,
)  # fmt: skip


def exported(*records: Record) -> RecordExport:
    return RecordExport(records=records, courses=(COURSE,), region=JP2, age=Age(NOW))


async def rows_of(*records: Record) -> list[dict[str, str]]:
    page = await exports.export_page(T, exported(*records), "csv")
    written = page.documents[0].content
    assert written.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(StringIO(written.decode("utf-8-sig"), newline="")))


async def test_what_is_in_a_row() -> None:
    known = careers.record("known", 1540, 1_009_540, lamps=careers.ALL_JUSTICE)
    unknown = replace(careers.record("unknown", None, 1_000_000), difficulty=WORLDS_END)
    first, second, third = await rows_of(known, replace(known, is_estimated=True), unknown)
    assert (first["constant"], first["over_power"]) == ("15.4", "91.060")
    assert (first["is_const_unknown"], first["is_const_estimated"]) == ("False", "False")
    assert (second["is_const_unknown"], second["is_const_estimated"]) == ("False", "True")
    assert (third["constant"], third["over_power"], third["is_const_unknown"]) == ("", "", "True")


async def test_a_row_says_where_its_chart_stands_in_the_rating() -> None:
    records = [careers.record(name, 1540, 1_009_540) for name in ("old", "new", "neither")]
    old, new = (
        RatedPlace(each.rating, each.score, (SongId(str(each.song_id)), each.difficulty))
        for each in records[:2]
    )
    slots = RatingSlots(best=(old,), new=(new,), version=None)
    page = await exports.export_page(T, replace(exported(*records), slots=slots), "csv")
    rows = csv.DictReader(StringIO(page.documents[0].content.decode("utf-8-sig"), newline=""))
    assert [(row["slot"], row["place"]) for row in rows] == [("best", "1"), ("new", "1"), ("", "")]


async def test_json_holds_the_same_and_the_courses() -> None:
    record = careers.record("=known", 1540, 1_009_540, lamps=careers.ALL_JUSTICE)
    (document,) = (await exports.export_page(T, exported(record), "json")).documents
    told = json.loads(document.content)
    (row,) = told["records"]
    assert (row["title"], row["over_power"], row["is_const_estimated"]) == ("=known", "91.060", False)
    assert [course["course"] for course in told["courses"]] == ["=course"]
    assert told["fetched_at"] == NOW.isoformat()


async def test_courses_are_a_file_of_their_own() -> None:
    record = careers.record("song", 1400, 1_000_000)
    _, courses = (await exports.export_page(T, exported(record), "csv")).documents
    assert courses.name == "courses-jp2-2026-11-21.csv"
    assert courses.content.startswith(b"\xef\xbb\xbf")
    assert "'=course" in courses.content.decode()


async def test_there_is_no_file_of_what_there_is_not() -> None:
    nothing = replace(exported(), courses=())
    page = await exports.export_page(T, nothing, "csv")
    assert not page.documents
    assert "No scores yet." in str(page.embed.description)
    one = replace(nothing, records=(careers.record("song", 1400, 1_000_000),))
    (records,) = (await exports.export_page(T, one, "csv")).documents
    assert records.name == "records-jp2-2026-11-21.csv"


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n"])
async def test_no_title_acts_as_a_formula(sign: str) -> None:
    (row,) = await rows_of(careers.record(f"{sign}1+1", 1400, 1_000_000))
    assert row["title"] == f"'{sign}1+1"


async def turns_while(making: Coroutine[object, object, Page]) -> int:
    """Return how often the loop turned while a page was made."""
    task = asyncio.ensure_future(making)
    turns = 0
    while not task.done():
        await asyncio.sleep(0)
        turns += 1
    return turns


@pytest.mark.parametrize("kind", ["csv", "json"])
async def test_the_loop_turns_on_while_thousands_are_written(kind: str) -> None:
    records = [careers.record(f"song {number}", 1400, 1_000_000) for number in range(7_000)]
    assert await turns_while(exports.export_page(T, exported(*records), kind)) > 5


async def test_so_it_does_while_all_that_is_kept_is_written() -> None:
    table = [{"title": f"song {number}", "score": number} for number in range(20_000)]
    kept = Export(member=MemberId(1), made_at=NOW, tables={"kept_answers": table})
    assert await turns_while(privacy.export_page(T, kept)) > 5
