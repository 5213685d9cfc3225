"""A week of a server's players, simulated: what each uses, and in which order, by how they play.

The chances below are how often somebody asks for something on such an occasion. Nothing is known of real ones but that a
player looks at the same few things before and after playing, and at songs in between.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

SONG, OTHER, TARGET = "<song>", "<other>", "<target>"
"""Stand where the song, member or rating of this time is named."""


@dataclass(frozen=True)
class Habit:
    """One command, and how likely it is on an occasion."""

    chance: float
    command: str
    options: Mapping[str, object]


def _habit(chance: float, command: str, **options: object) -> Habit:
    return Habit(chance, command, options)


BEFORE: Final = (
    _habit(0.40, "rating"),
    _habit(0.40, "best"),
    _habit(0.50, "plan"),
    _habit(0.15, "plan", target=TARGET),
    _habit(0.30, "practice"),
    _habit(0.30, "goal list"),
    _habit(0.20, "table", filter="lv:13+"),
)
AFTER: Final = (
    _habit(0.80, "session"),
    _habit(0.60, "rating"),
    _habit(0.70, "best"),
    _habit(0.15, "best", slot="recent"),
    _habit(0.35, "scores", filter="lv:13.. rank<sss", sort="score-"),
    _habit(0.20, "scores"),
    _habit(0.30, "goal list"),
    _habit(0.25, "plan"),
    _habit(0.15, "overpower"),
    _habit(0.20, "history"),
    _habit(0.15, "skill"),
    _habit(0.20, "leaderboard"),
    _habit(0.05, "worldsend"),
    _habit(0.05, "courses"),
)
CHAT: Final = (
    _habit(0.80, "song", title=SONG),
    _habit(0.40, "score", song=SONG),
    _habit(0.20, "border", song=SONG),
    _habit(0.15, "whatif", song=SONG, difficulty="MAS", score=1_008_000),
    _habit(0.20, "calc", constant="14.2", score=1_007_500),
    _habit(0.25, "search", filter="const>=13.5 genre:original"),
    _habit(0.20, "random", filter="lv:13", count=3),
    _habit(0.20, "stats", song=SONG),
    _habit(0.15, "new"),
    _habit(0.20, "compare", member=OTHER),
    _habit(0.10, "friends"),
    _habit(0.20, "leaderboard"),
    _habit(0.08, "leaderboard", song=SONG),
    _habit(0.05, "help"),
    _habit(0.05, "account"),
    _habit(0.03, "alias list"),
)


@dataclass(frozen=True)
class Kind:
    """How somebody plays."""

    share: float
    """Of all members."""
    plays: Sequence[float]
    """How likely on each day, from Monday on."""
    chats: float
    """How likely on any day."""


KINDS: Final = (
    Kind(0.3, (0.5, 0.5, 0.5, 0.5, 0.7, 0.9, 0.8), 0.6),
    Kind(0.5, (0.1, 0.1, 0.1, 0.1, 0.3, 0.6, 0.5), 0.3),
    Kind(0.2, (0.0, 0.0, 0.0, 0.0, 0.0, 0.05, 0.05), 0.4),
)
LOOKS_BEFORE: Final = 0.5
"""How likely somebody who plays looks at something before."""


@dataclass(frozen=True)
class Visit:
    """What one member asks at one time, one after another."""

    member: int
    """By number."""
    commands: Sequence[Habit]


def visits_of_week(members: int, chance: Random) -> list[Visit]:
    """Return all visits of a week, in the order of days."""
    kinds = chance.choices(KINDS, [kind.share for kind in KINDS], k=members)
    visits: list[Visit] = []
    for day in range(7):
        today = [visit for number, kind in enumerate(kinds) for visit in _day(number, kind, day, chance)]
        visits += chance.sample(today, len(today))
    return visits


def _day(number: int, kind: Kind, day: int, chance: Random) -> Iterator[Visit]:
    occasions: list[Sequence[Habit]] = []
    if chance.random() < kind.plays[day]:
        occasions += [BEFORE, AFTER] if chance.random() < LOOKS_BEFORE else [AFTER]
    if chance.random() < kind.chats:
        occasions.append(CHAT)
    for habits in occasions:
        if asked := [habit for habit in habits if chance.random() < habit.chance]:
            yield Visit(number, asked)
