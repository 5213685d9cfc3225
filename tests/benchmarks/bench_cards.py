"""Pictures against the same layouts painted by plain Pillow, side by side in one run.

    python tests/benchmarks/bench_cards.py

Fails where one is slower or larger than promised, or where the event loop is held up while ten are drawn.
"""

import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Final

from pictures import (
    best_plainly,
    daily_plainly,
    invented_best,
    invented_daily,
    invented_session,
    invented_table,
    phone_plainly,
    session_plainly,
    table_plainly,
)

from bot.domain.completion import MOST_CHARTS
from bot.domain.members import Theme
from bot.ui.cards import draw_best, draw_completion, draw_daily, draw_phone, draw_session
from bot.ui.cards.daily import MAX_BARS, MAX_STEPS
from bot.ui.cards.session import MAX_ROWS
from bot.ui.kit.renderer import PictureRenderer

COLD_RATIO: Final = 0.7
WARM_RATIO: Final = 0.4
BYTES: Final = 130_000
TABLE_BYTES: Final = 300_000
TABLE_SECONDS: Final = 0.5
"""Of the processor, for as many charts as a table holds."""
STALL_MILLISECONDS: Final = 10.0
ROUNDS: Final = 9

Draw = Callable[[int, Theme], bytes]

PICTURES: Final[dict[str, tuple[Draw, Draw, Draw]]] = {
    "best": (
        lambda seed, theme: draw_best(invented_best(seed), theme),
        lambda seed, theme: best_plainly(invented_best(seed), theme),
        lambda seed, theme: draw_best(invented_best(seed, is_long=True), theme),
    ),
    "another slot": (
        lambda seed, theme: draw_best(invented_best(seed, best=20, places=20), theme),
        lambda seed, theme: best_plainly(invented_best(seed, best=20, places=20), theme),
        lambda seed, theme: draw_best(invented_best(seed, best=20, places=20, is_long=True), theme),
    ),
    "phone": (
        lambda seed, theme: draw_phone(invented_best(seed), 0, theme),
        lambda seed, theme: phone_plainly(invented_best(seed), 0, theme),
        lambda seed, theme: draw_phone(invented_best(seed, is_long=True), 0, theme),
    ),
    "phone, second": (
        lambda seed, theme: draw_phone(invented_best(seed), 1, theme),
        lambda seed, theme: phone_plainly(invented_best(seed), 1, theme),
        lambda seed, theme: draw_phone(invented_best(seed, is_long=True), 1, theme),
    ),
    "session": (
        lambda seed, theme: draw_session(invented_session(seed), theme),
        lambda seed, theme: session_plainly(invented_session(seed), theme),
        lambda seed, theme: draw_session(invented_session(seed, others=MAX_ROWS, is_long=True), theme),
    ),
    "daily": (
        lambda seed, theme: draw_daily(invented_daily(seed), theme),
        lambda seed, theme: daily_plainly(invented_daily(seed), theme),
        lambda seed, theme: draw_daily(
            invented_daily(seed, members=MAX_STEPS + MAX_BARS, is_long=True), theme
        ),
    ),
}
"""As it ships, plainly, and as much as it holds."""


def seconds(draw: Draw, seed: int) -> float:
    start = time.perf_counter()
    draw(seed, Theme.DARK)
    return time.perf_counter() - start


def cold(name: str, way: str) -> float:
    """Return the seconds of the first picture of a new process, its imports not counted."""
    ran = subprocess.run([sys.executable, __file__, name, way], check=True, capture_output=True, text=True)
    return float(ran.stdout)


async def stalls() -> list[float]:
    """Return how much later than asked the event loop woke, in milliseconds, while ten pictures were drawn."""
    renderer = PictureRenderer()
    late: list[float] = []
    every = [ours for ours, _plain, _full in PICTURES.values()]
    drawing = asyncio.gather(
        *[renderer.draw(every[seed % len(every)], 100 + seed, Theme.DARK) for seed in range(10)]
    )
    while not drawing.done():
        start = time.perf_counter()
        await asyncio.sleep(0.001)
        late.append((time.perf_counter() - start - 0.001) * 1000)
    assert all(drawing.result())
    await renderer.close()
    return late


def is_as_promised(name: str) -> bool:
    ours, plain, full = PICTURES[name]
    pairs = [(cold(name, "ours"), cold(name, "plain")) for _ in range(5)]
    cold_ratio = statistics.median(one / other for one, other in pairs)
    for seed in range(200, 203):
        seconds(ours, seed)
        seconds(plain, seed)
    pairs = [(seconds(ours, seed), seconds(plain, seed)) for seed in range(ROUNDS)]
    warm_ratio = statistics.median(one / other for one, other in pairs)
    largest = max(len(draw(seed, theme)) for draw in (ours, full) for seed in range(5) for theme in Theme)
    print(f"{name}, cold: {cold_ratio:.2f} of plain Pillow (at most {COLD_RATIO})")
    print(f"{name}, warm: {warm_ratio:.2f} of plain Pillow (at most {WARM_RATIO})")
    print(f"{name}, largest: {largest:,} bytes (at most {BYTES:,})")
    return cold_ratio <= COLD_RATIO and warm_ratio <= WARM_RATIO and largest <= BYTES


def is_table_as_promised() -> bool:
    """Return whether the largest table costs no more than promised, the first one of a process too."""
    costs: list[float] = []
    sizes: list[int] = []
    for seed in range(5):
        for theme in Theme:
            for is_long in (False, True):
                picture = invented_table(seed, charts=MOST_CHARTS, is_long=is_long)
                start = time.process_time()
                sizes.append(len(draw_completion(picture, theme)))
                costs.append(time.process_time() - start)
    pairs: list[float] = []
    for seed in range(10, 13):
        picture = invented_table(seed, charts=MOST_CHARTS)
        start = time.process_time()
        draw_completion(picture, Theme.DARK)
        middle = time.process_time()
        table_plainly(picture, Theme.DARK)
        pairs.append((middle - start) / (time.process_time() - middle))
    print(f"table of {MOST_CHARTS} charts: {statistics.median(pairs):.2f} of plain Pillow")
    print(
        f"table of {MOST_CHARTS} charts, cold and warm: at most {max(costs):.2f} s of the processor, median "
        f"{statistics.median(costs):.2f} s (at most {TABLE_SECONDS} s)"
    )
    print(f"table of {MOST_CHARTS} charts, largest: {max(sizes):,} bytes (at most {TABLE_BYTES:,})")
    return max(costs) <= TABLE_SECONDS and max(sizes) <= TABLE_BYTES


def main() -> int:
    kept = [is_table_as_promised(), *(is_as_promised(name) for name in PICTURES)]
    late = sorted(asyncio.run(stalls()))
    p99 = late[min(len(late) - 1, int(len(late) * 0.99))]
    print(
        f"event loop held up while ten pictures are drawn, p99: {p99:.1f} ms (at most {STALL_MILLISECONDS:g} ms)"
    )
    return 0 if all(kept) and p99 <= STALL_MILLISECONDS else 1


if __name__ == "__main__":
    if len(sys.argv) > 1:
        ours, plain, _full = PICTURES[sys.argv[1]]
        print(seconds({"ours": ours, "plain": plain}[sys.argv[2]], 1))
    else:
        sys.exit(main())
