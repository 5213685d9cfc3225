"""Checks before sending: a question that the service would refuse costs no budget."""

import math
import re
from collections.abc import Callable, Mapping
from typing import Final
from unicodedata import category

from bot.domain.errors import BadQuery
from bot.wire.endpoints import FILTER_DIFFICULTIES, FILTER_LAMPS, MAX_QUERY_LENGTH, Endpoint, Parameter

Value = str | int | float
Values = Mapping[str, Value | None]

_SONG_ID: Final = re.compile(r"[0-9a-f]{16}")
_UNSENDABLE: Final = frozenset({"Cc", "Cs"})
"""Unicode categories: control characters, and lone surrogates, which cannot be encoded."""
_NAME: Final = "user_name"
_RANGES: Final = (("min_score", "max_score"), ("min_level", "max_level"))


def check_values(endpoint: Endpoint, values: Values) -> None:
    """Check the parameters of a question.

    Raises: BadQuery, which names the parameter and what is allowed.
    """
    for parameter in endpoint.parameters:
        value = values.get(parameter.name)
        if value is not None:
            _check_value(parameter, value)
        elif parameter.required:
            raise BadQuery(parameter.name, "required")
    if values.get("user_id") is not None and values.get(_NAME) is not None:
        raise BadQuery(_NAME, "user_id or user_name, not both")
    for low, high in _RANGES:
        _check_range(low, values.get(low), high, values.get(high))


def _check_value(parameter: Parameter, value: Value) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise BadQuery(parameter.name, "a finite number")
    if isinstance(value, str) and any(category(character) in _UNSENDABLE for character in value):
        raise BadQuery(parameter.name, "text without control characters")
    if parameter.allowed and value not in parameter.allowed:
        raise BadQuery(parameter.name, "one of " + ", ".join(map(str, parameter.allowed)))
    if parameter.required and not str(value).strip():
        raise BadQuery(parameter.name, "not empty")
    rule = _RULES.get(parameter.name)
    if rule is not None:
        rule(parameter, str(value))


def _check_song_id(parameter: Parameter, value: str) -> None:
    if not _SONG_ID.fullmatch(value):
        raise BadQuery(parameter.name, "16 characters of 0-9 and a-f")


def _check_query(parameter: Parameter, value: str) -> None:
    if len(value) > MAX_QUERY_LENGTH:
        raise BadQuery(parameter.name, f"at most {MAX_QUERY_LENGTH} characters")


def _check_name(parameter: Parameter, value: str) -> None:
    if not value.strip():
        raise BadQuery(parameter.name, "not empty")


def _check_difficulties(parameter: Parameter, value: str) -> None:
    if not parameter.allowed and (not value or set(value) - set(FILTER_DIFFICULTIES)):
        raise BadQuery(parameter.name, "letters of " + ", ".join(FILTER_DIFFICULTIES))


def _check_lamps(parameter: Parameter, value: str) -> None:
    if set(value.split(",")) - set(FILTER_LAMPS):
        raise BadQuery(parameter.name, "any of " + ", ".join(FILTER_LAMPS) + ", separated by commas")


_RULES: Final[Mapping[str, Callable[[Parameter, str], None]]] = {
    "id": _check_song_id,
    "q": _check_query,
    _NAME: _check_name,
    "diff": _check_difficulties,
    "lamp": _check_lamps,
}


def _check_range(low: str, least: Value | None, high: str, greatest: Value | None) -> None:
    if isinstance(least, str) or isinstance(greatest, str) or least is None or greatest is None:
        return
    if least > greatest:
        raise BadQuery(low, f"not above {high}")
