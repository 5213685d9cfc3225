"""Sounds of kana and English, converted to one coarse spelling: "スパイダーダンス" and "spider dance" become similar.

English is pronounced by its spelling. Its vowels are hardly reliable, so comparisons start with the consonants.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice, product
from typing import Final

import jaconv

_REMEMBERED_WORDS: Final = 16_384
_MAX_WORDS: Final = 8
_MAX_WAYS: Final = 6
"""The most pronunciations of a phrase: each word has up to two, and a long phrase would have hundreds."""

_VOWEL: Final = re.compile("[aeiouyw]")
_REPEATED: Final = re.compile(r"(.)\1+")

_KANA_OF_LOAN_WORDS: Final = (
    ("てぃ", "ti"), ("でぃ", "DI"), ("とぅ", "tu"), ("どぅ", "du"), ("でゅ", "du"), ("うぃ", "wi"), ("うぇ", "we"),
    ("うぉ", "wo"), ("ふぁ", "ha"), ("ふぃ", "hi"), ("ふぇ", "he"), ("ふぉ", "ho"), ("ゔぁ", "ba"), ("ゔぃ", "bi"),
    ("ゔぇ", "be"), ("ゔぉ", "bo"), ("ゔ", "bu"), ("じぇ", "ze"), ("しぇ", "se"), ("ちぇ", "te"), ("つぁ", "ta"),
)  # fmt: skip
"""Syllables that jaconv spells letter by letter; DI is not "zi", as "di" is in plain romaji."""

_FROM_KANA: Final = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        ("DI", "di"), ("x?tsu", "tu"), ("ch|tc", "t"), ("sh|j|z", "s"), ("f", "h"), ("v", "b"), ("l", "r"),
        (r"(?<=[a-z])y(?=[aou])", ""), ("m(?=[bp])", "n"), ("[^a-z]", ""), (r"(.)\1+", r"\1"),
    )
)  # fmt: skip

_FROM_ENGLISH: Final = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        # Beginnings that are not pronounced as they are written.
        ("[^a-z]", ""), ("^kn", "n"), ("^wr", "r"), ("^ps", "s"), ("^who", "ho"), ("^whi", "hoi"), ("wh", "w"),
        # Endings and groups of letters that are one sound.
        ("mb$", "m"), ("[ts]ch?ion|sion|tion|cean", "son"), ("[ct]ious", "sas"), ("ture", "ta"), ("igh", "ai"),
        ("gh(?=t|$)", ""), ("ph", "h"), ("ck", "k"), ("que$", "k"), ("qu", "ku"), ("sc(?=[eiy])", "s"), ("x", "ks"),
        ("^sch", "sk"), ("tch|ch", "t"), ("sh|th", "s"), ("t[sz]", "t"), ("c(?=[eiy])", "s"), ("c", "k"),
        ("dge", "se"), ("[jz]", "s"),
        # An r after a vowel is only a long vowel in kana.
        ("[eo]r(?=s?$)", "a"), ("(?<=[aeiou])r+e?(?=s?$)", ""), ("(?<=[aeiou])r(?=[^aeiouyr])", ""),
        # Sounds that kana does not distinguish.
        ("f", "h"), ("v", "b"), ("l", "r"), ("m(?=[bp])", "n"),
        ("ee|ea", "i"), ("oo|ou", "u"), ("ay|ai", "ei"), ("(?<=[a-z])y", "i"), (r"(.)\1+", r"\1"),
        ("(?<=[^aeiou])e$", ""),
    )
)  # fmt: skip


def consonants(sound: str) -> str:
    """Return a sound without its vowels."""
    return _VOWEL.sub("", sound)


@lru_cache(_REMEMBERED_WORDS)
def kana_sound(text: str) -> str:
    """Return the sound of kana, without long vowels and stops; of other characters, only Latin letters are kept."""
    hiragana = jaconv.kata2hira(unicodedata.normalize("NFKC", text)).replace("ー", "").replace("っ", "")
    for kana, letters in _KANA_OF_LOAN_WORDS:
        hiragana = hiragana.replace(kana, letters)
    sound = jaconv.kana2alphabet(hiragana)
    for pattern, by in _FROM_KANA:
        sound = pattern.sub(by, sound)
    return sound


@lru_cache(_REMEMBERED_WORDS)
def english_sounds(word: str) -> tuple[str, ...]:
    """Return how an English word in lower case may sound by its spelling: with a soft and with a hard g."""
    bare = word.replace("'", "")
    soft = re.sub("g(?=[eiy])", "j", bare)
    return tuple(dict.fromkeys(filter(None, map(_sound_out, dict.fromkeys((soft, bare))))))


def phrase_sounds(words: Sequence[str]) -> list[str]:
    """Return how English words sound together, in at most six ways."""
    ways = product(*(english_sounds(word) or ("",) for word in words[:_MAX_WORDS]))
    sounds = (_REPEATED.sub(r"\1", "".join(way)) for way in islice(ways, _MAX_WAYS))
    return list(dict.fromkeys(filter(None, sounds)))


def _sound_out(word: str) -> str:
    for pattern, by in _FROM_ENGLISH:
        word = pattern.sub(by, word)
    return word
