"""Reading a player's whole book: 6,000 records from bytes to models, and what the event loop feels of it."""

import asyncio
import gc
import gzip
import multiprocessing
import random
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from statistics import median

import orjson
from aiohttp import web

from bot.api import RecordApi
from bot.wire.reading import read_reply
from bot.wire.records import RecordsV20

RECORDS = 6_000
ROUNDS = 40
BODIES = 10
TICK_SECONDS = 0.001


def make_body() -> bytes:
    """Return a `records/showall` reply: 1,500 songs of four charts, each played."""
    chance = random.Random(1)
    letters = "夏祭記録響き星空のカナデABCDEFGabcdefg *_~|"
    records: list[dict[str, object]] = []
    for _ in range(RECORDS // 4):
        song = f"{chance.getrandbits(64):016x}"
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


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    result = work()
    elapsed = time.perf_counter() - start
    del result
    return elapsed


def retained(body: bytes) -> int:
    """Return the bytes that a read reply keeps."""
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    reading = read_reply(RecordsV20, body)
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(reading.reply.records) == RECORDS
    return after - before


def serve(body: bytes, pipe: Connection) -> None:
    """Answer every request with `body`, in a process of its own, and tell the port."""
    packed = gzip.compress(body)

    async def answer(_: web.Request) -> web.Response:
        return web.Response(body=packed, headers={"Content-Encoding": "gzip"})

    async def run() -> None:
        application = web.Application()
        application.router.add_get("/{path:.*}", answer)
        runner = web.AppRunner(application)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        pipe.send(runner.addresses[0][1])
        await asyncio.Event().wait()

    asyncio.run(run())


@dataclass
class Stall:
    """The longest time that the loop did not turn, in seconds."""

    wall: float = 0
    """As a person feels it, with all that the machine does beside."""
    own: float = 0
    """Of the loop's own thread on the processor."""

    async def watch(self) -> None:
        while True:
            wall, own = time.perf_counter(), time.thread_time()
            await asyncio.sleep(TICK_SECONDS)
            self.wall = max(self.wall, time.perf_counter() - wall - TICK_SECONDS)
            self.own = max(self.own, time.thread_time() - own)


async def longest_stall(port: int, *, to_domain: bool) -> Stall:
    """Return what the loop feels while ten bodies arrive at once."""
    stall = Stall()

    async def ask(api: RecordApi, token: str) -> None:
        reply = await api.holder(token).v2_0.records.showall(region="jp2")
        assert len(reply.to_domain() if to_domain else reply.records) == RECORDS

    async with RecordApi(f"http://127.0.0.1:{port}") as api:
        watcher = asyncio.create_task(stall.watch())
        await asyncio.gather(*(ask(api, f"token{number}") for number in range(BODIES)))
        watcher.cancel()
    return stall


def main() -> None:
    body = make_body()
    loads: list[float] = []
    reads: list[float] = []
    for _ in range(ROUNDS):  # side by side: both feel what else the machine does
        loads.append(seconds(lambda: orjson.loads(body)))
        reads.append(seconds(lambda: read_reply(RecordsV20, body)))
    print(f"records/showall: {RECORDS} records, {len(body) / 1e6:.2f} MB")
    print(f"  orjson.loads        {median(loads) * 1e3:6.1f} ms")
    print(f"  decode and validate {median(reads) * 1e3:6.1f} ms")
    fastest = f"fastest rounds: {min(reads) / min(loads):.2f}"
    print(f"  ratio               {median(reads) / median(loads):6.2f}    (aim 3; {fastest})")
    print(f"  retained            {retained(body) / 1e6:6.2f} MB (aim 3.5)")
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(body, theirs), daemon=True)
    server.start()
    port: int = ours.recv()
    for to_domain in (False, True):
        stall = asyncio.run(longest_stall(port, to_domain=to_domain))
        label = "read and turned into domain records" if to_domain else "read"
        numbers = f"{stall.own * 1e3:6.1f} ms of its own, {stall.wall * 1e3:.1f} ms in all (aim 50)"
        print(f"  longest stall       {numbers}: {BODIES} bodies at once, {label}")
    server.terminate()
    server.join()


if __name__ == "__main__":
    main()
