"""Turning pages: buttons whose ids carry all that is needed, so that they work after a restart."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, Protocol, Self, TypeAlias, TypeVar

from discord import ButtonStyle, Interaction, SelectOption
from discord.ui import Button, DynamicItem, Item, Select, View
from typing_extensions import override

from bot.domain.errors import BotError, TooOld
from bot.domain.ids import MemberId
from bot.domain.members import Audience
from bot.features.paging import Part
from bot.ui.look import Page
from bot.ui.text import Language

MAX_CUSTOM_ID: Final = 100
"""Characters of a component's id. Source: Discord's documentation."""

Component: TypeAlias = Item[Any]
"""What stands in a view; discord.py's own `add_item` does not say in which kind of view either."""

_LAST: Final = 9_999
"""A page number that no list reaches."""
_ADDRESS: Final = r"(?P<kind>[a-z]+):(?P<asker>\d+):(?P<number>-?\d+):(?P<query>.*)"


_T = TypeVar("_T")


class NotYours(BotError):
    """Somebody pressed what is for the person alone who used the command."""

    def __init__(self) -> None:
        super().__init__("another's button")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a page is: what the command needs to make it again."""

    kind: str
    """The command that shows it."""
    asker: MemberId
    """Who asked; nobody else turns the page."""
    number: int = 0
    """From 0."""
    query: str = ""
    """The command's own: whom and what the list is about."""

    @property
    def fits(self) -> bool:
        """Whether a component's id can hold it, on any page."""
        return len(f"share:{replace(self, number=_LAST)}") <= MAX_CUSTOM_ID

    @override
    def __str__(self) -> str:
        return f"{self.kind}:{self.asker}:{self.number}:{self.query}"

    @classmethod
    def of(cls, match: re.Match[str]) -> "Address":
        """Read an address back from a component's id."""
        return cls(
            kind=match["kind"],
            asker=MemberId(int(match["asker"])),
            number=int(match["number"]),
            query=match["query"],
        )


class Turner(Protocol):
    """Who turns pages: the bot."""

    async def turn_page(self, interaction: Interaction, address: Address) -> None:
        """Show the page at `address` in place of the one shown."""
        ...

    async def show_aside(self, interaction: Interaction, address: Address) -> None:
        """Show the page at `address` beside the one shown, to the person alone who pressed."""
        ...

    async def share_page(self, interaction: Interaction, address: Address) -> None:
        """Show everyone in the channel the page that its asker alone had seen."""
        ...


class Way(StrEnum):
    """How a button leads to a page; its id starts with this."""

    TURN = "turn"
    """In place of the one shown."""
    SHARE = "share"
    """For everyone, where its asker alone had seen it."""
    ASIDE = "aside"
    """In private, as a page of whoever presses."""


_BUTTON: Final = re.compile(f"(?P<way>{'|'.join(Way)}):{_ADDRESS}")
_MENU: Final = re.compile(f"pick:{_ADDRESS}")


def leads_to_page(custom_id: str) -> bool:
    """Return whether a component has the id of a button or a menu that this bot knows."""
    return any(template.fullmatch(custom_id) for template in (_BUTTON, _MENU))


def read(kind: Callable[[str], _T], text: str) -> _T:
    """Return what a part of an address says. Raises: TooOld where `kind` refuses it with a ValueError."""
    try:
        return kind(text)
    except ValueError as error:
        raise TooOld from error


class PageButton(DynamicItem[Button[Any]], template=_BUTTON):
    """A button that leads to a page."""

    def __init__(
        self,
        address: Address,
        way: Way = Way.TURN,
        *,
        label: str = "",
        disabled: bool = False,
        style: ButtonStyle = ButtonStyle.secondary,
    ) -> None:
        super().__init__(Button(custom_id=f"{way}:{address}", label=label, disabled=disabled, style=style))
        self._address = address
        self._way = way

    @classmethod
    @override
    async def from_custom_id(cls, interaction: Interaction, item: Component, match: re.Match[str], /) -> Self:
        return cls(Address.of(match), Way(match["way"]))

    @override
    async def callback(self, interaction: Interaction) -> None:
        turner: Turner = interaction.client  # pyright: ignore[reportAssignmentType]  # only our bot registers this
        match self._way:
            case Way.TURN:
                await turner.turn_page(interaction, self._address)
            case Way.SHARE:
                await turner.share_page(interaction, self._address)
            case Way.ASIDE:
                own = replace(self._address, asker=MemberId(interaction.user.id))
                await turner.show_aside(interaction, own)


class TurnSelect(DynamicItem[Select[Any]], template=_MENU):
    """A menu whose choice takes the place of the address's query, from its first page on."""

    def __init__(
        self, address: Address, options: Sequence[SelectOption] = (), *, placeholder: str = ""
    ) -> None:
        select: Select[Any] = Select(
            custom_id=f"pick:{address}", options=list(options) or [_UNKNOWN], placeholder=placeholder or None
        )
        super().__init__(select)
        self._address = address

    @classmethod
    @override
    async def from_custom_id(cls, interaction: Interaction, item: Component, match: re.Match[str], /) -> Self:
        return cls(Address.of(match))

    @override
    async def callback(self, interaction: Interaction) -> None:
        turner: Turner = interaction.client  # pyright: ignore[reportAssignmentType]  # only our bot registers this
        chosen = self.item.values[0]
        await turner.turn_page(interaction, replace(self._address, query=chosen, number=0))


_UNKNOWN: Final = SelectOption(label="-")
"""Discord refuses a menu with nothing in it; one rebuilt from an id alone is never shown."""


def turn_buttons(t: Language, address: Address, part: Part) -> list[Component]:
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
    # Its items are found by their ids; a view that is not stopped would be kept in memory for each message.
    view.stop()
    return view


def with_share(t: Language, page: Page, address: Address) -> Page:
    """Return a page that can be shown to everyone; as it was where it must not be, or the id would not fit."""
    if page.audience is Audience.ASKER_ALONE or len(f"{Way.SHARE}:{address}") > MAX_CUSTOM_ID:
        return page
    share = PageButton(address, Way.SHARE, label=t("Share"), style=ButtonStyle.primary)
    return replace(page, share=share)


def private_view(page: Page) -> View | None:
    """Return what can be pressed below a page that its asker alone can see."""
    return view_of([*(page.view.children if page.view else ()), *([page.share] if page.share else ())])


DYNAMIC_ITEMS: Final[tuple[type[DynamicItem[Component]], ...]] = (PageButton, TurnSelect)
