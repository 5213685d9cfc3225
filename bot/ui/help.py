"""`/help`: made from the command tree itself, so that it cannot fall behind."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from discord import AppCommandType, Embed
from discord.app_commands import Command, ContextMenu

from bot.domain.folding import is_same, occurs_in
from bot.features.paging import part_of
from bot.ui.look import BRAND, Page, add_text
from bot.ui.pages import turn_buttons, view_of
from bot.ui.routes import HelpAddress
from bot.ui.text import Language, mark

_ROOM: Final = 3_000
"""Characters of commands on one page."""
_MENUS: Final[Mapping[AppCommandType, str]] = {
    AppCommandType.user: mark("In the menu of a person, under Apps"),
    AppCommandType.message: mark("In the menu of a message, under Apps"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpEntry:
    """One command, or an entry of a menu, as the tree knows it."""

    name: str
    """With its group's, in English."""
    title: str
    """As its reader sees it: "/daily join", or what the menu says."""
    usage: str = ""
    """The command, which opens when pressed, with its options; nothing for an entry of a menu."""
    about: str
    """What it does, or where the menu is."""
    options: str = ""
    """What each option is."""

    @property
    def line(self) -> str:
        """What stands in the list of all."""
        return f"{self.usage or f'**{self.title}**'}\n{self.about}"

    def is_called(self, typed: str) -> bool:
        """Return whether that is one of its names."""
        return is_same(typed, self.name) or is_same(typed, self.title)

    def fits(self, typed: str) -> bool:
        """Return whether that could become one of its names."""
        return occurs_in(typed, self.name) or occurs_in(typed, self.title)


def entries_of(
    t: Language, commands: Iterable[Command[Any, ..., Any]], menus: Iterable[ContextMenu]
) -> list[HelpEntry]:
    """Return the commands of a tree by name, then the entries that it adds to menus."""
    entries = sorted((_typed(t, each) for each in commands), key=lambda entry: entry.name)
    return [*entries, *(_menu(t, each) for each in menus)]


def help_page(t: Language, entries: Iterable[HelpEntry], address: HelpAddress) -> Page:
    """Return one page of all commands."""
    part = part_of(_in_pages([entry.line for entry in entries]), 1, address.number)
    embed = Embed(title=t("What this bot can do"), colour=BRAND, description=part.items[0])
    if part.number == 0:
        add_text(embed, t("`/help` with a command's name says what its options are."))
    return Page(embed, view_of(turn_buttons(t, address, part)))


def command_embed(t: Language, entry: HelpEntry) -> Embed:
    """Return one command with all its options."""
    embed = Embed(title=entry.title, colour=BRAND)
    embed.description = f"{entry.usage}\n{entry.about}".strip()
    if entry.usage:
        add_text(embed, entry.options or t("It has no options."))
    return embed


def _typed(t: Language, command: Command[Any, ..., Any]) -> HelpEntry:
    name = command.qualified_name
    options = [(t.name("option", each.display_name), each) for each in command.parameters]
    shown = [f"`{option}`" if each.required else f"[`{option}`]" for option, each in options]
    return HelpEntry(
        name=name,
        title=f"/{t.command_name(name)}",
        usage=" ".join([t.mention(name), *shown]),
        about=t(command.description),
        options="\n".join(f"`{option}`: " + t(str(each.description)) for option, each in options),
    )


def _menu(t: Language, menu: ContextMenu) -> HelpEntry:
    return HelpEntry(name=menu.name, title=t.name("menu", menu.name), about=t(_MENUS[menu.type]))


def _in_pages(lines: Iterable[str]) -> list[str]:
    pages = [""]
    for line in lines:
        joined = f"{pages[-1]}\n{line}" if pages[-1] else line
        if len(joined) > _ROOM:
            pages.append(line)
        else:
            pages[-1] = joined
    return pages
