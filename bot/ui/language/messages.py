"""Translated messages, read from gettext's readable catalogues: no other file has to be made of them."""

import re
from collections.abc import Iterable, Iterator
from gettext import NullTranslations, c2py
from pathlib import Path
from typing import Final

from msgspec import Struct, field
from typing_extensions import override

_LINE: Final = re.compile(r'(?:(msgctxt|msgid|msgid_plural|msgstr)(\[\d+\])? )?"((?:[^"\\]|\\.)*)"')
_ESCAPED: Final = re.compile(r"\\(.)")
_ESCAPES: Final = {"n": "\n", "t": "\t"}
_RULE: Final = re.compile(r"plural=([^;\n]+)")
"""Of a catalogue's head: which form a number takes."""


class Message(Struct, frozen=True):
    """One message of a catalogue."""

    line: int
    is_guess: bool
    """It is marked as fuzzy: somebody has to look at it first."""
    texts: dict[str, str] = field(default_factory=dict[str, str])
    """By keyword."""

    @property
    def context(self) -> str | None:
        """What tells the message from the same words elsewhere."""
        return self.texts.get("msgctxt")

    @property
    def source(self) -> str:
        """The message as the code has it, a plural as of one; nothing for the head of the catalogue."""
        return self.texts.get("msgid", "")

    @property
    def forms(self) -> list[str]:
        """What it is translated into; nothing where that is not done."""
        forms = [text for keyword, text in self.texts.items() if keyword.startswith("msgstr")]
        return forms if all(forms) else []


def read_messages(file: Path) -> list[Message]:
    """Return the messages of a catalogue. Raises: OSError, ValueError."""
    return [*_parse(file.read_text(encoding="utf-8"))]


def _parse(text: str) -> Iterator[Message]:
    message: Message | None = None
    keyword, is_guess = "", False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            is_guess = is_guess or (line.startswith("#,") and "fuzzy" in line)
            continue
        found = _LINE.fullmatch(line.strip())
        word = "" if found is None else found[1]
        if word == "msgctxt" or (word == "msgid" and keyword != "msgctxt"):
            if message is not None:
                yield message
            message, is_guess = Message(number, is_guess), False
        if found is None or message is None:
            reason = f"line {number}: not as gettext writes it"
            raise ValueError(reason)
        if word:
            keyword = word + (found[2] or "")
        unescaped = _ESCAPED.sub(lambda each: _ESCAPES.get(each[1], each[1]), found[3])
        message.texts[keyword] = message.texts.get(keyword, "") + unescaped
    if message is not None:
        yield message


class Translations(NullTranslations):
    """What the messages of a catalogue are translated into."""

    def __init__(self, messages: Iterable[Message]) -> None:
        super().__init__()
        shown = {
            (each.context, each.source): each.forms
            for each in messages
            if not each.is_guess or not each.source
        }
        rule = _RULE.search("".join(shown.pop((None, ""), [])))
        self._form = c2py(rule[1] if rule else "n != 1")
        self._forms = {key: forms for key, forms in shown.items() if forms}

    @override
    def gettext(self, message: str) -> str:
        forms = self._forms.get((None, message))
        return message if forms is None else forms[0]

    @override
    def pgettext(self, context: str, message: str) -> str:
        return self._forms.get((context, message), [message])[0]

    @override
    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        forms = self._forms.get((None, msgid1))
        return super().ngettext(msgid1, msgid2, n) if forms is None else forms[self._form(n)]
