"""Discord's rules for an application's own emoji. simcord accepts any, and discards their pictures.

Source: Discord's documentation, "Emoji resource": https://docs.discord.com/developers/resources/emoji
"""

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Final, cast

MAX_EMOJI: Final = 2_000
"""The most emoji of one application."""
MAX_EMOJI_BYTES: Final = 256 * 1024
_NAME: Final = re.compile(r"\w{2,32}", re.ASCII)
_PATH: Final = re.compile(r"/applications/\d+/emojis")
_IMAGE: Final = re.compile(r"data:image/(?:png|jpeg|gif|webp|avif);base64,(.+)")
_FULL: Final = (30008, "Maximum number of emojis reached (2000)")
_INVALID: Final = 50035


class EmojiRefused(Exception):
    """Discord refuses such an emoji."""

    def __init__(self, code: int, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(message)


def is_upload(method: str, path: str) -> bool:
    """Return whether a request uploads an emoji."""
    return method == "POST" and _PATH.fullmatch(path) is not None


def picture_of(body: object, names: list[str]) -> bytes:
    """Return the picture of an upload; `names` are those of existing emoji. Raises: EmojiRefused."""
    if len(names) >= MAX_EMOJI:
        raise EmojiRefused(*_FULL)
    said = cast("Mapping[str, object]", body if isinstance(body, dict) else {})
    name, image = str(said.get("name", "")), _IMAGE.fullmatch(str(said.get("image")))
    if _NAME.fullmatch(name) is None:
        raise EmojiRefused(
            _INVALID, "Invalid Form Body: name must be 2 to 32 letters, digits and underscores"
        )
    if name in names:
        raise EmojiRefused(_INVALID, "Invalid Form Body: this name is already taken")
    if image is None:
        raise EmojiRefused(_INVALID, "Invalid Form Body: invalid image data")
    try:
        picture = base64.b64decode(image[1], validate=True)
    except binascii.Error:
        raise EmojiRefused(_INVALID, "Invalid Form Body: invalid image data") from None
    if len(picture) > MAX_EMOJI_BYTES:
        raise EmojiRefused(_INVALID, "Invalid Form Body: file cannot be larger than 256.0 kb")
    return picture
