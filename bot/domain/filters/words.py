"""The names of filters' keys and values in languages other than English.

Every member can type all of these words; a language without a table here is shown the English ones.
"""

from collections.abc import Mapping
from typing import Final

from bot.domain.folding import fold

WORDS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "ja": {
        "const": ("定数", "譜面定数"),
        "felt": ("体感", "体感定数", "体感難易度"),
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
        "locked": ("未解禁",),
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
    "ko": {
        "const": ("상수", "채보상수"),
        "felt": ("체감", "체감상수", "체감난이도"),
        "level": ("레벨",),
        "diff": ("난이도",),
        "genre": ("장르",),
        "bpm": ("BPM", "템포"),
        "combo": ("노트수", "노트", "콤보"),
        "release": ("추가일", "출시일", "날짜"),
        "version": ("버전",),
        "artist": ("아티스트", "작곡", "작곡가"),
        "title": ("곡명", "제목"),
        "lamp": ("램프",),
        "chain": ("체인", "풀체인"),
        "rank": ("랭크",),
        "score": ("스코어", "점수"),
        "rating": ("레이팅", "단곡레이팅"),
        "played": ("플레이",),
        "locked": ("미해금",),
        "updated": ("갱신일", "갱신"),
        "bas": ("베이직", "초록"),
        "adv": ("어드밴스드", "노랑"),
        "exp": ("익스퍼트", "빨강"),
        "mas": ("마스터", "보라"),
        "ult": ("얼티마", "울티마", "검정"),
        "we": ("월드엔드", "월즈엔드"),
        "pops": ("팝스", "애니"),
        "niconico": ("니코니코", "니코동"),
        "toho": ("동방",),
        "variety": ("버라이어티",),
        "irodori": ("이로도리",),
        "gekimai": ("게키마이",),
        "orig": ("오리지널",),
        "original": ("무인",),
        "plus": ("무인+", "무인플러스"),
        "failed": ("미클리어", "페일"),
        "clear": ("클리어",),
        "fc": ("FC", "풀콤", "풀콤보"),
        "aj": ("AJ", "올저스티스"),
        "ajc": ("이론치",),
        "yes": ("예", "있음"),
        "no": ("아니요", "아니오", "없음"),
        "unknown": ("불명", "모름"),
    },
    "zh-TW": {
        "const": ("定數", "譜面定數"),
        "felt": ("體感", "體感定數", "體感難度"),
        "level": ("等級",),
        "diff": ("難度",),
        "genre": ("類型", "分類"),
        "bpm": ("BPM",),
        "combo": ("物量",),
        "release": ("追加日", "收錄日"),
        "version": ("版本",),
        "artist": ("曲師", "作曲"),
        "title": ("曲名",),
        "lamp": ("燈",),
        "chain": ("全鏈",),
        "rank": ("評級",),
        "score": ("分數",),
        "rating": ("rating", "單曲rating"),
        "played": ("遊玩", "已遊玩"),
        "locked": ("未解鎖",),
        "updated": ("更新日", "更新"),
        "bas": ("basic", "綠譜", "綠"),
        "adv": ("advanced", "黃譜", "黃"),
        "exp": ("expert", "紅譜", "紅"),
        "mas": ("master", "紫譜", "紫"),
        "ult": ("ultima", "黑譜", "黑"),
        "we": ("worldsend",),
        "pops": ("流行", "動漫"),
        "niconico": ("niconico",),
        "toho": ("東方",),
        "variety": ("綜合",),
        "irodori": ("irodori",),
        "gekimai": ("gekimai",),
        "orig": ("原創",),
        "original": ("無印",),
        "plus": ("無印+",),
        "failed": ("未過關",),
        "clear": ("過關",),
        "fc": ("FC", "全連"),
        "aj": ("AJ",),
        "ajc": ("理論值",),
        "yes": ("是", "有"),
        "no": ("否", "無"),
        "unknown": ("不明",),
    },
}
"""The words by language and English word: the one that is shown, then its synonyms."""

_HOMES: Final = {
    language: {fold(word) for english, own in words.items() for word in own if fold(word) != english}
    for language, words in WORDS.items()
}
"""The words of each language that are not English, folded."""


def every_name(*english: str) -> tuple[str, ...]:
    """Return all names of one thing: the English ones as given, then those of all languages."""
    own = (words.get(english[0], ()) for words in WORDS.values())
    return english + tuple(word for words in own for word in words)


def word_for(english: str, language: str) -> str:
    """Return a language's word for an English one; the English word itself if there is none."""
    return WORDS.get(language, {}).get(english, (english,))[0]


def language_of(word: str, reader: str) -> str:
    """Return the language of a word: the reader's if the word is also in theirs, or is English or unknown."""
    homes = [language for language, words in _HOMES.items() if fold(word) in words]
    return homes[0] if homes and reader not in homes else reader
