"""`/daily`."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.chat.answers import reserve, show
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows, takes
from bot.chat.gateway.guilds import fetch_neighbours
from bot.chat.options import TextChannel, choices_of, option, timezone_option
from bot.chat.subjects import check_can_post, check_manages, get_guild, place_of, viewer_of
from bot.domain.ids import ChannelId, GuildId
from bot.domain.posts import PlanId, PostKind
from bot.features.shared.subjects import MembershipUnknown
from bot.ui.daily import (
    direct_embed,
    drawn_page,
    hurried_embed,
    joined_embed,
    left_embed,
    nothing_embed,
    off_embed,
    preview_page,
    question_page,
    set_up_embed,
)
from bot.ui.kit.look import Page
from bot.ui.kit.routes import JoinDailyAddress, PostPlansAddress
from bot.ui.language.text import described, named
from bot.ui.post_plans import (
    EVERY,
    PLAN_FORM,
    plan_choices,
    plan_form,
    plans_page,
    read_form,
    read_time,
    when_text,
)

_NEVER: Final = "never"
_POST: Final = (named("option", "post"), described("Which one, where this server has several"))


async def _suggest_posts(interaction: Interaction, current: str) -> list[Choice[str]]:
    t = interaction.client.language_of(interaction)
    return plan_choices(
        t, await interaction.client.features.daily.fetch_plans(get_guild(interaction)), current
    )


def _plan_of(text: str) -> PlanId | None:
    """Return the chosen post; None for the first one."""
    return PlanId(int(text)) if text.isdecimal() else None


@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
@app_commands.allowed_installs(guilds=True, users=False)
class DailyCog(
    KirokuCog,
    commands.GroupCog,
    group_name=named("command", "daily"),
    group_description=described("A daily post of ratings in this server"),
):
    """A server's daily rating post."""

    @command(named("command", "channel"), described("Post everyone's rating each day in a channel"))
    @option("channel", named("option", "channel"), described("Where to post"))
    @option("at", named("option", "time"), described("Time of day, such as 21:00"))
    @timezone_option()
    @app_commands.checks.has_permissions(manage_guild=True)
    async def channel(
        self,
        interaction: Interaction,
        channel: TextChannel | None = None,
        at: str = "",
        timezone: str | None = None,
    ) -> None:
        """Set up the daily post, or show the form for posts of any kind."""
        zone = timezone or self._bot.preferences_of(interaction).timezone
        t = self._bot.language_of(interaction)
        place = ChannelId(channel.id) if channel is not None else place_of(interaction)
        if not at or place is None:
            post_at = read_time(at) if at else self._bot.features.daily.usual.post_at
            form = plan_form(t, place, post_at, zone, self._bot.languages)
            await interaction.response.send_modal(form)
            return
        await reserve(interaction, private=True)
        await check_can_post(interaction, place)
        guild, viewer = get_guild(interaction), viewer_of(interaction)
        first = await self._bot.features.daily.set_up(guild, place, read_time(at), zone, by=viewer)
        await show(interaction, Page(set_up_embed(t, place, first, str(first.tzinfo))))

    @takes(PLAN_FORM)
    async def _set_up(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        await reserve(interaction, private=True)
        check_manages(interaction)
        plan = replace(read_form(typed), set_up_by=viewer_of(interaction))
        if plan.channel is not None:
            await check_can_post(interaction, plan.channel)
        await self._bot.features.daily.add(get_guild(interaction), plan)
        await show(interaction, await self._list(interaction, PostPlansAddress(asker=viewer_of(interaction))))

    @command(named("command", "list"), described("Show which posts this server has"))
    async def list(self, interaction: Interaction) -> None:
        """Show all posts of the server."""
        await self._bot.answer(interaction, PostPlansAddress(asker=viewer_of(interaction)), private=True)

    @shows(PostPlansAddress)
    async def _list(self, interaction: Interaction, address: PostPlansAddress) -> Page:
        t, daily = self._bot.language_of(interaction), self._bot.features.daily
        guild, manages = get_guild(interaction), interaction.permissions.manage_guild
        if address.remove is None:
            plans = await daily.get_plans(guild)
        else:
            check_manages(interaction)
            plans = await daily.turn_off(guild, PlanId(address.remove))
        if not plans:
            return Page(off_embed(t))
        return plans_page(t, plans, self._bot.languages, address.asker, may_remove=manages)

    @command(named("command", "off"), described("Turn the daily post off"))
    @app_commands.checks.has_permissions(manage_guild=True)
    async def off(self, interaction: Interaction) -> None:
        """Turn the daily post off, or offer a choice if there are several."""
        await reserve(interaction, private=True)
        t = self._bot.language_of(interaction)
        left = await self._bot.features.daily.turn_off(get_guild(interaction))
        asker = viewer_of(interaction)
        page = (
            plans_page(t, left, self._bot.languages, asker, may_remove=True) if left else Page(off_embed(t))
        )
        await show(interaction, page)

    @command(named("command", "preview"), described("See what would be posted now; only you see it"))
    @option("post", *_POST, suggest=_suggest_posts)
    @app_commands.checks.has_permissions(manage_guild=True)
    async def preview(self, interaction: Interaction, post: str = "") -> None:
        """Show a manager what would be posted."""
        await reserve(interaction, private=True)
        t, guild = (
            self._bot.language_of(interaction),
            await self._bot.served_guilds.find(get_guild(interaction)),
        )
        if guild is None:
            raise MembershipUnknown
        among = partial(fetch_neighbours, guild)
        found = await self._bot.features.daily.preview(GuildId(guild.id), _plan_of(post), among)
        if found is None:
            await show(interaction, Page(nothing_embed(t)))
            return
        language = self._bot.languages[found.plan.language or guild.preferred_locale]
        await show(interaction, preview_page(t, await drawn_page(self._bot.renderer, language, found)))

    @command(named("command", "direct"), described("Get direct messages with news about your own play"))
    @option(
        "every",
        named("option", "every"),
        described("How often; shows the current setting if left out"),
        choices=[*choices_of(EVERY), Choice(name=described("Never"), value=_NEVER)],
    )
    @option("at", named("option", "time"), described("Time of day, such as 21:00"))
    @timezone_option()
    async def direct(
        self, interaction: Interaction, every: str = "", at: str = "21:00", timezone: str | None = None
    ) -> None:
        """Set up direct messages with the asker's own news."""
        await reserve(interaction, private=True)
        t, viewer, daily = (
            self._bot.language_of(interaction),
            viewer_of(interaction),
            self._bot.features.daily,
        )
        if every == _NEVER:
            await daily.turn_off_direct(viewer)
        elif every:
            zone = timezone or self._bot.preferences_of(interaction).timezone
            await daily.set_up_direct(viewer, PostKind(every), read_time(at), zone, t.code)
        planned = await daily.find_direct(viewer)
        when = "" if planned is None else when_text(t, planned.plan)
        await show(interaction, Page(direct_embed(t, planned, when)))

    @command(named("command", "now"), described("Make today's post now instead of at its time"))
    @option("post", *_POST, suggest=_suggest_posts)
    @app_commands.checks.has_permissions(manage_guild=True)
    async def now(self, interaction: Interaction, post: str = "") -> None:
        """Make today's post now."""
        await reserve(interaction, private=True)
        plan, is_new = await self._bot.features.daily.hurry(get_guild(interaction), _plan_of(post))
        t = self._bot.language_of(interaction)
        await show(interaction, Page(hurried_embed(t, plan, is_new=is_new)))

    @command(named("command", "join"), described("Let your rating appear in the daily post"))
    async def join(self, interaction: Interaction) -> None:
        """Add the asker to the daily post."""
        await self._bot.answer(interaction, JoinDailyAddress(asker=viewer_of(interaction)), private=True)

    @shows(JoinDailyAddress)
    async def _join(self, interaction: Interaction, address: JoinDailyAddress) -> Page:
        joining = await self._bot.features.daily.join(
            get_guild(interaction), address.asker, openly=address.openly
        )
        t = self._bot.language_of(interaction)
        if joining.is_in:
            return Page(joined_embed(t, joining.plans))
        return question_page(t, joining.plans, replace(address, openly=True))

    @command(named("command", "leave"), described("Take your rating out of the daily post"))
    async def leave(self, interaction: Interaction) -> None:
        """Remove the asker from the daily post."""
        await reserve(interaction, private=True)
        was_in = await self._bot.features.daily.leave(get_guild(interaction), viewer_of(interaction))
        await show(interaction, Page(left_embed(self._bot.language_of(interaction), was_in=was_in)))
