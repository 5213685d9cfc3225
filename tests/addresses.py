"""Every address that the bot writes."""

from inspect import isclass
from typing import Final

from bot.ui.kit import routes, song_routes
from bot.ui.kit.address import Address

ROUTES: Final[list[type[Address]]] = [
    each
    for module in (routes, song_routes)
    for each in vars(module).values()
    if isclass(each) and issubclass(each, Address) and each.__module__ == module.__name__
]
