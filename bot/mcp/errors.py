"""Errors as sentences for an assistant, with what helps; never with a token, an address or others' words."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from mcp.server.mcpserver.exceptions import ToolError

from bot.domain.errors import (
    BadQuery,
    BotError,
    BudgetSpent,
    NotFound,
    NotYet,
    PlayerProtected,
    ServiceDown,
    TokenRejected,
    UnreadableReply,
)
from bot.domain.filters import BadFilter

P = ParamSpec("P")
R = TypeVar("R")


def sentence_of(error: BotError) -> str:  # noqa: PLR0911 - a table
    """Return what happened and what to do about it."""
    match error:
        case TokenRejected():
            return "The record service rejected the token: the player has to make a new one and put it into RECORD_TOKEN."
        case NotYet():
            return f"The record service cannot be asked this quickly: ask again at {_time(error)}."
        case BudgetSpent():
            return f"The player's requests to the record service are used up: ask again at {_time(error)}, not before."
        case PlayerProtected():
            return "The player is protected."
        case NotFound():
            return "Nothing is found by that: give an id, or a part of the title."
        case BadFilter():
            return _filter_sentence(error)
        case BadQuery():
            return f"That question cannot be asked: {error}."
        case ServiceDown():
            return f"The record service does not answer ({error.reason}): ask again in a few minutes."
        case UnreadableReply():
            return "The record service answered something that cannot be read: ask again in a few minutes."
        case _:
            return f"That cannot be answered: {error}."


def _time(error: BudgetSpent) -> str:
    return f"{error.retry_at:%Y-%m-%d %H:%M:%S} UTC"


def _filter_sentence(error: BadFilter) -> str:
    wanted = error.expected.name.lower().replace("_", " ")
    options = f", such as {', '.join(error.options)}" if error.options else ""
    return f"The filter cannot be read from character {error.start + 1} on: {wanted} is expected{options}."


def in_sentences(ask: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
    """Return a tool that says what went wrong in one sentence. Raises: ToolError."""

    @wraps(ask)
    async def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return await ask(*args, **kwargs)
        except BotError as error:
            said = sentence_of(error)
        raise ToolError(said)  # outside of the handler: no context

    return asked
