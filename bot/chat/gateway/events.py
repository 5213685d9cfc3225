"""What Discord tells over a connection: the events that are read, how much of them, and those that cannot be."""

import logging
from collections import Counter
from collections.abc import Callable, Mapping, MutableMapping
from functools import partial
from typing import Any, Final

import discord
from discord.state import ConnectionState

from bot.domain.errors import UnreadableMessage

_logger = logging.getLogger(__name__)

HANDLED_EVENTS: Final = frozenset(
    {"READY", "RESUMED", "GUILD_DELETE", "GUILD_MEMBERS_CHUNK", "INTERACTION_CREATE", "MESSAGE_CREATE"}
)
"""The bot listens to these, beside those that name a server; nothing here would use any other."""
NAMING_EVENTS: Final = frozenset({"GUILD_CREATE", "GUILD_UPDATE"})
"""These name a server, with everything that is in it."""
_KEPT_KEYS: Final = frozenset({"id", "unavailable", "preferred_locale"})
"""Only these parts of a server are read: with its channels and roles it would take twenty times the room."""
CONNECTION: Final = "connection"
"""The name in the counts of unreadable events for all that a connection says, where it cannot be read at all."""


def count_unreadable() -> Counter[str]:
    """Return a count of unreadable events at zero, by their kinds."""
    return Counter(dict.fromkeys((*HANDLED_EVENTS, *NAMING_EVENTS, CONNECTION), 0))


def restrict_events(
    state: ConnectionState[Any], joined: MutableMapping[int, str], unreadable: MutableMapping[str, int]
) -> None:
    """Have discord.py read the events that the bot uses and nothing else; one that it cannot read costs itself alone.

    `joined` collects when the bot has joined each server that is named, `unreadable` how many events could not be read.
    """
    parsers = state.parsers
    handled = {name: parsers[name] for name in HANDLED_EVENTS}
    handled |= {name: partial(_parse_kept, parsers[name]) for name in NAMING_EVENTS}
    handled["GUILD_CREATE"] = partial(_parse_joined, handled["GUILD_CREATE"], joined)
    state.parsers = {
        name: partial(_parse_guarded, parse, name, unreadable) for name, parse in handled.items()
    }
    state.create_message = partial(_create_message, state.create_message)


def _create_message(create: Callable[..., discord.Message], *, channel: Any, data: Any) -> discord.Message:
    """Make what discord.py makes of a message that Discord has answered with. Raises: UnreadableMessage."""
    try:
        return create(channel=channel, data=data)
    except Exception as error:
        raise UnreadableMessage(int(data["id"])) from error


def _parse_guarded(
    parse: Callable[[Any], None], name: str, unreadable: MutableMapping[str, int], said: Any
) -> None:
    """Have an event read that may be other than discord.py believes, which would end the whole bot."""
    try:
        parse(said)
    except Exception:  # whatever is wrong with an event, others follow
        unreadable[name] += 1
        _logger.exception("an event of Discord's could not be read: %s", name)


def _parse_joined(
    parse: Callable[[Any], None], joined: MutableMapping[int, str], named: Mapping[str, Any]
) -> None:
    """Note when the bot has joined a server that Discord names: discord.py has no place for it without members."""
    if isinstance(when := named.get("joined_at"), str):
        joined[int(named["id"])] = when
    parse(named)


def _parse_kept(parse: Callable[[Any], None], named: Mapping[str, Any]) -> None:
    """Have discord.py keep only what is read of a server that Discord names."""
    parse({key: value for key, value in named.items() if key in _KEPT_KEYS})
