"""Discord's events: which are read, how much of each, and what happens to unreadable ones."""

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
"""The events that the bot uses, beside those that describe a server."""
NAMING_EVENTS: Final = frozenset({"GUILD_CREATE", "GUILD_UPDATE"})
"""The events that describe a server, with everything in it."""
_KEPT_KEYS: Final = frozenset({"id", "unavailable", "preferred_locale"})
"""The only parts of a server that are kept: with channels and roles it would take twenty times the memory."""
CONNECTION: Final = "connection"
"""The name, in the counts of unreadable events, for a connection that sends something unreadable."""


def count_unreadable() -> Counter[str]:
    """Return counts of unreadable events, all zero, by kind."""
    return Counter(dict.fromkeys((*HANDLED_EVENTS, *NAMING_EVENTS, CONNECTION), 0))


def restrict_events(
    state: ConnectionState[Any], joined: MutableMapping[int, str], unreadable: MutableMapping[str, int]
) -> None:
    """Restrict discord.py to the events that the bot uses; an unreadable event does not affect others.

    `joined` collects when the bot joined each described server, `unreadable` counts unreadable events.
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
    """Parse a message in Discord's response as discord.py does. Raises: UnreadableMessage."""
    try:
        return create(channel=channel, data=data)
    except Exception as error:
        raise UnreadableMessage(int(data["id"])) from error


def _parse_guarded(
    parse: Callable[[Any], None], name: str, unreadable: MutableMapping[str, int], said: Any
) -> None:
    """Parse an event that may be malformed, which without this would end the whole bot."""
    try:
        parse(said)
    except Exception:  # one bad event must not stop the others
        unreadable[name] += 1
        _logger.exception("a Discord event could not be read: %s", name)


def _parse_joined(
    parse: Callable[[Any], None], joined: MutableMapping[int, str], named: Mapping[str, Any]
) -> None:
    """Note when the bot joined a server: discord.py does not keep that without members."""
    if isinstance(when := named.get("joined_at"), str):
        joined[int(named["id"])] = when
    parse(named)


def _parse_kept(parse: Callable[[Any], None], named: Mapping[str, Any]) -> None:
    """Make discord.py keep only the used parts of a server."""
    parse({key: value for key, value in named.items() if key in _KEPT_KEYS})
