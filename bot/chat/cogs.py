"""The base class of cogs, and the decorators of their methods."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, Final, TypeAlias, TypeVar

from discord import app_commands
from discord.app_commands import Command, locale_str
from discord.ext import commands

from bot.chat.client import Interaction, KirokuBot
from bot.ui.kit.address import A
from bot.ui.kit.look import Page

C = TypeVar("C")
M = TypeVar("M")
PageMethod: TypeAlias = Callable[[C, Interaction, A], Awaitable[Page]]
FormMethod: TypeAlias = Callable[[C, Interaction, Mapping[str, str]], Awaitable[None]]
OpeningMethod: TypeAlias = Callable[[C, Interaction], Awaitable[None]]

_Registration: TypeAlias = Callable[[KirokuBot, Any], object]
_REGISTRATIONS: Final = "__registrations__"
"""The attribute of a cog's method with the functions that register it with the bot."""


class KirokuCog(commands.Cog):
    """A cog that knows its bot, and registers its marked methods with it.

    class LampsCog(KirokuCog):
        @command(named("command", "lamps"), described("Show your lamps by level"))
        async def lamps(self, interaction: Interaction) -> None:
            await self._bot.answer(interaction, LampsAddress(asker=viewer_of(interaction)), about=Subject())

        @shows(LampsAddress)
        async def _page(self, interaction: Interaction, address: LampsAddress) -> Page: ...
    """

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        for name in dir(type(self)):
            registrations: list[_Registration] = getattr(getattr(type(self), name), _REGISTRATIONS, [])
            for register in registrations:
                register(bot, getattr(self, name))


def command(
    name: locale_str, description: locale_str
) -> Callable[[Callable[..., Coroutine[Any, Any, None]]], Command[Any, ..., None]]:
    """Mark a method as a command; decorators of its options go below this one."""
    return app_commands.command(name=name, description=description)


def shows(kind: type[A]) -> Callable[[PageMethod[C, A]], PageMethod[C, A]]:
    """Mark a method as the maker of one kind of page, for the command and for buttons that lead there."""
    return _registered(lambda bot, method: bot.add_page(kind, method))


def takes(form: str) -> Callable[[FormMethod[C]], FormMethod[C]]:
    """Mark a method as the handler of a submitted form, which gets its texts by field id."""

    def register(bot: KirokuBot, method: Any) -> None:
        bot.forms[form] = method

    return _registered(register)


def opens(form: str) -> Callable[[OpeningMethod[C]], OpeningMethod[C]]:
    """Mark a method as the one that opens a form from a button."""

    def register(bot: KirokuBot, method: Any) -> None:
        bot.form_openers[form] = method

    return _registered(register)


def menu(name: locale_str) -> Callable[[M], M]:
    """Mark a method as a command in the context menu of a member or message."""
    return _registered(
        lambda bot, method: bot.tree.add_command(app_commands.ContextMenu(name=name, callback=method))
    )


def _registered(register: _Registration) -> Callable[[M], M]:
    def mark(method: M) -> M:
        setattr(method, _REGISTRATIONS, [*getattr(method, _REGISTRATIONS, []), register])
        return method

    return mark
