"""Eight invented songs, what one player scored on them, and the entries that they make."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from bot.domain.charts import Catalogue, Chart, Difficulty, Song
from bot.domain.entries import ChartEntry, catalogue_entries
from bot.domain.ids import JP2, SongId
from bot.domain.numbers import Hundredths
from bot.domain.scores import Lamps, Record


def chart(code: str, level: int, constant: int | None, combo: int | None = 1000) -> Chart:
    return Chart(
        difficulty=Difficulty(code),
        level=Hundredths(level),
        constant=None if constant is None else Hundredths(constant),
        is_estimated=False,
        max_combo=combo,
    )


def song(
    number: int, title: str, genre: str | None, artist: str, charts: tuple[Chart, ...], **more: object
) -> Song:
    released, bpm = more.get("released"), more.get("bpm")
    assert released is None or isinstance(released, date)
    assert bpm is None or isinstance(bpm, int)
    return Song(
        id=SongId(f"{number:016x}"), title=title, genre=genre, artist=artist, released_on=released, bpm=bpm,
        charts=charts,
    )  # fmt: skip


SONGS = (
    song(1, "Aster", "ORIGINAL", "Nodoka", (chart("MAS", 1350, 1360, 1500),), released=date(2022, 5, 1), bpm=180),
    song(2, "Borealis", "東方Project", "Kitsune vs. Tanuki", (chart("EXP", 1200, 1210), chart("MAS", 1450, 1470, 2100), chart("ULT", 1500, 1500, 2600)), released=date(2023, 1, 1), bpm=222),
    song(3, "カゼノウタ", "POPS&ANIME", "風の子", (chart("MAS", 1300, 1300, 900),), released=date(2023, 3, 9), bpm=128),
    song(4, "夜想曲", "niconico", "作曲家", (chart("MAS", 1350, None, None),), released=None, bpm=None),
    song(5, "Long Road", "VARIETY", "Nodoka, Aster", (chart("BAS", 300, None), chart("MAS", 1400, 1400)), released=date(2024, 2, 29), bpm=200),
    song(6, "Re:Start", "ゲキマイ", "M", (chart("MAS", 1300, 1340),), released=date(2021, 12, 31), bpm=150),
    song(7, "Aster【狂】", "WORLD'S END", "Nodoka", (chart("WE", 0, None, 3000),), released=date(2024, 5, 1), bpm=180),
    song(8, "!!!", None, "誰か", (chart("NEW", 1100, 1110),), released=date(2025, 1, 1), bpm=99),
)  # fmt: skip


def record(
    number: int, code: str, score: int, rating: int, lamp: int, day: int | None = None, *, chain: bool = False
) -> Record:
    return Record(
        song_id=SongId(f"{number:016x}"),
        title="",
        difficulty=Difficulty(code),
        level=Hundredths(0),
        constant=None,
        score=score,
        rating=Hundredths(rating),
        is_estimated=False,
        lamps=Lamps(
            is_clear=lamp >= 1, is_full_combo=lamp >= 2, is_all_justice=lamp >= 3, is_full_chain=chain
        ),
        # 20:00 UTC is the next day in Japan.
        updated_at=None if day is None else datetime(2026, 1, day, 20, tzinfo=UTC),
    )


RECORDS = (
    record(1, "MAS", 1_007_500, 1560, 2, 1),
    record(2, "MAS", 1_010_000, 1685, 3, 9, chain=True),
    record(2, "ULT", 974_999, 1490, 0, 9),
    record(3, "MAS", 1_009_500, 1515, 3, None),
    record(6, "MAS", 1_000_000, 1440, 1, 20),
)


FELT = {(1, "MAS"): 1330, (2, "MAS"): 1500, (3, "MAS"): 1300, (6, "MAS"): 1320}


@pytest.fixture
def entries() -> list[ChartEntry]:
    found = catalogue_entries(Catalogue.of(JP2, SONGS), RECORDS)
    felt = [FELT.get((int(each.song.id, 16), each.chart.difficulty)) for each in found]
    return [
        each if how is None else replace(each, felt=Hundredths(how))
        for each, how in zip(found, felt, strict=True)
    ]
