"""Both slots of 6,000 records, beside reading the reply that brings these: whoever has those has waited for that anyway.

    python tests/benchmarks/bench_slots.py

Exits 1 where working out takes more of that than promised: on the machine of the goal, 3 ms.
"""

import sys
import time
from collections.abc import Callable
from datetime import date, timedelta
from random import Random
from typing import Final

from orjson import dumps as encode

from bot.domain.charts import DIFFICULTIES, Catalogue, Chart, Song
from bot.domain.game_rating import work_out
from bot.domain.game_versions import Formula, GameVersion
from bot.domain.ids import JP2, SongId
from bot.domain.numbers import Hundredths
from bot.wire.reading import read_reply
from bot.wire.records import RecordsV20

SONGS: Final = 1_600
RECORDS: Final = 6_000
ROUNDS: Final = 40
MOST_OF_READING: Final = 0.12
"""It is 3 ms where reading takes 25."""
FIRST: Final = date(2015, 7, 16)
VERSION: Final = GameVersion(
    name="x",
    region=JP2,
    first_day=date(2025, 12, 11),
    formula=Formula.BEST_AND_NEW,
    new_since=date(2025, 12, 11),
)


def invent() -> tuple[Catalogue, bytes]:
    """Return a catalogue of today's size and a reply with the records of somebody who has played nearly all of it."""
    chance = Random(29)
    songs: list[Song] = []
    for number in range(SONGS):
        charts = tuple(
            Chart(
                difficulty=code,
                level=Hundredths(level),
                constant=Hundredths(level + 10 * chance.randrange(5)) if chance.random() < 0.99 else None,
                is_estimated=False,
                max_combo=1_000,
            )
            for code, level in zip(
                DIFFICULTIES, sorted(chance.choices(range(100, 1_550, 50), k=4)), strict=False
            )
        )
        released = FIRST + timedelta(days=chance.randrange(3_900))
        songs.append(
            Song(
                id=SongId(f"{number:016x}"),
                title=f"Song {number}",
                genre="ORIGINAL",
                artist="Somebody",
                released_on=released,
                bpm=180,
                charts=charts,
            )
        )
    played = chance.sample([(song, chart) for song in songs for chart in song.charts], RECORDS)
    records = [
        {
            "id": song.id,
            "title": song.title,
            "diff": chart.difficulty,
            "level": chart.level / 100,
            "const": (chart.constant or 0) / 100,
            "score": chance.randint(970_000, 1_010_000),
            "rating": 0,
            "is_const_unknown": chart.constant is None,
            "is_clear": True,
            "is_fullcombo": False,
            "is_alljustice": False,
            "is_fullchain": False,
            "genre": song.genre,
            "updated_at": "2026-01-01T00:00:00+0900",
            "is_played": True,
        }
        for song, chart in played
    ]
    return Catalogue.of(JP2, songs), encode({"records": records})


def measured(work: Callable[[], object]) -> float:
    """Return how many milliseconds of the processor something takes."""
    before = time.process_time()
    work()
    return (time.process_time() - before) * 1_000


def main() -> int:
    """Measure both by turns, print what came of it, and return how many goals were missed."""
    catalogue, reply = invent()

    def read() -> object:
        return read_reply(RecordsV20, reply).reply.to_domain()

    records = read_reply(RecordsV20, reply).reply.to_domain()
    work_out(records, catalogue, VERSION)  # what is known of a catalogue is found once for everybody
    readings, workings = list[float](), list[float]()
    for _ in range(ROUNDS):
        readings.append(measured(read))
        workings.append(measured(lambda: work_out(records, catalogue, VERSION)))
    reading, working = min(readings), min(workings)
    is_missed = working > MOST_OF_READING * reading
    print(
        f"both slots of {len(records)} records: {working:.2f} ms, {working / reading:.2f} of reading them"
        f" ({reading:.2f} ms; goal {MOST_OF_READING}): {'MISSED' if is_missed else 'met'}"
    )
    return int(is_missed)


if __name__ == "__main__":
    sys.exit(main())
