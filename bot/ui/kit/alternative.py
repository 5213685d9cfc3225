"""Alternative texts of pictures: whole sentences, as many as Discord's limit allows."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from bot.ui.kit.markdown import cut, one_line
from bot.ui.language.text import Language

MAX_ALT_CHARACTERS: Final = 1_024
"""The limit of a file's description. Source: Discord's documentation."""
_NAME_COLUMNS: Final = 44
_MAX_CACHED_NAMES: Final = 512
"""The size of the cache of names: nearly all pictures of a member show the same titles."""


LIST: Final = "{list}"
"""The placeholder for a list in a sentence."""


class Listed(NamedTuple):
    """A sentence with a list, which is shortened to the room available."""

    sentence: str
    """The sentence, with `LIST` in place of the list."""
    items: Sequence[str]


AltPart: TypeAlias = str | Listed


def alternative(t: Language, *parts: AltPart) -> str:
    """Join sentences; empty ones, and those for which there is no room, are left out."""
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
    """Return a name or title for an alternative text, cut so that a very long one leaves room for others."""
    return cut(one_line(name), _NAME_COLUMNS, middle=True)
