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
from functools import partial
from typing import Final

from pictures import (
    invented_best,
    invented_comparison,
    invented_daily,
    invented_session,
    invented_table,
    invented_tiers,
)
from plain import drawn_plainly

from bot.domain.completion import MAX_TABLE_CHARTS
from bot.domain.members import Cut, Theme
from bot.ui.cards.best import best_drawing
from bot.ui.cards.comparison import comparison_drawing
from bot.ui.cards.completion import completion_drawing
from bot.ui.cards.daily import MAX_MEMBERS, daily_drawing
from bot.ui.cards.layout import MAX_PHONE_BYTES, MAX_WIDE_BYTES, PHONE, Drawing
from bot.ui.cards.session_phone import session_drawing
from bot.ui.cards.tiers import tiers_drawing
from bot.ui.kit.renderer import PictureRenderer

COLD_RATIO: Final = 0.7
WARM_RATIO: Final = 0.4
TABLE_BYTES: Final = 300_000
TABLE_SECONDS: Final = 0.5
"""Of the processor, for as many charts as a table holds."""
STALL_MILLISECONDS: Final = 10.0
ROUNDS: Final = 9

Invent = Callable[[int, bool], Drawing]
"""It makes a picture of a seed, as full as it can be where that is asked for."""


def _best(cut: Cut, seed: int, is_long: bool) -> Drawing:  # noqa: FBT001 - a table's own signature, as below
    return best_drawing(invented_best(seed, is_long=is_long), cut)


def _session(cut: Cut, seed: int, is_long: bool) -> Drawing:  # noqa: FBT001
    return session_drawing(invented_session(seed, is_long=is_long), cut)


def _comparison(cut: Cut, seed: int, is_long: bool) -> Drawing:  # noqa: FBT001
    return comparison_drawing(invented_comparison(seed, is_long=is_long), cut)


def _tiers(cut: Cut, seed: int, is_long: bool) -> Drawing:  # noqa: FBT001
    return tiers_drawing(invented_tiers(seed, is_long=is_long), cut)


def _table(cut: Cut, seed: int, is_long: bool) -> Drawing:  # noqa: FBT001
    return completion_drawing(invented_table(seed, is_long=is_long), cut)


def _day(members: int, seed: int, is_long: bool) -> Drawing:  # noqa: FBT001
    return daily_drawing(invented_daily(seed, members=members, is_long=is_long))


PICTURES: Final[dict[str, Invent]] = {
    f"{invent.__name__[1:]}, {cut}": partial(invent, cut)
    for invent in (_best, _session, _comparison, _tiers, _table)
    for cut in (Cut.WIDE, Cut.PHONE)
} | {f"day of {members}": partial(_day, members) for members in (3, 12, MAX_MEMBERS)}


def draw(name: str, seed: int, *, plainly: bool = False) -> bytes:
    drawing = PICTURES[name](seed, False)  # noqa: FBT003 - a table's own signature
    return drawn_plainly(drawing, Theme.DARK) if plainly else drawing.to_png(Theme.DARK)


def seconds(name: str, seed: int, *, plainly: bool = False) -> float:
    """Return the seconds of the processor that a picture takes."""
    start = time.process_time()
    draw(name, seed, plainly=plainly)
    return time.process_time() - start


def cold(name: str, way: str) -> float:
    """Return the seconds of the first picture of a new process, its imports not counted."""
    ran = subprocess.run([sys.executable, __file__, name, way], check=True, capture_output=True, text=True)
    return float(ran.stdout)


async def stalls() -> list[float]:
    """Return how long this process worked each time before the event loop woke, in milliseconds, while ten pictures were drawn.

    It is the processor's time, for other programs are not measured.
    """
    renderer = PictureRenderer()
    late: list[float] = []
    names = list(PICTURES)
    drawing = asyncio.gather(
        *[renderer.draw(draw, names[seed % len(names)], 100 + seed) for seed in range(10)]
    )
    while not drawing.done():
        start = time.process_time()
        await asyncio.sleep(0.001)
        late.append((time.process_time() - start) * 1000)
    assert all(drawing.result())
    await renderer.close()
    return late


def is_as_promised(name: str) -> bool:
    pairs = [(cold(name, "ours"), cold(name, "plain")) for _ in range(5)]
    cold_ratio = statistics.median(one / other for one, other in pairs)
    for seed in range(200, 203):
        seconds(name, seed)
        seconds(name, seed, plainly=True)
    pairs = [(seconds(name, seed), seconds(name, seed, plainly=True)) for seed in range(ROUNDS)]
    warm_ratio = statistics.median(one / other for one, other in pairs)
    drawings = [PICTURES[name](seed, is_long) for seed in range(5) for is_long in (False, True)]
    most = MAX_PHONE_BYTES if drawings[0].width == PHONE else MAX_WIDE_BYTES
    largest = max(len(drawing.to_png(theme)) for drawing in drawings for theme in Theme)
    milliseconds = statistics.median(ours for ours, _plain in pairs) * 1000
    kept = (
        _is_at_most(f"{name}, cold, of plain Pillow", cold_ratio, COLD_RATIO),
        _is_at_most(f"{name}, warm, of plain Pillow ({milliseconds:.0f} ms)", warm_ratio, WARM_RATIO),
        _is_at_most(f"{name}, largest, bytes", largest, most),
    )
    return all(kept)


def _is_at_most(what: str, figure: float, most: float) -> bool:
    """Print a figure beside its goal; return whether it is reached."""
    is_met = figure <= most
    print(
        f"{what}: {figure if isinstance(figure, int) else round(figure, 3):,} (at most {most:,}): {'met' if is_met else 'MISSED'}"
    )
    return is_met


def is_table_as_promised() -> bool:
    """Return whether the largest table costs no more than promised, the first one of a process too."""
    costs: list[float] = []
    sizes: list[int] = []
    for seed in range(5):
        for theme in Theme:
            for is_long in (False, True):
                drawing = completion_drawing(
                    invented_table(seed, charts=MAX_TABLE_CHARTS, is_long=is_long), Cut.WIDE
                )
                start = time.process_time()
                sizes.append(len(drawing.to_png(theme)))
                costs.append(time.process_time() - start)
    pairs: list[float] = []
    for seed in range(10, 13):
        drawing = completion_drawing(invented_table(seed, charts=MAX_TABLE_CHARTS), Cut.WIDE)
        start = time.process_time()
        drawing.to_png(Theme.DARK)
        middle = time.process_time()
        drawn_plainly(drawing, Theme.DARK)
        pairs.append((middle - start) / (time.process_time() - middle))
    print(f"table of {MAX_TABLE_CHARTS} charts: {statistics.median(pairs):.2f} of plain Pillow")
    print(
        f"table of {MAX_TABLE_CHARTS} charts, cold and warm: at most {max(costs):.2f} s of the processor, median "
        f"{statistics.median(costs):.2f} s (at most {TABLE_SECONDS} s)"
    )
    print(f"table of {MAX_TABLE_CHARTS} charts, largest: {max(sizes):,} bytes (at most {TABLE_BYTES:,})")
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
        print(seconds(sys.argv[1], 1, plainly=sys.argv[2] == "plain"))
    else:
        sys.exit(main())
