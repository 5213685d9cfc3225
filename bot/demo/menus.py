"""The menus of a person and of a message, which simcord's page lacks: what its script, menus.js, asks."""

from typing import Final, Literal, TypeAlias

from pydantic import BaseModel

KIND: Final = "menu"
"""What tells a question of the script from simcord's own actions."""


Part: TypeAlias = Literal["message", "author", "asker"]
"""Whose menu: the message's, its author's, or that of the person whose command it answers."""


class MenuQuestion(BaseModel):
    """Which commands does this menu have; or, with one `chosen`, use it."""

    message_id: int
    part: Part
    chosen: str | None = None
    """The name under which the bot registered the command."""
