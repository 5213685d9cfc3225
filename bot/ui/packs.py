"""The answers of `/pack`: packs of goals before and after they are taken, and a server's pinned ones."""

from collections.abc import Iterable, Mapping
from typing import Final

from discord import ButtonStyle, Embed
from discord.app_commands import Choice
from discord.ui import Modal

from bot.features.packs import FoundPack
from bot.features.shared.goal_packs import GoalPack
from bot.ui.aliases import pack_form
from bot.ui.goals import goal_text, pack_heading
from bot.ui.kit.choices import matching_choices
from bot.ui.kit.look import BRAND, HEADING_WIDTH, Page, add_text
from bot.ui.kit.markdown import cut, one_line
from bot.ui.kit.pages import PACK_FORM, Component, PageButton, PageMenu, view_of
from bot.ui.kit.renderer import Document
from bot.ui.kit.routes import PackAddress, PacksAddress
from bot.ui.language.text import Language

_FILE: Final = "goals.json"


def made_page(t: Language, found: FoundPack) -> Page:
    """Return what the maker of a pack sees: the code, and the file that another bot can import."""
    embed = _pack_embed(t, t("Pack of goals made"), found)
    add_text(
        embed,
        t(
            "Others take it with `/pack take` and the code `{code}`; where another Kiroku is, `/pack import` takes the file.",
            code=found.code,
        ),
    )
    return Page(embed, documents=(Document(content=str(found.pack).encode(), name=_FILE),))


def preview_page(t: Language, found: FoundPack, address: PackAddress) -> Page:
    """Return a pack before it is taken, with the button that takes it."""
    embed = _pack_embed(t, t("Pack of goals"), found)
    add_text(embed, t("Nothing is set yet."))
    take = PackAddress(asker=address.asker, code=found.code, is_taken=True)
    return Page(embed, view_of([PageButton(take, label=t("Set these goals"), style=ButtonStyle.success)]))


def taken_page(t: Language, found: FoundPack) -> Page:
    """Return what a member sees after taking a pack."""
    embed = _pack_embed(t, t("Goals set"), found)
    add_text(embed, t("`/session` tells when one is reached; `/goal list` how far they are."))
    return Page(embed)


def dropped_page(t: Language, found: FoundPack) -> Page:
    """Return what a member sees after dropping a pack."""
    return Page(_pack_embed(t, t("Pack of goals dropped"), found))


def pinned_page(t: Language, found: FoundPack, *, is_pinned: bool) -> Page:
    """Return what a server's managers see after pinning or unpinning a pack."""
    title = t("Pack of goals pinned") if is_pinned else t("Pack of goals no longer pinned")
    return Page(_pack_embed(t, title, found))


def packs_page(t: Language, pinned: Mapping[str, GoalPack], address: PacksAddress) -> Page:
    """Return a server's pinned packs, with the menu to show one."""
    embed = Embed(title=t("Packs of goals in this server"), colour=BRAND)
    lines = [
        f"{pack_heading(t, pack)} · {t.plural('{count} goal', '{count} goals', len(pack.goals))}"
        for pack in pinned.values()
    ]
    empty = t("None yet. People who manage this server pin up to three with `/pack pin`.")
    add_text(embed, "\n".join(lines) or empty)
    return Page(embed, view_of(_menu(t, pinned, address)))


def _menu(t: Language, pinned: Mapping[str, GoalPack], address: PacksAddress) -> list[Component]:
    if not pinned:
        return []
    choices = {PackAddress(asker=address.asker, code=code): _label(pack) for code, pack in pinned.items()}
    return [PageMenu(choices, placeholder=t("Look at one"))]


def pack_choices(packs: Mapping[str, GoalPack], typed: str) -> list[Choice[str]]:
    """Return packs as choices with their codes as values."""
    return matching_choices({code: _label(pack) for code, pack in packs.items()}, typed)


def pack_import_form(t: Language) -> Modal:
    """Return the form for importing a pack; it is handled by its id, also after a restart."""
    about = t("Everything in a pack's file")
    return pack_form(PACK_FORM, t("Look at a pack of goals"), t("Pack of goals"), about)


def _label(pack: GoalPack) -> str:
    return cut(one_line(pack.title), HEADING_WIDTH)


def _pack_embed(t: Language, title: str, found: FoundPack) -> Embed:
    embed = Embed(title=title, colour=BRAND)
    goals: Iterable[str] = (f"- {goal_text(t, goal)}" for goal in found.pack.goals)
    add_text(embed, "\n".join([pack_heading(t, found.pack), *goals]))
    return embed
