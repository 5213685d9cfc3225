"""What every cog is made of: a cog that knows its bot, and what its methods say they are for."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias, TypeVar

from discord import app_commands
from discord.app_commands import Command, locale_str
from discord.app_commands.commands import CommandCallback, GroupT, P, T
from discord.ext import commands

from bot.chat.client import Interaction, KirokuBot
from bot.ui.kit.address import A
from bot.ui.kit.look import Page

C = TypeVar("C")
M = TypeVar("M")
PageMethod: TypeAlias = Callable[[C, Interaction, A], Awaitable[Page]]
FormMethod: TypeAlias = Callable[[C, Interaction, Mapping[str, str]], Awaitable[None]]
OpeningMethod: TypeAlias = Callable[[C, Interaction], Awaitable[None]]

_ADDING: Final = "__adding__"
"""A method of a cog has under this name what tells the bot of it."""


class KirokuCog(commands.Cog):
    """A cog that knows its bot, and has told it what its methods are for."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        for name, method in vars(type(self)).items():
            adding: Callable[[KirokuBot, Any], object] | None = getattr(method, _ADDING, None)
            if adding is not None:
                adding(bot, getattr(self, name))


def command(
    name: locale_str, description: locale_str
) -> "Callable[[CommandCallback[GroupT, P, T]], Command[GroupT, P, T]]":
    """Say that a method is a command; below this stand its options."""
    return app_commands.command(name=name, description=description)


def shows(kind: type[A]) -> Callable[[PageMethod[C, A]], PageMethod[C, A]]:
    """Say that a method makes the pages of one kind: whatever leads there, and the command itself, asks it."""
    return _adding(lambda bot, method: bot.add_page(kind, method))


def takes(form: str) -> Callable[[FormMethod[C]], FormMethod[C]]:
    """Say that a method is given what was typed into a form, by the ids of its fields."""
    return _adding(lambda bot, method: bot.forms.update({form: method}))


def opens(form: str) -> Callable[[OpeningMethod[C]], OpeningMethod[C]]:
    """Say that a method opens a form to which buttons lead."""
    return _adding(lambda bot, method: bot.form_openers.update({form: method}))


def menu(name: locale_str) -> Callable[[M], M]:
    """Say that a method is a command in the menu of a member or of a message."""
    return _adding(
        lambda bot, method: bot.tree.add_command(app_commands.ContextMenu(name=name, callback=method))
    )


def _adding(add: Callable[[KirokuBot, Any], object]) -> Callable[[M], M]:
    def mark(method: M) -> M:
        setattr(method, _ADDING, add)
        return method

    return mark
