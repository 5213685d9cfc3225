"""What players call songs: initials, short forms, and the sounds and English meanings of Japanese titles."""

from bot.domain.nicknames.index import Kin, Kinship, Meanings, NicknameIndex

__all__ = ["Kin", "Kinship", "Meanings", "NicknameIndex"]
