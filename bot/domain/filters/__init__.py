"""The filter language: one for every list of charts or scores.

wanted = parse_filter('const>=13.5 diff:mas,ult -lamp:aj "long road"')
shown = wanted.passing(entries)
assert parse_filter(str(wanted)) == wanted
"""

from bot.domain.filters.bad import BadFilter, Expected
from bot.domain.filters.filter import Filter, FilterCondition
from bot.domain.filters.grammar import parse_filter
from bot.domain.filters.suggest import key_words, suggest
from bot.domain.filters.words import word_for

__all__ = [
    "BadFilter",
    "Expected",
    "Filter",
    "FilterCondition",
    "key_words",
    "parse_filter",
    "suggest",
    "word_for",
]
