"""An invented catalogue: realistic titles, Japanese and other, the same for the same seed."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from random import Random
from typing import Final

from bot.domain.charts import ADVANCED, BASIC, EXPERT, MASTER, ULTIMA, WORLDS_END
from bot.domain.ids import SongId
from bot.domain.numbers import Hundredths
from service.catalogue import SourceChart, SourceSong

SONGS: Final = 300
_FIRST_RELEASE: Final = date(2015, 7, 16)
_LAST_RELEASE: Final = date(2026, 10, 29)

_TOWARDS_TODAY: Final = 1.4
"""The power by which more songs are young than old, so that the newest version has as many as its slot has places."""

_GENRES: Final = (
    "POPS&ANIME", "niconico", "東方Project", "VARIETY", "イロドリミドリ", "ゲキマイ", "ORIGINAL",
)  # fmt: skip

_HARD_TITLES: Final = (
    "零", "Q", "翠", "7", "2112", "090", "1009500",
    "Aether", "AETHER", "aether", "Lumen", "LuMeN",
    "**Bold** as __Brass__", "`rm -rf` the Past", "[Link](https://example.com) Start", "||Spoiler|| Romance",
    "~~Strike~~ Zone", "# Headline", "> Quote of the Day", "snake_case_love", "Star*Light*Parade",
    "@everyone Dance!", "<@1234567890>", "=SUM(A1:B2)", 'CSV, "Quoted", and; More', "100% Pure & <b>Loud</b>",
    "\\Backslash\\ Boogie", "- minus one -", "ｆｕｌｌｗｉｄｔｈ　ｄｒｅａｍ", "ﾊﾝｶｸ･ﾃﾞｲｽﾞ", "ごめんね、でもすき。(´・ω・`)",
    "とても長い題名の歌を最後まで歌い切るためにはどれだけ息を吸えばいいのだろうか～完全版～",
)  # fmt: skip
"""What Markdown, URLs, CSV and embeds stumble over; pairs that differ only in case; single characters."""

_JAPANESE_FIRST: Final = (
    "夜明けの", "硝子の", "最果ての", "六等星の", "放課後", "天泣", "残響", "深海", "月下", "逆さまの", "透明な",
    "幻想", "蒼穹の", "終電", "カナリアの", "メルト・", "ハレノヒ", "ネオン街の", "電脳", "きみと", "百年後の", "桜色",
)  # fmt: skip
_JAPANESE_SECOND: Final = (
    "プロローグ", "観測者", "レイルウェイ", "標本", "ワルツ", "行進曲", "パレード", "遊戯", "少女", "方程式", "シンフォニア",
    "回廊", "花火", "ラプソディ", "日和", "ロケット", "箱庭", "革命", "サーカス", "ノクターン", "注意報", "アンテナ",
)  # fmt: skip
_OTHER_FIRST: Final = (
    "Crimson", "Hyper", "Silent", "Neon", "Last", "Astral", "Velvet", "Broken", "Infinite", "Electric", "Paper",
    "Glass", "Midnight", "Candy", "Iron", "Quantum", "Fallen", "Rainy", "Ultra", "Sapphire", "Lunar", "Chrono",
)  # fmt: skip
_OTHER_SECOND: Final = (
    "Overture", "Circuit", "Horizon", "Requiem", "Drive", "Garden", "Protocol", "Carnival", "Ascension", "Weather",
    "Machine", "Labyrinth", "Tempest", "Letters", "Cascade", "Blaster", "Rondo", "Equinox", "Signal", "Memoria",
)  # fmt: skip
_ENDINGS: Final = (
    "", "", "", "", "", "", " (Short Ver.)", " -神楽-", " feat. ミナモ", "!!", " ～second act～", " [2026 Mix]",
)  # fmt: skip
_ARTISTS: Final = (
    "Tsukiyo Works", "水無瀬ひかる", "DJ Paprika", "kanade*", "Sound Atelier 7", "白夜楽団", "Nekomata Electric",
    "HAL-K", "ルリカケス feat. ミナモ", "Orbit Minus One", "三日月ぱふぇ", "Dr. Reverb vs. 電波塔", "Y.Asagiri", "Ｌｏｗ　Ｔｉｄｅ",
)  # fmt: skip
_SUFFIXES: Final = (
    "【狂】", "【止】", "【改】", "【嘘】", "【両】", "【光】", "【？】", "【速】", "【戻】", "【弾】",
)  # fmt: skip
_ODD_IDS: Final = ("1234567890123456", "12345678e9012345", "0000000000000007")
"""Ids that look like numbers."""

_ULTIMA_SHARE: Final = 0.12
_WORLDS_END_EVERY: Final = 12
_ESTIMATED_UNDER: Final = 1000


def invented_catalogue(seed: int) -> Sequence[SourceSong]:
    """Return about 300 invented songs, World's End entries among them."""
    random = Random(f"songs {seed}")
    songs: list[SourceSong] = []
    for number, title in enumerate(_titles(random)):
        song = _song(random, title, number)
        songs.append(song)
        if number % _WORLDS_END_EVERY == 0:
            songs.append(_worlds_end(random, song))
    return songs


def _titles(random: Random) -> list[str]:
    titles: dict[str, None] = dict.fromkeys(_HARD_TITLES)
    wanted = SONGS * _WORLDS_END_EVERY // (_WORLDS_END_EVERY + 1)
    while len(titles) < wanted:
        if random.random() < 0.55:
            title = random.choice(_JAPANESE_FIRST) + random.choice(_JAPANESE_SECOND)
        else:
            title = f"{random.choice(_OTHER_FIRST)} {random.choice(_OTHER_SECOND)}"
        titles[title + random.choice(_ENDINGS)] = None
    shuffled = list(titles)
    random.shuffle(shuffled)
    return shuffled


def _song_id(title: str, number: int) -> SongId:
    if number < len(_ODD_IDS):
        return SongId(_ODD_IDS[number])
    return SongId(hashlib.sha256(title.encode()).hexdigest()[:16])


def _song(random: Random, title: str, number: int) -> SourceSong:
    ago = (_LAST_RELEASE - _FIRST_RELEASE) * random.random() ** _TOWARDS_TODAY
    released = _LAST_RELEASE - ago
    return SourceSong(
        song_id=_song_id(title, number),
        title=title,
        genre=random.choice(_GENRES),
        artist=random.choice(_ARTISTS),
        release=(released - timedelta(days=(released.weekday() - 3) % 7)).isoformat(),
        bpm=Hundredths(random.choice((0, *range(90, 260))) * 100),
        charts=tuple(_charts(random)),
    )


def _charts(random: Random) -> Iterator[SourceChart]:
    """Yield the charts of one song, each harder than the one before."""
    master = random.triangular(1080, 1520, 1340)
    notes = random.randint(350, 700)
    steps = [(BASIC, 0.27, 0.4), (ADVANCED, 0.46, 0.6), (EXPERT, 0.78, 1.0), (MASTER, 1.0, 1.6)]
    if random.random() < _ULTIMA_SHARE:
        steps.append((ULTIMA, 1.045, 2.1))
    for difficulty, share, density in steps:
        constant = min(1540, round(master * share / 10 + random.uniform(-2, 2)) * 10)
        is_known = constant >= _ESTIMATED_UNDER and random.random() > 0.03
        yield SourceChart(
            difficulty=difficulty,
            level=Hundredths(constant // 100 * 100 + (50 if constant % 100 >= 50 else 0)),
            constant=Hundredths(constant if is_known else 0),
            is_estimated=False,
            max_combo=int(notes * density),
        )


def _worlds_end(random: Random, song: SourceSong) -> SourceSong:
    title = song.title + random.choice(_SUFFIXES)
    chart = SourceChart(
        difficulty=WORLDS_END,
        level=Hundredths(0),
        constant=Hundredths(0),
        is_estimated=False,
        max_combo=random.randint(600, 2400),
    )
    return SourceSong(
        song_id=SongId(hashlib.sha256(f"WE {title}".encode()).hexdigest()[:16]),
        title=title,
        genre="WORLD'S END",
        artist=song.artist,
        release=song.release,
        bpm=song.bpm,
        charts=(chart,),
    )


_LAST_DAY_OF_JP: Final = "2021-11-04"
_TOP_OF_JP: Final = 1490


def older_generation(songs: Sequence[SourceSong], seed: int) -> list[SourceSong]:
    """Return the same songs as the old game, `jp`, had them: fewer, without ULTIMA, rated lower."""
    random = Random(f"jp {seed}")
    return [
        replace(
            song,
            charts=tuple(_older(random, chart) for chart in song.charts if chart.difficulty != ULTIMA),
        )
        for song in songs
        if (song.release or "") < _LAST_DAY_OF_JP
    ]


def _older(random: Random, chart: SourceChart) -> SourceChart:
    if chart.constant < _ESTIMATED_UNDER:
        return chart
    constant = min(_TOP_OF_JP, chart.constant - random.choice((0, 10, 20, 30, 40)))
    half_step = constant // 50 * 50 if constant % 100 >= 70 else constant // 100 * 100
    return replace(chart, level=Hundredths(half_step), constant=Hundredths(constant))
