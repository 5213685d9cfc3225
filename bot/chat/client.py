"""The bot: its event handlers, its command tree, and the pages that buttons lead to."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final, Self, TypeAlias, cast

import discord
from discord import app_commands
from discord.ext import commands
from typing_extensions import override

from bot.api.cache_control import max_stale, no_cache
from bot.background.periodic import PeriodicTasks
from bot.base.logs import note
from bot.base.tally import TimedTally
from bot.chat.answers import (
    acknowledge,
    finish_answers,
    is_worth_logging,
    note_waiting,
    outcome_of,
    reserve,
    show,
    show_error,
)
from bot.chat.app_emoji import keep_icons
from bot.chat.gateway.shards import ShardedBot
from bot.chat.registration import find_cogs, register
from bot.chat.resources import Resources
from bot.chat.subjects import asked_anew, for_others, guild_of, viewer_of
from bot.chat.typed import texts_of_fields, texts_of_options
from bot.domain.errors import TooOld
from bot.domain.ids import GuildId, shard_of
from bot.domain.members import Audience, PictureStyle, Preferences
from bot.domain.typed import ControlCharacter, check_typed
from bot.features import Features
from bot.features.posts import ShardShare
from bot.features.shared.subjects import Subject
from bot.ui.kit.address import A, Address, PictureAddress, SubjectAddress
from bot.ui.kit.look import Page
from bot.ui.kit.pages import Lead, NotYours, Way, form_of, lead_of, with_cut, with_leads
from bot.ui.kit.renderer import PictureRenderer
from bot.ui.kit.steps import steps_from
from bot.ui.language.text import BadTranslation, CommandTranslator, Language, Languages

_logger = logging.getLogger(__name__)

PAGE_DATA_TTL: Final = timedelta(minutes=10)
"""How long the pages of one answer use the same data, so that records do not move between pages."""

Interaction: TypeAlias = discord.Interaction["KirokuBot"]
"""The interaction that commands get, typed with our bot."""

FormTaker: TypeAlias = Callable[[Interaction, Mapping[str, str]], Awaitable[None]]
"""A handler of a submitted form, which gets its texts by field id."""
FormOpener: TypeAlias = Callable[[Interaction], Awaitable[None]]
"""A handler that shows a form after its button was pressed, or raises why not."""

_TAKEN: Final = (discord.InteractionType.modal_submit, discord.InteractionType.component)
"""Interactions handled by the event; commands and autocompletion go to the tree."""

_GUILD_READY_TIMEOUT_SECONDS: Final = 2.0
"""The bot is ready once Discord has named no further server for this many seconds."""
_NAME: Final = "name"
"""The key of the asked command or page in the extras of an interaction."""


class Tree(app_commands.CommandTree["KirokuBot"]):
    """The slash commands, with the one error handler."""

    @override
    async def interaction_check(self, interaction: Interaction, /) -> bool:
        self.client.note_locale(interaction)
        if self.client.is_too_late(interaction):
            return False
        if interaction.type is discord.InteractionType.application_command:
            command = interaction.command
            self.client.begin_answer(interaction, "unknown" if command is None else command.qualified_name)
        elif interaction.type is discord.InteractionType.autocomplete:
            self.client.time_suggestion()
        await self.client.load_preferences(interaction)
        try:
            for text in texts_of_options(cast("Mapping[str, Any]", interaction.data or {})):
                check_typed(text)
        except ControlCharacter as error:
            if interaction.type is discord.InteractionType.autocomplete:
                await interaction.response.autocomplete([])
            else:
                await self.client.answer_error(interaction, error)
            return False
        return True

    @override
    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        await self.client.answer_error(interaction, error)


class KirokuBot(ShardedBot):
    """The bot: built without side effects, opened by Discord's login."""

    features: Features

    def __init__(self, resources: Resources, *, shards: int | None = None) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=Tree,
            # None is privileged; Discord sends the text of only those messages that mention the bot.
            intents=discord.Intents(guilds=True, guild_messages=True, dm_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            # Everywhere, unless a command says otherwise: in servers, in direct messages, and installed by a person.
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
            guild_ready_timeout=_GUILD_READY_TIMEOUT_SECONDS,
            shard_count=shards,
            max_messages=None,  # messages are answered or dropped, never kept
        )
        self.languages = Languages()
        self._pages: dict[type[Address], Callable[[Interaction, Any], Awaitable[Page]]] = {}
        self.forms: dict[str, FormTaker] = {}
        """The handlers of submitted forms by form id; cogs add theirs."""
        self.form_openers: dict[str, FormOpener] = {}
        """The handlers that open forms from buttons, by form id; cogs add theirs."""
        self.renderer = PictureRenderer()
        """The picture renderer of cogs."""
        self.answered = TimedTally("command", "outcome")
        """The durations of answers."""
        self.suggested = TimedTally()
        """The durations of suggestions while somebody types."""
        self.background = PeriodicTasks()
        """The periodic tasks, started by the composition root."""
        self._resources = resources
        self._icons: asyncio.Task[None] | None = None
        self._ending: asyncio.Task[None] | None = None

    @override
    async def __aenter__(self) -> Self:
        """Open our own resources before connecting to Discord. Raises: CannotStart."""
        await super().__aenter__()
        try:
            self.features = await self._resources.open()
            self.fleet = self._resources.fleet
        except BaseException:
            await self.close()
            raise
        return self

    async def reload(self) -> None:
        """Reload aliases and translations; what cannot be read stays as it was."""
        try:
            await asyncio.to_thread(self.languages.reload)
        except BadTranslation as error:
            _logger.warning("the translations stay as they were: %s", error)
        else:
            _logger.info("translations into %d languages reloaded", len([*self.languages]) - 1)
        await self._resources.reload()

    async def describe(self) -> str:
        """Describe the running bot in one line."""
        about = await self.features.about.report()
        catalogue = (
            f"{about.songs} songs as of {about.age.fetched_at:%Y-%m-%dT%H:%MZ}"
            if about.age
            else "no songs yet"
        )
        return (
            f"Kiroku {about.build.in_words()} in {len(self.guilds)} servers on {len(self.shards)} of {self.shard_count} shards, "
            f"{await self._resources.describe_database()}, {catalogue}"
        )

    @property
    def share(self) -> ShardShare:
        """The shards whose servers' posts this process makes."""
        me = None if self.fleet is None else self.fleet.member.me
        return ShardShare(me, self.served, self.shard_count or 1)

    async def until_outdated(self) -> None:
        """Wait until a newer version wants to upgrade the database in a way with which this bot cannot serve."""
        await self._resources.until_outdated()

    @override
    async def setup_hook(self) -> None:
        logging.getLogger("discord.app_commands.tree").addFilter(is_worth_logging)
        for cog in find_cogs():  # not as extensions, which are imported again at each load
            await self.add_cog(cog(self))
        if not self.features.hosting.owners:
            await self.remove_cog("HostingCog")  # there is nobody whom it could answer
        await self.tree.set_translator(CommandTranslator(self.languages))
        place = self.features.accounts.token_place
        self.languages.token_places[place.service] = place.url
        for command in await register(self.tree, self.fleet and self.fleet.member):
            self.languages.command_ids[command.name] = command.id
        member = None if self.fleet is None else self.fleet.member
        # Nobody waits for them: words are shown until they are there.
        icons = keep_icons(self, member, self.renderer, self.languages.icons)
        self._icons = asyncio.create_task(icons)

    @override
    async def __aexit__(self, *_: object) -> None:
        await self.close()  # discord.py would wait only for its own part

    @override
    async def close(self) -> None:
        """Close everything once: concurrent callers wait for the same, and cancelling one of them does not abort it."""
        if self._ending is None:
            self._ending = asyncio.create_task(self._close())
        await asyncio.shield(self._ending)

    async def _close(self) -> None:
        self._resources.stop_waiting()
        if not self.is_closed():
            self.stop_listening()
            await finish_answers(self.answer_error)
        await self.background.stop()
        await super().close()
        if self._icons is not None:
            self._icons.cancel()
            await asyncio.wait({self._icons})
        await self.renderer.close()
        await self._resources.close()

    @override
    async def on_message(self, message: discord.Message, /) -> None:
        """Do nothing: commands are slash commands, and mentions have a cog."""

    @override
    def dispatch(self, event_name: str, /, *args: Any, **kwargs: Any) -> None:
        """Dispatch an event, except for commands: the tree gets those, and an extra empty task would cost time."""
        if event_name != "interaction" or args[0].type in _TAKEN:
            super().dispatch(event_name, *args, **kwargs)

    def note_locale(self, interaction: discord.Interaction) -> None:
        """Remember the asker's Discord language."""
        self.features.preferences.note_locale(viewer_of(interaction), interaction.locale.value)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Handle submitted forms, buttons and menus."""
        self.note_locale(interaction)
        if self.is_too_late(interaction):
            return
        is_form = interaction.type is discord.InteractionType.modal_submit
        self.begin_answer(interaction, "form" if is_form else "button")
        await self.load_preferences(interaction)
        try:
            await self._take(interaction, cast("Mapping[str, Any]", interaction.data or {}))
        except Exception as error:  # noqa: BLE001 - what an event raises, discord.py only logs
            await self.answer_error(interaction, error)

    def begin_answer(self, interaction: Interaction, name: str) -> None:
        """Note who waits for the current task and for what, and measure how long."""
        note_waiting(interaction)
        shard = shard_of(GuildId(interaction.guild_id or 0), self.shard_count or 1)
        note(interaction=interaction.id, shard=shard, command=name)
        interaction.extras[_NAME] = name
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        began = loop.time()

        def count(_task: object) -> None:
            self.answered.add(loop.time() - began, interaction.extras[_NAME], outcome_of(interaction))

        if task is not None:
            task.add_done_callback(count)

    def time_suggestion(self) -> None:
        """Measure the duration of the current task, which makes suggestions."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        began = loop.time()
        if task is not None:
            task.add_done_callback(lambda _: self.suggested.add(loop.time() - began))

    async def load_preferences(self, interaction: Interaction) -> None:
        """Load the person's settings: before anything else, and again after a change."""
        interaction.extras[Preferences] = await self.features.preferences.get(viewer_of(interaction))
        interaction.extras.pop(Language, None)
        guild = guild_of(interaction)
        if (
            guild is not None and self.get_guild(guild) is not None
        ):  # not a server where only a person has installed the bot
            self.features.boards.note_sighting(viewer_of(interaction), guild)

    def language_of(self, interaction: discord.Interaction) -> Language:
        """Return the person's language, chosen or that of their Discord, with their time zone."""
        known: Language | None = interaction.extras.get(Language)
        if known is None:
            preferences = self.preferences_of(interaction)
            known = self.languages[preferences.language or interaction.locale].in_zone(preferences.zone)
            if Preferences in interaction.extras:
                interaction.extras[Language] = known
        return known

    def preferences_of(self, interaction: discord.Interaction) -> Preferences:
        """Return the person's settings as loaded for this interaction; defaults before that."""
        return interaction.extras.get(Preferences) or Preferences()

    def style_of(self, interaction: discord.Interaction, address: Address) -> PictureStyle:
        """Return the picture style of the person at an address."""
        preferences = self.preferences_of(interaction)
        cut = address.cut if isinstance(address, PictureAddress) else None
        return PictureStyle(preferences.theme, cut or preferences.cut)

    def add_page(self, kind: type[A], maker: Callable[[Interaction, A], Awaitable[Page]]) -> None:
        """Register the maker of one kind of page, for the command and for buttons that lead there."""
        self._pages[kind] = maker

    async def answer(
        self,
        interaction: Interaction,
        address: Address,
        *,
        private: bool = False,
        about: Subject | None = None,
    ) -> None:
        """Answer a command with the page at `address`; if it is `about` somebody, deferred as in `reserve_about`."""
        if about is None:
            await reserve(interaction, private=private, at_once=address.CHANGES)
        else:
            await self.reserve_about(interaction, about)
        await self.fill_reserved(interaction, address)

    async def reserve_about(self, interaction: Interaction, subject: Subject) -> None:
        """Defer an answer about `subject` unless it is ready, in private if the person is set to "only me"."""
        private = await self.features.accounts.keeps_to_self(viewer_of(interaction), subject)
        await reserve(interaction, private=private, at_once=False)

    async def fill_reserved(self, interaction: Interaction, address: Address) -> None:
        """Answer with the page at `address`, in the response that was reserved."""
        await show(interaction, await self._page(interaction, address))

    async def _page(self, interaction: Interaction, address: Address) -> Page:
        return self.with_buttons(interaction, await self._pages[type(address)](interaction, address), address)

    def with_buttons(self, interaction: Interaction, page: Page, address: Address) -> Page:
        """Return a page with the buttons that every page at such an address has."""
        t = self.language_of(interaction)
        if isinstance(address, PictureAddress):
            cut = self.style_of(interaction, address).cut
            page = with_cut(t, page, address, cut, for_others(interaction, address))
        return with_leads(page, steps_from(t, address))

    async def _take(self, interaction: Interaction, data: Mapping[str, Any]) -> None:
        """Answer a form or a component. Raises: TooOld for one of another version of this bot, NotYours."""
        if interaction.type is discord.InteractionType.modal_submit:
            taker = self.forms.get(data["custom_id"])
            if taker is None:
                raise TooOld
            typed = texts_of_fields(data)
            for text in typed.values():
                check_typed(text)
            await taker(interaction, typed)
        elif (form := form_of(data["custom_id"])) is not None:
            await self._open_form(interaction, form)
        else:
            await self._follow(interaction, lead_of(data["custom_id"], data.get("values", ())))

    async def _open_form(self, interaction: Interaction, form: str) -> None:
        if form not in self.form_openers:
            raise TooOld
        _name(interaction, f"button {form}")
        await self.form_openers[form](interaction)

    async def _follow(self, interaction: Interaction, lead: Lead) -> None:
        address, viewer = lead.address, viewer_of(interaction)
        _name(interaction, f"button {address.KIND}")
        if lead.way in {Way.ASIDE, Way.OPEN}:
            address = replace(address, asker=viewer)
        if address.asker != viewer:
            raise NotYours
        if isinstance(address, SubjectAddress):
            address = replace(address, subject=asked_anew(interaction, address.subject))
        match lead.way:
            case Way.TURN | Way.CUT | Way.ANEW | Way.OPEN:
                await acknowledge(interaction, at_once=address.CHANGES)
                if lead.way is Way.CUT and isinstance(address, PictureAddress) and address.cut:
                    await self.features.preferences.press_cut(viewer, address.cut)
                with no_cache() if lead.way is Way.ANEW else max_stale(PAGE_DATA_TTL):
                    page = await self._page(interaction, address)
                await show(interaction, page)
            case Way.SHARE:
                await reserve(interaction)
                page = await self._page(interaction, address)
                shared = Audience.ANYONE if page.audience is Audience.ASKER else page.audience
                await show(interaction, replace(page, view=None, audience=shared))
            case Way.ASIDE:
                await self.answer(interaction, address, private=True)

    async def answer_error(self, interaction: discord.Interaction, error: Exception) -> None:
        """Tell the person what went wrong, in private; log only what is our fault."""
        t = self.language_of(interaction)
        await show_error(interaction, t, error, notice=t.notice(self.features.about.notice))


def _name(interaction: discord.Interaction, name: str) -> None:
    """Name the command, or the kind of page that a button leads to, in metrics and log."""
    interaction.extras[_NAME] = name
    note(command=name)
