"""What HTTP asks of the server, what it logs, one state of the database per reply, and how it closes."""

import logging
from pathlib import Path

import aiohttp
import pytest
from serving import ends_what_it_takes_while_closing
from yarl import URL

from bot.domain.ids import JP2
from service.negotiation import accepts_gzip, names_tag
from service.options import ServiceOptions
from service.schema import opened, write
from service.search import parse_search
from service.seed import SeedReport, seed
from service.server import running
from service.snapshot import SnapshotReader


@pytest.mark.parametrize(
    ("header", "is_accepted"),
    [
        ("", False),
        ("gzip", True),
        ("br, GZIP", True),
        ("deflate, gzip;q=0.5", True),
        ("gzip;q=0", False),
        ("gzip;q=0, *", False),
        ("*", True),
        ("x-gzip", True),
        ("x-gzipped", False),
        ("gzip; q=much", False),
    ],
)
def test_compressed_only_for_who_takes_it(header: str, is_accepted: bool) -> None:  # noqa: FBT001 - a column
    assert accepts_gzip(header) is is_accepted


def test_a_tag_is_named_alone_in_a_list_weakly_or_by_a_star() -> None:
    for header in ('"a"', 'W/"a"', '"b", W/"a"', "*"):
        assert names_tag(header, '"a"')
    for header in ("", "a", '"b"', '"ab"'):
        assert not names_tag(header, '"a"')


def test_an_early_year_is_padded() -> None:
    assert parse_search("until:0999-01-01").until == "0999-01-01"


async def test_a_path_that_is_not_ours_is_not_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    seed(tmp_path / "records.db", players=1)
    caplog.set_level(logging.INFO, logger="service.access")
    options = ServiceOptions(access_log=True)
    async with running(tmp_path / "records.db", options=options) as base, aiohttp.ClientSession() as session:
        for path in ("/a%0Ab%1b[31m", "/1.3/users/me.json%3Ftoken=secret", "/healthz"):
            async with session.get(URL(base + path, encoded=True)):
                pass
    lines = [record.getMessage() for record in caplog.records if record.name == "service.access"]
    assert [line.rsplit(" ", 1)[0] for line in lines] == [
        "GET an unknown path 404", "GET an unknown path 404", "GET /healthz 200",
    ]  # fmt: skip


def test_a_snapshot_is_one_state(tmp_path: Path) -> None:
    database = tmp_path / "records.db"
    player = seed(database, players=1).players[0].user_id
    with SnapshotReader(database, ServiceOptions()) as reader, opened(database) as other:

        def add_song(song_id: str) -> None:
            with write(other):
                other.execute(
                    "INSERT INTO songs VALUES ('jp2', ?, 9999, 0, 'T', 'G', 'A', NULL, 0, 1)", (song_id,)
                )
                chart = other.execute(
                    "INSERT INTO charts VALUES (NULL, 'jp2', ?, 'MAS', 100, 100, 1, 1, 0)", (song_id,)
                )
                other.execute("INSERT INTO records VALUES (?, ?, 1, 16, 0)", (player, chart.lastrowid))

        before = len(reader.records(player, JP2))
        add_song("f" * 16)
        with reader.snapshot():
            assert len(reader.records(player, JP2)) == before + 1
            add_song("e" * 16)
            assert len(reader.records(player, JP2)) == before + 1
        with reader.snapshot():
            assert len(reader.records(player, JP2)) == before + 2


@pytest.mark.parametrize("turns", range(6))
async def test_closing_ends_a_connection_taken_in_that_very_moment(
    seeded: tuple[Path, SeedReport], turns: int
) -> None:
    assert await ends_what_it_takes_while_closing(running(seeded[0]), turns)
