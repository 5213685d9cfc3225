"""Make the table of how languages write numbers and dates from CLDR, as Babel carries it.

`make writing` runs it, for every language of Discord.
"""

from dataclasses import asdict
from typing import Final

import orjson
from babel import Locale, UnknownLocaleError
from babel.dates import tokenize_pattern
from babel.numbers import get_decimal_symbol, get_group_symbol
from discord import Locale as DiscordLocale

from bot.ui.language.writing import TABLE, Writing

_FIELDS: Final = {
    "y": "{0.year}", "yy": "{0:%y}", "M": "{0.month}", "MM": "{0.month:02}", "MMM": "{month}", "LLL": "{month}", "MMMM": "{month}", "LLLL": "{month}",
    "E": "{weekday}", "EEE": "{weekday}", "ccc": "{weekday}", "d": "{0.day}", "dd": "{0.day:02}", "H": "{0.hour}", "HH": "{0.hour:02}", "h": "{hour}",
    "mm": "{0.minute:02}", "a": "{half}",
    "B": "{half}",  # in Chinese of Taiwan parts of the day, of which there are eight
}  # fmt: skip


def _pattern(text: str) -> str:
    return "".join(
        each if isinstance(each, str) else _FIELDS[each[0] * each[1]] for _, each in tokenize_pattern(text)
    )


def writing_as_babel_knows(code: str) -> Writing:
    """Return how a locale writes. Raises: UnknownLocaleError."""
    locale = Locale.parse(code, sep="-")
    name = locale.get_display_name() or code
    day, hour = (
        _pattern(formats.pattern) for formats in (locale.date_formats["medium"], locale.time_formats["short"])
    )
    short = _pattern(locale.date_formats["short"].pattern)
    moment = str(locale.datetime_formats["short"]).replace("{0}", hour).replace("{1}", short)
    if code == "ko":  # a line that begins with "26. 11." would be a numbered list in Markdown
        day, moment = (each.replace(". ", ".\N{NO-BREAK SPACE}") for each in (day, moment))
    weekday = _pattern(locale.datetime_skeletons["MMMEd"].pattern)
    month = _pattern(locale.datetime_skeletons["yMMM"].pattern)
    weekdays = locale.days["format"]["abbreviated"]
    months = locale.months["format"]["abbreviated"]
    periods = locale.day_periods["format"]
    halves = periods["wide" if code == "ko" else "abbreviated"]  # in Korean nobody writes AM
    either = locale.list_patterns["or"]
    if locale.language == "zh":  # things of the game are in Latin letters, which stand apart from Han
        either = {place: each.replace("或", " 或 ") for place, each in either.items()}
    return Writing(
        name=name[:1].upper() + name[1:],
        point=get_decimal_symbol(locale),
        comma=get_group_symbol(locale),
        group=locale.decimal_formats[None].grouping[1],
        months=[months[number] for number in range(1, 13)]
        if "{month}" in day + weekday + month + moment
        else [],
        weekdays=[weekdays[number] for number in range(7)],
        halves=[halves["am"], halves["pm"]] if "{half}" in hour else [],
        day_pattern=day,
        weekday_pattern=weekday,
        month_pattern=month,
        hour_pattern=hour,
        moment_pattern=moment,
        either=[either[place] for place in ("2", "start", "middle", "end")],
    )


def main() -> None:
    """Write the table: Discord's locales, and their languages alone."""
    codes = {each.value for each in DiscordLocale}
    table: dict[str, Writing] = {}
    for code in sorted(codes | {code.partition("-")[0] for code in codes}):
        try:
            table[code] = writing_as_babel_knows(code)
        except UnknownLocaleError:
            continue
    written = {code: asdict(each) for code, each in table.items()}
    TABLE.write_bytes(orjson.dumps(written, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


if __name__ == "__main__":
    main()
