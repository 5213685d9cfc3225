"""The words that keys with few values take, in both languages."""

from typing import Final

from bot.domain.filters.values import Option
from bot.domain.ranks import Rank

DIFFICULTIES: Final = (
    Option(("bas", "ベーシック", "basic", "緑"), 0),
    Option(("adv", "アドバンスド", "advanced", "黄"), 1),
    Option(("exp", "エキスパート", "expert", "赤"), 2),
    Option(("mas", "マスター", "master", "紫"), 3),
    Option(("ult", "アルティマ", "ultima", "黒"), 4),
    Option(("we", "ワールズエンド", "worldsend", "world'send"), 5),
)
"""Numbered as `difficulty_order` sorts them; players say the colours too."""

GENRES: Final = (
    ("POPS&ANIME", Option(("pops", "ポップス", "アニメ"), 0)),
    ("niconico", Option(("niconico", "ニコニコ"), 1)),
    ("東方Project", Option(("toho", "東方"), 2)),
    ("VARIETY", Option(("variety", "バラエティ"), 3)),
    ("イロドリミドリ", Option(("irodori", "イロドリ"), 4)),
    ("ゲキマイ", Option(("gekimai", "ゲキマイ"), 5)),
    ("ORIGINAL", Option(("orig", "オリジナル"), 6)),
    ("WORLD'S END", Option(("we", "ワールズエンド"), 7)),
)
"""The genre as the catalogue writes it, and its filter code. Source: specification, records/filter."""

LAMPS: Final = (
    Option(("failed", "フェイル", "未クリア"), 0),
    Option(("clear", "クリア"), 1),
    Option(("fc", "フルコン", "fullcombo", "フルコンボ"), 2),
    Option(("aj", "オルジャス", "alljustice", "オールジャスティス"), 3),
    Option(("ajc", "理論値", "max"), 4),
)
"""From the least to the most; the last is all justice with every note critical: the maximum score."""

RANKS: Final = tuple(Option((rank.label.casefold(),), number) for number, rank in enumerate(Rank))

YES_NO: Final = (
    Option(("yes", "はい", "済", "済み", "あり", "true", "1"), 1),
    Option(("no", "いいえ", "未", "なし", "false", "0"), 0),
)
