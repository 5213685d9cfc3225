"""`/search` and `/random`."""

from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.answers import reserve, show
from bot.client import Interaction, KirokuBot
from bot.domain.entries import Order
from bot.features.askers import Subject
from bot.subjects import guild_of, viewer_of
from bot.suggestions import suggest_filters
from bot.ui.look import Page
from bot.ui.orders import ORDERS
from bot.ui.pages import Address, read
from bot.ui.search import draw_page, search_page
from bot.ui.text import described, named

_SEARCH: Final = "search"
_RANDOM: Final = "random"
_ORDERS: Final = [
    app_commands.Choice(name=described(label), value=order.value) for order, label in ORDERS.items()
]
_ONLY: Final = [
    app_commands.Choice(name=described("Unplayed"), value="played:no"),
    app_commands.Choice(name=described("Not yet SSS"), value="-rank>=sss"),
]

_MOST: Final = 10
"""Charts drawn at once."""

Text = app_commands.Range[str, 0, 1000]
"""A filter as it is typed."""


class SearchCog(commands.Cog):
    """Lists of charts."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        bot.pages[_SEARCH] = self._search_page
        bot.pages[_RANDOM] = self._random_page

    @app_commands.command(
        name=named("command", "search"),
        description=described("List charts by level, constant, genre and more"),
    )
    @app_commands.rename(wanted=named("option", "filter"), order=named("option", "sort"))
    @app_commands.describe(
        wanted=described("Words and conditions, such as: const>=13.5 diff:mas genre:toho -lamp:aj"),
        order=described("How the list is sorted"),
    )
    @app_commands.choices(order=_ORDERS)
    @app_commands.autocomplete(wanted=suggest_filters)
    async def search(self, interaction: Interaction, wanted: Text = "", order: str = "") -> None:
        """Show the charts that pass a filter."""
        await self._reserve(interaction, wanted, Order(order) if order else None)
        key = await self._bot.features.searches.keep(wanted)
        address = Address(kind=_SEARCH, asker=viewer_of(interaction), query=f"{order}:{key}")
        await show(interaction, await self._search_page(interaction, address))

    @app_commands.command(name=named("command", "random"), description=described("Random charts"))
    @app_commands.rename(
        wanted=named("option", "filter"), count=named("option", "count"), only=named("option", "only")
    )
    @app_commands.describe(
        wanted=described("Words and conditions, such as: const>=13.5 diff:mas genre:toho -lamp:aj"),
        count=described("How many charts; one if left out"),
        only=described("Only charts that you have not played, or not yet brought to SSS"),
    )
    @app_commands.choices(only=_ONLY)
    @app_commands.autocomplete(wanted=suggest_filters)
    async def random(
        self,
        interaction: Interaction,
        wanted: Text = "",
        count: app_commands.Range[int, 1, _MOST] = 1,
        only: str = "",
    ) -> None:
        """Show charts drawn by lot."""
        await self._reserve(interaction, f"{wanted} {only}")
        key = await self._bot.features.searches.keep(f"{wanted} {only}")
        address = Address(kind=_RANDOM, asker=viewer_of(interaction), query=f"{count}:{key}")
        await show(interaction, await self._random_page(interaction, address))

    async def _reserve(self, interaction: Interaction, wanted: str, order: Order | None = None) -> None:
        if self._bot.features.searches.tells_of_viewer(wanted, order):
            await self._bot.reserve_about(interaction, Subject())
        else:
            await reserve(interaction)

    async def _search_page(self, interaction: Interaction, address: Address) -> Page:
        order, _, key = address.query.partition(":")
        searches = self._bot.features.searches
        page = await searches.page(
            address.asker,
            await searches.recall(key),
            read(Order, order) if order else None,
            address.number,
            guild_of(interaction),
        )
        return search_page(self._bot.language_of(interaction), page, address)

    async def _random_page(self, interaction: Interaction, address: Address) -> Page:
        count, _, key = address.query.partition(":")
        searches = self._bot.features.searches
        text = await searches.recall(key)
        draw = await searches.draw(address.asker, text, read(_count, count), guild_of(interaction))
        return draw_page(self._bot.language_of(interaction), draw, address)


def _count(text: str) -> int:
    count = int(text)
    if not 1 <= count <= _MOST:
        raise ValueError(text)
    return count


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(SearchCog(bot))
