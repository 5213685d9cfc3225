"""Goal packs: several goals under one code, with a title and an author, as text to share."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import from_json
from typing_extensions import override

from bot.domain.errors import BadQuery, BotError
from bot.domain.goals import BadGoal, Goal, parse_goal
from bot.domain.typed import MAX_KEPT_CHARACTERS, ControlCharacter, TooLong, check_kept, check_typed

MAX_PACK_GOALS: Final = 10
MAX_PACK_CHARACTERS: Final = 4_000
"""The most characters of a pack's text: the limit of a Discord form field."""
MAX_TITLE: Final = 60
MAX_AUTHOR: Final = 40
_FORMAT: Final = 1
"""The version of the pack format; other numbers come from another version of this bot."""


class PackFlaw(StrEnum):
    """The reason why a text is not a valid goal pack."""

    NO_PACK = "no pack"
    OTHER_FORMAT = "other format"
    GOAL = "goal"
    NO_GOAL = "no goal"
    """It is a pack where a single goal was expected."""
    ONE_GOAL = "one goal"
    """It is a single goal where a pack was expected."""
    UNKNOWN_CODE = "unknown code"
    """It is a code of neither a pack nor a goal."""


class BadPack(BotError):
    """A text is not a goal pack that this version can read, nor a known code."""

    def __init__(self, flaw: PackFlaw, goal: str = "") -> None:
        super().__init__(f"bad pack: {flaw}")
        self.flaw = flaw
        self.goal = goal
        """The goal that cannot be read; empty for other flaws."""


class _Form(BaseModel):
    """The part common to packs of every format."""

    kiroku_goals: int


class _PackText(BaseModel):
    """A goal pack as JSON."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    kiroku_goals: Literal[1]
    """The number of the format."""
    title: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_TITLE)]
    author: Annotated[str, StringConstraints(strip_whitespace=True, max_length=MAX_AUTHOR)] = ""
    goals: Annotated[
        tuple[Annotated[str, StringConstraints(min_length=1, max_length=MAX_KEPT_CHARACTERS)], ...],
        Field(min_length=1, max_length=MAX_PACK_GOALS, strict=False),
    ]


@dataclass(frozen=True, slots=True)
class GoalPack:
    """Several goals under one title, which are set together."""

    title: str
    author: str
    """The author in their own words; may be empty."""
    goals: tuple[Goal, ...]
    """The goals, without duplicates."""

    @override
    def __str__(self) -> str:
        written = _PackText(
            kiroku_goals=_FORMAT, title=self.title, author=self.author, goals=tuple(map(str, self.goals))
        )
        return written.model_dump_json()


def read_pack(text: str) -> GoalPack:
    """Return the pack in a text. Raises: BadPack."""
    try:
        raw = from_json(text) if len(text) <= MAX_PACK_CHARACTERS else None
        if _Form.model_validate(raw).kiroku_goals != _FORMAT:
            raise BadPack(PackFlaw.OTHER_FORMAT)
        written = _PackText.model_validate(raw)
        for line in (written.title, written.author, *written.goals):
            check_typed(line)
    except (ValueError, ControlCharacter):  # pydantic's own error is a ValueError
        raise BadPack(PackFlaw.NO_PACK) from None
    goals = dict.fromkeys(map(_goal, written.goals))
    return GoalPack(written.title, written.author, tuple(goals))


def read_kept(kept: Iterable[tuple[str, str]]) -> dict[str, GoalPack]:
    """Return packs by code, without those written by another version."""
    found: dict[str, GoalPack] = {}
    for code, text in kept:
        with suppress(BadPack):
            found[code] = read_pack(text)
    return found


def _goal(text: str) -> Goal:
    try:
        goal = parse_goal(text)
        check_kept(str(goal))
    except (BadQuery, BadGoal, TooLong):
        raise BadPack(PackFlaw.GOAL, text) from None
    return goal
