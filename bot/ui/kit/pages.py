"""Buttons and menus that lead to pages and forms; their ids carry all the state, so they work after a restart."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeAlias

from discord import ButtonStyle, SelectOption
from discord.ui import Button, Item, Select, View

from bot.domain.errors import BotError, TooOld
from bot.domain.ids import MemberId
from bot.domain.members import Audience, Cut
from bot.features.shared.paging import Part
from bot.features.shared.subjects import Subject
from bot.ui.kit.address import A, Address, ListAddress, PictureAddress, SubjectAddress, decode, encode
from bot.ui.kit.look import Page
from bot.ui.language.text import Language, mark

Component: TypeAlias = Item[Any]
"""An item of a view; discord.py's own `add_item` leaves the type of the view open too."""

_PICK: Final = "pick"
"""The prefix of the id of a menu whose choices lead to pages as `Way.TURN` does."""
_PICK_OPEN: Final = "choose"
"""The prefix of the id of a menu whose choices lead to pages as `Way.OPEN` does."""
_MARKED: Final = "@"
"""The separator between the way and a mark, in the id of a component."""
_FORM: Final = "form"
"""The prefix of the id of a button that opens a form; the form's id follows."""

LINK_FORM: Final = "link"
"""The id of the form that asks for the access token."""
FEEDBACK_FORM: Final = "feedback"
"""The id of the form for messages to the host."""
ALIASES_FORM: Final = "aliases"
"""The id of the form into which a pack of aliases is pasted."""
PACK_FORM: Final = "pack"
"""The id of the form into which a pack of goals is pasted."""
SETUP_FORM: Final = "setup"
"""The id of the form for everything that a server can set up."""
ANYBODY: Final = MemberId(1)
"""The placeholder in an address for whoever presses its button: nobody has asked yet."""


class NotYours(BotError):
    """Somebody pressed a component that only the user of the command may press."""

    def __init__(self) -> None:
        super().__init__("another's button")


class Way(StrEnum):
    """How a button leads to a page; its id starts with the value."""

    TURN = "turn"
    """The page replaces the one shown."""
    SHARE = "share"
    """The page, which only its asker could see, is shown to everyone."""
    ASIDE = "aside"
    """The page is a private answer to whoever presses, with them as the asker."""
    CUT = "cut"
    """As `TURN`, with another cut, which is remembered."""
    ANEW = "anew"
    """The page replaces the one shown, with fresh data from the service."""
    OPEN = "open"
    """The page replaces the one shown, with whoever presses as the asker: their permissions are checked then."""


class Lead(NamedTuple):
    """The page that a component leads to, and how."""

    way: Way
    address: Address


def lead_of(custom_id: str, chosen: Sequence[str] = ()) -> Lead:
    """Return where a pressed button or a menu's `chosen` option leads. Raises: TooOld."""
    way, _, address = custom_id.partition(":")
    way, _, _ = way.partition(_MARKED)
    if way in {_PICK, _PICK_OPEN} and chosen:
        return Lead(Way.TURN if way == _PICK else Way.OPEN, decode(chosen[0]))
    if way not in list(Way):
        raise TooOld
    return Lead(Way(way), decode(address))


def mark_of(custom_id: str) -> str:
    """Return the mark in a button's id; empty if there is none."""
    return custom_id.partition(":")[0].partition(_MARKED)[2]


def form_of(custom_id: str) -> str | None:
    """Return the id of the form that a button opens; None if it opens none."""
    kind, _, form = custom_id.partition(":")
    return form if kind == _FORM else None


class PageButton(Button[Any]):
    """A button that leads to a page."""

    def __init__(
        self,
        address: Address,
        way: Way = Way.TURN,
        *,
        label: str,
        disabled: bool = False,
        style: ButtonStyle = ButtonStyle.secondary,
    ) -> None:
        super().__init__(custom_id=f"{way}:{encode(address)}", label=label, disabled=disabled, style=style)

    def marked(self, mark: str) -> Button[Any]:
        """Return the same button with a mark in its id, which only the bot reads: see `mark_of`."""
        way, _, address = str(self.custom_id).partition(":")
        return Button(custom_id=f"{way}{_MARKED}{mark}:{address}", label=self.label, style=self.style)


class FormButton(Button[Any]):
    """A button that opens a form for whoever presses it."""

    def __init__(self, form: str, *, label: str, style: ButtonStyle = ButtonStyle.primary) -> None:
        super().__init__(custom_id=f"{_FORM}:{form}", label=label, style=style)


class PageMenu(Select[Any]):
    """A menu whose choices lead to pages that replace the one shown."""

    def __init__(
        self,
        choices: Mapping[A, str],
        chosen: A | None = None,
        *,
        placeholder: str,
        descriptions: Mapping[A, str] | None = None,
        place: int = 1,
        is_open: bool = False,
    ) -> None:
        """Offer addresses by label; menus of one message with the same first page need different places.

        Their ids would be equal otherwise. Anybody may use an open menu: the page is then made for them.
        """
        options = [
            SelectOption(
                label=label,
                value=encode(address),
                description=(descriptions or {}).get(address) or None,
                default=address == chosen,
            )
            for address, label in choices.items()
        ]
        pick = _PICK_OPEN if is_open else _PICK
        way = pick if place == 1 else f"{pick}{_MARKED}{place}"
        super().__init__(custom_id=f"{way}:{options[0].value}", options=options, placeholder=placeholder)


def fitting_menu(
    choices: Mapping[A, str], chosen: A | None = None, *, placeholder: str, place: int = 1
) -> list[Component]:
    """Return a menu of pages; none if one of them does not fit into an id, as with a long filter."""
    if not all(address.fits for address in choices):
        return []
    return [PageMenu(choices, chosen, placeholder=placeholder, place=place)]


def link_button(t: Language) -> FormButton:
    """Return the button that opens the form of `/link` for whoever presses it."""
    return FormButton(LINK_FORM, label=t("Link"))


def setup_button(t: Language) -> FormButton:
    """Return the button that opens the form of `/setup` for whoever presses it and manages the server."""
    return FormButton(SETUP_FORM, label=t("Set this server up"), style=ButtonStyle.secondary)


def aside_buttons(leads: Mapping[str, Address]) -> list[Component]:
    """Return buttons, by label, that answer whoever presses them in private; those too long for an id are left out."""
    return [PageButton(address, Way.ASIDE, label=label) for label, address in leads.items() if address.fits]


def with_leads(page: Page, leads: Mapping[str, Address]) -> Page:
    """Return a page with buttons, by label, for probable next steps."""
    return with_more(page, aside_buttons(leads)) if leads else page


def with_more(page: Page, items: Sequence[Component]) -> Page:
    """Return a page with more components, added to its view if it has one: a new view costs as much as a button."""
    if page.view is None:
        return replace(page, view=view_of(items))
    for item in items:
        page.view.add_item(item)
    return page


def turn_buttons(t: Language, address: ListAddress, part: Part[object]) -> list[Component]:
    """Return the buttons that turn the pages of a list; none if it has only one page."""
    if part.count == 1:
        return []
    back = PageButton(replace(address, number=part.number - 1), label=t("Back"), disabled=part.number == 0)
    place: Button[Any] = Button(label=f"{part.number + 1} / {part.count}", disabled=True, custom_id="place")
    on = PageButton(
        replace(address, number=part.number + 1), label=t("Next"), disabled=part.number == part.count - 1
    )
    return [back, place, on]


def view_of(items: Sequence[Component]) -> View | None:
    """Return a view that never expires, or None if there are no items."""
    if not items:
        return None
    view = View(timeout=None)
    for item in items:
        view.add_item(item)
    # The ids alone say where the items lead; discord.py would keep a view that is not stopped in memory.
    view.stop()
    return view


def with_share(t: Language, page: Page, address: Address) -> Page:
    """Return a page with a share button; without one if the page is for its asker alone, or the id does not fit."""
    if page.audience is Audience.ASKER_ALONE:
        return page

    def share() -> list[Component]:
        if not address.fits:
            return []
        return [PageButton(address, Way.SHARE, label=t("Share"), style=ButtonStyle.primary)]

    return replace(page, share=share)


def with_refresh(t: Language, page: Page, address: SubjectAddress) -> Page:
    """Return a page about the asker with a refresh button; other pages, and those that fit no id, stay as they are."""
    if address.subject != Subject() or not address.fits:
        return page
    return with_more(page, [PageButton(address, Way.ANEW, label=t("Refresh"))])


CUTS: Final[Mapping[Cut, str]] = {Cut.WIDE: mark("Wide"), Cut.PHONE: mark("For phones")}


def with_cut(t: Language, page: Page, address: PictureAddress, cut: Cut, about: PictureAddress) -> Page:
    """Return a page with buttons for the other cut of its picture, and for the full text.

    `about`: the address for anybody but the asker.
    """
    if address.cut is Cut.LIST:
        return with_more(
            replace(page, picture=None), [PageButton(replace(address, cut=None), label=t("Picture"))]
        )
    if page.picture is None or not replace(about, cut=Cut.PHONE).fits:
        return page
    other = Cut.WIDE if cut is Cut.PHONE else Cut.PHONE
    turn = PageButton(replace(address, cut=other), Way.CUT, label=t(CUTS[other]))
    if page.beside is None:
        return with_more(page, [turn])
    return with_more(page, [PageButton(replace(about, cut=Cut.LIST), Way.ASIDE, label=t("List")), turn])


def private_view(page: Page) -> View | None:
    """Return the view of a page that only its asker can see: with the share button, if there is one."""
    return view_of([*(page.view.children if page.view else ()), *page.share()])
