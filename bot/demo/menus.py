"""The context menus of a person and of a message, which simcord's page lacks: the requests of the script menus.js."""

from typing import Final, Literal, TypeAlias

from pydantic import BaseModel

KIND: Final = "menu"
"""The kind of the script's requests, unlike those of simcord's actions."""


Part: TypeAlias = Literal["message", "author", "asker"]
"""The owner of a menu: the message, its author, or the person whose command it answers."""


class MenuQuestion(BaseModel):
    """A request for the commands of a menu, or with one `chosen`, to use it."""

    message_id: int
    part: Part
    chosen: str | None = None
    """The command's name as registered by the bot."""
