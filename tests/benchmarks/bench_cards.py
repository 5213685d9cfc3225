"""Cards against the same layout painted by plain Pillow, side by side in one run.

    python tests/benchmarks/bench_cards.py

Fails where a card is slower or larger than promised, or where the event loop is held up while ten are drawn.
"""

import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from cards import draw_plainly, invented_card

from bot.domain.members import Theme
from bot.ui.cards import BestCard, draw_best
from bot.ui.studio import Studio

COLD_RATIO = 0.7
WARM_RATIO = 0.4
BYTES = 130_000
STALL_MILLISECONDS = 10.0
ROUNDS = 9

Draw = Callable[[BestCard, Theme], bytes]


def seconds(draw: Draw, seed: int) -> float:
    card = invented_card(seed)
    start = time.perf_counter()
    draw(card, Theme.DARK)
    return time.perf_counter() - start


def cold(name: str) -> float:
    """Return the seconds of the first card of a new process, its imports not counted."""
    ran = subprocess.run([sys.executable, __file__, name], check=True, capture_output=True, text=True)
    return float(ran.stdout)


async def stalls() -> list[float]:
    """Return how much later than asked the event loop woke, in milliseconds, while ten cards were drawn."""
    studio = Studio()
    late: list[float] = []
    drawing = asyncio.gather(
        *[studio.draw(draw_best, invented_card(100 + seed), Theme.DARK) for seed in range(10)]
    )
    while not drawing.done():
        start = time.perf_counter()
        await asyncio.sleep(0.001)
        late.append((time.perf_counter() - start - 0.001) * 1000)
    assert all(drawing.result())
    await studio.close()
    return late


def main() -> int:
    pairs = [(cold("ours"), cold("plain")) for _ in range(5)]
    cold_ratio = statistics.median(ours / plain for ours, plain in pairs)
    for seed in range(3):
        seconds(draw_best, 200 + seed)
        seconds(draw_plainly, 200 + seed)
    pairs = [(seconds(draw_best, seed), seconds(draw_plainly, seed)) for seed in range(ROUNDS)]
    warm_ratio = statistics.median(ours / plain for ours, plain in pairs)
    largest = max(len(draw_best(invented_card(seed), theme)) for seed in range(5) for theme in Theme)
    late = sorted(asyncio.run(stalls()))
    p99 = late[min(len(late) - 1, int(len(late) * 0.99))]
    print(f"cards, cold: {cold_ratio:.2f} of plain Pillow (at most {COLD_RATIO})")
    print(f"cards, warm: {warm_ratio:.2f} of plain Pillow (at most {WARM_RATIO})")
    print(f"cards, largest: {largest:,} bytes (at most {BYTES:,})")
    print(
        f"event loop held up while ten cards are drawn, p99: {p99:.1f} ms (at most {STALL_MILLISECONDS:g} ms)"
    )
    good = cold_ratio <= COLD_RATIO and warm_ratio <= WARM_RATIO and largest <= BYTES
    return 0 if good and p99 <= STALL_MILLISECONDS else 1


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(seconds({"ours": draw_best, "plain": draw_plainly}[sys.argv[1]], 1))
    else:
        sys.exit(main())
