import asyncio
import json
import logging
from datetime import datetime
from pathlib import Path
from typing import Any

import aiohttp
import orjson
import pytest
from saved import CATALOGUES, needs_catalogue

from bot.base.clock import JST, ManualClock, SystemClock
from bot.domain.ids import JP, JP2, Region
from bot.wire.reading import read_reply
from bot.wire.songs import SongsReply
from service.catalogue import BrokenSource, lines_left_out, parse_catalogue
from service.options import ServiceOptions
from service.refresh import keep_fresh, next_refresh, read_sources, refresh_catalogue
from service.schema import opened, write
from service.seed import seed
from service.server import running
from service.songs import song_v2_0
from service.store import load_catalogue, load_records
from tests.service.conftest import Caller


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
        (b"{", "expected a list of songs: no JSON"),
        (b"{}", "expected a list of songs: Input should be a valid tuple"),
        (b"[]", "no song can be read: the list is empty"),
        (body(song(1, id="XYZ")), "no song can be read: song 1 'Title 1': meta.id: "),
    ],
)
def test_a_source_of_no_songs_is_refused_with_the_reason(broken: bytes, reason: str) -> None:
    with pytest.raises(BrokenSource, match="^" + reason):
        parse_catalogue(broken)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (song(1), "song 2 'Title 1': the id 0000000000000001 occurs twice"),
        (song(2, id="XYZ"), "song 2 'Title 2': meta.id: String should match pattern"),
        (song(2, title=""), "song 2: meta.title: String should have at least 1 character"),
        (
            song(2, title="Two\nlines", id=None),
            "song 2 'Two\\nlines': meta.id: Input should be a valid string",
        ),
        ({"data": {}}, "song 2: meta: Field required"),
        ("a text", "song 2: Input should be a valid dictionary"),
    ],
)
def test_one_bad_song_costs_that_song_and_is_named(bad: object, reason: str) -> None:
    source = parse_catalogue(json.dumps([song(1), bad, song(3)]).encode())
    assert [read.title for read in source.songs] == ["Title 1", "Title 3"]
    (left_out,) = source.left_out
    assert left_out.startswith(reason)


def test_of_many_bad_songs_an_operator_is_told_twenty() -> None:
    source = parse_catalogue(body(song(1), *[song(1) for _ in range(25)]))
    lines = list(lines_left_out(source.left_out))
    assert (len(lines), lines[-1]) == (21, "left out: 5 more")


def test_the_reader_takes_what_the_real_service_writes() -> None:
    odd = {"level": "13.5", "const": None, "maxcombo": "x", "is_const_unknown": "1"}
    below = {"level": -1, "const": -1, "maxcombo": -1, "is_const_unknown": 0}
    source = parse_catalogue(
        b"\xef\xbb\xbf"
        + body(
            song(1, genre=None, release=None, bpm="180"),
            song(2, release="soon", bpm=10**25),
            {**song(3), "data": []},
            {"meta": song(4)["meta"]},
            {**song(5), "data": {"XXX": odd, "MAS": below}},
            song(6, title=2112, release="1970-01-01"),
        )
    )
    assert source.left_out == []
    first, second, third, fourth, fifth, sixth = source.songs
    assert (first.genre, first.release, first.bpm) == ("", None, 18_000)
    assert (second.release, second.bpm) == (None, 0)
    assert third.charts == fourth.charts == ()
    assert [(c.difficulty, c.level, c.constant, c.max_combo) for c in fifth.charts] == [
        ("XXX", 1350, 0, 0), ("MAS", 0, 0, 0),
    ]  # fmt: skip
    assert (sixth.title, sixth.release) == ("2112", None)


def test_worlds_end_has_no_level_and_no_constant() -> None:
    worlds_end = {"WE": {"level": 3, "const": 5, "maxcombo": 9, "is_const_unknown": 1}}
    (read,) = parse_catalogue(body({**song(1), "data": worlds_end})).songs
    (chart,) = read.charts
    assert (chart.level, chart.constant, chart.max_combo, chart.is_estimated) == (0, 0, 9, False)


@needs_catalogue
@pytest.mark.parametrize("file", CATALOGUES or [Path()], ids=lambda file: file.name)
def test_a_real_catalogue_comes_in_as_the_bot_reads_it(tmp_path: Path, file: Path) -> None:
    database = tmp_path / "records.db"
    with opened(database, may_create=True):
        pass
    refresh_catalogue(database, file, (JP2,))
    with opened(database) as connection:
        ours = orjson.dumps([song_v2_0(song) for song in load_catalogue(connection, JP2).songs])
    served = read_reply(SongsReply, ours).reply.to_domain(JP2)
    assert served == read_reply(SongsReply, file.read_bytes()).reply.to_domain(JP2)
    assert sum(chart.is_estimated for song in served.songs for chart in song.charts) > 100
    for entry in orjson.loads(ours):
        assert all(c["is_const_unknown"] for c in entry["data"].values() if not c["const"])


def test_an_older_database_learns_of_constants_in_doubt(tmp_path: Path) -> None:
    database, source = tmp_path / "records.db", tmp_path / "songs.json"
    doubtful = {"level": 13.5, "const": 13.7, "maxcombo": 1000, "is_const_unknown": 1}
    source.write_bytes(body({**song(1), "data": {"MAS": doubtful}}))
    with opened(database, may_create=True) as connection:
        connection.execute("ALTER TABLE charts DROP COLUMN is_estimated")  # as version 1 had it
        connection.execute("PRAGMA user_version = 1")
    refresh_catalogue(database, source, (JP2,))
    with opened(database) as connection:
        (read,) = load_catalogue(connection, JP2).songs
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
    assert song_v2_0(read)["data"] == {"MAS": {**doubtful, "is_const_unknown": True}}


async def test_a_difficulty_that_nobody_knows_is_served(tmp_path: Path) -> None:
    database, source = tmp_path / "records.db", tmp_path / "songs.json"
    token = seed(database, players=1).players[0].token
    chart = song(1)["data"]["MAS"]
    source.write_bytes(body({**song(1), "data": {"XXX": chart, "MAS": chart}}))
    refresh_catalogue(database, source, (JP2,))
    async with running(database) as base, aiohttp.ClientSession() as session:
        caller = Caller(session, base)
        _, new = await caller.ask("/1.3/music/showall.json", token)
        _, old = await caller.ask("/1.0/music/search.json", token, q="title1", include_minfo=1)
    assert list(new[0]["data"]) == ["MAS", "XXX"]  # unknown ones last
    assert new[0]["data"]["XXX"] == {**chart, "is_const_unknown": False}
    assert list(old["data"]["normal"][0]["data"]) == ["MAS"]


def test_a_folder_gives_each_region_its_own(tmp_path: Path) -> None:
    (tmp_path / "jp.json").write_bytes(body(song(1)))
    (tmp_path / "jp2.json").write_bytes(body(song(1), song(2)))
    found = read_sources(tmp_path, (JP2, JP))
    assert {region: len(source.songs) for region, source in found.items()} == {JP2: 2, JP: 1}
    with pytest.raises(BrokenSource, match="no file named after a region"):
        read_sources(tmp_path, (Region("eu"),))


def test_vanished_songs_leave_their_records(tmp_path: Path) -> None:
    database, source = tmp_path / "records.db", tmp_path / "songs.json"
    made = seed(database, players=1)
    player = made.players[0].user_id
    with opened(database) as connection:
        before = load_records(connection, load_catalogue(connection, JP2), player)
    source.write_bytes(body(song(1), song(2)))
    refresh_catalogue(database, source, (JP2, JP))
    assert listed(database) == ["Title 1", "Title 2"]
    with opened(database) as connection:
        after = load_records(connection, load_catalogue(connection, JP2), player)
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
    source.write_bytes(body(song(2), song(3, id="7")))
    asked.set()
    await until("was read", 2)
    assert listed(database) == ["Title 2"]
    assert "the catalogue of jp2: left out: song 2 'Title 3': meta.id: " in caplog.text
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
