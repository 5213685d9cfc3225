"""`/settings`: a member's settings, with a menu for each that has few values."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeAlias

from discord import ButtonStyle, Embed

from bot.domain.errors import TooOld
from bot.domain.ids import JP, JP2, MemberId, Region
from bot.domain.members import CutChoice, Theme, Visibility
from bot.domain.posts import PostPlan
from bot.features.preferences import REGIONS, PreferencesReport
from bot.ui.best import SLOTS
from bot.ui.kit.address import A, Address
from bot.ui.kit.look import BRAND, VISIBILITIES, Page, add_text
from bot.ui.kit.markdown import escape
from bot.ui.kit.pages import Component, PageButton, PageMenu, Way, view_of
from bot.ui.kit.routes import PreferencesAddress
from bot.ui.language.text import Language, Languages, mark
from bot.ui.post_plans import when_text

To: TypeAlias = Callable[..., Address]
"""A function that makes the address of a choice."""

THEMES: Final[Mapping[Theme, str]] = {Theme.DARK: mark("Dark"), Theme.LIGHT: mark("Light")}
_CUTS: Final[Mapping[CutChoice, str]] = {
    CutChoice.WIDE: mark("Wide"),
    CutChoice.PHONE: mark("For phones"),
    CutChoice.AS_PRESSED: mark("As the answer's button says"),
}
_REGIONS: Final[Mapping[Region, str]] = {JP2: mark("Today's game (jp2)"), JP: mark("The old game (jp)")}
_CHOSEN: Final[Mapping[Visibility, str]] = {
    Visibility.ONLY_ME: mark(
        "Done: nobody else can look you up, and you are out of every daily post, feed and leaderboard."
    ),
    Visibility.SERVERS: mark(
        "Done: members of servers we share can look you up now, and `/leaderboard` there counts you. “Only me” takes "
        "that back at any time."
    ),
    Visibility.ANYONE: mark(
        "Done: anyone can look you up now, and `/leaderboard` counts you in servers where you use me. “Only me” takes "
        "that back at any time."
    ),
}
AUTOMATIC: Final = "auto"
"""The choice of the member's language at Discord, and of no particular version of the game."""


def preferences_page(
    t: Language,
    report: PreferencesReport,
    asker: MemberId,
    languages: Languages,
    *,
    chosen_visibility: Visibility | None = None,
) -> Page:
    """Return a member's settings with menus; `chosen_visibility`: the one that they have just chosen."""
    preferences = report.preferences
    embed = Embed(title=t("Your settings"), colour=BRAND)
    if chosen_visibility is not None:
        add_text(embed, chosen_text(t, chosen_visibility))
    chosen = languages.find(preferences.language) if preferences.language else None
    embed.add_field(name=t("Language"), value=chosen.own_name if chosen else t("As in Discord"))
    embed.add_field(name=t("Time zone"), value=f"`{preferences.timezone}`")
    embed.add_field(name=t("Pictures"), value=_look(t, preferences.theme, preferences.cut_choice))
    embed.add_field(name=t("Slot shown first"), value=t(SLOTS[preferences.slot]))
    embed.add_field(name=t("Direct messages"), value=_direct(t, report.direct))
    to = partial(PreferencesAddress, asker=asker)
    looks = {  # in one menu, since a message has room for only five
        to(theme=theme, cut=cut): _look(t, theme, cut) for theme in THEMES for cut in _CUTS
    }
    slots = {to(slot=slot): t(label) for slot, label in SLOTS.items()}
    menus = [
        language_menu(t, to, chosen, languages),
        _menu(t("Pictures"), looks, to(theme=preferences.theme, cut=preferences.cut_choice)),
        _menu(t("Slot shown first"), slots, to(slot=preferences.slot)),
    ]
    if report.region is not None and report.visibility is not None:
        embed.add_field(name=t("Game version"), value=_game(t, report, report.region))
        embed.add_field(name=t("Who may look you up"), value=t(VISIBILITIES[report.visibility]))
        menus += [
            _game_menu(t, to, report, report.region),
            visibility_menu(t, to, report.visibility),
        ]
    else:
        add_text(
            embed,
            t("The version of the game and who may look you up can be chosen once you have used `/link`."),
        )
    add_text(embed, t("For another time zone, use `/settings` with its name."))
    return Page(embed, view_of(menus))


def _game(t: Language, report: PreferencesReport, region: Region) -> str:
    name = t(_REGIONS.get(region, region))
    if report.version is None:
        return name
    version = escape(report.version)
    if not report.is_version_chosen:
        version = t("{version}, as your rating says", version=version)
    return f"{name}\n{version}"


def _game_menu(t: Language, to: To, report: PreferencesReport, region: Region) -> PageMenu:
    """Return the menu of games, and of versions of the chosen one: editions abroad lag behind Japan's."""
    games = {to(region=each, game_version=AUTOMATIC): t(_REGIONS[each]) for each in REGIONS}
    games |= {to(region=region, game_version=each): each for each in report.versions}
    chosen = report.version if report.is_version_chosen and report.version else AUTOMATIC
    return _menu(t("Game version"), games, to(region=region, game_version=chosen))


def code_of(language: str, languages: Languages) -> str | None:
    """Return the code of a chosen language, None for that of Discord. Raises: TooOld for one that no longer exists."""
    if language == AUTOMATIC:
        return None
    if languages.find(language) is None:
        raise TooOld
    return language


def language_menu(t: Language, to: To, chosen: Language | None, languages: Languages) -> PageMenu:
    """Return the menu of languages; None stands for the member's language at Discord."""
    tongues = {to(language=AUTOMATIC): t("As in Discord")}
    tongues |= {to(language=each.code): each.own_name for each in languages}
    return _menu(t("Language"), tongues, to(language=chosen.code if chosen else AUTOMATIC))


def show_button(t: Language, address: Address, way: Way = Way.TURN) -> PageButton:
    """Return the button that makes whoever presses it visible to members of shared servers, by opening `address`."""
    return PageButton(address, way, label=t("Let friends see me"), style=ButtonStyle.success)


def visibility_buttons(t: Language, to: To, now: Visibility, chosen: Visibility | None) -> list[Component]:
    """Return the button that makes a hidden member visible, or that undoes a visibility just `chosen`; else nothing."""
    if now is Visibility.ONLY_ME:
        return [show_button(t, to(visibility=Visibility.SERVERS))]
    back = PageButton(to(visibility=Visibility.ONLY_ME), label=t("Back to “Only me”"))
    return [] if chosen is None else [back]


def chosen_text(t: Language, chosen: Visibility) -> str:
    """Return the effect of a visibility that a member has just chosen, and how to undo it."""
    return t(_CHOSEN[chosen])


def visibility_menu(t: Language, to: To, chosen: Visibility) -> PageMenu:
    """Return the menu of visibilities."""
    visibilities = {to(visibility=each): t(label) for each, label in VISIBILITIES.items()}
    return _menu(t("Who may look you up"), visibilities, to(visibility=chosen))


def _look(t: Language, theme: Theme, cut: CutChoice) -> str:
    return " · ".join([t(THEMES[theme]), t(_CUTS[cut])])


def _direct(t: Language, plan: PostPlan | None) -> str:
    if plan is None:
        return t("None: `/daily direct` changes that")
    return t("Stopped: use `/daily direct` again") if plan.is_off else escape(when_text(t, plan))


def _menu(label: str, choices: Mapping[A, str], chosen: A) -> PageMenu:
    return PageMenu(
        {address: f"{label}: {name}" for address, name in choices.items()}, chosen, placeholder=label
    )
