"""Invented cards, pictures of sessions, of days and of tables, in both languages, and the same layouts painted by plain Pillow."""

import random
from collections import Counter
from dataclasses import replace
from typing import Final

from plain import drawn_plainly

from bot.domain.charts import EXPERT, MASTER, ULTIMA, WORLDS_END, Difficulty, difficulty_name
from bot.domain.ids import JP2
from bot.domain.members import Theme
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE, rank_of, ranks_of
from bot.domain.rating import RATING_COLOURS, rating_colour
from bot.ui.cards.best import (
    TILES,
    BestCard,
    Column,
    Hero,
    Legend,
    best_size,
    paint_best,
)
from bot.ui.cards.completion import (
    CompletionPicture,
    Plate,
    Row,
    completion_size,
    paint_completion,
)
from bot.ui.cards.daily import DailyBar, DailyPicture, DailyStep, DayScore, daily_size, paint_daily
from bot.ui.cards.faces import face_of
from bot.ui.cards.parts import CurveLine, DeltaText, LampBadge, Move, Rating
from bot.ui.cards.phone import paint_phone, phone_size
from bot.ui.cards.session import SessionPicture, paint_session, session_size
from bot.ui.cards.tiles import Tile

GENRES: Final = (
    "ORIGINAL", "POPS&ANIME", "niconico", "東方Project", "VARIETY", "イロドリミドリ", "ゲキマイ", "WORLD'S END",
)  # fmt: skip
TITLES: Final = (
    "Rainy Horizon", "Velvet Overture ～second dawn～", "深海レイルウェイ", "Iron Rondo", "Infinite Tempest -神楽-",
    "紙ひこうき座標", "Glass Ascension", "ネオン街の少女", "Pure & Loud!!", "残響花火", "Hyper Signal", "Paper Garden",
    "透明なラプソディ feat. ミナモ", "きみとアンテナ", "幻想行進曲", "Fallen Signal [2026 Mix]", "翠", "AETHER//LOOP",
    "ハレノヒ観測者 ～second～", "Chrono Memoria", "百年後の箱庭", "月下標本 feat. ミナモ", "Quiet Engine", "夜行バスと鯨",
)  # fmt: skip
NAMES: Final = (
    "ＭＩＮＡＭＯ",
    "yoru",
    "ソラ",
    "kitsune_9",
    "ﾊﾙ",
    "Tabi",
    "rin.",
    "おこめ",
    "ＮＥＯＮ✪",
    "mochi",
    "Ω",
    "かえで",
)
LONG: Final = (
    "ＷＷＷ Where the Long Night Ends and the Longer Morning Begins ～第二楽章・永遠の残響～ (Minamo Remix)"
)
CLASSES: Final = {
    "en": {name: name.upper() for name, _least in RATING_COLOURS},
    "ja": dict(zip([name for name, _least in RATING_COLOURS], "青緑橙赤紫銅銀金", strict=False))
    | {"platinum": "プラチナ", "rainbow": "虹", "kiwami": "極"},
}


def rating_of(hundredths: int, language: str = "en") -> Rating:
    name = rating_colour(Hundredths(hundredths))
    return Rating(f"{hundredths / 100:.2f}", name, CLASSES[language][name])


def invented_tile(
    dice: random.Random, change: DeltaText | None, *, is_row: bool, is_long: bool = False
) -> Tile:
    title = LONG if is_long else dice.choice(TITLES)
    score = dice.choice([MAX_SCORE, *(dice.randint(990_000, 1_009_999) for _ in range(6))])
    difficulty = ULTIMA if is_long else dice.choice([MASTER, MASTER, MASTER, ULTIMA, EXPERT])
    constant = dice.randint(139, 156) / 10
    lamps = dice.choice(
        [(), (LampBadge.FULL_COMBO,), (LampBadge.ALL_JUSTICE,), (LampBadge.ALL_JUSTICE, LampBadge.FULL_CHAIN)]
    )
    if is_long or score == MAX_SCORE:
        lamps = (LampBadge.ALL_CRITICAL, LampBadge.FULL_CHAIN) if is_long else (LampBadge.ALL_CRITICAL,)
    return Tile(
        place=str(dice.randint(1, 30)),
        title=title,
        face=face_of(f"{dice.getrandbits(64):016x}", title, dice.choice(GENRES)),
        difficulty=difficulty,
        chart=f"{_chart_name(difficulty, is_row=is_row, is_long=is_long)} {constant}{'?' * is_long}",
        rating=f"{constant + 2:.2f}",
        score=f"{score:,}",
        rank=rank_of(score, JP2).label,
        lamps=lamps,
        change=change,
    )


def _chart_name(difficulty: Difficulty, *, is_row: bool, is_long: bool) -> str:
    if is_long:
        return "WE" if is_row else difficulty_name(WORLDS_END)
    return difficulty if is_row else difficulty_name(difficulty)


_BEST_WORDS: Final = {
    "en": (
        "since Oct 25, 2026", "Best", "Recent", "Floor", "Jul 3, 2026", "highest {}", "Recent",
        "average 16.06", "floor {}: a score rated above it enters", "gained in rating", "11/22/26, 1:20 AM",
        "Kiroku · /best", "NEW", "Sleepless Cartographer",
    ),
    "ja": (
        "2026/10/25から", "ベスト枠", "リセント枠", "枠下限", "2026/7/3", "最高 {}", "リセント枠", "平均 16.06",
        "枠下限 {}（これを超えると枠入り）", "単曲レートの伸び",
        "2026/11/22 1:20", "Kiroku · /ベスト", "NEW", "眠らぬ地図職人",
    ),
}  # fmt: skip


def invented_best(
    seed: int = 1,
    language: str = "en",
    *,
    rating: int = 1644,
    best: int = 30,
    recent: int = 10,
    places: int = 30,
    has_history: bool = True,
    is_long: bool = False,
) -> BestCard:
    """Return a card with so many records in its slots; of fewer places than thirty, one of another slot."""
    dice = random.Random(seed)
    (
        since, best_average, recent_average, floor, began, highest, recent_slot, average, above, gained, foot, sign, new, title,
    ) = _BEST_WORDS[language]  # fmt: skip

    def change() -> DeltaText | None:
        if not has_history or not (is_long or dice.random() < 0.4):
            return None
        moves = (
            DeltaText(Move.NEW, new),
            DeltaText(Move.UP, "0.12"),
            DeltaText(Move.UP, ""),
            DeltaText(Move.DOWN, "0.03"),
        )
        return dice.choice(moves[1:2] if is_long else moves)

    def tiles(count: int, tiles: int = 0) -> tuple[Tile, ...]:
        return tuple(
            replace(invented_tile(dice, change(), is_row=place > tiles, is_long=is_long), place=str(place))
            for place in range(1, count + 1)
        )

    shown = rating_of(rating, language)
    least = next(each for _name, each in reversed(RATING_COLOURS) if rating >= each)
    steps = [rating - 55 + 55 * (step / 23) ** 1.4 + dice.uniform(-3, 3) for step in range(23)]
    return BestCard(
        hero=Hero(
            rating=shown,
            change=DeltaText(Move.UP, "0.11") if has_history else None,
            since=since if has_history else "",
            name=LONG if is_long else dice.choice(NAMES),
            title=LONG if is_long else title,
            honor=LONG if is_long else "コンボの達人",
            facts=((best_average, "16.56"), (recent_average, "16.06"), *([(floor, "16.35")] if best == 30 else [])),
            curve=CurveLine((*steps, float(rating)), float(least), f"{least / 100:.2f} {shown.label}")
            if has_history
            else None,
            began=began,
            highest=highest.format(shown.text),
        ),
        heading=recent_slot if places < 30 else "",
        note=average if places < 30 else "",
        places=places,
        tiles=tiles(best, TILES),
        recent=Column(heading=recent_slot, note=average, places=10, rows=tiles(recent)) if places == 30 else None,
        floor=above.format("16.35") if best == 30 else "",
        legend=Legend(
            lamps=tuple(zip(
                (LampBadge.FULL_COMBO, LampBadge.ALL_JUSTICE, LampBadge.ALL_CRITICAL, LampBadge.FULL_CHAIN),
                ("FULL COMBO", "ALL JUSTICE", "1,010,000", "FULL CHAIN"),
                strict=True,
            )),
            changes=((DeltaText(Move.NEW, new), since), (DeltaText(Move.UP, "0.12"), gained)) if has_history else (),
        ),
        when=foot,
        version="jp2",
        sign=sign,
    )  # fmt: skip


_SESSION_WORDS: Final = {
    "en": (
        "session of 22 Nov, 18:04–20:41", "plays", "new bests", "entered the best 30", "new lamps", "Also better",
        "what each gained in score", "and {} more", "Nothing was better than before.",
        "22 Nov 2026, 21:20 · game version jp2", "Kiroku · /session", "NEW",
    ),
    "ja": (
        "11月22日 18:04〜20:41 の成果", "プレイ", "自己ベスト更新", "ベスト枠入り", "新しいランプ", "ほかの更新",
        "スコアの伸び", "ほか{}件", "自己ベストの更新はありませんでした。",
        "2026/11/22 21:20 · ゲームのバージョン jp2", "Kiroku · /成果", "NEW",
    ),
}  # fmt: skip


def invented_session(
    seed: int = 1,
    language: str = "en",
    *,
    gains: int = 3,
    others: int = 9,
    more: int = 0,
    is_long: bool = False,
) -> SessionPicture:
    dice = random.Random(seed)
    when, plays, bests, entered, lamps, also, note, and_more, empty, foot, sign, new = _SESSION_WORDS[
        language
    ]

    def change(text: str) -> DeltaText:
        return DeltaText(Move.NEW, new) if dice.random() < 0.2 else DeltaText(Move.UP, text)

    return SessionPicture(
        player=LONG if is_long else dice.choice(NAMES),
        when=when,
        before="16.33",
        after=rating_of(1644, language),
        change=DeltaText(Move.UP, "0.11"),
        counts=(("24", plays), ("12", bests), ("4", entered), ("3", lamps)),
        gains=tuple(
            invented_tile(dice, change(f"0.{dice.randint(10, 40)}"), is_row=False, is_long=is_long)
            for _ in range(gains)
        ),
        others_heading=also,
        others_note=note,
        others=tuple(
            invented_tile(dice, change(f"{dice.randint(40, 4000):,}"), is_row=True, is_long=is_long)
            for _ in range(others)
        ),
        more=and_more.format(more) if more else "",
        empty=empty,
        foot=foot,
        sign=sign,
    )


_DAILY_WORDS: Final = {
    "en": (
        "Sunday, 22 November", "Riverside Arcade Club · since yesterday, 6:00", "8 of 21", "played", "new bests",
        "together", "And then", "by what each gained", "and {} more", "Score of the day",
        "first to reach it on this server", "Nobody's rating changed.", "22 Nov 2026, 6:00", "Kiroku · /daily",
    ),
    "ja": (
        "11月22日（日）", "リバーサイド音ゲー部 · 昨日6:00から", "21人中8人", "がプレイ", "自己ベスト更新", "みんなの伸び",
        "つづいて", "伸びの順", "ほか{}人", "今日の1曲", "このサーバーで初めての到達", "今日はレートの動きがありませんでした。",
        "2026/11/22 6:00", "Kiroku · /毎日",
    ),
}  # fmt: skip


def invented_daily(
    seed: int = 1,
    language: str = "en",
    *,
    members: int = 8,
    more: int = 0,
    has_score: bool = True,
    has_history: bool = True,
    is_long: bool = False,
) -> DailyPicture:
    dice = random.Random(seed)
    title, note, of, played, bests, together, then, by, and_more, score, first, empty, foot, sign = (
        _DAILY_WORDS[language]
    )
    ratings = [1644, 1562, 1471, 1602, 1340, 1235, 1120, 1044, 777, 555, 222, 111]
    gains = [max(1, 11 - 2 * place) for place in range(12)]

    def curve(rating: int, gain: int) -> CurveLine | None:
        if not has_history:
            return None
        steps = [rating - 4 * gain + 4 * gain * step / 14 + dice.uniform(-2, 2) for step in range(14)]
        floor = next(least for _name, least in reversed(RATING_COLOURS) if rating >= least)
        return CurveLine((*steps, float(rating)), float(floor))

    names = [LONG if is_long else name for name in NAMES]
    changes = [
        DeltaText(Move.DOWN, "0.02") if place == 6 else DeltaText(Move.UP, f"{gain / 100:.2f}")
        for place, gain in enumerate(gains)
    ]
    people = list(zip(names, ratings, gains, changes, strict=True))[:members]
    return DailyPicture(
        title=title,
        note=note,
        facts=((of, played), ("57", bests), ("+0.42", together)),
        steps=tuple(
            DailyStep(
                place=str(place), name=name, rating=rating_of(rating, language), change=change,
                curve=curve(rating, gain),
            )
            for place, (name, rating, gain, change) in enumerate(people[:3], start=1)
        ),
        bars_heading=then,
        bars_note=by,
        bars=tuple(
            DailyBar(place=str(place), name=name, rating=rating_of(rating, language), change=change, share=gain / 11)
            for place, (name, rating, gain, change) in enumerate(people[3:], start=4)
        ),
        more=and_more.format(more) if more else "",
        score=DayScore(
            heading=score, tile=invented_tile(dice, None, is_row=False, is_long=is_long), name=names[0], note=first
        )
        if has_score
        else None,
        empty=empty,
        foot=foot,
        sign=sign,
    )  # fmt: skip


def best_plainly(card: BestCard, theme: Theme) -> bytes:
    return drawn_plainly(theme, best_size(card), lambda canvas: paint_best(canvas, card))


def phone_plainly(card: BestCard, number: int, theme: Theme) -> bytes:
    return drawn_plainly(theme, phone_size(card, number), lambda canvas: paint_phone(canvas, card, number))


def session_plainly(picture: SessionPicture, theme: Theme) -> bytes:
    return drawn_plainly(theme, session_size(picture), lambda canvas: paint_session(canvas, picture))


def daily_plainly(picture: DailyPicture, theme: Theme) -> bytes:
    return drawn_plainly(theme, daily_size(picture), lambda canvas: paint_daily(canvas, picture))


_TABLE_WORDS: Final = {
    "en": ("level:14+", "by constant", "played", "22 Nov 2026, 21:20 · game version jp2", "Kiroku · /table"),
    "ja": (
        "レベル:14+",
        "定数順",
        "プレイ済み",
        "2026/11/22 21:20 · ゲームバージョン: jp2",
        "Kiroku · /レベル表",
    ),
}


def invented_table(
    seed: int = 1, language: str = "en", *, charts: int = 60, is_long: bool = False
) -> CompletionPicture:
    dice = random.Random(seed)
    wanted, by_constant, played, foot, sign = _TABLE_WORDS[language]
    plates = [_invented_plate(dice, is_long=is_long) for _ in range(charts)]
    rows: list[Row] = []
    left = plates
    while left:
        many = dice.randint(2, 28)
        rows.append(Row(f"{(155 - len(rows)) / 10}{'?' * is_long}", tuple(left[:many])))
        left = left[many:]
    counts = Counter(plate.rank for plate in plates if plate.rank)
    done = f"{counts.total()} / {charts}"
    return CompletionPicture(
        title=LONG if is_long else wanted,
        note=f"{LONG if is_long else dice.choice(NAMES)} · {by_constant}",
        facts=((done, played), ("31", "FULL COMBO"), ("9", "ALL JUSTICE")),
        ranks=tuple(
            (rank, many, f"{many}")
            for rank, many in (
                *((rank, counts[rank]) for rank in RANKS[:6]),
                ("< S", sum(counts[rank] for rank in RANKS[6:])),
            )
            if many
        ),
        rows=tuple(rows),
        foot=foot,
        sign=sign,
    )


RANKS: Final = tuple(rank.label for rank in reversed(ranks_of(JP2)))


def _invented_plate(dice: random.Random, *, is_long: bool) -> Plate:
    # Titles are as different as they are in the game: what stands twice would compress too well.
    title = LONG if is_long else f"{dice.choice(TITLES)[: dice.randint(3, 9)]}{dice.choice(TITLES)}"
    rank = dice.choice(RANKS) if is_long else dice.choices(["", *RANKS[:7]], [3, 4, 9, 8, 5, 3, 1, 1])[0]
    earned = (None, None, LampBadge.FULL_COMBO, LampBadge.ALL_JUSTICE, LampBadge.ALL_CRITICAL)
    return Plate(
        title=title,
        face=face_of(f"{dice.getrandbits(64):016x}", title, dice.choice(GENRES)),
        difficulty=dice.choice([MASTER, MASTER, MASTER, ULTIMA, EXPERT]),
        rank=rank,
        lamp=dice.choice(earned[-1:] if is_long else earned) if rank else None,
    )


def table_plainly(picture: CompletionPicture, theme: Theme) -> bytes:
    return drawn_plainly(theme, completion_size(picture), lambda canvas: paint_completion(canvas, picture))
