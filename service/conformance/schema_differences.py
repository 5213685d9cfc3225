"""The differences between a reply and its schema, in words without the reply's values, which may be anything."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeAlias, cast

from service.reply_schemas import COMPONENTS

Json: TypeAlias = Any
"""A JSON value, or a schema."""

_WORDS: Final[Mapping[str, str]] = {
    "string": "a text",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
    "object": "an object",
    "array": "an array",
}


_KINDS: Final[Mapping[str, type | tuple[type, ...]]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
    "object": dict,
    "array": list,
}


class Difference(NamedTuple):
    """One thing that is not as specified."""

    place: str
    """The path of a member, by names; `[]` stands for any entry of an array."""
    what: str
    """The words after the place, such as "is missing"."""

    def __str__(self) -> str:
        return f"{self.place} {self.what}".strip()


def differences(value: Json, schema: Json, place: str = "") -> Iterator[Difference]:
    """Yield a value's differences from a schema; members that the schema does not name are allowed."""
    if "$ref" in schema:
        schema = COMPONENTS[schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        found = [[*differences(value, each, place)] for each in schema["anyOf"]]
        # The first schema is the main one; the others may replace it.
        yield from found[0] if all(found) else ()
        return
    wanted = schema.get("type", [])
    types = [wanted] if isinstance(wanted, str) else wanted
    if types and not any(_is(value, each) for each in types):
        yield Difference(place, f"is {_word_for(value)}, not {_WORDS[types[0]]}")
        return
    yield from _of_scalar(value, schema, place)
    if isinstance(value, dict):
        yield from _of_object(cast("dict[str, Json]", value), schema, place)
    elif isinstance(value, list):
        yield from _of_array(cast("list[Json]", value), schema, place)


def _of_scalar(value: Json, schema: Json, place: str) -> Iterator[Difference]:
    if "enum" in schema and value not in schema["enum"]:
        yield Difference(place, f"is none of {', '.join(schema['enum'])}")
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        yield Difference(place, f"is not written as {schema['pattern']}")
    if _is(value, "number"):
        if value < schema.get("minimum", value):
            yield Difference(place, f"is below {schema['minimum']}")
        if value > schema.get("maximum", value):
            yield Difference(place, f"is above {schema['maximum']}")


def _of_object(value: dict[str, Json], schema: Json, place: str) -> Iterator[Difference]:
    known: Mapping[str, Json] = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield Difference(_below(place, name), "is missing")
    for name, schema_of in known.items():
        if name in value:
            yield from differences(value[name], schema_of, _below(place, name))
    others: Json = schema.get("additionalProperties") or {}
    for name, member in value.items():
        if name not in known:
            yield from differences(member, others, _below(place, "*"))


def _of_array(value: list[Json], schema: Json, place: str) -> Iterator[Difference]:
    least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
    if not least <= len(value) <= most:
        wanted = most if least == most else f"{least} to {most}" if least else f"at most {most}"
        yield Difference(place, f"has {len(value)} entries, not {wanted}")
    for entry in value:
        yield from differences(entry, schema.get("items", {}), f"{place}[]")


def _below(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def _is(value: object, kind: str) -> bool:
    kinds = _KINDS[kind]
    return isinstance(value, kinds) and (kinds is bool or not isinstance(value, bool))


def _word_for(value: object) -> str:
    return next(word for kind, word in _WORDS.items() if _is(value, kind))
