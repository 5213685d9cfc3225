"""What invented pictures are made of: titles, players, records and what became of them."""

import random
from typing import Final

from bot.domain.charts import EXPERT, MASTER, ULTIMA
from bot.domain.ids import JP2
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE, rank_of, ranks_of
from bot.ui.cards.curves import CurveLine
from bot.ui.cards.faces import Face, face_of
from bot.ui.cards.plates import DeltaText, LampBadge, Move
from bot.ui.cards.tiles import Tile
from bot.ui.language.text import Language, Languages

LANGUAGES: Final = Languages()
GENRES: Final = (
    "ORIGINAL", "POPS&ANIME", "niconico", "東方Project", "VARIETY", "イロドリミドリ", "ゲキマイ", "WORLD'S END",
)  # fmt: skip
TITLES: Final = (
    "Rainy Horizon", "Velvet Overture ～second dawn～", "深海レイルウェイ", "Iron Rondo", "Infinite Tempest -神楽-",
    "紙ひこうき座標", "Glass Ascension", "ネオン街の少女", "Pure & Loud!!", "残響花火", "Hyper Signal", "Paper Garden",
    "透明なラプソディ feat. ミナモ", "きみとアンテナ", "幻想行進曲", "Fallen Signal [2026 Mix]", "翠", "AETHER//LOOP",
    "ハレノヒ観測者 ～second～", "Chrono Memoria", "百年後の箱庭", "月下標本 feat. ミナモ", "Quiet Engine", "夜行バスと鯨",
    "*__bold__*", "~~`x`~~ ||y||",
)  # fmt: skip
NAMES: Final = (
    "ＭＩＮＡＭＯ", "yoru", "ソラ", "kitsune_9", "ﾊﾙ", "Tabi", "rin.", "おこめ", "ＮＥＯＮ✪", "mochi", "Ω", "かえで",
)  # fmt: skip
LONG: Final = (
    "ＷＷＷ Where the Long Night Ends and the Longer Morning Begins ～第二楽章・永遠の残響～ (Minamo Remix)"
)
RANKS: Final = tuple(rank.label for rank in reversed(ranks_of(JP2)))
EARNED: Final = (
    (), (), (LampBadge.FULL_COMBO,), (LampBadge.ALL_JUSTICE,), (LampBadge.ALL_JUSTICE, LampBadge.FULL_CHAIN),
)  # fmt: skip


class Inventor:
    """Makes things up, the same for the same seed; `is_long`: every name as long and every mark as wide as can be."""

    def __init__(self, seed: int, language: str = "en", *, is_long: bool = False) -> None:
        self.t: Language = LANGUAGES[language]
        self.dice = random.Random(seed)
        self.is_long = is_long

    def title(self) -> str:
        """Return a title: as different as they are in the game, for what stands twice would compress too well."""
        if self.is_long:
            return f"{self.dice.choice(TITLES)}{LONG}"
        first, second = self.dice.sample(TITLES, 2)
        return first if self.dice.random() < 0.7 else f"{first[: self.dice.randint(2, 6)]}{second}"

    def name(self) -> str:
        return f"{self.dice.choice(NAMES)}{LONG}" if self.is_long else self.dice.choice(NAMES)

    def face(self, title: str) -> Face:
        return face_of(f"{self.dice.getrandbits(64):016x}", title, self.dice.choice(GENRES))

    def tile(
        self,
        place: int | None = None,
        rating: int | None = None,
        change: DeltaText | None = None,
        *,
        is_new: bool = False,
    ) -> Tile:
        dice, title = self.dice, self.title()
        score = dice.choice([MAX_SCORE, *(dice.randint(990_000, 1_009_999) for _ in range(7))])
        difficulty = dice.choice([MASTER, MASTER, MASTER, ULTIMA, EXPERT])
        lamps = (LampBadge.ALL_CRITICAL,) if score == MAX_SCORE else dice.choice(EARNED)
        if self.is_long:
            difficulty, lamps = ULTIMA, (LampBadge.ALL_CRITICAL, LampBadge.FULL_CHAIN)
        shown = dice.randint(1390, 1760) if rating is None else rating
        return Tile(
            place="" if place is None else self.t.integer(place),
            title=title,
            face=self.face(title),
            difficulty=difficulty,
            chart=f"{difficulty} {dice.randint(139, 156) / 10}{'?' * self.is_long}",
            rating=self.t.hundredths(Hundredths(shown)),
            score=self.t.integer(score),
            rank=rank_of(score, JP2).label,
            lamps=lamps,
            change=change,
            is_new=is_new,
        )

    def change(self, share: float = 0.3) -> DeltaText | None:
        """Return what became of a record; on the longest pictures something of each."""
        changes = (
            DeltaText(Move.UP, "0.12"),
            DeltaText(Move.UP, self.t("IN")),
            DeltaText(Move.DOWN, "0.03"),
            DeltaText(Move.UP, ""),
        )
        if self.is_long:
            return self.dice.choice(changes[:2])
        return self.dice.choice(changes) if self.dice.random() < share else None

    def curve(self, rating: int, began: str, many: int = 24) -> CurveLine:
        steps = [rating - 55 + 55 * (step / many) ** 1.4 + self.dice.uniform(-3, 3) for step in range(many)]
        return CurveLine((*steps, float(rating)), began, f"{steps[0] / 100:.2f} → {rating / 100:.2f}")
