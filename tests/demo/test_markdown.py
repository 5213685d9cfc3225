"""bot/demo/markdown.py: texts are read as simcord reads them, in what is true of each, by parsers made once."""

from collections.abc import Mapping
from typing import Any, Final

import pytest
from simcord.preview import _markdown  # pyright: ignore[reportPrivateUsage] - see bot.demo.page

from bot.demo import markdown

TEXT: Final = "**bold** <@1> <:rank:2> ||hidden|| https://example.org\n-# small"
CONTEXTS: Final[tuple[Mapping[str, Any], ...]] = (
    {"users": {"1": "Alice"}, "emojis": {"2": {"id": "2", "name": "rank", "animated": False}}},
    {},
    {"users": {"1": "さくら"}},
)


@pytest.mark.parametrize("part", ["message", "embed_title", *markdown.EMBED_BODIES])
def test_a_parser_made_once_reads_each_text_as_a_new_one(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    markdown.read_as_discord()
    once = [_markdown.markdown_tokens(TEXT, part, context=context) for context in CONTEXTS]
    policy = _markdown._FIELD_POLICIES[part]
    assert _markdown._markdown_parser(policy, {}) is _markdown._markdown_parser(policy, CONTEXTS[0])
    monkeypatch.setattr(_markdown, "_markdown_parser", markdown._make)
    assert [_markdown.markdown_tokens(TEXT, part, context=context) for context in CONTEXTS] == once
