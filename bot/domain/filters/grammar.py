r"""The parser of filters.

filter    = { term }
term      = [ "-" ] ( condition | "locked" | "played" | words )
condition = key operator value { "," value }
operator  = ":" | "=" | "!=" | ">=" | "<=" | ">" | "<"
value     = quoted | run of characters without space and comma;  number ".." number
words     = quoted | run of characters without space
quoted    = '"' { any character, \" and \\ for the two } '"'  |  "「" { any character } "」"

Full-width signs, as typed on Japanese keyboards, are equivalent. `!=` is short for a minus sign and `:`.
"""

import re
from typing import Final

from rapidfuzz import fuzz

from bot.domain.filters.bad import BadFilter, Expected
from bot.domain.filters.filter import Filter, FilterCondition, Term, Words, find_flag
from bot.domain.filters.keys import EQUALITIES, KEYS, Key, NumberKey, Operator, find_key
from bot.domain.filters.values import UNKNOWN, Value
from bot.domain.folding import fold

NAME: Final = re.compile(r"[^\W\d_]+")
OPERATOR: Final = re.compile(r"[!！][=＝]|≠|[>＞][=＝]|[≥≧]|[<＜][=＝]|[≤≦]|[>＞]|[<＜]|[=＝]|[:：]")
COMMA: Final = re.compile(r"[,，、]")
MINUS: Final = re.compile(r"[-－−]")
_HYPHEN: Final = re.compile(r"[-－−‐–—ー]")
_SPACE: Final = re.compile(r"\s*")
_WORD: Final = re.compile(r"\S+")
_VALUE: Final = re.compile(r"[^\s,，、]+")
_STRAIGHT: Final = '"“”＂'
_QUOTED: Final = re.compile(rf"[{_STRAIGHT}]((?:[^{_STRAIGHT}\\]|\\.)*)[{_STRAIGHT}]|「([^」]*)」", re.DOTALL)
QUOTES: Final = _STRAIGHT + "「"
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_NEGATION: Final = "!="
_SAME_SIGNS: Final = str.maketrans({
    "！": "!", "＝": "=", "＞": ">", "＜": "<", "：": ":",
    "≠": "!=", "≥": ">=", "≧": ">=", "≤": "<=", "≦": "<=",
})  # fmt: skip
_SLIP_LIKENESS: Final = 57
"""The least similarity, of 100, of an unknown key to a key for which it may be a typing error."""
_MAX_GUESSES: Final = 3


def parse_filter(text: str) -> Filter:
    """Return the filter that a text describes. Raises: BadFilter, a BadQuery with the position."""
    return _Parser(text).read()


class _Parser:
    """The state of parsing one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def read(self) -> Filter:
        terms: list[Term] = []
        self._skip(_SPACE)
        while self._at < len(self._text):
            terms.append(self._term())
            self._skip(_SPACE)
        return Filter(tuple(terms))

    def _term(self) -> Term:
        start = self._at
        is_excluded = self._skip(MINUS) != ""
        if is_excluded and not _WORD.match(self._text, self._at):
            raise BadFilter(self._text, start, self._at, Expected.TERM)
        if self._text[self._at] in QUOTES:
            return self._plain_words(start, self._quoted(), is_excluded)
        condition = self._condition(is_excluded) or self._flag(is_excluded)
        return condition or self._plain_words(start, self._skip(_WORD), is_excluded)

    def _flag(self, is_excluded: bool) -> Term | None:  # noqa: FBT001 - as the term carries it
        """Return the condition for `locked` or `played` as a single word; as a title it has to be quoted."""
        word = _WORD.match(self._text, self._at)
        name = None if word is None else find_flag(word[0])
        if word is None or name is None:
            return None
        self._at = word.end()
        return parse_filter(f"{name}:{'no' if is_excluded else 'yes'}").terms[0]

    def _plain_words(self, start: int, words: str, is_excluded: bool) -> Words:  # noqa: FBT001 - as the term carries it
        if not words.strip():
            raise BadFilter(self._text, start, self._at, Expected.VALUE)
        return Words(words, is_excluded)

    def _condition(self, is_excluded: bool) -> FilterCondition | None:  # noqa: FBT001 - as the term carries it
        name = NAME.match(self._text, self._at)
        if name is None:
            return None
        key = find_key(name[0])
        space = _SPACE.match(self._text, name.end())
        sign = OPERATOR.match(self._text, space.end() if space and key else name.end())
        if sign is None:
            return None
        if key is None:
            raise BadFilter(self._text, name.start(), name.end(), Expected.KEY, _likely_keys(name[0]))
        self._at = sign.end()
        shown = sign[0].translate(_SAME_SIGNS)
        operator = Operator.HAS if shown == _NEGATION else Operator(shown)
        if operator not in key.operators:
            raise BadFilter(
                self._text, sign.start(), sign.end(), Expected.OPERATOR, tuple(map(str, key.operators))
            )
        if isinstance(key, NumberKey) and operator is Operator.IS:
            operator = Operator.HAS
        values = self._values(key, operator)
        return FilterCondition(key.names[0], operator, values, is_excluded is not (shown == _NEGATION))

    def _values(self, key: Key, operator: Operator) -> tuple[Value, ...]:
        self._skip(_SPACE)
        values = [self._value(key, operator)]
        while COMMA.match(self._text, self._at):
            start = self._at
            self._skip(COMMA)
            values.append(self._value(key, operator))
            if operator not in EQUALITIES:
                raise BadFilter(self._text, start, self._at, Expected.ONE_VALUE)
        return tuple(values)

    def _value(self, key: Key, operator: Operator) -> Value:
        start = self._at
        is_quoted = self._text[start : start + 1] in tuple(QUOTES)
        typed = self._quoted() if is_quoted else self._skip(_VALUE)
        value = key.read(typed)
        if value is None or (value is UNKNOWN and operator not in EQUALITIES):
            if meant := meant_range(key, typed):
                raise BadFilter(self._text, start, self._at, Expected.RANGE, (meant,))
            expected = key.expected if typed.strip() else Expected.VALUE
            options = tuple(option.names[0] for option in key.options)
            raise BadFilter(
                self._text, start, self._at, expected, options or (key.example,) * bool(key.example)
            )
        return value

    def _quoted(self) -> str:
        match = _QUOTED.match(self._text, self._at)
        if match is None:
            raise BadFilter(self._text, self._at, len(self._text), Expected.QUOTE)
        self._at = match.end()
        straight: str | None = match[1]
        return match[2] if straight is None else _ESCAPED.sub(r"\1", straight)

    def _skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        if match is None:
            return ""
        self._at = match.end()
        return match[0]


def meant_range(key: Key, typed: str) -> str | None:
    """Return "14.5..14.7" for "14.5-14.7"; the ends may be dates with hyphens. None if it is no range."""
    parts = _HYPHEN.split(typed)
    half = len(parts) // 2
    if len(parts) % 2 or not isinstance(key, NumberKey):
        return None
    value = key.read("..".join("-".join(each) for each in (parts[:half], parts[half:])))
    return value.text if value is not None else None


def _likely_keys(typed: str) -> tuple[str, ...]:
    """Return the keys that an unknown one may have been meant for, the most similar first, each by its closest name."""
    nearest = [max((_likeness(typed, name), name) for name in key.names) for key in KEYS]
    likely = sorted((each for each in nearest if max(each[0]) >= _SLIP_LIKENESS), reverse=True)
    return tuple(name for _likeness, name in likely[:_MAX_GUESSES])


def _likeness(typed: str, name: str) -> tuple[float, float]:
    """Return the similarity of two names if parts may be left out, and as they are; each of 100."""
    one, other = fold(typed), fold(name)
    return fuzz.WRatio(one, other), fuzz.ratio(one, other)
