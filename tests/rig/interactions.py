"""What people ask of the bot, and who answers."""

import asyncio
import secrets
import time
from dataclasses import dataclass, field
from typing import Any, Final

from rig.guilds import ALL_PERMISSIONS, BOT, Json, channel, direct_channel, guild_id, member, snowflake, user
from rig.messages import LOADING, Messages, Refused, shown
from rig.world import ACKNOWLEDGE_SECONDS, World

TOKEN_SECONDS: Final = 900.0
"""Source: Discord's documentation, receiving and responding to interactions."""

_COMMAND: Final = 2
_COMPONENT: Final = 3
_AUTOCOMPLETE: Final = 4
_SUBCOMMANDS: Final = (1, 2)
_USER: Final = 6
_CHANNEL: Final = 7
_MESSAGE, _DEFERRED, _DEFERRED_EDIT, _EDIT = 4, 5, 6, 7
"""How a bot may answer first."""


@dataclass
class Asked:
    """One interaction, and what became of it."""

    payload: Json
    guild: int | None
    at: float = field(default_factory=time.monotonic)
    told: list[str] = field(default_factory=list[str])
    """The processes that were told."""
    tries: list[Json] = field(default_factory=list[Json])
    """Who has answered how, after how many seconds, and what Discord said to it."""
    is_acknowledged: bool = False
    message: str | None = None
    """The original answer, or the message whose button was pressed."""
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once somebody can read the answer."""

    @property
    def age(self) -> float:
        return time.monotonic() - self.at

    def report(self, messages: Messages) -> Json:
        """Return what a test may know."""
        answers = dict.fromkeys(each["message"] for each in self.tries)
        return {
            "guild": self.guild,
            "at": self.at,
            "age": self.age,
            "told": self.told,
            "tries": self.tries,
            "acknowledged": self.is_acknowledged,
            "answered": self.answered.is_set(),
            "messages": [shown(message) for each in answers if (message := messages.find(each))],
        }


class Interactions:
    """All that was asked."""

    def __init__(self, world: World, messages: Messages) -> None:
        self._world = world
        self._messages = messages
        self.commands: list[Json] = []
        """Those that are registered."""
        self.asked: dict[str, Asked] = {}
        """By token."""

    def ask(
        self,
        person: int,
        number: int | None,
        data: Json,
        pressed: str | None = None,
        *,
        is_typed: bool = False,
    ) -> Asked:
        """Make what is told to the bot when a person uses a command, types into it, or presses a button of a message."""
        place: Json = {"channel": direct_channel(person), "user": user(person), "context": 1}
        if number is not None:
            place = {
                "channel": channel(number), "member": member(person), "context": 0,
                "guild_id": str(guild_id(number)), "guild_locale": "en-US",
                "guild": {"id": str(guild_id(number)), "locale": "en-US", "features": []},
            }  # fmt: skip
        kind = _AUTOCOMPLETE if is_typed else _COMMAND if pressed is None else _COMPONENT
        payload: Json = {
            "id": snowflake(self._world.patience - ACKNOWLEDGE_SECONDS), "application_id": BOT["id"], "token": secrets.token_urlsafe(30), "version": 1,
            "type": kind, "data": data, "locale": "en-US", **place,
            "channel_id": place["channel"]["id"], "app_permissions": ALL_PERMISSIONS, "entitlements": [],
            "authorizing_integration_owners": {"0": place.get("guild_id", "0")},
            "attachment_size_limit": 10_485_760,
        }  # fmt: skip
        if pressed is not None:
            payload["message"] = self._messages.get(pressed)
        asked = Asked(payload, number, message=pressed)
        self.asked[payload["token"]] = asked
        return asked

    def command(self, name: str, values: dict[str, Any], typed: str | None = None) -> Json:
        """Return what is said of a command, such as "daily join", with the values of its options; one may be `typed` yet."""
        first, *rest = name.split()
        known = next(each for each in self.commands if each["name"] == first and each.get("type", 1) == 1)
        data: Json = {"id": known["id"], "name": first, "type": 1, "resolved": {}}
        inner = data
        for part in rest:
            known = next(each for each in known["options"] if each["name"] == part)
            inner["options"] = [{"name": part, "type": known["type"]}]
            (inner,) = inner["options"]
        types = {
            each["name"]: each["type"]
            for each in known.get("options", ())
            if each["type"] not in _SUBCOMMANDS
        }
        ids = {kind: [str(values[key]) for key in values if types[key] == kind] for kind in (_USER, _CHANNEL)}
        inner["options"] = [
            {
                "name": key,
                "type": types[key],
                "value": str(value) if types[key] in ids else value,
                **({"focused": True} if key == typed else {}),
            }
            for key, value in values.items()
        ]
        data["resolved"] = {
            "channels": {each: {**channel(0), "id": each} for each in ids[_CHANNEL]},
            "users": {each: user(int(each)) for each in ids[_USER]},
            "members": {each: {**member(int(each)), "user": None} for each in ids[_USER]},
        }
        return data

    def acknowledge(self, token: str, body: Json, files: list[str]) -> Json:
        """Take the first answer. Raises: Refused."""
        asked = self._get(token)
        if asked.is_acknowledged:
            self._world.note("answered_twice")
            raise Refused(400, 40060, "Interaction has already been acknowledged.")
        if asked.age > self._world.patience:
            self._world.note("answered_late")
            raise Refused(404, 10062, "Unknown interaction")
        asked.is_acknowledged = True
        data: Json = body.get("data") or {}
        kind, channel_id = body["type"], asked.payload["channel_id"]
        if kind == _EDIT:
            self._messages.edit(self._messages.get(asked.message), data, files)
        elif kind in (_MESSAGE, _DEFERRED):
            flags = data.get("flags", 0) | (LOADING if kind == _DEFERRED else 0)
            asked.message = self._messages.post(channel_id, {**data, "flags": flags}, files)[0]["id"]
        if kind not in (_DEFERRED, _DEFERRED_EDIT):
            asked.answered.set()
        self._world.note("acknowledged")
        return self.original(token) if kind in (_MESSAGE, _DEFERRED) else {}

    def original(self, token: str) -> Json:
        """Return the first answer. Raises: Refused."""
        return self._messages.get(self._get(token).message)

    def fill(self, token: str, body: Json, files: list[str]) -> Json:
        """Edit the first answer, or make what was deferred of it. Raises: Refused."""
        message = self.original(token)
        message["flags"] &= ~LOADING
        self._get(token).answered.set()
        return self._messages.edit(message, body, files)

    def follow_up(self, token: str, body: Json, files: list[str]) -> Json:
        """Say something more; the first one takes the place that was deferred. Raises: Refused."""
        asked = self._get(token)
        place = self._messages.find(asked.message)
        if place is not None and place["flags"] & LOADING:
            return self.fill(token, {**body, "flags": place["flags"] & ~LOADING}, files)
        asked.answered.set()
        return self._messages.post(asked.payload["channel_id"], body, files)[0]

    def note_try(self, token: str, **what: object) -> None:
        """Remember who has answered, and how."""
        if token in self.asked:
            asked = self.asked[token]
            asked.tries.append({"after": asked.age, **what})

    def _get(self, token: str) -> Asked:
        asked = self.asked.get(token)
        if asked is None or asked.age > TOKEN_SECONDS:
            raise Refused(401, 50027, "Invalid Webhook Token")
        return asked
