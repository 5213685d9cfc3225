"""What players call songs: initials and short forms, and how Japanese titles sound and what they mean in English."""

from bot.domain.nicknames.index import Kin, Kinship, Meanings, NicknameIndex

__all__ = ["Kin", "Kinship", "Meanings", "NicknameIndex"]
