"""A page of the documentation's site."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import yaml

LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "ja": "日本語"}
WORDS_FILE: Final = "words.json"
"""Beside the pictures of a language: what each shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SitePage:
    """One page in one language."""

    path: str
    """Where it stands, as "players/filters.md"."""
    title: str
    description: str
    """One sentence, which search engines show."""
    body: str
    """Markdown, without the heading."""

    @property
    def text(self) -> str:
        """The page as mkdocs reads it."""
        matter = yaml.safe_dump({"title": self.title, "description": self.description}, allow_unicode=True)
        return f"---\n{matter}---\n\n# {self.title}\n\n{self.body.strip()}\n"
