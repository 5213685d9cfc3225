"""What the orders of lists are called."""

from collections.abc import Mapping
from typing import Final

from bot.domain.entries import Order
from bot.ui.text import mark

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
    Order.TITLE: mark("Title"),
}
