import asyncio
import json
import logging
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from bot.clock import JST, ManualClock, SystemClock
from bot.domain.ids import JP, JP2, Region
from service.catalogue import BrokenSource, parse_catalogue
from service.options import ServiceOptions
from service.refresh import keep_fresh, next_refresh, read_sources, refresh_catalogue
from service.schema import opened, write
from service.seed import seed
from service.store import load_catalogue, records


def song(number: int, **meta: object) -> dict[str, Any]:
    chart = {"level": 13.5, "const": 13.7, "maxcombo": 1000, "is_const_unknown": 0}
    return {
        "meta": {
            "id": f"{number:016x}", "title": f"Title {number}", "genre": "ORIGINAL", "artist": "A",
            "release": "2026-01-01", "bpm": 180, **meta,
        },
        "data": {"MAS": chart, "ULT": chart},
    }  # fmt: skip


def body(*songs: dict[str, Any]) -> bytes:
    return json.dumps(songs).encode()


def listed(database: Path, region: Region = JP2) -> list[str]:
    with opened(database) as connection:
        return [song.title for song in load_catalogue(connection, region).songs]


@pytest.mark.parametrize(
    ("now", "then"),
    [
        ("2026-11-21T00:00", "2026-11-21T12:00"),
        ("2026-11-21T11:59", "2026-11-21T12:00"),
        ("2026-11-21T12:00", "2026-11-21T21:00"),
        ("2026-11-21T20:59", "2026-11-21T21:00"),
        ("2026-11-21T21:00", "2026-11-22T12:00"),
        ("2026-12-31T23:59", "2027-01-01T12:00"),
    ],
)
def test_noon_and_nine_in_the_evening(now: str, then: str) -> None:
    moment = datetime.fromisoformat(now).replace(tzinfo=JST)
    assert next_refresh(moment) == datetime.fromisoformat(then).replace(tzinfo=JST)


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (b"{", "not JSON"),
        (b"{}", "expected a list of songs"),
        (b"[]", "expected a list of songs"),
        (body(song(1), song(1)), "song 2: the id 0000000000000001 occurs twice"),
        (body(song(1), song(2, id="XYZ")), "song 2: the id is not 16 lowercase hexadecimal characters"),
        (body(song(1, title="")), "song 1: the title is empty"),
        (body(song(1, release="soon")), "song 1: Invalid isoformat string: 'soon'"),
        (body({"meta": song(1)["meta"]}), "song 1: 'data' is missing"),
        (body(song(1, bpm="fast")), "song 1"),
        (
            body({**song(1), "data": {"MAS": {"level": 13.7}}}),
            "song 1: the level of MAS is not in half steps",
        ),
        (body(song(1, bpm=10**25)), "song 1: a number is too big"),
        (body({**song(1), "data": {"MAS": {"level": 13, "const": 1e17}}}), "song 1: a number is too big"),
        (
            body({**song(1), "data": {"MAS": {"level": 13, "maxcombo": True}}}),
            "song 1: 'True' is no number",
        ),
        (body({**song(1), "data": {"XXX": {"level": 1}}}), "song 1: the difficulty 'XXX' is not known"),
    ],
)
def test_a_broken_source_names_place_and_reason(broken: bytes, reason: str) -> None:
    with pytest.raises(BrokenSource, match="^" + reason.replace("(", r"\(")):
        parse_catalogue(broken)


def test_the_reader_takes_what_the_real_service_writes() -> None:
    (read,) = parse_catalogue(body(song(1, genre=None, release=None, bpm="180")))
    assert (read.genre, read.release, read.bpm) == ("", None, 18_000)


def test_worlds_end_has_no_level_and_no_constant() -> None:
    (read,) = parse_catalogue(body({**song(1), "data": {"WE": {"level": 3, "const": 5, "maxcombo": 9}}}))
    (chart,) = read.charts
    assert (chart.level, chart.constant, chart.max_combo) == (0, 0, 9)


def test_a_folder_gives_each_region_its_own(tmp_path: Path) -> None:
    (tmp_path / "jp.json").write_bytes(body(song(1)))
    (tmp_path / "jp2.json").write_bytes(body(song(1), song(2)))
    found = read_sources(tmp_path, (JP2, JP))
    assert {region: len(songs) for region, songs in found.items()} == {JP2: 2, JP: 1}
    with pytest.raises(BrokenSource, match="no file named after a region"):
        read_sources(tmp_path, (Region("eu"),))


def test_vanished_songs_leave_their_records(tmp_path: Path) -> None:
    database, source = tmp_path / "records.db", tmp_path / "songs.json"
    made = seed(database, players=1)
    player = made.players[0].user_id
    with opened(database) as connection:
        before = records(connection, load_catalogue(connection, JP2), player)
    source.write_bytes(body(song(1), song(2)))
    refresh_catalogue(database, source, (JP2, JP))
    assert listed(database) == ["Title 1", "Title 2"]
    with opened(database) as connection:
        after = records(connection, load_catalogue(connection, JP2), player)
    assert {(r.song.title, r.score, r.rating) for r in after} == {
        (r.song.title, r.score, r.rating) for r in before
    }


def test_an_index_stays_with_its_song(tmp_path: Path) -> None:
    database, source = tmp_path / "records.db", tmp_path / "songs.json"
    with opened(database, may_create=True):
        pass
    indices: list[int] = []
    for songs in ([song(1), song(2)], [song(3), song(2)], [song(1), song(2), song(3)]):
        source.write_bytes(body(*songs))
        refresh_catalogue(database, source, (JP2,))
        with opened(database) as connection:
            found = load_catalogue(connection, JP2).by_id
            indices.append(found[f"{2:016x}"].index)
    assert indices == [2, 2, 2]
    assert [found[f"{number:016x}"].index for number in (1, 2, 3)] == [1, 2, 3]


async def test_told_to_it_reads_anew_and_a_broken_source_leaves_the_old(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database, source = tmp_path / "records.db", tmp_path / "songs.json"
    source.write_bytes(body(song(1)))
    database.write_text("no database, so that the first reading fails in another way than by its source")
    asked = asyncio.Event()
    caplog.set_level(logging.INFO, "service.refresh")
    task = asyncio.create_task(keep_fresh(database, ServiceOptions(catalogue=source), SystemClock(), asked))

    async def until(text: str, count: int) -> None:
        while sum(text in record.getMessage() for record in caplog.records) < count:  # noqa: ASYNC110 - a line in the log
            await asyncio.sleep(0)

    await until("stays as it is", 1)
    database.unlink()
    with opened(database, may_create=True):
        pass
    asked.set()
    await until("was read", 1)
    assert listed(database) == ["Title 1"]
    source.write_bytes(b"[{")
    asked.set()
    await until("stays as it is", 2)
    assert listed(database) == ["Title 1"]
    source.write_bytes(body(song(2)))
    asked.set()
    await until("was read", 2)
    assert listed(database) == ["Title 2"]
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_asked_while_reading_it_reads_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    database, source, asked = tmp_path / "records.db", tmp_path / "songs.json", asyncio.Event()
    source.write_bytes(body(song(1)))
    with opened(database, may_create=True) as connection:
        caplog.set_level(logging.INFO, "service.refresh")
        with write(connection):  # the first reading waits for this
            task = asyncio.create_task(
                keep_fresh(database, ServiceOptions(catalogue=source), SystemClock(), asked)
            )
            await asyncio.sleep(0)
            asked.set()
    while sum("was read" in record.getMessage() for record in caplog.records) < 2:  # noqa: ASYNC110 - a line in the log
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_the_time_of_day_is_enough(tmp_path: Path, clock: ManualClock) -> None:
    source = tmp_path / "songs.json"
    source.write_bytes(body(song(1)))
    clock.advance(-60)
    reads = next_refresh(clock.now())
    assert (reads - clock.now()).total_seconds() == 60
    clock.advance(60)
    assert next_refresh(clock.now()) > reads


def test_a_failed_write_changes_nothing(tmp_path: Path) -> None:
    database = tmp_path / "records.db"
    seed(database, players=1)
    before = listed(database)

    def fails_halfway() -> None:
        with opened(database) as connection, write(connection):
            connection.execute("UPDATE songs SET title = 'x'")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fails_halfway()
    assert listed(database) == before
