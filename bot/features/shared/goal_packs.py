"""Packs of goals: several under one code, with a title and who made it, as a text that is handed on."""

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
"""A pack as a text is no longer: it is what a form of Discord's takes."""
MAX_TITLE: Final = 60
MAX_AUTHOR: Final = 40
_FORMAT: Final = 1
"""The number of the form in which packs are written; another one is of another version of this bot."""


class PackFlaw(StrEnum):
    """The reason why a text is no pack of goals."""

    NO_PACK = "no pack"
    OTHER_FORMAT = "other format"
    GOAL = "goal"
    NO_GOAL = "no goal"
    """It is one, where a single goal was wanted."""
    ONE_GOAL = "one goal"
    """It is a single goal, where a pack was wanted."""
    UNKNOWN_CODE = "unknown code"
    """It is the code of no pack and of no goal."""


class BadPack(BotError):
    """A text is no pack of goals that this version reads, or no code of one."""

    def __init__(self, flaw: PackFlaw, goal: str = "") -> None:
        super().__init__(f"bad pack: {flaw}")
        self.flaw = flaw
        self.goal = goal
        """It cannot be read; empty where something else is wrong."""


class _Form(BaseModel):
    """What every pack says, however old or new it is."""

    kiroku_goals: int


class _PackText(BaseModel):
    """A pack of goals as its JSON is written."""

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
    """Who made it, in their own words; may be empty."""
    goals: tuple[Goal, ...]
    """The goals, each once."""

    @override
    def __str__(self) -> str:
        written = _PackText(
            kiroku_goals=_FORMAT, title=self.title, author=self.author, goals=tuple(map(str, self.goals))
        )
        return written.model_dump_json()


def read_pack(text: str) -> GoalPack:
    """Return the pack that a text says. Raises: BadPack."""
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
    """Return packs by their codes, without those that another version has written."""
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
