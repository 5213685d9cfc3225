"""What every cog is made of."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias, TypeVar

from discord.ext import commands

from bot.chat.client import Interaction, KirokuBot
from bot.ui.kit.address import A
from bot.ui.kit.look import Page

C = TypeVar("C")
PageMethod: TypeAlias = Callable[[C, Interaction, A], Awaitable[Page]]
"""A method of a cog that makes the page at an address."""

_KIND: Final = "__kind_of_address__"
"""Stands at such a method."""


def shows(kind: type[A]) -> Callable[[PageMethod[C, A]], PageMethod[C, A]]:
    """Say that a method makes the pages of one kind: whatever leads there, and the command itself, asks it."""

    def mark(method: PageMethod[C, A]) -> PageMethod[C, A]:
        setattr(method, _KIND, kind)
        return method

    return mark


class KirokuCog(commands.Cog):
    """A cog that knows its bot, and has told it which pages it makes."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        for name, method in vars(type(self)).items():
            kind: type[Any] | None = getattr(method, _KIND, None)
            if kind is not None:
                bot.add_page(kind, getattr(self, name))
