"""The daily post, and the answers of `/daily`."""

from datetime import datetime

from discord import ButtonStyle, Embed, utils

from bot.domain.posts import PostPlan
from bot.features.daily import DailyEntry, DailyPost
from bot.ui.look import BRAND, Page, add_text
from bot.ui.markdown import escape
from bot.ui.pages import PageButton, view_of
from bot.ui.routes import JoinDailyAddress
from bot.ui.text import Language

_NAME_WIDTH = 32
_MOVED_ROOM = 2_400
"""Characters for the lines of those who moved."""
_STILL_ROOM = 1_200
"""Characters for the line of those who did not; with the other and a few sentences, under Discord's 4,096."""


def daily_embed(t: Language, post: DailyPost) -> Embed:
    """Return a day's post: who moved, one line each, and everyone else in one line."""
    embed = Embed(title=t("Ratings of {day}", day=t.day(post.day)), colour=BRAND)
    moved = [entry for entry in post.entries if entry.change != 0]
    still = [entry for entry in post.entries if entry.change == 0]
    if moved:
        add_text(embed, _joined(t, [_line(t, entry) for entry in moved], "\n", _MOVED_ROOM))
    if still:
        names = _joined(t, [_name(t, entry) for entry in still], ", ", _STILL_ROOM)
        add_text(embed, t("No change: {names}", names=names))
    if post.left_out:
        add_text(embed, _left_out(t, post.left_out))
    elif not post.entries:
        add_text(embed, t("Nobody is in this post yet. Join it with `/daily join`."))
    return embed


def _line(t: Language, entry: DailyEntry) -> str:
    change = t("first day") if entry.change is None else t.change(entry.change)
    return f"<@{entry.member}> {escape(entry.player_name, width=_NAME_WIDTH)} **{t.hundredths(entry.rating)}** ({change})"


def _name(t: Language, entry: DailyEntry) -> str:
    return f"{escape(entry.player_name, width=_NAME_WIDTH)} {t.hundredths(entry.rating)}"


def _left_out(t: Language, count: int) -> str:
    return t.plural(
        "{count} member could not be asked about today: see `/account`.",
        "{count} members could not be asked about today: see `/account`.",
        count,
    )


def _joined(t: Language, parts: list[str], separator: str, room: int) -> str:
    """Return as many parts as fit into `room` characters, and how many more there are."""
    shown: list[str] = []
    for part in parts:
        room -= len(part) + len(separator)
        if room < 0:
            break
        shown.append(part)
    more = len(parts) - len(shown)
    if more:
        shown.append(t.plural("and {count} more member", "and {count} more members", more))
    return separator.join(shown)


def set_up_embed(t: Language, channel: int, first: datetime, timezone: str) -> Embed:
    """Return what a manager sees after `/daily channel`."""
    embed = Embed(title=t("Daily post set up"), colour=BRAND)
    embed.description = t(
        "Each day at {hour} ({timezone}) the ratings of everyone who joined appear in <#{channel}>, next {when}. "
        "Members join by themselves with `/daily join`.",
        hour=t.hour(first.timetz()),
        timezone=escape(timezone),
        channel=channel,
        when=utils.format_dt(first, "R"),
    )
    return embed


def joined_embed(t: Language, plan: PostPlan) -> Embed:
    """Return what a member sees after `/daily join`: what the server will see of them."""
    embed = Embed(title=t("You are in"), colour=BRAND)
    embed.description = t(
        "From now on your player name, rating and its change appear in the daily post in <#{channel}>. "
        "Leave it with `/daily leave`, or by choosing “Only me” in `/account`.",
        channel=plan.channel,
    )
    return embed


def question_page(t: Language, plan: PostPlan, yes: JoinDailyAddress) -> Page:
    """Return what a member set to "only me" is asked before they join; `yes` is where the answer leads."""
    embed = Embed(title=t("Show yourself in the daily post?"), colour=BRAND)
    embed.description = t(
        "The daily post ties your Discord name to your player name, your rating and its change, for everyone who "
        "can read <#{channel}>: it is not for those who have chosen “Only me”.",
        channel=plan.channel,
    )
    label = t("Let members of servers we share look, and join")
    return Page(embed, view_of([PageButton(yes, label=label, style=ButtonStyle.primary)]))


def left_embed(t: Language, *, was_in: bool) -> Embed:
    """Return what a member sees after `/daily leave`."""
    embed = Embed(title=t("You are out") if was_in else t("You were not in"), colour=BRAND)
    embed.description = (
        t("Your rating appears in this server's daily post no more.")
        if was_in
        else t("You were not in this server's daily post.")
    )
    return embed


def off_embed(t: Language) -> Embed:
    """Return what a manager sees after `/daily off`."""
    embed = Embed(title=t("Daily post turned off"), colour=BRAND)
    embed.description = t("Who joined stays noted, should you turn it on again.")
    return embed
