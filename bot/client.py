"""The bot: what it listens to, the tree of its commands, and the pages that its buttons lead to."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from http import HTTPStatus
from typing import Any, Final, Protocol, Self, TypeAlias, cast

import discord
from discord import app_commands
from discord.ext import commands
from typing_extensions import override

from bot.answers import finish_answers, note_waiting, reserve, show, show_error
from bot.api.cache import accepting
from bot.config import CannotStart
from bot.domain.errors import TooOld
from bot.domain.members import Audience, Preferences, Theme
from bot.features import Features
from bot.features.askers import Subject
from bot.subjects import viewer_of
from bot.ui.look import Page
from bot.ui.pages import DYNAMIC_ITEMS, Address, NotYours, leads_to_page
from bot.ui.studio import Studio
from bot.ui.text import CommandTranslator, Language, Languages

EXTENSIONS: Final = (
    "cogs.about",
    "cogs.account",
    "cogs.alias",
    "cogs.best",
    "cogs.calc",
    "cogs.compare",
    "cogs.courses",
    "cogs.daily",
    "cogs.export",
    "cogs.friends",
    "cogs.help",
    "cogs.mention",
    "cogs.new",
    "cogs.overpower",
    "cogs.plan",
    "cogs.privacy",
    "cogs.rating",
    "cogs.score",
    "cogs.search",
    "cogs.settings",
    "cogs.song",
    "cogs.stats",
    "cogs.worldsend",
)

_PARTING_SECONDS: Final = 1.5
"""How long Discord has to take leave when the bot closes."""

PAGES_HOLD: Final = timedelta(minutes=10)
"""How long the pages of one answer go on with its data, so that no record moves from page to page meanwhile."""

Interaction: TypeAlias = discord.Interaction["KirokuBot"]
"""What a command is given: an interaction that knows our bot."""

FormTaker: TypeAlias = Callable[[Interaction, Mapping[str, str]], Awaitable[None]]
"""Given what was typed into a form, by the ids of its fields."""
PageMaker: TypeAlias = Callable[[Interaction, Address], Awaitable[Page]]


class Resources(Protocol):
    """What the composition root hands over: entered before the first command, left after the last."""

    async def open(self) -> Features:
        """Build the features and everything below them. Raises: CannotStart."""
        ...

    async def close(self) -> None:
        """Close everything, the last opened first; safe to call again, or before `open`."""
        ...


class Tree(app_commands.CommandTree["KirokuBot"]):
    """The slash commands, with the one error handler."""

    @override
    async def interaction_check(self, interaction: Interaction, /) -> bool:
        if interaction.type is discord.InteractionType.application_command:
            note_waiting(interaction)
        return True

    @override
    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        await self.client.answer_error(interaction, error)


class KirokuBot(commands.Bot):
    """The bot: built without side effects, opened by Discord's login."""

    features: Features

    def __init__(self, resources: Resources, *, guild_ready_timeout: float = 2.0) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=Tree,
            # Neither is privileged; of messages, Discord hands over the text of those alone that mention the bot.
            intents=discord.Intents(guilds=True, guild_messages=True, dm_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            # Anywhere, but for the commands that say otherwise: in servers, in direct messages, installed by a person.
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
            guild_ready_timeout=guild_ready_timeout,
            max_messages=None,  # what people write is answered or let go, never kept
        )
        self.languages = Languages()
        self.pages: dict[str, PageMaker] = {}
        """Who makes the pages of each kind; cogs add theirs."""
        self.forms: dict[str, FormTaker] = {}
        """Who takes what was typed into a form, by its id; cogs add theirs."""
        self.studio = Studio()
        """Where cogs have pictures drawn."""
        self._resources = resources

    @override
    async def __aenter__(self) -> Self:
        """Open what is ours before Discord hears of the bot. Raises: CannotStart."""
        await super().__aenter__()
        try:
            self.features = await self._resources.open()
        except BaseException:
            await self.close()
            raise
        return self

    @override
    async def setup_hook(self) -> None:
        self.add_dynamic_items(*DYNAMIC_ITEMS)
        for extension in EXTENSIONS:
            await self.load_extension(extension)
        await self.tree.set_translator(CommandTranslator(self.languages))
        for command in await self._register_commands():
            self.languages.command_ids[command.name] = command.id

    async def _register_commands(self) -> list[app_commands.AppCommand]:
        try:
            return await self.tree.sync()
        except discord.HTTPException as error:
            raise CannotStart(_refusal_sentence(error)) from error

    @override
    async def close(self) -> None:
        if not self.is_closed():
            await finish_answers(self.answer_error)
        try:
            await asyncio.wait_for(super().close(), _PARTING_SECONDS)
        except TimeoutError:  # Discord says nothing to our going
            await self.http.close()
        await self.studio.close()
        await self._resources.close()

    @override
    async def on_message(self, message: discord.Message, /) -> None:
        """Do nothing: commands are slash commands, and mentions have a cog."""

    async def on_interaction(self, interaction: Interaction) -> None:
        """Notice who speaks what, take forms, and say of what another version of this bot left that it is too old."""
        self.features.preferences.notice(viewer_of(interaction), str(interaction.locale))
        custom_id = str(_data_of(interaction).get("custom_id", ""))
        async with self._telling(interaction):
            if interaction.type is discord.InteractionType.modal_submit:
                taker = self.forms.get(custom_id)
                if taker is None:
                    raise TooOld
                await taker(interaction, _typed(interaction))
            elif interaction.type is discord.InteractionType.component and not leads_to_page(custom_id):
                raise TooOld

    def language_of(self, interaction: discord.Interaction) -> Language:
        """Return the language that the person reads, the one they chose or that of their Discord, and their time zone."""
        preferences = self.preferences_of(interaction)
        return self.languages[preferences.language or interaction.locale].in_zone(preferences.zone)

    def preferences_of(self, interaction: discord.Interaction) -> Preferences:
        """Return what the person has set; known without asking anything."""
        return self.features.preferences.of(viewer_of(interaction))

    def theme_of(self, interaction: discord.Interaction) -> Theme:
        """Return the colours in which the person sees pictures."""
        return self.preferences_of(interaction).theme

    async def reserve_about(self, interaction: Interaction, subject: Subject) -> None:
        """Take the place of an answer about `subject`: in private where the person keeps to themselves."""
        private = await self.features.accounts.keeps_to_self(viewer_of(interaction), subject)
        await reserve(interaction, private=private)

    async def turn_page(self, interaction: Interaction, address: Address) -> None:
        """Show the page at `address` in place of the one shown; for the person alone who asked for it."""
        async with self._telling(interaction):
            _check_asker(interaction, address)
            await interaction.response.defer()
            with accepting(PAGES_HOLD):
                page = await self._make(interaction, address)
            await show(interaction, page)

    async def share_page(self, interaction: Interaction, address: Address) -> None:
        """Show everyone in the channel the page that its asker alone had seen."""
        async with self._telling(interaction):
            _check_asker(interaction, address)
            await reserve(interaction)
            page = await self._make(interaction, address)
            shared = Audience.ANYONE if page.audience is Audience.ASKER else page.audience
            await show(interaction, replace(page, view=None, keeps_picture=False, audience=shared))

    async def show_aside(self, interaction: Interaction, address: Address) -> None:
        """Answer whoever pressed, in private, with the page at `address`."""
        async with self._telling(interaction):
            await reserve(interaction, private=True)
            await show(interaction, await self._make(interaction, address))

    async def _make(self, interaction: Interaction, address: Address) -> Page:
        maker = self.pages.get(address.kind)
        if maker is None:
            raise TooOld
        return await maker(interaction, address)

    @asynccontextmanager
    async def _telling(self, interaction: Interaction) -> AsyncGenerator[None]:
        note_waiting(interaction)
        try:
            yield
        except Exception as error:  # noqa: BLE001 - discord.py gives these items no error handler of their own
            await self.answer_error(interaction, error)

    async def answer_error(self, interaction: discord.Interaction, error: Exception) -> None:
        """Tell the person what went wrong, in private; log only what is our fault."""
        await show_error(interaction, self.language_of(interaction), error)


def _refusal_sentence(error: discord.HTTPException) -> str:
    """Return what whoever hosts the bot is told where Discord does not take its commands."""
    answer = f"status {error.status}, code {error.code}"
    if isinstance(error, app_commands.CommandSyncFailure):
        details = "; ".join(line.strip() for line in str(error).splitlines()[1:])
        return f"Discord does not accept a command of this version ({answer}): report this. {details}".strip()
    if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return f"Discord has trouble of its own and did not take the commands ({answer}). Try again in a few minutes."
    if error.status == HTTPStatus.TOO_MANY_REQUESTS:
        return f"Discord takes no more changes of commands for now ({answer}). Try again tomorrow."
    return (
        f"Discord does not let this bot register its commands ({answer}). "
        "Check in the developer portal that DISCORD_TOKEN is that of this bot, and that it is not disabled."
    )


def _data_of(interaction: Interaction) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", interaction.data or {})


def _typed(interaction: Interaction) -> Mapping[str, str]:
    """Return what was typed into the fields of a form, by their ids."""
    fields = [field for row in _data_of(interaction)["components"] for field in row.get("components", ())]
    return {str(field["custom_id"]): str(field.get("value", "")) for field in fields}


def _check_asker(interaction: Interaction, address: Address) -> None:
    if interaction.user.id != address.asker:
        raise NotYours
