"""Suggestions for continuing a filter while it is typed."""

from collections.abc import Iterator
from typing import Final

from bot.domain.errors import BadQuery
from bot.domain.filters.filter import written_value
from bot.domain.filters.grammar import COMMA, MINUS, NAME, OPERATOR, QUOTES, meant_range, parse_filter
from bot.domain.filters.keys import KEYS, Key, NumberKey, find_key
from bot.domain.filters.values import FilterValue
from bot.domain.filters.words import language_of, word_for
from bot.domain.folding import fold, plain

MAX_LENGTH: Final = 100
"""The most characters of a suggestion. Source: Discord's documentation of autocomplete choices."""
_LIMIT: Final = 25
"""The most suggestions. Source: as above."""


def suggest(text: str, language: str = "en") -> list[str]:
    """Return whole filters that `text` could become, at most 25 of at most 100 characters.

    What was typed comes first if it is already a valid filter: a member who presses return means that.
    """
    start = _last_term(text)
    said = text.strip()
    found = [said] if said and _is_right(said) else []
    if start is not None:
        found += [text[:start].lstrip() + each for each in _completions(text[start:], language)]
    return [each for each in dict.fromkeys(found) if len(each) <= MAX_LENGTH][:_LIMIT]


def key_words(language: str) -> list[str]:
    """Return the name of every key in a language."""
    return [word_for(key.names[0], language) for key in KEYS]


def _is_right(text: str) -> bool:
    try:
        parse_filter(text)
    except BadQuery:
        return False
    return True


def _last_term(text: str) -> int | None:
    """Return where the term under the cursor starts; None inside quotation marks."""
    start, closing = 0, ""
    for index, char in enumerate(text):
        if closing:
            closing = "" if char in closing else closing
        elif char in QUOTES:
            closing = "」" if char == "「" else QUOTES
        elif char.isspace():
            start = index + 1
    return None if closing else start


def _completions(term: str, language: str) -> Iterator[str]:
    minus = MINUS.match(term)
    sign = minus[0] if minus else ""
    rest = term[len(sign) :]
    name = NAME.match(rest)
    operator = OPERATOR.match(rest, name.end()) if name else None
    if name is None or operator is None:
        yield from (sign + each for each in _keys(rest, language))
        return
    key = find_key(name[0])
    if key is None:
        return
    head, typed = rest[: operator.end()], rest[operator.end() :]
    *before, last = COMMA.split(typed)
    head += "".join(f"{each}," for each in before)
    yield from (sign + head + each for each in _values(key, last, language_of(name[0], language), before))


def _keys(typed: str, language: str) -> Iterator[str]:
    yield from _joined(typed, language)
    for key in KEYS:
        names = key.names if typed else (word_for(key.names[0], language),)
        fitting = [name for name in names if fold(name).startswith(fold(typed))]
        if fitting:
            yield fitting[0] + _usual_operator(key)
    if typed:
        for key in KEYS:
            if isinstance(key, NumberKey) and not key.options and fold(typed) in map(fold, key.names):
                yield from (f"{typed}{operator}" for operator in ("<=", ":"))


def _joined(typed: str, language: str) -> Iterator[str]:
    """Yield filters from a key and value typed without an operator, such as "lv14"."""
    name = NAME.match(typed)
    key = find_key(name[0]) if name else None
    if name is None or not isinstance(key, NumberKey) or key.options:
        return
    shown, value = word_for(key.names[0], language_of(name[0], language)), typed[name.end() :]
    value = value if key.read(value) else meant_range(key, value)
    if value:
        yield f"{shown}:{value}"
    if value and key.read(value) and ".." not in value:
        yield f"{shown}>={value}"


def _usual_operator(key: Key) -> str:
    return key.usual if isinstance(key, NumberKey) and not key.options else ":"


def _values(key: Key, typed: str, language: str, taken: list[str]) -> Iterator[str]:
    for option in key.options:
        name = _fitting_name(option, typed, language)
        if name is not None and not set(option.names) & set(taken):
            yield name
    if not typed and key.example and (example := key.read(key.example)):
        yield written_value(example, language)
    if meant := meant_range(key, typed):
        yield meant


def _fitting_name(option: FilterValue, typed: str, language: str) -> str | None:
    if not typed:
        return word_for(option.names[0], language)
    return next((name for name in option.names if plain(name).startswith(plain(typed))), None)
