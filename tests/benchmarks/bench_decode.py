"""What a player's whole book costs, from bytes to the bot's own records, beside `orjson.loads` of the same bytes.

6,000 records, plain and packed, in the thread where they are read; the median of alternating rounds. Exits 1 where a goal
is missed. What the event loop feels of it is bench_stall's.
"""

import asyncio
import gc
import gzip
import random
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from http import HTTPStatus
from statistics import median
from typing import Final

import orjson
from multidict import CIMultiDict

from bot.api.protocol import Response, make_call, parse_response
from bot.api.unpacking import unpack
from bot.base.worker import run_in_worker
from bot.domain.scores import Record
from bot.wire.endpoints import RECORDS_SHOWALL_V20

RECORDS: Final = 6_000
ROUNDS: Final = 41
RATIO: Final = 5.0
"""Of either to `orjson.loads`, to which unpacking is added where the body is packed; 4 is what is aimed at."""
MEGABYTES: Final = 3.5
"""Of memory for the records."""
CALL: Final = make_call(RECORDS_SHOWALL_V20, {"region": "jp2"})


def make_body(songs: Sequence[str] = ()) -> bytes:
    """Return a `records/showall` reply: 1,500 songs of four charts, each played; the first of them are these."""
    chance = random.Random(1)
    letters = "夏祭記録響き星空のカナデABCDEFGabcdefg *_~|"
    records: list[dict[str, object]] = []
    for number in range(RECORDS // 4):
        song = songs[number] if number < len(songs) else f"{chance.getrandbits(64):016x}"
        title = "".join(chance.choices(letters, k=chance.randint(3, 24)))
        for difficulty, level in (("BAS", 3), ("ADV", 6.5), ("EXP", 10), ("MAS", 13.5)):
            records.append(
                {
                    "id": song, "diff": difficulty, "level": level, "title": title, "const": level + 0.2,
                    "score": chance.randint(900_000, 1_010_000), "rating": chance.randint(1, 1700) / 100,
                    "is_const_unknown": False, "is_clear": True, "is_fullcombo": chance.random() < 0.5,
                    "is_alljustice": False, "is_fullchain": False, "genre": "POPS&ANIME",
                    "updated_at": f"2023-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}T21:04:05+0900",
                    "is_played": True,
                }
            )  # fmt: skip
    return orjson.dumps({"records": records})


def read(body: bytes) -> tuple[Record, ...]:
    """Return the records of a reply as the features get them."""
    reading = parse_response(CALL, Response(HTTPStatus.OK, CIMultiDict(), body), token="-")
    return reading.reply.to_domain()


async def seconds(work: Callable[[bytes], object], body: bytes) -> float:
    """Return the processor time that a piece of work takes apart."""

    def timed() -> float:
        start = time.thread_time()  # other programs of the machine are not measured
        work(body)
        return time.thread_time() - start

    return await run_in_worker(timed)


def retained(body: bytes) -> float:
    """Return the megabytes that the records keep."""
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    records = read(body)
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(records) == RECORDS
    return (after - before) / 1e6


def read_packed(packed: bytes) -> object:
    return read(asyncio.run(unpack(packed, "gzip", limit=2**30)))


def load_packed(packed: bytes) -> object:
    return orjson.loads(gzip.decompress(packed))


async def main() -> int:
    body = make_body()
    packed = gzip.compress(body)
    print(f"{RECORDS} records, {len(body) / 1e6:.2f} MB, packed {len(packed) / 1e6:.2f} MB")
    pairs: dict[str, tuple[Callable[[bytes], object], Callable[[bytes], object], bytes]] = {
        "bytes to records": (read, orjson.loads, body),
        "packed bytes to records": (read_packed, load_packed, packed),
    }
    rows: list[tuple[str, float, float, str]] = []
    for name, (ours, theirs, given) in pairs.items():
        rounds = [(await seconds(ours, given), await seconds(theirs, given)) for _ in range(ROUNDS)]
        mine, other = (median(each) for each in zip(*rounds, strict=True))
        ratio = median(one / beside for one, beside in rounds)
        rows.append((name, RATIO, ratio, f"{mine * 1000:.1f} ms, orjson {other * 1000:.1f} ms"))
    rows.append(("megabytes that they keep", MEGABYTES, retained(body), ""))
    print(f"{'':30} {'goal':>6} {'figure':>7}")
    for name, goal, figure, detail in rows:
        print(f"{name:30} {goal:6.1f} {figure:7.2f}   {'ok' if figure <= goal else 'MISSED':6}  {detail}")
    return 0 if all(figure <= goal for _name, goal, figure, _detail in rows) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
