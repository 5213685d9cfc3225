"""What the keys and values of filters are called in other languages than their own, which is English.

All of these words can be typed by everybody; a language that has no table here is shown the English ones.
"""

from collections.abc import Mapping
from typing import Final

from bot.domain.folding import fold

WORDS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "ja": {
        "const": ("定数", "譜面定数"),
        "level": ("レベル",),
        "diff": ("難易度",),
        "genre": ("ジャンル",),
        "bpm": ("BPM", "テンポ"),
        "combo": ("ノーツ数", "ノーツ", "コンボ"),
        "release": ("追加日", "配信日", "リリース", "日付", "リリース日"),
        "version": ("バージョン", "追加バージョン"),
        "artist": ("アーティスト", "作曲", "作曲者"),
        "title": ("曲名", "タイトル"),
        "lamp": ("ランプ",),
        "chain": ("チェイン", "フルチェイン"),
        "rank": ("ランク",),
        "score": ("スコア", "点数"),
        "rating": ("レート", "単曲レート", "レーティング"),
        "played": ("プレイ", "プレイ済み"),
        "updated": ("更新日", "更新"),
        "bas": ("ベーシック", "緑"),
        "adv": ("アドバンスド", "黄"),
        "exp": ("エキスパート", "赤"),
        "mas": ("マスター", "紫"),
        "ult": ("アルティマ", "黒"),
        "we": ("ワールズエンド",),
        "pops": ("ポップス", "アニメ"),
        "niconico": ("ニコニコ",),
        "toho": ("東方",),
        "variety": ("バラエティ",),
        "irodori": ("イロドリ",),
        "gekimai": ("ゲキマイ",),
        "orig": ("オリジナル",),
        "original": ("無印",),
        "plus": ("無印+", "無印プラス"),
        "failed": ("未クリア", "フェイル"),
        "clear": ("クリア",),
        "fc": ("FC", "フルコン", "フルコンボ"),
        "aj": ("AJ", "オルジャス", "オールジャスティス"),
        "ajc": ("理論値",),
        "yes": ("はい", "済", "済み", "あり"),
        "no": ("いいえ", "未", "なし"),
        "unknown": ("不明",),
    },
}
"""By language and English word: the word that is shown, then others that mean the same."""

_HOMES: Final = {
    fold(word): language
    for language, words in WORDS.items()
    for english, own in words.items()
    for word in own
    if fold(word) != english
}


def every_name(*english: str) -> tuple[str, ...]:
    """Return the names of one thing: the English ones as given, then those of all languages."""
    own = (words.get(english[0], ()) for words in WORDS.values())
    return english + tuple(word for words in own for word in words)


def word_for(english: str, language: str) -> str:
    """Return what a language calls what is `english`; that itself where it has no word of its own."""
    return WORDS.get(language, {}).get(english, (english,))[0]


def language_of(word: str) -> str | None:
    """Return the language that a word is from; None for English ones and those that nobody knows."""
    return _HOMES.get(fold(word))
