"""Messages as Discord hands them to a bot: a file that an embed shows is named by the embed alone.

Source: Discord's documentation of 2026-04, which calls it intentional. simcord lists such files as attachments.
"""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from pydantic import JsonValue

JsonObject: TypeAlias = dict[str, JsonValue]

_SCHEME: Final = "attachment://"
_SIGNED: Final = "?ex=66aabbcc&is=66a96a4c&hm=0123456789abcdef&"
"""What follows in the address of every file: until when it is good, and a signature."""


def handed_out(value: JsonValue) -> JsonValue:
    """Return what the bot is told, with the files of every message in it that an embed shows left out."""
    if isinstance(value, dict):
        told = {key: handed_out(each) for key, each in value.items()}
        return _hiding(told) if "embeds" in told and "attachments" in told else told
    return [handed_out(each) for each in value] if isinstance(value, list) else value


def _hiding(message: JsonObject) -> JsonObject:
    files = {str(each["filename"]): each for each in _objects(message["attachments"])}
    shown: set[str] = set()
    embeds: list[JsonValue] = [_resolved(embed, files, shown) for embed in _objects(message["embeds"])]
    listed: list[JsonValue] = [each for name, each in files.items() if name not in shown]
    return {**message, "embeds": embeds, "attachments": listed}


def _resolved(embed: JsonObject, files: Mapping[str, JsonObject], shown: set[str]) -> JsonObject:
    """Return an embed whose picture has the address of its file; without it where there is no such file."""
    image = embed.get("image")
    url = str(image.get("url")) if isinstance(image, dict) else ""
    if not url.startswith(_SCHEME):
        return embed
    name = url.removeprefix(_SCHEME)
    if name not in files:
        return {key: value for key, value in embed.items() if key != "image"}
    shown.add(name)
    address = f"{files[name]['url']}{_SIGNED}"
    return {**embed, "image": {"url": address, "proxy_url": address, "width": 1, "height": 1}}


def _objects(value: JsonValue) -> Sequence[JsonObject]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
