"""`/host`: for the bot's host only, and missing unless the host's ids are configured."""

from discord import app_commands

from bot.chat.answers import reserve, show
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog
from bot.chat.hosting import leave_server
from bot.chat.options import option
from bot.chat.subjects import viewer_of
from bot.domain.ids import GuildId
from bot.features.hosting import parse_server
from bot.ui.hosting import blocked_embed, host_embed
from bot.ui.kit.look import Page
from bot.ui.language.text import described, named


class HostingCog(KirokuCog):
    """The state of the bot, and blocked servers. Only in direct messages, so nobody else sees it in a server."""

    # Not a GroupCog: `remove_cog` removes its command by the name of the cog, so it would stay.
    group = app_commands.Group(
        name=named("command", "host"),
        description=described("For whoever hosts this bot"),
        allowed_contexts=app_commands.AppCommandContext(guild=False, dm_channel=True, private_channel=False),
    )

    @group.command(
        name=named("command", "status"),
        description=described("State of the bot: servers, members, requests, posts, disk, copies"),
    )
    async def status(self, interaction: Interaction) -> None:
        """Show the state of the bot."""
        await reserve(interaction, private=True)
        self._bot.features.hosting.check(viewer_of(interaction))
        report = await self._bot.features.hosting.report(servers=len(self._bot.guilds))
        await show(interaction, Page(host_embed(self._bot.language_of(interaction), report)))

    @group.command(
        name=named("command", "block"),
        description=described("Leave a server, and stay away from it"),
    )
    @option("server", named("option", "server"), described("The server's id"))
    async def block(self, interaction: Interaction, server: str) -> None:
        """Leave a server and block it."""
        await reserve(interaction, private=True)
        guild = self._checked(interaction, server)
        await self._bot.features.hosting.block(guild)
        await leave_server(self._bot, guild)
        await self._say(interaction, is_blocked=True)

    @group.command(
        name=named("command", "unblock"),
        description=described("Let a server use the bot again"),
    )
    @option("server", named("option", "server"), described("The server's id"))
    async def unblock(self, interaction: Interaction, server: str) -> None:
        """Unblock a server."""
        await reserve(interaction, private=True)
        await self._bot.features.hosting.unblock(self._checked(interaction, server))
        await self._say(interaction, is_blocked=False)

    def _checked(self, interaction: Interaction, server: str) -> GuildId:
        self._bot.features.hosting.check(viewer_of(interaction))
        return parse_server(server)

    async def _say(self, interaction: Interaction, *, is_blocked: bool) -> None:
        t = self._bot.language_of(interaction)
        await show(interaction, Page(blocked_embed(t, is_blocked=is_blocked)))
