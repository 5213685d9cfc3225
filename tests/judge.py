"""Discord's own OpenAPI as a judge of what the bot sends: read from beside the checkout, never copied into it.

Unions are told apart by `type`, or anything would fit; ids may be numbers, as discord.py sends some; lengths count in
UTF-16 units, as Discord's do. What Discord does not know it ignores.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

from bot.demo.simulator import SimulatedCall

PLACE: Final = Path("shared") / "data" / "discord" / "openapi.json"
"""Beside a checkout, or beside any folder that it is in."""
_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "object": (dict,), "array": (list,), "string": (str,), "boolean": (bool,), "integer": (int,),
    "number": (int, float), "null": (type(None),),
}  # fmt: skip


def _is_a(value: Any, kind: str) -> bool:
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


class Judge:
    """Knows what Discord takes at each of its addresses."""

    def __init__(self, specification: Mapping[str, Any]) -> None:
        self._schemas: Mapping[str, Any] = specification["components"]["schemas"]
        self._routes: list[tuple[re.Pattern[str], str, Mapping[str, Any]]] = [
            (re.compile(re.sub(r"\\\{[^/]*?\\\}", "[^/]+", re.escape(path))), path, methods)
            for path, methods in specification["paths"].items()
        ]

    def judge(self, call: SimulatedCall) -> list[str]:
        """Return what Discord would refuse of a request; nothing where all is well."""
        found = [each for each in self._routes if each[0].fullmatch(call.path.partition("?")[0])]
        fitting = sorted(found, key=lambda each: each[1].count("{"))  # "@me" before any id
        methods: Mapping[str, Any] = fitting[0][2] if fitting else {}
        if call.method.lower() not in methods:
            return [f"{call.method} {call.path}: no such request"]
        body = methods[call.method.lower()].get("requestBody")
        if body is None or (call.body is None and not body.get("required")):
            return []
        schema = body["content"].get("application/json") or body["content"].get("multipart/form-data")
        return [
            f"{call.method} {call.path}: {each}" for each in self._faults(schema["schema"], call.body, "")
        ]

    def _faults(self, schema: Mapping[str, Any], value: Any, at: str) -> Iterator[str]:
        schema = self._resolved(schema)
        for part in schema.get("allOf", ()):
            yield from self._faults(part, value, at)
        for union in ("oneOf", "anyOf"):
            if union in schema:
                yield from self._union(schema[union], value, at)
        kinds = schema.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else kinds
        is_id = schema.get("format") == "snowflake" and _is_a(value, "integer")
        if kinds and not is_id and not any(_is_a(value, kind) for kind in kinds):
            yield f"{at}: is no {' or '.join(kinds)}"
            return
        yield from _named(schema, value, at)
        yield from self._inside(schema, value, at)

    def _inside(self, schema: Mapping[str, Any], value: Any, at: str) -> Iterator[str]:
        if isinstance(value, str):
            yield from _sized(schema, "Length", len(value.encode("utf-16-le")) // 2, at)
            if "pattern" in schema and not re.search(_pattern(schema["pattern"]), value):
                yield f"{at}: does not fit {schema['pattern']}"
        elif isinstance(value, list):
            items = cast("list[Any]", value)
            yield from _sized(schema, "Items", len(items), at)
            for number, each in enumerate(items):
                yield from self._faults(schema.get("items", {}), each, f"{at}/{number}")
        elif isinstance(value, dict):
            yield from self._object(schema, cast("dict[str, Any]", value), at)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield from _sized(schema, "imum", value, at)

    def _object(self, schema: Mapping[str, Any], value: Mapping[str, Any], at: str) -> Iterator[str]:
        yield from (f"{at}/{name}: is missing" for name in schema.get("required", ()) if name not in value)
        known, others = schema.get("properties", {}), schema.get("additionalProperties")
        others = cast("Mapping[str, Any] | None", others if isinstance(others, dict) else None)
        for name, each in value.items():
            if name in known:
                yield from self._faults(known[name], each, f"{at}/{name}")
            elif others is not None:
                yield from self._faults(others, each, f"{at}/{name}")

    def _union(self, schemas: list[Mapping[str, Any]], value: Any, at: str) -> Iterator[str]:
        branches = [self._resolved(each) for each in schemas]
        if isinstance(value, dict) and "type" in value:
            kind = cast("dict[str, Any]", value)["type"]
            typed = [each for each in branches if not self._refuses_type(each, kind)]
            if not typed:
                yield f"{at}/type: {kind} is of no kind that may stand here"
                return
            branches = typed
        failed = [[*self._faults(each, value, at)] for each in branches]
        if all(failed):
            yield from min(failed, key=len)

    def _refuses_type(self, schema: Mapping[str, Any], kind: Any) -> bool:
        if schema.get("type") == "null":
            return True
        known = schema.get("properties", {}).get("type")
        return known is not None and any(self._faults(known, kind, ""))

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        while "$ref" in schema:
            schema = self._schemas[schema["$ref"].rpartition("/")[2]]
        return schema


def _named(schema: Mapping[str, Any], value: Any, at: str) -> Iterator[str]:
    if value is None:
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: is none of {schema['enum']}"
    if "const" in schema and value != schema["const"]:
        yield f"{at}: is not {schema['const']}"


def _sized(schema: Mapping[str, Any], what: str, size: float, at: str) -> Iterator[str]:
    if size > schema.get(f"max{what}", size):
        yield f"{at}: {size} is more than {schema[f'max{what}']}"
    if size < schema.get(f"min{what}", size):
        yield f"{at}: {size} is less than {schema[f'min{what}']}"


def _pattern(pattern: str) -> str:
    """Return a pattern in Python's words, which has none for scripts: letters of all of them stand for those."""
    return re.sub(r"\\p\{[^}]*\}", r"\\w", pattern)


@cache
def find_judge() -> Judge | None:
    """Return the judge; None where the specification is not there."""
    files = (folder / PLACE for folder in Path(__file__).resolve().parents)
    return next((Judge(json.loads(file.read_text())) for file in files if file.exists()), None)
