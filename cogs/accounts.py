"""`/link`, `/unlink` and `/account`."""

from collections.abc import Mapping

from bot.chat.answers import reserve, show
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, opens, shows, takes
from bot.chat.subjects import guild_of, viewer_of
from bot.domain.members import Visibility
from bot.features.accounts import Linked
from bot.ui.accounts import account_page, link_form, linked_page, token_of, unlinked_embed
from bot.ui.kit.look import Page
from bot.ui.kit.pages import LINK_FORM
from bot.ui.kit.routes import AccountAddress, LinkedAddress
from bot.ui.language.text import described, named
from bot.ui.preferences import code_of


class AccountsCog(KirokuCog):
    """The commands for a member's link; every answer is private."""

    @command(named("command", "link"), described("Link your account of the record service"))
    async def link(self, interaction: Interaction) -> None:
        """Ask for the access token."""
        await self._ask(interaction)

    @opens(LINK_FORM)
    async def _ask(self, interaction: Interaction) -> None:
        t, accounts = self._bot.language_of(interaction), self._bot.features.accounts
        linked = await accounts.find_name(viewer_of(interaction))
        await interaction.response.send_modal(link_form(t, accounts.token_place, linked))

    @takes(LINK_FORM)
    async def _linked(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        await reserve(interaction, private=True)
        viewer = viewer_of(interaction)
        linked = await self._bot.features.accounts.link(viewer, token_of(typed))
        await show(interaction, await self._first_page(interaction, linked))

    @shows(LinkedAddress)
    async def _chosen(self, interaction: Interaction, address: LinkedAddress) -> Page:
        features = self._bot.features
        if address.visibility is not None:
            await features.accounts.set_visibility(address.asker, address.visibility)
        if address.language:
            language = code_of(address.language, self._bot.languages)
            await features.preferences.change(address.asker, language=language)
            await self._bot.load_preferences(interaction)
        return await self._first_page(interaction, address.visibility)

    async def _first_page(self, interaction: Interaction, news: Linked | Visibility | None = None) -> Page:
        viewer, t = viewer_of(interaction), self._bot.language_of(interaction)
        report = await self._bot.features.preferences.report(viewer)
        manages = guild_of(interaction) is not None and interaction.permissions.manage_guild
        return linked_page(t, report, viewer, self._bot.languages, news=news, may_set_up=manages)

    @command(named("command", "unlink"), described("Erase your link and everything kept with it"))
    async def unlink(self, interaction: Interaction) -> None:
        """Erase the asker's link."""
        await reserve(interaction, private=True)
        is_off_disk = await self._bot.features.accounts.unlink(viewer_of(interaction))
        t = self._bot.language_of(interaction)
        await show(interaction, Page(unlinked_embed(t, is_off_disk=is_off_disk)))

    @command(
        named("command", "account"),
        described("Show what you have linked, who may look you up, and the requests left"),
    )
    async def account(self, interaction: Interaction) -> None:
        """Show the asker's link."""
        await self._bot.answer(interaction, AccountAddress(asker=viewer_of(interaction)), private=True)

    @shows(AccountAddress)
    async def _page(self, interaction: Interaction, address: AccountAddress) -> Page:
        accounts = self._bot.features.accounts
        if address.visibility is not None:
            await accounts.set_visibility(address.asker, address.visibility)
        report = await accounts.report(address.asker)
        t = self._bot.language_of(interaction)
        return account_page(t, report, address.asker, chosen=address.visibility)
