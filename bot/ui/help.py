"""`/help`: made from the command tree itself, so that it cannot fall behind."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from discord import Embed
from discord.app_commands import Command, ContextMenu

from bot.features.paging import Part
from bot.ui.look import BRAND, Page, add_text
from bot.ui.pages import Address, turn_buttons, view_of
from bot.ui.text import Language

_ROOM: Final = 3_000
"""Characters of commands on one page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpEntry:
    """One command, as the tree knows it."""

    name: str
    """With its group's, in English."""
    line: str
    """The command, which opens when pressed, its options and what it does."""
    options: tuple[str, ...]
    """What each option is."""


def entries_of(
    t: Language,
    commands: Iterable[Command[Any, ..., Any]],
    menus: Iterable[ContextMenu],
) -> list[HelpEntry]:
    """Return the commands of a tree by name, then the entries that it adds to the menu of a person."""
    entries = sorted((_typed(t, each) for each in commands), key=lambda entry: entry.name)
    return [*entries, *(_menu(t, each) for each in menus)]


def help_page(t: Language, entries: Iterable[HelpEntry], address: Address) -> Page:
    """Return one page of all commands."""
    pages = _in_pages([entry.line for entry in entries])
    number = min(max(address.number, 0), len(pages) - 1)
    embed = Embed(title=t("What this bot can do"), colour=BRAND, description=pages[number])
    if number == 0:
        add_text(embed, t("`/help` with a command's name says what its options are."))
    part = Part(number=number, count=len(pages), start=0, stop=0)
    return Page(embed, view_of(turn_buttons(t, address, part)))


def command_embed(t: Language, entry: HelpEntry) -> Embed:
    """Return one command with all its options."""
    embed = Embed(title=f"/{entry.name}", colour=BRAND, description=entry.line)
    add_text(embed, "\n".join(entry.options) or t("It has no options."))
    return embed


def _typed(t: Language, command: Command[Any, ..., Any]) -> HelpEntry:
    name = command.qualified_name
    options = [(t.name("option", each.display_name), each) for each in command.parameters]
    shown = [f"`{option}`" if each.required else f"[`{option}`]" for option, each in options]
    described = t(command.description)
    line = f"{' '.join([t.mention(name), *shown])}\n{described}"
    lines = [f"`{option}`: " + t(str(each.description)) for option, each in options]
    return HelpEntry(name=name, line=line, options=tuple(lines))


def _menu(t: Language, menu: ContextMenu) -> HelpEntry:
    place = t("In the menu of a person, under Apps")
    shown = t.name("menu", menu.name)
    return HelpEntry(name=menu.name, line=f"**{shown}**\n{place}", options=())


def _in_pages(lines: Iterable[str]) -> list[str]:
    pages = [""]
    for line in lines:
        joined = f"{pages[-1]}\n{line}" if pages[-1] else line
        if len(joined) > _ROOM:
            pages.append(line)
        else:
            pages[-1] = joined
    return pages
