"""Every address that the bot writes."""

from inspect import isclass
from typing import Final

from bot.ui.kit import routes
from bot.ui.kit.address import Address

ROUTES: Final[list[type[Address]]] = [
    each
    for each in vars(routes).values()
    if isclass(each) and issubclass(each, Address) and each.__module__ == routes.__name__
]
