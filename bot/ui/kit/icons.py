"""The icons of ranks, lamps and difficulties: the bot's own emoji, or words if Discord does not have them."""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from bot.domain.charts import DIFFICULTIES, ULTIMA, Difficulty, difficulty_name
from bot.domain.chronicle.state import LampFlags
from bot.domain.ids import Region
from bot.domain.members import Theme
from bot.domain.ranks import MAX_SCORE, Rank, rank_of
from bot.domain.scores import Lamps
from bot.ui.kit import icon_shapes as icons
from bot.ui.kit.icon_shapes import Icon, IconShape
from bot.ui.kit.palette import PALETTES
from bot.ui.language.text import Language

_PALETTE: Final = PALETTES[Theme.DARK]
"""The palette with bright plates and dark letters, which are legible on a light page too."""
_WHITE: Final = 0xFFFFFF
_EMOJI: Final = re.compile(r"[A-Za-z]+_k[0-9a-f]{8}")
"""The name of one of our emoji: the icon, and a digest of what it was made from."""
_FAILED: Final = "FAILED"
"""The only mark of a play that is not an achievement; it has no icon."""


def _rank(rank: Rank) -> Icon:
    colour = _PALETTE.ranks.get(rank.label, _PALETTE.ranks["AAA"])
    return Icon(rank.label.replace("+", "plus"), rank.label, IconShape.LEANING, colour, _PALETTE.ink)


def _difficulty(code: Difficulty) -> Icon:
    colours = _PALETTE.difficulties[code], _PALETTE.ink
    return Icon(
        code, difficulty_name(code), IconShape.SQUARE, *(colours[::-1] if code == ULTIMA else colours)
    )


_RANKS: Final[Mapping[Rank, Icon]] = {rank: _rank(rank) for rank in Rank}
_DIFFICULTIES: Final[Mapping[Difficulty, Icon]] = {code: _difficulty(code) for code in DIFFICULTIES}
_FULL_COMBO: Final = Icon("FC", "FC", IconShape.RING, _PALETTE.gold, _PALETTE.ink)
_ALL_JUSTICE: Final = Icon("AJ", "AJ", IconShape.ROUND, _PALETTE.gold, _PALETTE.ink)
_ALL_CRITICAL: Final = Icon("AJC", "AJC", IconShape.ROUND, _WHITE, _PALETTE.ink)
_FULL_CHAIN: Final = Icon("FCH", "FULL CHAIN", IconShape.RING, _PALETTE.gold, _PALETTE.ink)
_LAMPS: Final[Mapping[LampFlags, Icon]] = {
    LampFlags.FULL_COMBO: _FULL_COMBO,
    LampFlags.ALL_JUSTICE: _ALL_JUSTICE,
    LampFlags.FULL_CHAIN: _FULL_CHAIN,
}
ICONS: Final = (
    *_RANKS.values(),
    *_DIFFICULTIES.values(),
    _FULL_COMBO,
    _ALL_JUSTICE,
    _ALL_CRITICAL,
    _FULL_CHAIN,
)


@cache
def emoji_names() -> Mapping[str, Icon]:
    """Return all icons by the names of their emoji, which change with the drawing and are known without drawing."""
    drawing = Path(icons.__file__).read_bytes()
    return {
        f"{icon.name}_k{hashlib.blake2b(drawing + repr(icon).encode(), digest_size=4).hexdigest()}": icon
        for icon in ICONS
    }


def is_icon(emoji: str) -> bool:
    """Return whether an emoji has the name of an icon, of this version or another."""
    return _EMOJI.fullmatch(emoji) is not None


def rank_icon(t: Language, score: int, region: Region) -> str:
    """Return the icon of a score's rank."""
    return rank_name(t, rank_of(score, region))


def rank_name(t: Language, rank: Rank) -> str:
    """Return the icon of a rank."""
    return _shown(t, _RANKS[rank])


def difficulty_icon(t: Language, code: Difficulty) -> str:
    """Return the icon of a difficulty, or the code of an unknown one."""
    icon = _DIFFICULTIES.get(code)
    return difficulty_name(code) if icon is None else _shown(t, icon)


def lamp_icons(t: Language, lamps: Lamps | None, score: int) -> list[str]:
    """Return the icons of what a play earned, the best of each family, and the mark of a failed play."""
    if lamps is None:
        return []
    combo = _FULL_COMBO if lamps.is_full_combo else None
    if lamps.is_all_justice:
        combo = _ALL_CRITICAL if score == MAX_SCORE else _ALL_JUSTICE
    earned = [combo, _FULL_CHAIN if lamps.is_full_chain else None]
    shown = [_shown(t, icon) for icon in earned if icon is not None]
    return [*shown, _FAILED] if lamps.is_clear is False else shown


def lamp_icon(t: Language, lamp: LampFlags, words: str = "") -> str:
    """Return the icon of a full combo, an all justice or a full chain; `words`, if any, replace a missing icon."""
    return _shown(t, _LAMPS[lamp], words)


def _shown(t: Language, icon: Icon, words: str = "") -> str:
    return t.icons.get(icon.name, words or icon.label)
