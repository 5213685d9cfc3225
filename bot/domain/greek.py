"""Greek and Cyrillic letters in titles: read by their looks, by their sounds, and by their names."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

_LETTERS: Final = re.compile(r"[\u0370-\u03ff\u0400-\u04ff]")
_ALONE: Final = re.compile(rf"(?<![^\W\d_]){_LETTERS.pattern}(?![^\W\d_])")
"""A letter that is a word of its own, as in "Project Ω"."""

_LOOKS: Final = str.maketrans(
    {
        "Δ": "a", "Θ": "o", "Λ": "a", "Ξ": "e", "Σ": "e", "Φ": "o", "Ψ": "y", "Ω": "o",
        "α": "a", "β": "b", "γ": "y", "δ": "d", "ε": "e", "η": "n", "θ": "o", "ι": "i", "κ": "k", "λ": "a", "μ": "u",
        "ν": "v", "ο": "o", "π": "n", "ρ": "p", "σ": "o", "ς": "s", "τ": "t", "υ": "u", "φ": "o", "χ": "x", "ω": "w",
        "Α": "a", "Β": "b", "Ε": "e", "Ζ": "z", "Η": "h", "Ι": "i", "Κ": "k", "Μ": "m", "Ν": "n", "Ο": "o", "Ρ": "p",
        "Τ": "t", "Υ": "y", "Χ": "x",
        "Д": "a", "И": "n", "Й": "n", "Я": "r", "Г": "r", "Ш": "w", "Щ": "w", "Ц": "u", "Ч": "y", "Ф": "o", "Э": "e",
        "А": "a", "В": "b", "Е": "e", "К": "k", "М": "m", "Н": "h", "О": "o", "Р": "p", "С": "c", "Т": "t", "У": "y",
        "Х": "x", "д": "a", "и": "n", "я": "r", "г": "r", "ш": "w", "ц": "u", "ч": "y", "э": "e",
        "а": "a", "в": "b", "е": "e", "к": "k", "м": "m", "н": "h", "о": "o", "р": "p", "с": "c", "т": "t", "у": "y",
        "х": "x",
    }
)  # fmt: skip
"""The Latin letters that they resemble and replace in titles: "Λzure" is "Azure"."""
_SOUNDS: Final = str.maketrans(
    {
        "α": "a", "β": "b", "γ": "g", "δ": "d", "ε": "e", "ζ": "z", "η": "e", "θ": "th", "ι": "i", "κ": "k", "λ": "l",
        "μ": "m", "ν": "n", "ξ": "x", "ο": "o", "π": "p", "ρ": "r", "σ": "s", "ς": "s", "τ": "t", "υ": "y", "φ": "ph",
        "χ": "ch", "ψ": "ps", "ω": "o",
        "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ё": "e", "ж": "zh", "з": "z", "и": "i", "й": "i",
        "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f",
        "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "sh", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "yu",
        "я": "ya",
    }
)  # fmt: skip


def latin_readings(text: str) -> Iterator[str]:
    """Yield Latin spellings by looks, by sound, and by names of single letters; nothing for a text without such."""
    plain = "".join(char for char in unicodedata.normalize("NFD", text) if not unicodedata.combining(char))
    if not _LETTERS.search(plain):
        return
    yield plain.translate(_LOOKS)
    yield plain.lower().translate(_SOUNDS)
    named = _ALONE.sub(lambda found: _name(found[0]), plain)
    if named != plain:
        yield named.lower().translate(_SOUNDS)


def _name(letter: str) -> str:
    """Return a letter's name: "omega" for "Ω"."""
    name = unicodedata.name(letter).rpartition(" ")[2].lower()
    return "lambda" if name == "lamda" else name
