"""`/feed`."""

from collections.abc import Sequence
from dataclasses import replace

from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.chat.answers import reserve, show
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.options import TextChannel, option
from bot.chat.subjects import check_can_post, check_manages, get_guild, place_of, viewer_of
from bot.domain.chronicle.state import LampFlags
from bot.domain.feed import Worth
from bot.domain.ids import ChannelId
from bot.domain.numbers import to_hundredths
from bot.domain.posts import PlanId
from bot.domain.ranks import Rank
from bot.features.server_posts import NoTextChannel, Planned
from bot.ui.feed import LAMPS, RANKS, feeds_page, joined_embed, left_embed, off_embed, question_page
from bot.ui.kit.look import Page
from bot.ui.kit.routes import FeedsAddress, JoinFeedAddress
from bot.ui.language.text import described, named


@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
@app_commands.allowed_installs(guilds=True, users=False)
class FeedCog(
    KirokuCog,
    commands.GroupCog,
    group_name=named("command", "feed"),
    group_description=described("New bests in this server, as they are played"),
):
    """A server's feed of new bests."""

    @command(
        named("command", "channel"), described("Announce in a channel what members who joined have played")
    )
    @option("channel", named("option", "channel"), described("Where to post"))
    @option(
        "gain",
        named("option", "gain"),
        described("Announce what raised the rating by this much, such as 0.05"),
    )
    @option(
        "rank",
        named("option", "rank"),
        described("Announce what earned this rank or a higher one"),
        choices=[Choice(name=rank.label, value=rank.name) for rank in RANKS],
    )
    @option(
        "lamp",
        named("option", "lamp"),
        described("Announce what earned this lamp; if nothing is chosen, every new best is announced"),
        choices=[Choice(name=name, value=str(lamp.name)) for lamp, name in LAMPS.items()],
    )
    @app_commands.checks.has_permissions(manage_guild=True)
    async def channel(
        self,
        interaction: Interaction,
        channel: TextChannel | None = None,
        gain: app_commands.Range[float, 0.01, 99.99] | None = None,
        rank: str | None = None,
        lamp: str | None = None,
    ) -> None:
        """Set up a feed."""
        await reserve(interaction, private=True)
        place = place_of(interaction) if channel is None else ChannelId(channel.id)
        if place is None:
            raise NoTextChannel
        await check_can_post(interaction, place)
        worth = Worth(
            gain=None if gain is None else to_hundredths(gain),
            rank=None if rank is None else Rank[rank],
            lamp=None if lamp is None else LampFlags[lamp],
        )
        zone = self._bot.preferences_of(interaction).timezone
        guild, viewer = get_guild(interaction), viewer_of(interaction)
        plans = await self._bot.features.feed.set_up(guild, place, worth, zone, by=viewer)
        await show(interaction, await self._listed(interaction, plans))

    @command(named("command", "list"), described("Show which feeds this server has"))
    async def list(self, interaction: Interaction) -> None:
        """Show all feeds of the server."""
        await self._bot.answer(interaction, FeedsAddress(asker=viewer_of(interaction)), private=True)

    @shows(FeedsAddress)
    async def _list(self, interaction: Interaction, address: FeedsAddress) -> Page:
        feed, guild = self._bot.features.feed, get_guild(interaction)
        if address.remove is None:
            return await self._listed(interaction, await feed.get_plans(guild))
        check_manages(interaction)
        return await self._listed(interaction, await feed.turn_off(guild, PlanId(address.remove)))

    async def _listed(self, interaction: Interaction, plans: Sequence[Planned]) -> Page:
        t, asker = self._bot.language_of(interaction), viewer_of(interaction)
        if not plans:
            return Page(off_embed(t))
        is_in = await self._bot.features.feed.is_in(get_guild(interaction), asker)
        return feeds_page(t, plans, asker, is_in=is_in, may_remove=interaction.permissions.manage_guild)

    @command(named("command", "off"), described("Turn the feed off"))
    @app_commands.checks.has_permissions(manage_guild=True)
    async def off(self, interaction: Interaction) -> None:
        """Turn the feed off, or offer a choice if there are several."""
        await reserve(interaction, private=True)
        left = await self._bot.features.feed.turn_off(get_guild(interaction))
        await show(interaction, await self._listed(interaction, left))

    @command(named("command", "join"), described("Let your new bests appear in the feed"))
    async def join(self, interaction: Interaction) -> None:
        """Add the asker to the feed."""
        await self._bot.answer(interaction, JoinFeedAddress(asker=viewer_of(interaction)), private=True)

    @shows(JoinFeedAddress)
    async def _join(self, interaction: Interaction, address: JoinFeedAddress) -> Page:
        joining = await self._bot.features.feed.join(
            get_guild(interaction), address.asker, openly=address.openly
        )
        t = self._bot.language_of(interaction)
        if joining.is_in:
            return Page(joined_embed(t, joining.plans))
        return question_page(t, joining.plans, replace(address, openly=True))

    @command(named("command", "leave"), described("Take yourself out of the feed"))
    async def leave(self, interaction: Interaction) -> None:
        """Remove the asker from the feed."""
        await reserve(interaction, private=True)
        was_in = await self._bot.features.feed.leave(get_guild(interaction), viewer_of(interaction))
        await show(interaction, Page(left_embed(self._bot.language_of(interaction), was_in=was_in)))
