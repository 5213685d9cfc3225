"""Invented cards to draw, and the same layout painted by plain Pillow to measure against."""

import random
from io import BytesIO

from PIL import Image, ImageDraw

from bot.domain.members import Theme
from bot.ui.cards.best import BestCard, Cell, Move, Section, paint_best, size_of
from bot.ui.cards.canvas import Box, Face
from bot.ui.fonts import runs_of
from bot.ui.palette import PALETTES, hex_of

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


class PlainCanvas:
    """What anybody would write: full colour, ImageDraw, PNG as Pillow saves it by default."""

    def __init__(self, width: int, height: int, ground: int) -> None:
        self.image = Image.new("RGB", (width, height), hex_of(ground))
        self._draw = ImageDraw.Draw(self.image)
        self._fonts: dict[Face, object] = {}

    def fill(self, box: Box, colour: int) -> None:
        left, top, right, bottom = box
        self._draw.rectangle((left, top, right - 1, bottom - 1), fill=hex_of(colour))

    def text(self, place: tuple[int, int], text: str, face: Face, colour: int, ground: int) -> None:  # noqa: ARG002 - full colour needs no ground
        from PIL import ImageFont  # noqa: PLC0415 - beside the one line that needs it

        across = float(place[0])
        for file, part in runs_of(text, face.file):
            key = Face(file, face.size)
            if key not in self._fonts:
                self._fonts[key] = ImageFont.truetype(str(file), face.size)
            font = self._fonts[key]
            assert isinstance(font, ImageFont.FreeTypeFont)
            self._draw.text(
                (across, place[1] + 0.37 * face.size), part, fill=hex_of(colour), font=font, anchor="ls"
            )
            across += font.getlength(part)


def draw_plainly(card: BestCard, theme: Theme) -> bytes:
    canvas = PlainCanvas(*size_of(card), PALETTES[theme].background)
    paint_best(canvas, card, PALETTES[theme])
    written = BytesIO()
    canvas.image.save(written, format="PNG")
    return written.getvalue()
