"""Invented players: names, talents and friendships."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Final

from bot.domain.numbers import Hundredths
from service.careers import Leanings, Talent

_FIRST: Final = (
    "minamo", "haruka", "kaede", "sora", "yuzu", "ren", "tsubaki", "aki", "nagi", "hotaru", "riku", "mio",
)  # fmt: skip
_SECOND: Final = ("_plays", "88", "_ch", "Star", "_0401", "X", "neko", "_jp", "Beat", "desu", "_r", "2112")
_GAME_NAMES: Final = (
    "ＭＩＮＡＭＯ", "はるか♪", "カエデ＠雪国", "ＳＯＲＡ．", "ゆずしお", "Ｒｅｎ☆", "つばき", "ＡＫＩ－Ｋ",
    "凪", "ほたるび", "リクト", "mio", "ＮＥＫＯ２", "Dr.Beat", "夜更かし", "ＳＴＡＲＲＹ",
)  # fmt: skip
_HONORS: Final = (
    "はじめの一歩", "ようこそ！", "Rhythm Tourist", "コンボの達人", "夜更かしの常連", "千曲踏破", "SSS Collector",
    "**最強**を目指す者", "虹色の旅人",
)  # fmt: skip
_HONOR_TYPES: Final = 6
_DESCRIPTIONS: Final = (
    "", "よろしくお願いします！", "[b]rating 17[/b] を目指しています", "Mostly weekends. [url=https://example.com]log[/url]",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A player without any plays yet."""

    user_name: str
    player_name: str
    is_protected: bool
    talents: tuple[Talent, ...]
    """One talent per region, the default region first; there may be fewer regions."""
    honor: str
    honor_type: int
    description: str
    level: int
    class_emblem: int


@dataclass(frozen=True, slots=True)
class _Role:
    """A player that tests and the demo rely on, always at the same position in the list."""

    user_name: str
    player_name: str
    talents: tuple[Talent, ...]
    is_protected: bool = False


def _talent(skill: int, share: float = 0.75, max_records: int | None = None) -> Talent:
    return Talent(skill=Hundredths(skill), share=share, max_records=max_records)


_CAST: Final = (
    _Role("minamo_plays", "ＭＩＮＡＭＯ", (_talent(1455), _talent(1390))),
    _Role("haruka88", "はるか♪", (_talent(1340), _talent(1290)), is_protected=True),
    _Role("kaede_0401", "カエデ＠雪国", (_talent(1280),), is_protected=True),
    _Role("sora_ch", "ＳＯＲＡ．", (_talent(1180, max_records=17),)),
    _Role("yuzu_new", "ゆずしお", (_talent(1000, max_records=0),)),
    _Role("ren_STAR", "*Ren* _☆_ `1`", (_talent(1395),)),
    _Role("mio", "mio", (_talent(1270, 0.5),)),
    _Role("DrBeat", "Dr.Beat", (_talent(1520, 0.9), _talent(1450))),
    _Role("minji_02", "ＭＩＮＪＩ", (_talent(1415),)),
    _Role("xiaoyu", "Ｘｉａｏｙｕ", (_talent(1360),)),
)

FRIENDS: Final = ((0, 1), (5, 0), (0, 6), (7, 0), (1, 5), (2, 6))
"""Pairs of the player who asked and the one who accepted, as positions in the list."""
REQUESTS: Final = ((3, 0), (0, 4), (7, 2))
"""Pairs of the player who asked and the one who has not answered yet, as positions in the list."""


def invented_people(random: Random, count: int) -> list[Person]:
    """Return `count` players; the first ones are always the same cast."""
    roles = [*_CAST[:count], *(_passer_by(random, number) for number in range(len(_CAST), count))]
    return [_person(random, role, _leanings(number)) for number, role in enumerate(roles)]


def _leanings(number: int) -> Leanings:
    return Leanings.of(f"player {number}")


@cache
def talent_of(user_name: str) -> Talent:
    """Return the talent of a player of the cast in today's game. Raises: KeyError."""
    number, talent = {role.user_name: (at, role.talents[0]) for at, role in enumerate(_CAST)}[user_name]
    return replace(talent, leanings=_leanings(number))


def crowd_talent(random: Random) -> Talent:
    """Return the talent of a player of the crowd: most charts were played for years, so the rating is accurate."""
    return _talent(int(random.triangular(1200, 1560, 1440)), random.uniform(0.75, 0.95))


def crowd_person(number: int) -> Person:
    """Return a player of the crowd, who appears only in statistics."""
    return Person(
        user_name=f"player_{number}",
        player_name="ＰＬＡＹＥＲ",
        is_protected=True,
        talents=(),
        honor=_HONORS[0],
        honor_type=0,
        description="",
        level=1,
        class_emblem=0,
    )


def any_talent(random: Random) -> Talent:
    """Return the talent of a player whom nothing relies on, in today's game."""
    return _talent(int(random.triangular(900, 1530, 1330)), random.uniform(0.1, 0.8))


def _passer_by(random: Random, number: int) -> _Role:
    talents = [any_talent(random)]
    if random.random() < 0.3:
        talents.append(_talent(talents[0].skill - 60, talents[0].share / 2))
    name = f"{random.choice(_FIRST)}{random.choice(_SECOND)}_{number}"
    return _Role(name, random.choice(_GAME_NAMES), tuple(talents), is_protected=random.random() < 0.15)


def _person(random: Random, role: _Role, leanings: Leanings) -> Person:
    return Person(
        user_name=role.user_name,
        player_name=role.player_name,
        is_protected=role.is_protected,
        talents=tuple(replace(talent, leanings=leanings) for talent in role.talents),
        honor=random.choice(_HONORS),
        honor_type=random.randrange(_HONOR_TYPES),
        description=random.choice(_DESCRIPTIONS),
        level=random.randint(1, 200),
        class_emblem=random.randrange(7),
    )


def friendships(random: Random, people: Sequence[Person]) -> dict[tuple[int, int], bool]:
    """Return who asked whom, as positions in the list, and whether they accepted."""
    pairs = dict.fromkeys(FRIENDS, True) | dict.fromkeys(REQUESTS, False)
    for one in range(len(_CAST), len(people)):
        for _ in range(random.randrange(6)):
            other = random.randrange(len(people))
            if other > 2 and other != one and (other, one) not in pairs:
                pairs[one, other] = random.random() < 0.8
    return {pair: accepted for pair, accepted in pairs.items() if max(pair) < len(people)}
