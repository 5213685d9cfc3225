"""Messages of the bot, as Discord keeps and hands them out."""

import time
from collections.abc import Iterator, Sequence
from typing import Final

from rig.guilds import BOT, JOINED, Json, snowflake

LOADING: Final = 1 << 7
NONCE_SECONDS: Final = 300.0
"""For which an enforced nonce holds: "the past few minutes"."""
LONGEST_NONCE: Final = 25
_FILES: Final = "https://cdn.example/"


class Refused(Exception):
    """What Discord does not do; the code is Discord's."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.body = {"code": code, "message": message}


class Messages:
    """All that stand, by their ids, and what was posted under which nonce."""

    def __init__(self) -> None:
        self._messages: dict[str, Json] = {}
        self._nonces: dict[tuple[str, str], tuple[float, Json]] = {}

    def __iter__(self) -> Iterator[Json]:
        return iter(self._messages.values())

    def find(self, message_id: str | None) -> Json | None:
        return self._messages.get(message_id or "")

    def get(self, message_id: str | None) -> Json:
        """Return a message. Raises: Refused."""
        message = self.find(message_id)
        if message is None:
            raise Refused(404, 10008, "Unknown Message")
        return message

    def post(self, channel: str, body: Json, files: Sequence[str] = ()) -> tuple[Json, bool]:
        """Return the message that a request makes, or made before under its nonce, and whether it is new."""
        nonce = str(body.get("nonce") or "")
        if len(nonce) > LONGEST_NONCE:
            raise Refused(400, 50035, "Invalid Form Body")
        at, before = self._nonces.get((channel, nonce), (-NONCE_SECONDS, {}))
        if nonce and body.get("enforce_nonce") and time.monotonic() - at < NONCE_SECONDS:
            return before, False
        message: Json = {
            "id": snowflake(), "channel_id": channel, "author": BOT, "type": 0, "tts": False, "pinned": False,
            "timestamp": JOINED, "edited_timestamp": None, "mention_everyone": False, "mentions": [],
            "mention_roles": [], "content": "", "attachments": [], "embeds": [], "components": [], "flags": 0,
            "nonce": body.get("nonce"),
        }  # fmt: skip
        self._messages[message["id"]] = self.edit(message, body, files)
        if nonce:
            self._nonces[channel, nonce] = time.monotonic(), message
        return message, True

    def edit(self, message: Json, body: Json, files: Sequence[str] = ()) -> Json:
        """Change what is named: of the files those go that a list of them does not name."""
        message |= {key: body[key] or type(message[key])() for key in _EDITED if key in body}
        if "attachments" in body:
            named = {str(each["id"]) for each in body["attachments"]}
            message["attachments"] = [each for each in message["attachments"] if each["id"] in named]
        message["attachments"] += [
            {"id": snowflake(), "filename": name, "size": 1, "url": _FILES + name, "proxy_url": _FILES + name}
            for name in files
        ]
        for embed in message["embeds"]:
            url = embed.get("image", {}).get("url", "")
            if url.startswith("attachment://"):
                embed["image"] = {"url": _FILES + url.removeprefix("attachment://")}
        return message

    def say(self, channel: str, author: Json, text: str) -> Json:
        """Return the message that a person writes."""
        message, _ = self.post(channel, {"content": text})
        return message | {"author": author, "mentions": [BOT] if f"<@{BOT['id']}>" in text else []}

    def delete(self, message_id: str) -> None:
        """Delete a message. Raises: Refused."""
        self.get(message_id)
        del self._messages[message_id]

    def clear(self) -> None:
        """Delete all messages."""
        self._messages.clear()
        self._nonces.clear()

    def in_channel(self, channel: str) -> list[Json]:
        """Return what stands in a channel, oldest first."""
        return [shown(each) for each in self._messages.values() if each["channel_id"] == channel]


_EDITED: Final = ("content", "embeds", "components", "flags")


def shown(message: Json) -> Json:
    """Return a message as it is handed out: files that an embed shows are not listed."""
    used = {embed.get("image", {}).get("url") for embed in message["embeds"]}
    return {**message, "attachments": [each for each in message["attachments"] if each["url"] not in used]}
