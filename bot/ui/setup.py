"""`/setup`: the form for everything that a server can set up, and the page after it."""

from collections.abc import Mapping

from discord import CheckboxGroupOption, Embed, SelectDefaultValue, SelectDefaultValueType
from discord.ui import ChannelSelect, CheckboxGroup, Item, Label, Modal

from bot.domain.errors import TooOld
from bot.domain.ids import ChannelId, MemberId
from bot.domain.members import Visibility
from bot.features.setup import SetupReport, Wish
from bot.ui.feed import feed_line
from bot.ui.kit.forms import make_form
from bot.ui.kit.look import BRAND, Page, add_text
from bot.ui.kit.pages import SETUP_FORM, Component, PageButton, Way, link_button, view_of
from bot.ui.kit.routes import JoinDailyAddress
from bot.ui.language.text import Language, Languages
from bot.ui.post_plans import PLACES, language_field, plan_line, read_language, read_time_field, time_field
from bot.ui.preferences import chosen_text

_DAILY, _FEED, _FIRST, _JOIN, _NOW = "daily", "feed", "first", "join", "now"
"""The ids of the form's own fields, and of the first steps."""


def setup_form(t: Language, wish: Wish, languages: Languages) -> Modal:
    """Return the form for everything that a server can set up, filled in with its current state."""
    first = [
        CheckboxGroupOption(
            label=t("Show me there"), value=_JOIN, description=t("Members of servers we share may look me up then")
        ),
        CheckboxGroupOption(label=t("Make today's post now"), value=_NOW, default=wish.posts_now),
    ]  # fmt: skip
    fields: Mapping[str, tuple[str, Item[Modal]]] = {
        t("Daily post of ratings"): (t("Where to post it; if empty, nothing changes"), _place(_DAILY, wish.daily)),
        t("Time of day, and time zone"): ("", time_field(wish.post_at, wish.timezone)),
        t("Feed of new bests"): (t("Where to announce them as they are played; if empty, nothing changes"), _place(_FEED, wish.feed)),
        t("Language"): ("", language_field(t, languages, wish.language)),
        t("To begin with"): ("", CheckboxGroup(custom_id=_FIRST, options=first, min_values=0, max_values=2, required=False)),
    }  # fmt: skip
    labelled = (
        Label(text=label, description=about or None, component=component)
        for label, (about, component) in fields.items()
    )
    return make_form(SETUP_FORM, t("Set this server up"), *labelled)


def read_setup(typed: Mapping[str, str]) -> Wish:
    """Return the wish. Raises: TooOld for a form with other fields, BadQuery, NoTimezone."""
    try:
        post_at, timezone = read_time_field(typed)
        first = typed[_FIRST].split()
        return Wish(
            daily=_channel_of(typed[_DAILY]),
            post_at=post_at,
            timezone=timezone,
            feed=_channel_of(typed[_FEED]),
            language=read_language(typed),
            joins=_JOIN in first,
            posts_now=_NOW in first,
        )
    except (KeyError, ValueError):
        raise TooOld from None


def setup_page(t: Language, report: SetupReport, languages: Languages, asker: MemberId) -> Page:
    """Return what the server now has, and next steps for whoever set it up."""
    if not report.daily and not report.feeds:
        nothing = t(
            "No channel was chosen, so this server has neither a daily post nor a feed. Use `/setup` again, "
            "and choose where to post."
        )
        return Page(Embed(title=t("Nothing is set up yet"), description=nothing, colour=BRAND))
    embed = Embed(title=t("This server is set up"), colour=BRAND)
    daily = [plan_line(t, each, languages) for each in report.daily]
    feeds = [feed_line(t, each.plan) for each in report.feeds]
    embed.add_field(name=t("Daily post of ratings"), value="\n".join(daily) or t("None"), inline=False)
    embed.add_field(name=t("Feed of new bests"), value="\n".join(feeds) or t("None"), inline=False)
    if report.is_daily_left:
        add_text(
            embed, t("No channel was chosen, so the daily post stays where it is. `/daily off` turns it off.")
        )
    if report.is_feed_left:
        add_text(embed, t("No channel was chosen, so the feed stays where it is. `/feed off` turns it off."))
    if report.hurried is not None:
        add_text(
            embed,
            t("Today's post appears in <#{channel}> within half a minute.", channel=report.hurried.channel),
        )
    if daily:
        add_text(embed, t("Members join the daily post by themselves, with `/daily join`."))
    if feeds:
        add_text(embed, t("Members join the feed by themselves, with `/feed join`."))
    if report.is_in:
        add_text(embed, t("You are in."))
        if report.is_opened:
            add_text(embed, chosen_text(t, Visibility.SERVERS))
    elif not report.is_linked:
        add_text(embed, t("Link your account to be seen there yourself."))
    return Page(embed, view_of(_next(t, report, asker)))


def _next(t: Language, report: SetupReport, asker: MemberId) -> list[Component]:
    if not report.is_linked:
        return [link_button(t)]
    if report.is_in or not report.daily:
        return []
    return [PageButton(JoinDailyAddress(asker=asker), Way.ASIDE, label=t("Join"))]


def _place(custom_id: str, chosen: ChannelId | None) -> ChannelSelect[Modal]:
    places = [] if chosen is None else [SelectDefaultValue(id=chosen, type=SelectDefaultValueType.channel)]
    return ChannelSelect(
        custom_id=custom_id,
        channel_types=list(PLACES),
        default_values=places,
        required=False,
        min_values=0,
    )


def _channel_of(typed: str) -> ChannelId | None:
    return ChannelId(int(typed)) if typed else None
