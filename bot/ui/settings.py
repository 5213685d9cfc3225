"""`/settings`: what a member has set, and a menu for each thing that can be chosen from a few."""

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from discord import Embed, SelectOption

from bot.domain.ids import JP, JP2, Region
from bot.domain.members import Theme
from bot.features.preferences import REGIONS, SettingsPage
from bot.ui.best import SLOTS
from bot.ui.look import BRAND, VISIBILITIES, Page, add_text
from bot.ui.pages import Address, Component, TurnSelect, view_of
from bot.ui.text import Language, Languages, mark

THEMES: Final[Mapping[Theme, str]] = {Theme.DARK: mark("Dark"), Theme.LIGHT: mark("Light")}
_REGIONS: Final[Mapping[Region, str]] = {JP2: mark("Today's game (jp2)"), JP: mark("The old game (jp)")}
_Choice = TypeVar("_Choice", bound=str)
_AUTOMATIC: Final = "auto"
"""The choice of a language that is none: that of the member's Discord."""


def settings_page(t: Language, page: SettingsPage, asker: Address, languages: Languages) -> Page:
    """Return a member's settings; a choice leads to the address "setting=value"."""
    preferences = page.preferences
    embed = Embed(title=t("Your settings"), colour=BRAND)
    chosen = languages.find(preferences.language) if preferences.language else None
    embed.add_field(name=t("Language"), value=chosen.own_name if chosen else t("As in Discord"))
    embed.add_field(name=t("Time zone"), value=f"`{preferences.timezone}`")
    embed.add_field(name=t("Pictures"), value=t(THEMES[preferences.theme]))
    embed.add_field(name=t("Slot shown first"), value=t(SLOTS[preferences.slot]))
    tongues = [(_AUTOMATIC, t("As in Discord")), *((each.code, each.own_name) for each in languages)]
    menus: list[Component] = [
        _menu(asker, "language", t("Language"), tongues, chosen.code if chosen else _AUTOMATIC),
        _menu(asker, "theme", t("Pictures"), _labels(t, THEMES), preferences.theme),
        _menu(asker, "slot", t("Slot shown first"), _labels(t, SLOTS), preferences.slot),
    ]
    if page.region is not None and page.visibility is not None:
        embed.add_field(name=t("Game version"), value=t(_REGIONS.get(page.region, page.region)))
        embed.add_field(name=t("Who may look you up"), value=t(VISIBILITIES[page.visibility]))
        regions = {region: _REGIONS[region] for region in REGIONS}
        menus += [
            _menu(asker, "region", t("Game version"), _labels(t, regions), page.region),
            _menu(asker, "visibility", t("Who may look you up"), _labels(t, VISIBILITIES), page.visibility),
        ]
    else:
        add_text(
            embed,
            t("The version of the game and who may look you up can be chosen once you have used `/link`."),
        )
    add_text(embed, t("For another time zone, use `/settings` with its name."))
    return Page(embed, view_of(menus))


def language_of_choice(value: str) -> str | None:
    """Return the code that was chosen; None for "as in Discord"."""
    return None if value == _AUTOMATIC else value


def region_of_choice(value: str) -> Region:
    """Return the generation that was chosen. Raises: ValueError where it is not offered."""
    if value not in REGIONS:
        raise ValueError(value)
    return Region(value)


def _labels(t: Language, marked: Mapping[_Choice, str]) -> list[tuple[str, str]]:
    return [(str(value), t(label)) for value, label in marked.items()]


def _menu(
    address: Address, setting: str, label: str, choices: Sequence[tuple[str, str]], chosen: str
) -> TurnSelect:
    options = [
        SelectOption(label=f"{label}: {name}", value=f"{setting}={value}", default=value == chosen)
        for value, name in choices
    ]
    here = Address(kind=address.kind, asker=address.asker, query=setting)
    return TurnSelect(here, options, placeholder=label)
