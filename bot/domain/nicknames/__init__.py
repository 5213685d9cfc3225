"""What players call songs: initials and short forms, and how Japanese titles sound and what they mean in English."""

from bot.domain.nicknames.index import Meanings, NicknameIndex

__all__ = ["Meanings", "NicknameIndex"]
