"""Forms: what Discord opens for somebody to type into; what comes of one is found by its id, also after a restart."""

from collections.abc import Mapping

from discord import TextStyle
from discord.ui import Item, Label, Modal, TextInput

from bot.domain.errors import TooOld


def make_form(form_id: str, title: str, *items: Item[Modal]) -> Modal:
    """Return a form of these texts and fields."""
    form = Modal(title=title, custom_id=form_id)
    for each in items:
        form.add_item(each)
    # One that is not stopped would be kept in memory for everyone who opens it and types nothing.
    form.stop()
    return form


def paragraph(field: str, label: str, about: str, most: int) -> Label[Modal]:
    """Return a field for at most this many characters on several lines, at least one."""
    text: TextInput[Modal] = TextInput(
        custom_id=field, style=TextStyle.paragraph, min_length=1, max_length=most
    )
    return Label(text=label, description=about, component=text)


def read_field(typed: Mapping[str, str], field: str) -> str:
    """Return what was typed into a field. Raises: TooOld for a form that had no such field."""
    if field not in typed:
        raise TooOld
    return typed[field]
