"""Makes simcord's page parse Markdown as Discord does, with cached parsers.

Like `bot.demo.page` this uses internals of simcord.
"""
# pyright: reportPrivateUsage=false

from collections.abc import Mapping
from typing import Any, Final

from simcord.preview import _markdown

EMBED_BODIES: Final = ("embed_description", "embed_field_value")
"""The parts of an embed in which Discord, unlike simcord, shows mentions and small print as in a message."""

_make = _markdown._markdown_parser  # noqa: SLF001 - see above
_kept: dict[int, tuple[Any, dict[str, Any]]] = {}
"""A parser for each policy with its context; simcord itself makes a new one for each text."""


def read_as_discord() -> None:
    """Apply this to every page from now on."""
    for part in EMBED_BODIES:
        _markdown._FIELD_POLICIES[part] |= {"mentions": True, "commands": True, "subtext": True}  # noqa: SLF001
    _markdown._markdown_parser = _parser  # noqa: SLF001


def _parser(policy: Mapping[str, bool | str], context: Mapping[str, Any]) -> Any:
    if id(policy) not in _kept:
        read: dict[str, Any] = {}
        _kept[id(policy)] = _make(policy, read), read
    parser, read = _kept[id(policy)]
    read.clear()
    read.update(context)
    return parser
