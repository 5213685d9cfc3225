"""`/search` and `/random`."""

from typing import Final

from discord import app_commands

from bot.chat.answers import reserve, show
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.options import filter_option, option, sort_option
from bot.chat.subjects import guild_of, mentioned_in, viewer_of
from bot.domain.draft import MAX_PLAYERS, MAX_VETOES, BadTable, Draft, charts_needed
from bot.domain.entries import Order
from bot.domain.errors import TooOld
from bot.domain.ids import MemberId
from bot.features.shared.subjects import Subject
from bot.ui.kit.look import Page
from bot.ui.kit.song_routes import DraftAddress, RandomAddress, SearchAddress
from bot.ui.language.text import described, mark, named
from bot.ui.searches import draft_page, draw_page, search_page

_ONLY: Final = [
    app_commands.Choice(name=described("Unplayed"), value="played:no"),
    app_commands.Choice(name=described("Not yet SSS"), value="-rank>=sss"),
]

_EXAMPLE: Final = mark("Words and conditions, such as: const>=13.5 diff:mas genre:toho -lamp:aj")

_VETOES: Final = 2
"""The default number of charts that each player strikes."""

Text = app_commands.Range[str, 0, 1000]
"""The text of a filter, as typed."""


class SearchesCog(KirokuCog):
    """Lists of charts."""

    @command(named("command", "search"), described("List charts by level, constant, genre and more"))
    @filter_option(described(_EXAMPLE))
    @sort_option(described("How the list is sorted"))
    async def search(self, interaction: Interaction, wanted: Text = "", sort: str = "") -> None:
        """Show the charts that pass a filter."""
        order = Order(sort) if sort else None
        key = await self._reserve_and_save(interaction, wanted, order)
        address = SearchAddress(asker=viewer_of(interaction), key=key, order=order)
        await self._bot.fill_reserved(interaction, address)

    @command(named("command", "random"), described("Random charts"))
    @filter_option(described(_EXAMPLE))
    @option("count", named("option", "count"), described("How many charts; one if left out"))
    @option(
        "only",
        named("option", "only"),
        described("Only charts that you have not played, or not yet brought to SSS"),
        choices=_ONLY,
    )
    @option(
        "vetoes", named("option", "vetoes"), described("How many charts each player strikes, taking turns")
    )
    @option(
        "players", named("option", "players"), described("Who strikes charts beside you: up to seven @names")
    )
    async def random(
        self,
        interaction: Interaction,
        wanted: Text = "",
        count: app_commands.Range[int, 1, 10] = 1,
        only: str = "",
        vetoes: app_commands.Range[int, 0, MAX_VETOES] = 0,
        players: Text = "",
    ) -> None:
        """Show randomly drawn charts; with vetoes, for several people who strike some of them."""
        if vetoes or players.strip():
            table = _empty_draft(viewer_of(interaction), players, vetoes or _VETOES)
            await self._begin_draft(interaction, f"{wanted} {only}", count, table)
            return
        key = await self._reserve_and_save(interaction, f"{wanted} {only}")
        await self._bot.fill_reserved(
            interaction, RandomAddress(asker=viewer_of(interaction), key=key, count=count)
        )

    async def _begin_draft(self, interaction: Interaction, wanted: str, count: int, table: Draft) -> None:
        needed = max(count, charts_needed(len(table.players), table.vetoes))
        await reserve(interaction)
        report = await self._bot.features.searches.begin_draft(
            viewer_of(interaction),
            wanted,
            needed,
            table,
            guild_of(interaction),
            language=self._bot.language_of(interaction).code,
        )
        await show(interaction, draft_page(self._bot.language_of(interaction), report))

    @shows(DraftAddress)
    async def _draft_page(self, interaction: Interaction, address: DraftAddress) -> Page:
        embeds = interaction.message.embeds if interaction.message else []
        players = mentioned_in(" ".join(field.value or "" for embed in embeds for field in embed.fields))
        if not players:  # the server's managers have removed the embeds
            raise TooOld
        struck = frozenset(
            place for place in range(address.struck.bit_length()) if address.struck >> place & 1
        )
        table = Draft(players=players, charts=(), vetoes=address.vetoes, struck=struck)
        report = await self._bot.features.searches.strike(
            address.asker, address.key, table, address.place, guild_of(interaction)
        )
        t = self._bot.language_of(interaction)
        return draft_page(self._bot.languages[report.language or t.code].in_zone(t.zone), report)

    async def _reserve_and_save(
        self, interaction: Interaction, wanted: str, order: Order | None = None
    ) -> str:
        """Defer the answer of a list; return the key of its filter."""
        searches = self._bot.features.searches
        if searches.needs_viewer_scores(wanted, order):
            await self._bot.reserve_about(interaction, Subject())
        else:
            await reserve(interaction)
        return await searches.save_filter(wanted)

    @shows(SearchAddress)
    async def _search_page(self, interaction: Interaction, address: SearchAddress) -> Page:
        searches = self._bot.features.searches
        wanted = await searches.get_text(address.key)
        report = await searches.report(
            address.asker, wanted, address.order, address.number, guild_of(interaction)
        )
        return search_page(self._bot.language_of(interaction), report, address)

    @shows(RandomAddress)
    async def _random_page(self, interaction: Interaction, address: RandomAddress) -> Page:
        searches = self._bot.features.searches
        wanted = await searches.get_text(address.key)
        draw = await searches.draw(address.asker, wanted, address.count, guild_of(interaction))
        return draw_page(self._bot.language_of(interaction), draw, address)


def _empty_draft(viewer: MemberId, players: str, vetoes: int) -> Draft:
    """Return an empty table with the viewer and the people mentioned in a text. Raises: BadTable."""
    others = tuple(player for player in mentioned_in(players) if player != viewer)
    if bool(players.strip()) > bool(others) or len(others) >= MAX_PLAYERS:
        raise BadTable
    return Draft(players=(viewer, *others), charts=(), vetoes=vetoes)
