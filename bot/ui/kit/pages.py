"""What leads to pages and forms: buttons and menus whose ids carry all that is needed, and so work after a restart."""

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
"""It stands in a view; discord.py's own `add_item` does not say in which kind of view either."""

_PICK: Final = "pick"
"""The id of a menu begins so, whose choices lead to pages as `Way.TURN` does."""
_PICK_OPEN: Final = "choose"
"""The id of a menu begins so, whose choices lead to pages as `Way.OPEN` does."""
_MARKED: Final = "@"
"""It stands between a way and the mark of a message, in the id of a button below it."""
_FORM: Final = "form"
"""The id of a button that opens a form begins so; the form's id follows."""

LINK_FORM: Final = "link"
"""The form with this id asks for the access token."""
FEEDBACK_FORM: Final = "feedback"
"""People write to the host in the form with this id."""
ALIASES_FORM: Final = "aliases"
"""A pack of other names is pasted into the form with this id."""
PACK_FORM: Final = "pack"
"""A pack of goals is pasted into the form with this id."""
SETUP_FORM: Final = "setup"
"""The form with this id is for all that a server can have."""
ANYBODY: Final = MemberId(1)
"""It stands in an address for whoever presses its button: nobody has asked yet."""


class NotYours(BotError):
    """Somebody pressed what is for the person alone who used the command."""

    def __init__(self) -> None:
        super().__init__("another's button")


class Way(StrEnum):
    """How a button leads to a page; its id starts with this."""

    TURN = "turn"
    """The page comes in place of the one shown."""
    SHARE = "share"
    """The page is shown to everyone, where its asker alone had seen it."""
    ASIDE = "aside"
    """The page is answered in private, as one of whoever presses."""
    CUT = "cut"
    """As `TURN`, in another cut, which is remembered."""
    ANEW = "anew"
    """The page comes in place of the one shown, with what the service says now."""
    OPEN = "open"
    """The page comes in place of the one shown, as one of whoever presses: what they may is looked at then."""


class Lead(NamedTuple):
    """Where a component leads, and how."""

    way: Way
    address: Address


def lead_of(custom_id: str, chosen: Sequence[str] = ()) -> Lead:
    """Return where a component leads that was pressed, or that of a menu. Raises: TooOld."""
    way, _, address = custom_id.partition(":")
    way, _, _ = way.partition(_MARKED)
    if way in {_PICK, _PICK_OPEN} and chosen:
        return Lead(Way.TURN if way == _PICK else Way.OPEN, decode(chosen[0]))
    if way not in list(Way):
        raise TooOld
    return Lead(Way(way), decode(address))


def mark_of(custom_id: str) -> str:
    """Return what a button's id carries beside where it leads; empty where that is nothing."""
    return custom_id.partition(":")[0].partition(_MARKED)[2]


def form_of(custom_id: str) -> str | None:
    """Return the id of the form that a button opens; None for one that opens none."""
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
        """Return the same button, with a mark in its id: the bot alone reads it, see `mark_of`."""
        way, _, address = str(self.custom_id).partition(":")
        return Button(custom_id=f"{way}{_MARKED}{mark}:{address}", label=self.label, style=self.style)


class FormButton(Button[Any]):
    """A button that opens a form, for whoever presses it."""

    def __init__(self, form: str, *, label: str, style: ButtonStyle = ButtonStyle.primary) -> None:
        super().__init__(custom_id=f"{_FORM}:{form}", label=label, style=style)


class PageMenu(Select[Any]):
    """A menu whose choices lead to pages in place of the one shown."""

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
        """Offer addresses by their labels; menus of a message that may offer the same page first have unlike places.

        Their ids would be the same otherwise. One that is open anybody may use, as one of whom the page is then made.
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
    """Return a menu of pages; none where an id would not hold one of them, as with a long filter."""
    if not all(address.fits for address in choices):
        return []
    return [PageMenu(choices, chosen, placeholder=placeholder, place=place)]


def link_button(t: Language) -> FormButton:
    """Return the button that asks whoever presses it for their access token, as `/link` does."""
    return FormButton(LINK_FORM, label=t("Link"))


def setup_button(t: Language) -> FormButton:
    """Return the button that asks whoever presses it, and manages the server, what that is to have, as `/setup` does."""
    return FormButton(SETUP_FORM, label=t("Set this server up"), style=ButtonStyle.secondary)


def aside_buttons(leads: Mapping[str, Address]) -> list[Component]:
    """Return buttons that answer whoever presses them, in private, by their labels; without those that fit no id."""
    return [PageButton(address, Way.ASIDE, label=label) for label, address in leads.items() if address.fits]


def with_leads(page: Page, leads: Mapping[str, Address]) -> Page:
    """Return a page with what one may want next below it, by the labels of the buttons."""
    return with_more(page, aside_buttons(leads)) if leads else page


def with_more(page: Page, items: Sequence[Component]) -> Page:
    """Return a page with more below it: in the view that it has, for a view takes as long to make as a button."""
    if page.view is None:
        return replace(page, view=view_of(items))
    for item in items:
        page.view.add_item(item)
    return page


def turn_buttons(t: Language, address: ListAddress, part: Part[object]) -> list[Component]:
    """Return the buttons of a list; none where everything is on one page."""
    if part.count == 1:
        return []
    back = PageButton(replace(address, number=part.number - 1), label=t("Back"), disabled=part.number == 0)
    place: Button[Any] = Button(label=f"{part.number + 1} / {part.count}", disabled=True, custom_id="place")
    on = PageButton(
        replace(address, number=part.number + 1), label=t("Next"), disabled=part.number == part.count - 1
    )
    return [back, place, on]


def view_of(items: Sequence[Component]) -> View | None:
    """Return a view that works for ever, or None where there is nothing to press."""
    if not items:
        return None
    view = View(timeout=None)
    for item in items:
        view.add_item(item)
    # The bot reads where its items lead from their ids; a view that is not stopped would be kept in memory.
    view.stop()
    return view


def with_share(t: Language, page: Page, address: Address) -> Page:
    """Return a page that can be shown to everyone; as it was where it must not be, or the id would not fit."""
    if page.audience is Audience.ASKER_ALONE:
        return page

    def share() -> list[Component]:
        if not address.fits:
            return []
        return [PageButton(address, Way.SHARE, label=t("Share"), style=ButtonStyle.primary)]

    return replace(page, share=share)


def with_refresh(t: Language, page: Page, address: SubjectAddress) -> Page:
    """Return a page about whoever asked with a button that asks the service anew; others' pages as they were."""
    if address.subject != Subject() or not address.fits:
        return page
    return with_more(page, [PageButton(address, Way.ANEW, label=t("Refresh"))])


CUTS: Final[Mapping[Cut, str]] = {Cut.WIDE: mark("Wide"), Cut.PHONE: mark("For phones")}


def with_cut(t: Language, page: Page, address: PictureAddress, cut: Cut, about: PictureAddress) -> Page:
    """Return a page whose picture can be turned into that for another screen, or into all that the text says.

    `about`: the address as somebody else than the asker follows it.
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
    """Return what can be pressed below a page that its asker alone can see."""
    return view_of([*(page.view.children if page.view else ()), *page.share()])
