"""Pictures in words, for people who do not see them: as much as Discord takes, and never half a sentence."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from bot.ui.kit.markdown import cut, one_line
from bot.ui.language.text import Language

MAX_ALT_CHARACTERS: Final = 1_024
"""A file's description has at most this many. Source: Discord's documentation."""
_NAME_COLUMNS: Final = 44
_MAX_CACHED_NAMES: Final = 512
"""How many names are kept, because the same titles stand in nearly every picture of a member."""


LIST: Final = "{list}"
"""It stands in a sentence where a list is put in."""


class Listed(NamedTuple):
    """A sentence with a list in it, of which as much is said as there is room for."""

    sentence: str
    """It has `LIST` where the list stands."""
    items: Sequence[str]


AltPart: TypeAlias = str | Listed


def alternative(t: Language, *parts: AltPart) -> str:
    """Return sentences one after another; those for which there is no room are left out, and so is what is empty."""
    text = ""
    for each in parts:
        choices = [each] if isinstance(each, str) else _from_longest(t, each)
        for sentence in filter(None, choices):
            longer = t.sentences([text, sentence]) if text else sentence
            if len(longer) <= MAX_ALT_CHARACTERS:
                text = longer
                break
    return text


def _from_longest(t: Language, listed: Listed) -> Iterator[str]:
    for count in range(len(listed.items), 0, -1):
        yield listed.sentence.format(list=t.all_of(listed.items[:count]))


@lru_cache(_MAX_CACHED_NAMES)
def said(name: str) -> str:
    """Return a name or title as it is read aloud: one that goes on and on leaves room for others."""
    return cut(one_line(name), _NAME_COLUMNS, middle=True)
