"""What people typed, as Discord sends it: into the options of commands, and into forms."""

from collections.abc import Iterator, Mapping
from typing import Any


def texts_of_options(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield what was typed into the options of a command, those of its own commands too."""
    for each in data.get("options", ()):
        if isinstance(each.get("value"), str):
            yield each["value"]
        yield from texts_of_options(each)


def texts_of_fields(data: Mapping[str, Any]) -> Mapping[str, str]:
    """Return what was typed into the fields of a form, by their ids; what was chosen from a list, with spaces between."""
    fields = [
        field
        for row in data["components"]
        for field in (*row.get("components", ()), *filter(None, [row.get("component")]))
    ]
    return {
        str(each["custom_id"]): " ".join(each.get("values") or [each.get("value") or ""]) for each in fields
    }
