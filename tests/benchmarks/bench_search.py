"""How well and how fast songs are found, beside rapidfuzz's WRatio on the same titles and queries in one run.

The queries are derived by rules from the titles, with a fixed seed. On a saved `music/showall` reply, where
CATALOGUE names one or ../shared/data holds one, and on 10,000 invented titles. Exits 1 where a goal is missed.
"""

import importlib
import re
import sys
import time
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import quantiles
from typing import Final, Protocol

import jaconv
from rapidfuzz import fuzz, process
from saved import CATALOGUES, REAL, read_nicknames

from bot.domain.charts import Song
from bot.domain.folding import fold
from bot.domain.ids import JP2, SongId
from bot.domain.search import SongIndex
from bot.features.readings import read_titles
from bot.features.readings.meanings import read_meanings
from bot.wire.reading import read_reply
from bot.wire.songs import SongsReply

SEED: Final = 20260101
LEAST: Final = 100
A_CLASS: Final = 150
"""Queries of a class, where the titles give so many."""
INVENTED: Final = 10_000
RATIO: Final = 0.2
RUNS: Final = 3
KANJI: Final = re.compile(r"[\u4e00-\u9fff]")
KANA: Final = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
SYLLABLES: Final = (
    "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"
)
WORDS: Final = (
    "夜 月 光 花 風 空 星 夢 雪 海 森 雨 心 音 影 鏡 剣 炎 氷 雷 桜 紅 蒼 白 黒 金 銀 千 万 永 遠 幻 想 曲 歌 舞 踊 物 "
    "語 神 鬼 姫 王 少女 革命 記憶 未来 世界 時間 楽園 迷宮"
)
SHORT, CALLED, CALLED_SHORT = 5, 86, 66
"""Letters of a short nickname; shares of all and of short ones that are found among the first five, of 100."""
P50, P99, INDEX_SECONDS = 0.7, 1.5, 0.5
"""Milliseconds of a nickname, and seconds of an index."""
ROOT: Final = Path(__file__).parents[2]


class Features(Protocol):
    """What the dictionary says of a word."""

    kana: str | None


class Word(Protocol):
    """A word of a title."""

    surface: str
    feature: Features


KUNREI: Final = (
    ("shi", "si"), ("chi", "ti"), ("tsu", "tu"), ("fu", "hu"), ("ji", "zi"), ("j", "zy"), ("sh", "sy"), ("ch", "ty"),
)  # fmt: skip
"""Another romanisation than the index's."""

Rule = Callable[[str, Random], str]


@dataclass(frozen=True)
class Class:
    """One way in which people do not type the title as it is written."""

    name: str
    goal: float
    """Share found among the first five, of 100."""
    rule: Rule
    """Returns "" where the title gives no such query."""


def exact(title: str, _random: Random) -> str:
    return title


def swapped(title: str, _random: Random) -> str:
    if not KANA.search(title):
        return ""
    return "".join(jaconv.kata2hira(c) if jaconv.hira2kata(c) == c else jaconv.hira2kata(c) for c in title)


def other_width(title: str, _random: Random) -> str:
    full = jaconv.h2z(title, kana=True, ascii=True, digit=True)
    return full if full != title else jaconv.z2h(title, kana=True, ascii=True, digit=True)


def without_symbols(title: str, _random: Random) -> str:
    kept = "".join(c for c in title if c.isalnum() or c == "ー")
    return kept if kept and kept != title else ""


def one_typo(title: str, random: Random) -> str:
    places = [place for place, char in enumerate(title) if char.isalnum()]
    if len(places) < 4:
        return ""
    place = random.choice(places[:-1])
    alphabet = "かきさしたなにはみらるれん" if KANA.search(title) else "aeioustrnlmcd"
    typed = random.choice(alphabet)
    return random.choice(
        (
            title[:place] + title[place + 1 :],
            title[:place] + typed + title[place + 1 :],
            title[:place] + typed + title[place:],
            title[:place] + title[place + 1] + title[place] + title[place + 2 :],
        )
    )


def reading_rules() -> list[Class]:
    """Return the classes that type titles as an analyser with the whole of UniDic reads them."""
    tagger: Callable[[str], Iterable[Word]] = importlib.import_module("fugashi").Tagger()

    def kana(title: str, _random: Random) -> str:
        if not KANJI.search(title):
            return ""
        words = tagger(unicodedata.normalize("NFKC", title))
        return jaconv.kata2hira("".join(word.feature.kana or word.surface for word in words))

    def romaji(title: str, random: Random) -> str:
        letters = jaconv.kana2alphabet(kana(title, random)).replace("ー", "")
        for hepburn, kunrei in KUNREI:
            letters = letters.replace(hepburn, kunrei)
        return letters

    return [Class("kana reading", 90, kana), Class("romaji", 90, romaji)]


CLASSES: Final = [
    Class("exact", 95, exact),
    Class("kana swapped", 95, swapped),
    Class("half and full width", 95, other_width),
    Class("symbols missing", 95, without_symbols),
    Class("one typo", 95, one_typo),
]


def invented(random: Random) -> list[Song]:
    """Return songs with titles of invented words, kana and kanji."""
    onsets, vowels = "bdfghjklmnprstvwz", "aeiou"
    kanji = WORDS.split()
    ends = ("", "", "", "!", "!!", " (Remix)", " -another-", "～終章～", " feat. N", "☆", "・改")

    def latin() -> str:
        return "".join(
            random.choice(onsets) + random.choice(vowels) for _ in range(random.randint(2, 4))
        ) + random.choice(("", "n", "s", "r"))

    def word() -> str:
        kind = random.random()
        if kind < 0.45:
            return " ".join(latin().capitalize() for _ in range(random.randint(1, 3)))
        if kind < 0.65:
            return "".join(random.choice(SYLLABLES) for _ in range(random.randint(3, 7)))
        middle = random.choice(("", "", "の", "と", "・"))
        return (
            random.choice(kanji) + middle + random.choice(kanji) + random.choice(("", random.choice(kanji)))
        )

    titles: dict[str, None] = {}
    while len(titles) < INVENTED:
        titles[word() + random.choice(("", "", " " + word())) + random.choice(ends)] = None
    return [song(number, title) for number, title in enumerate(titles)]


def song(number: int, title: str) -> Song:
    return Song(
        id=SongId(f"{number:016x}"), title=title, genre=None, artist=f"artist {number % 400}", released_on=None,
        bpm=None, charts=(),
    )  # fmt: skip


def saved() -> Path | None:
    """Return a saved reply, if there is one."""
    return CATALOGUES[0] if CATALOGUES else None


def real() -> list[Song]:
    """Return the songs of a saved reply, or none."""
    reply = saved()
    return (
        [] if reply is None else list(read_reply(SongsReply, reply.read_bytes()).reply.to_domain(JP2).songs)
    )


def queries(songs: list[Song], each: Class, *, at_most: int = A_CLASS) -> list[tuple[str, SongId]]:
    random = Random(f"{SEED} {each.name}")
    shuffled = random.sample(songs, len(songs))
    made = ((query, song.id) for song in shuffled if (query := each.rule(song.title, random)))
    return [pair for pair, _ in zip(made, range(at_most), strict=False)]


def seconds(work: Callable[[], object]) -> float:
    """Return how long a core works at something: the least of three, for other programs are not measured."""

    def once() -> float:
        start = time.thread_time()
        work()
        return time.thread_time() - start

    return min(once() for _ in range(RUNS))


def percentiles(times: Iterable[float]) -> tuple[float, float]:
    """Return the 50th and 99th percentile, in milliseconds."""
    cuts = quantiles(times, n=100)
    return cuts[49] * 1000, cuts[98] * 1000


def bench(name: str, songs: list[Song], classes: list[Class], p99_goal: float) -> bool:
    start = time.thread_time()
    index = SongIndex(songs, reader=read_titles, meanings=read_meanings)
    print(f"\n{name}: {len(songs)} titles, indexed in {time.thread_time() - start:.2f} s")
    folded = [fold(song.title) for song in songs]
    ours: list[float] = []
    theirs: list[float] = []
    fine = True
    for each in classes:
        found = found_by_wratio = 0
        asked = queries(songs, each)
        for query, wanted in asked:
            ours.append(seconds(lambda query=query: index.search(query)))
            theirs.append(
                seconds(
                    lambda query=query: process.extract(fold(query), folded, scorer=fuzz.WRatio, limit=25)
                )
            )
            found += wanted in [song.id for song in index.search(query, limit=5)]
            likest = process.extract(fold(query), folded, scorer=fuzz.WRatio, limit=5)
            found_by_wratio += wanted in [songs[place].id for _title, _likeness, place in likest]
        share = 100 * found / len(asked)
        fine &= verdict(
            f"  {each.name:22}{share:6.1f} % of {len(asked)} among the first five (WRatio {100 * found_by_wratio / len(asked):5.1f} %)",
            ok=share >= each.goal and len(asked) >= LEAST, goal=f"{each.goal:g} % of {LEAST}",
        )  # fmt: skip
    first = sum(index.search(song.title, limit=1)[0].title == song.title for song in songs)
    fine &= verdict(
        f"  exact title first     {100 * first / len(songs):6.1f} % of {len(songs)}",
        ok=first == len(songs),
        goal="100 %",
    )
    (p50, p99), (their_p50, their_p99) = percentiles(ours), percentiles(theirs)
    fine &= verdict(
        f"  p50 {p50:.3f} ms, WRatio {their_p50:.3f} ms: {p50 / their_p50:.3f} of it",
        ok=p50 <= RATIO * their_p50,
        goal=f"{RATIO}",
    )
    fine &= verdict(
        f"  p99 {p99:.3f} ms, WRatio {their_p99:.3f} ms", ok=p99 <= p99_goal, goal=f"{p99_goal:g} ms"
    )
    return fine


def bench_nicknames(file: Path) -> bool:
    """Return whether songs are found by what players really call them as well and as fast as promised."""
    songs = list(read_reply(SongsReply, file.read_bytes()).reply.to_domain(JP2).songs)
    start = time.thread_time()
    index = SongIndex(songs, reader=read_titles, meanings=read_meanings)
    indexed = time.thread_time() - start
    titles = {song.title for song in songs}
    asked = [(name, title) for name, title in read_nicknames() if title in titles]

    def share(pairs: list[tuple[str, str]]) -> float:
        found = (title in [song.title for song in index.search(name, limit=5)] for name, title in pairs)
        return 100 * sum(found) / len(pairs)

    short = [pair for pair in asked if len(pair[0]) <= SHORT]
    p50, p99 = percentiles(seconds(lambda name=name: index.search(name)) for name, _title in asked)
    print(f"\n{file.stem}: {len(songs)} titles")
    verdicts = [
        verdict(f"  indexed in {indexed:.2f} s", ok=indexed <= INDEX_SECONDS, goal=f"{INDEX_SECONDS} s"),
        verdict(f"  nicknames {share(asked):.1f} % of {len(asked)}", ok=share(asked) >= CALLED, goal=f"{CALLED} %"),
        verdict(f"  short ones {share(short):.1f} % of {len(short)}", ok=share(short) >= CALLED_SHORT, goal=f"{CALLED_SHORT} %"),
        verdict(f"  p50 {p50:.3f} ms, p99 {p99:.3f} ms", ok=p50 <= P50 and p99 <= P99, goal=f"{P50} and {P99} ms"),
    ]  # fmt: skip
    return all(verdicts)


def verdict(line: str, *, ok: bool, goal: str) -> bool:
    print(f"{line}  {'ok' if ok else f'MISSED, goal {goal}'}")
    return ok


def main() -> int:
    classes = CLASSES + reading_rules()
    fine = True
    if songs := real():
        fine &= bench("saved catalogue", songs, classes, 3)
    else:
        print("no saved catalogue: name one with CATALOGUE=showall.json")
    for folder in REAL:
        for file in sorted(folder.glob("music_showall_*.json")):
            fine &= bench_nicknames(file)
    fine &= bench("invented", invented(Random(SEED)), classes, 10)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
