"""`/friends`."""

from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.answers import reserve, show
from bot.client import Interaction, KirokuBot
from bot.subjects import viewer_of
from bot.ui.friends import friends_page
from bot.ui.look import Page
from bot.ui.pages import Address
from bot.ui.text import described, named

_KIND: Final = "friends"


class FriendsCog(commands.Cog):
    """The asker's friend list, for the asker's eyes."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        bot.pages[_KIND] = self._page

    @app_commands.command(
        name=named("command", "friends"), description=described("Show your friends by rating, to you alone")
    )
    async def friends(self, interaction: Interaction) -> None:
        """Show the asker's friends."""
        await reserve(interaction, private=True)
        address = Address(kind=_KIND, asker=viewer_of(interaction))
        await show(interaction, await self._page(interaction, address))

    async def _page(self, interaction: Interaction, address: Address) -> Page:
        page = await self._bot.features.friends.page(address.asker, address.number)
        return friends_page(self._bot.language_of(interaction), page, address)


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(FriendsCog(bot))
