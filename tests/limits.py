"""Discord's published limits, held against everything that any test makes the bot say.

Source: Discord's documentation, "Message", "Embed limits", "Component reference" and "Application commands".
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import discord

CONTENT = 2000
EMBEDS = 10
EMBED_TOTAL = 6000
TITLE, DESCRIPTION, FOOTER, AUTHOR = 256, 4096, 2048, 256
FIELDS, FIELD_NAME, FIELD_VALUE = 25, 256, 1024
ROWS, ROW_BUTTONS = 5, 5
CUSTOM_ID, BUTTON_LABEL = 100, 80
OPTIONS, OPTION_TEXT, PLACEHOLDER = 25, 100, 150
MODAL_TITLE, INPUT_LABEL, LABEL_DESCRIPTION, INPUT_PLACEHOLDER = 45, 45, 100, 100
FILES, ALT_TEXT = 10, 1024
FILE = "attachment://"
CHOICES, CHOICE_TEXT = 25, 100
COMMAND_NAME, COMMAND_DESCRIPTION, COMMAND_OPTIONS, COMMAND_TOTAL = 32, 100, 25, 8000

TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Unicode's marks, embeddings, overrides and isolates of the direction of writing."""

SQUARES = re.compile("[▀-▟■□▰▱⬛⬜]{2}")
"""Bars made of letters, which are read aloud square by square."""

TORN: Final = re.compile(r"[≤≥×] \d|\d (?:×|%)|\d [JAM]\b")
"""A figure within which a line of a phone may end, for an ordinary space stands in it; or one whose letter says nothing."""

Wire = Mapping[str, Any]


def at_most(limit: int, text: str | None, what: str) -> None:
    assert len(text or "") <= limit, f"{what} has {len(text or '')} characters, {limit} are allowed: {text}"


def shown(limit: int, text: str | None, what: str) -> None:
    """Check a text that people read: foreign names in it must not turn the direction of what stands beside them."""
    at_most(limit, text, what)
    assert not SQUARES.search(text or ""), f"{what} has a bar of squares: {text}"
    assert not TURNING.search(text or ""), f"{what} turns the direction of writing: {text!a}"
    assert not TORN.search(text or ""), f"{what} has a figure that a line may break: {text}"


def plain(limit: int, text: str | None, what: str) -> None:
    """Check a text in which Discord shows a mention as it is written."""
    shown(limit, text, what)
    assert not re.search(r"</[^>]+:\d+>|`/[^`]+`", text or ""), f"{what} names a command: {text}"


def check_embeds(embeds: Sequence[discord.Embed]) -> None:
    assert len(embeds) <= EMBEDS
    assert sum(len(embed) for embed in embeds) <= EMBED_TOTAL, "6,000 characters in all embeds together"
    for embed in embeds:
        assert all(value != {} for value in embed.to_dict().values()), "a part of an embed is empty"
        plain(TITLE, embed.title, "an embed's title")
        shown(DESCRIPTION, embed.description, "an embed's description")
        plain(FOOTER, embed.footer.text, "an embed's footer")
        plain(AUTHOR, embed.author.name, "an embed's author")
        assert len(embed.fields) <= FIELDS
        for field in embed.fields:
            assert (field.name or "").strip(), "a field without a name"
            assert (field.value or "").strip(), f"the field {field.name} is empty"
            plain(FIELD_NAME, field.name, "a field's name")
            shown(FIELD_VALUE, field.value, f"the field {field.name}")


def check_components(rows: Sequence[Wire]) -> None:
    assert len(rows) <= ROWS
    ids: list[str] = []
    for row in rows:
        controls: Sequence[Wire] = row.get("components", ())
        assert 1 <= len(controls) <= ROW_BUTTONS
        for control in controls:
            ids.append(control.get("custom_id") or control.get("url") or "")
            at_most(CUSTOM_ID, control.get("custom_id"), "a component's id")
            plain(BUTTON_LABEL, control.get("label"), "a button's label")
            plain(PLACEHOLDER, control.get("placeholder"), "a menu's placeholder")
            if "options" in control:
                check_options(control["options"])
                assert len(controls) == 1, "a menu shares its row"
    assert len(set(ids)) == len(ids), f"two components have one id: {ids}"


def check_options(options: Sequence[Wire]) -> None:
    assert 1 <= len(options) <= OPTIONS
    values = [option["value"] for option in options]
    assert len(set(values)) == len(values), f"two choices have one value: {values}"
    for option in options:
        assert option["label"].strip(), "a choice without a label"
        at_most(OPTION_TEXT, option["value"], "a choice's value")
        for key in ("label", "description"):
            plain(OPTION_TEXT, option.get(key), f"a choice's {key}")


def check_message(
    text: str,
    embeds: Sequence[discord.Embed],
    rows: Sequence[Wire],
    files: Sequence[discord.Attachment],
) -> None:
    """Raises: AssertionError where Discord would refuse a message."""
    shown(CONTENT, text, "a message")
    check_embeds(embeds)
    check_components(rows)
    assert len(files) <= FILES
    names = {file.filename for file in files}
    pictures = [embed.image.url or "" for embed in embeds]
    for name in (url.removeprefix(FILE) for url in pictures if url.startswith(FILE)):
        assert name in names, f"an embed shows {name}, which is none of {names}"
    for file in files:
        shown(ALT_TEXT, file.description, "an alternative text")
        if file.filename.endswith(".png"):
            assert file.description, "a picture without an alternative text"


def check_form(wire: Wire) -> None:
    """Raises: AssertionError where Discord would refuse a form."""
    plain(MODAL_TITLE, wire["title"], "a form's title")
    at_most(CUSTOM_ID, wire["custom_id"], "a form's id")
    assert 1 <= len(wire["components"]) <= ROWS
    for row in wire["components"]:
        plain(INPUT_LABEL, row.get("label"), "a field's label")
        plain(LABEL_DESCRIPTION, row.get("description"), "what is said below a field's label")
        for control in (*row.get("components", ()), *filter(None, [row.get("component")])):
            at_most(CUSTOM_ID, control["custom_id"], "a component's id")
            plain(INPUT_LABEL, control.get("label"), "a field's label")
            plain(INPUT_PLACEHOLDER, control.get("placeholder"), "a field's placeholder")


def check_choices(choices: Sequence[Wire]) -> None:
    """Raises: AssertionError where Discord would refuse what autocomplete offers."""
    assert len(choices) <= CHOICES
    for choice in choices:
        assert str(choice["name"]).strip(), "a choice without a name"
        plain(CHOICE_TEXT, str(choice["name"]), "a choice's name")
        at_most(CHOICE_TEXT, str(choice["value"]), "a choice's value")


def check_command(wire: Wire) -> None:
    """Raises: AssertionError where Discord would refuse a command, in any of its languages."""
    assert sum(map(len, _texts(wire))) <= COMMAND_TOTAL, f"{wire['name']} is too long in all"
    for part in _parts(wire):
        names: list[Any] = [part["name"], *(part.get("name_localizations") or {}).values()]
        descriptions: list[Any] = [
            part.get("description", ""),
            *(part.get("description_localizations") or {}).values(),
        ]
        for name in names:
            at_most(COMMAND_NAME, name, "a command's or option's name")
        for description in descriptions:
            plain(COMMAND_DESCRIPTION, description, "a description")
        assert len(part.get("options") or ()) <= COMMAND_OPTIONS
        assert len(part.get("choices") or ()) <= CHOICES
        for choice in part.get("choices") or ():
            labels: list[Any] = [choice["name"], *(choice.get("name_localizations") or {}).values()]
            for label in labels:
                at_most(CHOICE_TEXT, label, "a choice's name")


def _parts(wire: Wire) -> Iterator[Wire]:
    yield wire
    for option in wire.get("options") or ():
        yield from _parts(option)


def _texts(wire: Wire) -> Iterable[str]:
    for part in _parts(wire):
        yield str(part["name"])
        yield str(part.get("description", ""))
        for choice in part.get("choices") or ():
            yield str(choice["name"])
            yield str(choice["value"])
