"""The names of lists' orders, and the menu to choose one."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, TypeVar

from bot.domain.comparison import GapOrder
from bot.domain.entries import Order
from bot.features.shared.paging import Part
from bot.ui.kit.pages import Component, fitting_menu
from bot.ui.kit.routes import ComparisonAddress, ScoresAddress
from bot.ui.language.text import Language, mark

_O = TypeVar("_O", Order, GapOrder)

ORDERS: Final[Mapping[Order, str]] = {
    Order.RATING_DOWN: mark("Rating, highest first"),
    Order.SCORE_DOWN: mark("Score, highest first"),
    Order.SCORE_UP: mark("Score, lowest first"),
    Order.CONSTANT_DOWN: mark("Constant, highest first"),
    Order.CONSTANT_UP: mark("Constant, lowest first"),
    Order.UPDATED: mark("Newest score first"),
    Order.NEWEST: mark("Newest song first"),
    Order.OLDEST: mark("Oldest song first"),
    Order.BPM_DOWN: mark("BPM, highest first"),
    Order.BPM_UP: mark("BPM, lowest first"),
    Order.COMBO_DOWN: mark("Notes, most first"),
    Order.FELT_DOWN: mark("Felt difficulty, hardest first"),
    Order.FELT_UP: mark("Felt difficulty, easiest first"),
    Order.FELT_LESS: mark("Easier than its constant first"),
    Order.JUSTICE_LEFT: mark("ALL JUSTICE, nearest to the maximum first"),
    Order.TITLE: mark("Title"),
}
GAP_ORDERS: Final[Mapping[GapOrder, str]] = {
    GapOrder.WIDEST: mark("Largest gap first"),
    GapOrder.CLOSEST: mark("Smallest gap first"),
}


def order_menu(
    t: Language, address: ScoresAddress | ComparisonAddress, orders: Mapping[_O, str], part: Part[object]
) -> list[Component]:
    """Return the menu that reorders a list; none for an empty list, or if the filter does not fit into an id."""
    if not part.items:
        return []
    choices = {replace(address, order=order, number=0): t(label) for order, label in orders.items()}
    return fitting_menu(choices, replace(address, number=0), placeholder=t("What comes first"))
