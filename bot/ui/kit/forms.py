"""Forms (Discord's modals); a submitted one is handled by its id, also after a restart."""

from collections.abc import Mapping

from discord import TextStyle
from discord.ui import Item, Label, Modal, TextInput

from bot.domain.errors import TooOld


def make_form(form_id: str, title: str, *items: Item[Modal]) -> Modal:
    """Return a form with these texts and fields."""
    form = Modal(title=title, custom_id=form_id)
    for each in items:
        form.add_item(each)
    # discord.py would keep every form that is opened but never submitted in memory, unless it is stopped.
    form.stop()
    return form


def paragraph(field: str, label: str, about: str, most: int) -> Label[Modal]:
    """Return a field for several lines of text, with one to `most` characters."""
    text: TextInput[Modal] = TextInput(
        custom_id=field, style=TextStyle.paragraph, min_length=1, max_length=most
    )
    return Label(text=label, description=about, component=text)


def read_field(typed: Mapping[str, str], field: str) -> str:
    """Return the text of a field. Raises: TooOld for a form without that field."""
    if field not in typed:
        raise TooOld
    return typed[field]
