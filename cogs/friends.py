"""`/friends`."""

from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.subjects import viewer_of
from bot.ui.friends import friends_page
from bot.ui.kit.look import Page
from bot.ui.kit.routes import FriendsAddress
from bot.ui.language.text import described, named


class FriendsCog(KirokuCog):
    """The asker's friend list, for the asker only."""

    @command(named("command", "friends"), described("Show your friends by rating; only you see it"))
    async def friends(self, interaction: Interaction) -> None:
        """Show the asker's friends."""
        await self._bot.answer(interaction, FriendsAddress(asker=viewer_of(interaction)), private=True)

    @shows(FriendsAddress)
    async def _page(self, interaction: Interaction, address: FriendsAddress) -> Page:
        report = await self._bot.features.friends.report(address.asker, address.number)
        return friends_page(self._bot.language_of(interaction), report, address)
