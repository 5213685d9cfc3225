"""Filters in words, and the messages for wrong ones: the place, and what was expected there."""

from collections.abc import Mapping
from typing import Final

from discord.app_commands import Choice

from bot.domain.filters import BadFilter, Expected, Filter, key_words, suggest, word_for
from bot.domain.ids import Region
from bot.ui.kit.markdown import cut, escape, one_line
from bot.ui.language.text import Language, mark

_FILTER_COLUMNS: Final = 200
_BEFORE_CHARACTERS: Final = 40
"""The most characters of a filter that are shown before the place."""
_PLACE_COLUMNS: Final = 60
_AFTER_COLUMNS: Final = 20
_MAX_OPTIONS: Final = 16
_MISSING_MARK: Final = "▸"

_SENTENCES: Final[Mapping[Expected, str]] = {
    Expected.TERM: mark("Write what to leave out right after the minus sign."),
    Expected.KEY: mark(
        "There is no such key. Did you mean {options}? To search for the text itself, put it in quotation marks."
    ),
    Expected.OPERATOR: mark("This key takes {options}."),
    Expected.VALUE: mark("A value is missing here."),
    Expected.ONE_VALUE: mark("This comparison takes a single value; use `:` for several."),
    Expected.QUOTE: mark("The closing quotation mark is missing."),
    Expected.NUMBER: mark("A number was expected, such as {options}."),
    Expected.FELT: mark("A number was expected, or what differs from the constant: `14.7` or `const-0.2`."),
    Expected.WHOLE: mark("A whole number was expected, such as {options}."),
    Expected.LEVEL: mark("A level was expected, such as 13 or 13+."),
    Expected.DATE: mark("A date was expected, such as 2023-01-31, 2023-01 or 2023."),
    Expected.RANGE: mark("A range is written with two dots: {options}."),
    Expected.CHOICE: mark("One of these was expected: {options}."),
}
NO_SUCH_RANK: Final = mark(
    "Your region has no such rank: the old game ends with SSS, and has no S+ and no SSS+."
)
_NOTHING_NEAR: Final = mark(
    "There is no such key. The keys are {options}. To search for the text itself, put it in quotation marks."
)


def filter_choices(t: Language, typed: str) -> list[Choice[str]]:
    """Return complete filters that `typed` could become."""
    return [Choice(name=name, value=each) for each in suggest(typed, t.code) if (name := one_line(each))]


def filter_text(t: Language, wanted: Filter) -> str:
    """Return a filter in the words of a language, cut if it is long."""
    return escape(wanted.written(t.code), width=_FILTER_COLUMNS)


def no_chart_text(t: Language, wanted: Filter, region: Region) -> str:
    """Return the text of a list of charts if none match the filter."""
    if not wanted.has_its_ranks(region):
        return t(NO_SUCH_RANK)
    return t("No chart matches this filter. Leave one of its conditions out, or widen one.")


def no_score_text(t: Language, wanted: Filter, region: Region) -> str:
    """Return the text of a list of scores if none match the filter."""
    if not wanted.has_its_ranks(region):
        return t(NO_SUCH_RANK)
    return t("No score matches this filter. Leave one of its conditions out, or widen one.")


def filter_sentence(t: Language, error: BadFilter) -> str:
    """Return the filter with the place marked, and what was expected there."""
    shown = error.options[:_MAX_OPTIONS]
    if error.expected is Expected.CHOICE:
        shown = [word_for(option, t.code) for option in shown]
    sentence = _SENTENCES[error.expected]
    if error.expected is Expected.KEY and not shown:
        sentence, shown = _NOTHING_NEAR, key_words(t.code)
    options = " ".join(f"`{option}`" for option in shown)
    refused = t("I cannot read this filter: {filter}", filter=_marked(error))
    wanted = t(sentence, options=options)
    return f"{refused}\n{wanted}"


def _marked(error: BadFilter) -> str:
    before, after = error.text[: error.start][-_BEFORE_CHARACTERS:], error.text[error.stop :]
    place = cut(error.text[error.start : error.stop], _PLACE_COLUMNS).strip()
    # Escaping strips spaces at the cuts.
    gap = " " if before[-1:].isspace() else ""
    rest = (
        f" {escape(after, width=_AFTER_COLUMNS)}"
        if after[:1].isspace()
        else escape(after, width=_AFTER_COLUMNS)
    )
    return f"{escape(before)}{gap}**__{escape(place) or _MISSING_MARK}__**{rest}".rstrip()
