"""Invented cards to draw, and the same layout painted by plain Pillow to measure against."""

import random

from plain import drawn_plainly

from bot.domain.members import Theme
from bot.ui.cards.best import BestCard, Cell, Move, Section, paint_best, size_of
from bot.ui.palette import PALETTES

COLOURS = (0x009F7B, 0xF47900, 0xE92829, 0x8C1BE1, 0x131313)
KANJI = "夜桜記録紅蓮華月光星空風花雪月海底神殿幻想郷夏祭宵闇彗星蒼穹祈願旋律残響終焉始動"
KANA = "アイドルリズムメモリーネオンサクラオーバードライブプリズムきらめきゆめのまちで"
LATIN = "Starlight Overture Neon Requiem Paradox Garden Quantum Drive Halcyon Bloom Vertex"


def invented_card(seed: int) -> BestCard:
    """Return a card of 30 and 10 records with titles as they are in the game."""
    dice = random.Random(seed)

    def title() -> str:
        kind = dice.randrange(3)
        if kind == 0:
            return "".join(dice.choices(KANJI, k=dice.randint(2, 8))) + dice.choice(
                ["", " -SIDE A-", "～", "…"]
            )
        if kind == 1:
            start = dice.randrange(len(KANA) - 12)
            return KANA[start : start + dice.randint(4, 12)]
        words = LATIN.split()
        return " ".join(dice.sample(words, dice.randint(1, 4)))

    def cell(place: int) -> Cell:
        score = dice.choice([1_010_000, dice.randint(975_000, 1_009_999)])
        return Cell(
            place=place,
            title=title(),
            chart=f"MASTER {dice.randint(130, 154) / 10}",
            colour=dice.choice(COLOURS),
            score=f"{score:,}",
            rank=dice.choice(["S+", "SS", "SSS+"]),
            lamps=tuple(dice.choice([(), ("FC",), ("AJ", "FCH")])),
            rating=f"{dice.randint(1400, 1755) / 100:.2f}",
            is_max=score == 1_010_000,
            move=dice.choice([None, *Move]),
        )

    return BestCard(
        player=f"ＰＬＡＹＥＲ{seed}✪",
        honor="終わりなき記録",
        rating=f"{dice.randint(1400, 1700) / 100:.2f}",
        facts=(("ベスト平均", "16.41"), ("リセント平均", "16.80")),
        sections=(
            Section(heading="ベスト枠", places=30, cells=tuple(cell(place + 1) for place in range(30))),
            Section(heading="リセント枠", places=10, cells=tuple(cell(place + 1) for place in range(10))),
        ),
        foot="2026/11/21 12:34 · jp2",
        new="NEW",
    )


def draw_plainly(card: BestCard, theme: Theme) -> bytes:
    return drawn_plainly(theme, size_of(card), lambda canvas: paint_best(canvas, card, PALETTES[theme]))
