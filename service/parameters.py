"""Reads query strings by the table of endpoints; a request with a wrong parameter is refused."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote_plus

from bot.wire.endpoints import FILTER_DIFFICULTIES, FILTER_LAMPS, Endpoint, Parameter
from service.refusal import bad_request

_INTEGER: Final = re.compile(r"-?[0-9]{1,4000}", re.ASCII)
_NUMBER: Final = re.compile(r"-?[0-9]{1,400}(\.[0-9]{1,400})?([eE][+-]?[0-9]{1,4})?", re.ASCII)
DIFFICULTIES_PATTERN: Final = f"[{FILTER_DIFFICULTIES}]+"
LAMPS_PATTERN: Final = f"({'|'.join(FILTER_LAMPS)})(,({'|'.join(FILTER_LAMPS)}))*"
PATTERNS: Final[Mapping[tuple[str, str], str]] = {
    ("records/filter", "diff"): DIFFICULTIES_PATTERN,
    ("records/filter", "lamp"): LAMPS_PATTERN,
}
"""The form that an endpoint's parameter must have, if its type alone does not define it."""

_COMPILED: Final = {key: re.compile(pattern) for key, pattern in PATTERNS.items()}


@dataclass(frozen=True, slots=True)
class Arguments:
    """The parameters of one request, typed, with their defaults filled in."""

    values: Mapping[str, str | int | float | None]
    without_target: tuple[str | int | float | None, ...] = ()
    """The values of all parameters but those that name a user; with the user they distinguish replies."""

    def has(self, name: str) -> bool:
        """Return whether a parameter was given or has a default."""
        return self.values.get(name) is not None

    def text(self, name: str) -> str:
        """Return a string parameter that was given or has a default."""
        return str(self.values[name])

    def integer(self, name: str) -> int:
        """Return an integer parameter that was given or has a default."""
        return int(self.values[name] or 0)

    def number(self, name: str) -> float:
        """Return a number parameter that was given or has a default."""
        return float(self.values[name] or 0)


_NO_ARGUMENTS: Final = Arguments({})


def parse_query(raw: str) -> dict[str, list[str]]:
    """Return the parameters of a raw query string, each with all its values."""
    pairs: dict[str, list[str]] = {}
    for pair in raw.split("&") if raw else ():
        name, _, value = pair.partition("=")
        if "%" in pair or "+" in pair:
            name, value = unquote_plus(name), unquote_plus(value)
        pairs.setdefault(name, []).append(value)
    return pairs


def read_arguments(endpoint: Endpoint, query: Mapping[str, list[str]]) -> Arguments:
    """Return the endpoint's parameters. Raises: Refusal (400) with the parameter's name and the reason."""
    if not endpoint.parameters:
        return _NO_ARGUMENTS
    values: dict[str, str | int | float | None] = {}
    for parameter in endpoint.parameters:
        given = query.get(parameter.name, [])
        if len(given) > 1:
            bad_request(f"{parameter.name} is given more than once.")
        if not given:
            if parameter.required:
                bad_request(f"{parameter.name} is required.")
            values[parameter.name] = parameter.default
        else:
            values[parameter.name] = _value(endpoint, parameter, given[0])
    if values.get("user_id") is not None and values.get("user_name") is not None:
        bad_request("user_id and user_name exclude each other.")
    others = tuple(value for name, value in values.items() if name not in {"user_id", "user_name"})
    return Arguments(values, others)


def _value(endpoint: Endpoint, parameter: Parameter, text: str) -> str | int | float:
    if parameter.required and not text:
        bad_request(f"{parameter.name} is required.")
    if parameter.name == "user_name" and not text:
        bad_request("user_name is empty.")
    value = _TYPES[parameter.type](parameter.name, text)
    if parameter.allowed and value not in parameter.allowed:
        allowed = ", ".join(str(choice) for choice in parameter.allowed)
        bad_request(f"{parameter.name} must be one of {allowed}.")
    pattern = _COMPILED.get((endpoint.name, parameter.name))
    if pattern and not pattern.fullmatch(text):
        bad_request(f"{parameter.name} is not written as it must be.")
    return value


def _text(_name: str, text: str) -> str:
    return text


def _integer(name: str, text: str) -> int:
    if not _INTEGER.fullmatch(text):
        bad_request(f"{name} must be an integer.")
    return int(text)


def _number(name: str, text: str) -> float:
    if not _NUMBER.fullmatch(text) or not math.isfinite(number := float(text)):
        bad_request(f"{name} must be a number.")
    return number


_TYPES: Final[Mapping[str, Callable[[str, str], str | int | float]]] = {
    "string": _text,
    "integer": _integer,
    "number": _number,
}
