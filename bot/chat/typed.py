"""Reads typed texts from Discord's data: of command options and of forms."""

from collections.abc import Iterator, Mapping
from typing import Any


def texts_of_options(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts in the options of a command and its subcommands."""
    for each in data.get("options", ()):
        if isinstance(each.get("value"), str):
            yield each["value"]
        yield from texts_of_options(each)


def texts_of_fields(data: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the texts of a form by field id; choices from a list are joined with spaces."""
    fields = [
        field
        for row in data["components"]
        for field in (*row.get("components", ()), *filter(None, [row.get("component")]))
    ]
    return {
        str(each["custom_id"]): " ".join(each.get("values") or [each.get("value") or ""]) for each in fields
    }
