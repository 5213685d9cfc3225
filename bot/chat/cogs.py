"""What every cog is made of: a cog that knows its bot, and what its methods say they are for."""

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
"""A method of a cog has under this name what registers it with the bot; one method may have several."""


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
    """Say that a method is a command; below this stand its options."""
    return app_commands.command(name=name, description=description)


def shows(kind: type[A]) -> Callable[[PageMethod[C, A]], PageMethod[C, A]]:
    """Say that a method makes the pages of one kind: whatever leads there, and the command itself, asks it."""
    return _registered(lambda bot, method: bot.add_page(kind, method))


def takes(form: str) -> Callable[[FormMethod[C]], FormMethod[C]]:
    """Say that a method is given what was typed into a form, by the ids of its fields."""

    def register(bot: KirokuBot, method: Any) -> None:
        bot.forms[form] = method

    return _registered(register)


def opens(form: str) -> Callable[[OpeningMethod[C]], OpeningMethod[C]]:
    """Say that a method opens a form to which buttons lead."""

    def register(bot: KirokuBot, method: Any) -> None:
        bot.form_openers[form] = method

    return _registered(register)


def menu(name: locale_str) -> Callable[[M], M]:
    """Say that a method is a command in the menu of a member or of a message."""
    return _registered(
        lambda bot, method: bot.tree.add_command(app_commands.ContextMenu(name=name, callback=method))
    )


def _registered(register: _Registration) -> Callable[[M], M]:
    def mark(method: M) -> M:
        setattr(method, _REGISTRATIONS, [*getattr(method, _REGISTRATIONS, []), register])
        return method

    return mark
