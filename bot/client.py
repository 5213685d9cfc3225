"""Bot, command tree, and the one error handler."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Protocol, TypeAlias

import discord
from discord import app_commands
from discord.ext import commands
from typing_extensions import override

from bot.api.cache import accepting
from bot.domain.errors import BotError
from bot.domain.ids import GuildId, MemberId, UserName
from bot.domain.members import Preferences, Theme
from bot.features.about import About
from bot.features.accounts import Accounts
from bot.features.aliases import ServerAliases
from bot.features.askers import Subject, TwoSubjects
from bot.features.best import Best
from bot.features.calculator import Calculator
from bot.features.catalogues import Catalogues
from bot.features.comparison import Comparisons
from bot.features.courses import Courses
from bot.features.daily import Daily
from bot.features.exports import RecordExports
from bot.features.friends import Friends
from bot.features.library import Library
from bot.features.overpower import OverPowers
from bot.features.plan import Plans
from bot.features.preferences import MemberPreferences
from bot.features.privacy import Privacy
from bot.features.rating import Ratings
from bot.features.scores import Scores
from bot.features.searches import Searches
from bot.features.songs import Songs
from bot.features.statistics import Statistics
from bot.ui.errors import error_sentence, fault_sentence
from bot.ui.filters import filter_choices
from bot.ui.look import Page
from bot.ui.pages import DYNAMIC_ITEMS, Address, not_yours, with_share
from bot.ui.song import song_choices
from bot.ui.studio import Studio
from bot.ui.text import Language, Languages

_log = logging.getLogger(__name__)

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

_ANSWERING: Final = ("CommandTree-invoker", "discord-ui-", "discord.py: on_")
"""How discord.py names the tasks in which commands, components, forms and events are answered."""
_LAST_SECONDS: Final = 1.0
"""How long answers under way may take when the bot closes."""

_UNKNOWN_INTERACTION: Final = 10062
"""Discord's code for an interaction that was answered too late, or twice."""

PAGES_HOLD: Final = timedelta(minutes=10)
"""How long the pages of one answer go on with its data, so that no record moves from page to page meanwhile."""

_RESERVED: Final = "reserved"
_PRIVATE: Final = "private"
_PUBLIC: Final = "public"

Interaction: TypeAlias = discord.Interaction["KirokuBot"]
"""What a command is given: an interaction that knows our bot."""

PageMaker: TypeAlias = Callable[[Interaction, Address], Awaitable[Page]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """Everything that a cog may ask."""

    about: About
    accounts: Accounts
    aliases: ServerAliases
    best: Best
    calculator: Calculator
    catalogues: Catalogues
    comparisons: Comparisons
    courses: Courses
    daily: Daily
    exports: RecordExports
    friends: Friends
    library: Library
    over_powers: OverPowers
    plans: Plans
    preferences: MemberPreferences
    privacy: Privacy
    ratings: Ratings
    scores: Scores
    searches: Searches
    songs: Songs
    statistics: Statistics


class Resources(Protocol):
    """What the composition root hands over: entered before the first command, left after the last."""

    async def open(self) -> Features:
        """Build the features and everything below them."""
        ...

    async def close(self) -> None:
        """Close everything, the last opened first; safe to call again, or before `open`."""
        ...


class CommandTranslator(app_commands.Translator):
    """Gives Discord the names, descriptions and choices of commands in each language."""

    def __init__(self, languages: Languages) -> None:
        self._languages = languages

    @override
    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        language = self._languages.find(locale)
        if language is None:
            return None
        meaning = string.extras.get("context")
        translated = language.name(meaning, string.message) if meaning else language(string.message)
        return None if translated == string.message else translated


class Tree(app_commands.CommandTree["KirokuBot"]):
    """The slash commands, with the one error handler."""

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
        self.studio = Studio()
        """Where cogs have pictures drawn."""
        self.command_ids: dict[str, int] = {}
        """Discord's ids of the commands, by name: what a mention of one needs."""
        self._resources = resources

    @override
    async def setup_hook(self) -> None:
        self.features = await self._resources.open()
        self.add_dynamic_items(*DYNAMIC_ITEMS)
        for extension in EXTENSIONS:
            await self.load_extension(extension)
        await self.tree.set_translator(CommandTranslator(self.languages))
        synced = await self.tree.sync()
        self.command_ids = {command.name: command.id for command in synced}

    @override
    async def close(self) -> None:
        if not self.is_closed():
            await _finish_answers()
        await super().close()
        await self.studio.close()
        await self._resources.close()

    @override
    async def on_message(self, message: discord.Message, /) -> None:
        """Do nothing: commands are slash commands, and mentions have a cog."""

    def language_of(self, interaction: discord.Interaction) -> Language:
        """Return the language that the person reads: the one they chose, else that of their Discord."""
        return self.languages[self.preferences_of(interaction).language or interaction.locale]

    def preferences_of(self, interaction: discord.Interaction) -> Preferences:
        """Return what the person has set; known without asking anything."""
        return self.features.preferences.of(viewer_of(interaction))

    def theme_of(self, interaction: discord.Interaction) -> Theme:
        """Return the colours in which the person sees pictures."""
        return self.preferences_of(interaction).theme

    async def share_page(self, interaction: Interaction, address: Address) -> None:
        """Show everyone in the channel the page that its asker alone had seen."""
        try:
            if interaction.user.id != address.asker:
                await interaction.response.send_message(
                    not_yours(self.language_of(interaction)), ephemeral=True
                )
                return
            await reserve(interaction)
            page = await self.pages[address.kind](interaction, address)
            await show(interaction, replace(page, view=None, share=None, keeps_picture=False))
        except Exception as error:  # noqa: BLE001 - as in `turn_page`
            await self.answer_error(interaction, error)

    async def turn_page(self, interaction: Interaction, address: Address) -> None:
        """Show the page at `address` in place of the one shown; for the person alone who asked for it."""
        try:
            if interaction.user.id != address.asker:
                sentence = not_yours(self.language_of(interaction))
                await interaction.response.send_message(sentence, ephemeral=True)
                return
            await interaction.response.defer()
            with accepting(PAGES_HOLD):
                page = await self.pages[address.kind](interaction, address)
            await _fill(interaction, page)
        except Exception as error:  # noqa: BLE001 - discord.py gives these items no error handler of their own
            await self.answer_error(interaction, error)

    async def show_aside(self, interaction: Interaction, address: Address) -> None:
        """Answer whoever pressed, in private, with the page at `address`."""
        try:
            await reserve(interaction, private=True)
            page = await self.pages[address.kind](interaction, address)
            await show(interaction, page)
        except Exception as error:  # noqa: BLE001 - discord.py gives these items no error handler of their own
            await self.answer_error(interaction, error)

    async def answer_message(self, message: discord.Message, page: Awaitable[Page]) -> None:
        """Reply to a message with a page, or with what went wrong, in the language of its server."""
        try:
            try:
                made = await page
            except Exception as error:  # noqa: BLE001 - as the tree's handler: a mention is a command too
                t = self.languages[message.guild.preferred_locale if message.guild else None]
                await message.reply(self._sentence(t, error), mention_author=False)
                return
            if made.view is None:
                await message.reply(embed=made.embed, mention_author=False)
            else:
                await message.reply(embed=made.embed, view=made.view, mention_author=False)
        except discord.HTTPException as failure:
            _log.info("a mention could not be answered: status %s", failure.status)

    async def answer_error(self, interaction: discord.Interaction, error: Exception) -> None:
        """Tell the person what went wrong, in private; log only what is our fault."""
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        if isinstance(cause, discord.NotFound) and cause.code == _UNKNOWN_INTERACTION:
            _log.info("an interaction went away before it was answered")
            return
        sentence = self._sentence(self.language_of(interaction), cause)
        try:
            await _tell(interaction, sentence)
        except discord.HTTPException as failure:
            _log.warning("could not tell a person what went wrong: status %s", failure.status)

    def _sentence(self, t: Language, error: Exception) -> str:
        if isinstance(error, BotError):
            return error_sentence(t, error)
        if isinstance(error, app_commands.MissingPermissions):
            return t("Only people who manage this server can do that.")
        if isinstance(error, app_commands.BotMissingPermissions):
            return t("I cannot post there. Let me see that channel, send messages and embed links in it.")
        if isinstance(error, app_commands.NoPrivateMessage):
            return t("This works in a server only.")
        reference = secrets.token_hex(4)
        _log.error("fault %s", reference, exc_info=error)
        return fault_sentence(t, reference)


async def _finish_answers() -> None:
    """Let what is being answered finish for a moment, then end it: nothing may outlive what it stands on."""
    # discord.py keeps no list of the tasks that it starts for commands, components, forms and events.
    answers = [
        task
        for task in asyncio.all_tasks()
        if task is not asyncio.current_task() and task.get_name().startswith(_ANSWERING)
    ]
    if answers:
        _, late = await asyncio.wait(answers, timeout=_LAST_SECONDS)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)


async def _tell(interaction: discord.Interaction, sentence: str) -> None:
    if not interaction.response.is_done():
        await interaction.response.send_message(sentence, ephemeral=True)
    elif interaction.extras.get(_RESERVED) == _PRIVATE:
        await interaction.edit_original_response(content=sentence)
    else:
        if interaction.extras.get(_RESERVED) == _PUBLIC:
            # The first follow-up would take the public place that the command reserved.
            await interaction.delete_original_response()
        await interaction.followup.send(sentence, ephemeral=True)


async def reserve(interaction: discord.Interaction, *, private: bool = False) -> None:
    """Take the place of the answer before any I/O: Discord gives three seconds for it."""
    await interaction.response.defer(ephemeral=private, thinking=True)
    interaction.extras[_RESERVED] = _PRIVATE if private else _PUBLIC


async def show(interaction: Interaction, page: Page) -> None:
    """Fill the place that the command reserved."""
    await _fill(interaction, page)
    interaction.extras.pop(_RESERVED, None)


async def _fill(interaction: Interaction, page: Page) -> None:
    shown = interaction.message.attachments if interaction.message and page.keeps_picture else []
    files: list[discord.Attachment | discord.File] = [*shown]
    if page.picture is not None:
        files = [page.picture.to_file()]
    if files:
        page.embed.set_image(url=f"attachment://{files[0].filename}")
    files += [document.to_file() for document in page.documents]
    view = page.view
    if page.share is not None:
        view = with_share(interaction.client.language_of(interaction), view, page.share)
    await interaction.edit_original_response(embed=page.embed, view=view, attachments=files)


def guild_of(interaction: discord.Interaction) -> GuildId | None:
    """Return the server where the command was used; None in a direct message."""
    return None if interaction.guild_id is None else GuildId(interaction.guild_id)


def viewer_of(interaction: discord.Interaction) -> MemberId:
    """Return who asks."""
    return MemberId(interaction.user.id)


def subject_of(
    interaction: discord.Interaction, member: discord.Member | discord.User | None, player: str | None
) -> Subject:
    """Return whom a command is about. Raises: TwoSubjects where both are given."""
    name = player.strip() if player else ""
    if name and member is not None:
        raise TwoSubjects
    if name:
        return Subject(player=UserName(name))
    if member is None:
        return Subject()
    return Subject(member=MemberId(member.id), shares_server=shares_server(interaction, member))


def shares_server(interaction: discord.Interaction, member: discord.Member | discord.User) -> bool:
    """Return whether a member is in the server where the command was used."""
    return interaction.guild_id is not None and isinstance(member, discord.Member)


async def suggest_songs(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Return songs for what was typed so far: the autocomplete of every option that takes a song."""
    library = interaction.client.features.library
    return song_choices(await library.suggest(viewer_of(interaction), current, guild_of(interaction)))


async def suggest_filters(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Return filters that what was typed could become: the autocomplete of every option that takes one."""
    return filter_choices(interaction.client.language_of(interaction), current)
