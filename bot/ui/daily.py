"""The daily post, and the answers of `/daily`."""

from datetime import datetime
from typing import Final

from discord import ButtonStyle, Embed, utils
from discord.ui import View

from bot.domain.ids import MemberId
from bot.domain.posts import PostPlan
from bot.domain.standings import Play, Standing, in_order, outstanding
from bot.features.askers import Subject
from bot.features.daily import MOST_PLAYS, DailyPost
from bot.ui.chronicle import played_facts, played_title
from bot.ui.daily_card import daily_facts
from bot.ui.look import BRAND, Page, add_text
from bot.ui.markdown import escape
from bot.ui.pages import PageButton, Way, view_of
from bot.ui.routes import JoinDailyAddress, SessionAddress
from bot.ui.studio import Picture
from bot.ui.text import Language

_NAME_WIDTH: Final = 32
_SHOWN: Final = 20
"""Members at most, of those who moved and of those who did not."""
_MOVED_ROOM: Final = 2_000
"""Characters for the lines of those who moved."""
_STILL_ROOM: Final = 800
"""Characters for the line of those who did not; with the others and a few sentences, under Discord's 4,096."""
_ANYBODY: Final = MemberId(1)
"""Stands for whoever presses: a post was asked for by nobody."""


def daily_page(t: Language, post: DailyPost, picture: Picture | None = None) -> Page:
    """Return a post: the day in one line, places, the plays that stand out; on a day without news, the places alone."""
    embed = Embed(title=t("Ratings of {day}", day=t.day(post.day)), colour=BRAND)
    if not post.standings and not post.left_out:
        add_text(embed, t("Nobody is in this post yet. Join it with `/daily join`."))
    if post.has_news:
        add_text(embed, " · ".join(f"**{value}** {label}" for value, label in daily_facts(t, post.standings)))
    _add_places(t, embed, post)
    plays = [_play(t, post, *each) for each in outstanding(post.standings)[:MOST_PLAYS]]
    if plays:
        add_text(embed, "\n".join(plays))
    if post.left_out:
        add_text(embed, _left_out(t, post.left_out))
    return Page(embed, _buttons(t), picture)


def _buttons(t: Language) -> View | None:
    join = PageButton(JoinDailyAddress(asker=_ANYBODY), Way.ASIDE, label=t("Join"))
    session = SessionAddress(asker=_ANYBODY, subject=Subject())
    return view_of([join, PageButton(session, Way.ASIDE, label=t("My session"))])


def _add_places(t: Language, embed: Embed, post: DailyPost) -> None:
    """Add who moved, a line each, and everyone else in one line, all with their places."""
    places = in_order(post.standings)
    moved = [_line(t, place, each) for place, each in places if each.has_moved]
    still = [_name(t, place, each) for place, each in places if not each.has_moved]
    if moved:
        add_text(embed, _joined(t, moved, "\n", _MOVED_ROOM))
    if still:
        add_text(embed, t("No change: {names}", names=_joined(t, still, ", ", _STILL_ROOM)))


def _line(t: Language, place: int, standing: Standing) -> str:
    rating = f"**{t.hundredths(standing.rating)}** ({_change(t, standing)})"
    return f"`{t.integer(place)}` <@{standing.member}> {_player(standing)} {rating}"


def _change(t: Language, standing: Standing) -> str:
    if standing.change is None:
        return t("first day")
    if standing.change:
        return t.change(standing.change)
    return t.plural("{count} new best", "{count} new bests", standing.bests)


def _name(t: Language, place: int, standing: Standing) -> str:
    return f"`{t.integer(place)}` {_player(standing)} {t.hundredths(standing.rating)}"


def _player(standing: Standing) -> str:
    return escape(standing.player_name, width=_NAME_WIDTH)


def _play(t: Language, post: DailyPost, standing: Standing, play: Play) -> str:
    title = played_title(t, play.change, post.songs)
    facts = played_facts(t, play.change, play.now, play.region)
    return f"**{title}** {' · '.join([*facts, _player(standing)])}"


def _left_out(t: Language, count: int) -> str:
    return t.plural(
        "{count} member could not be asked about today: see `/account`.",
        "{count} members could not be asked about today: see `/account`.",
        count,
    )


def _joined(t: Language, parts: list[str], separator: str, room: int) -> str:
    """Return as many parts as fit into `room` characters, `_SHOWN` at most, and how many more there are."""
    shown: list[str] = []
    for part in parts[:_SHOWN]:
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
