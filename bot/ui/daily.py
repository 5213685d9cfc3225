"""The daily post, and the answers of `/daily`."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import Final
from zoneinfo import ZoneInfo

from discord import ButtonStyle, Embed, utils
from discord.ui import View

from bot.domain.numbers import Hundredths
from bot.domain.posts import PostOption, PostPlan
from bot.domain.standings import Standing, StandoutPlay, in_order, outstanding
from bot.features.daily import MAX_PLAYS, DailyPost
from bot.features.server_posts import Planned
from bot.features.shared.subjects import Subject
from bot.ui.cards.daily import MAX_MEMBERS
from bot.ui.chronicle import played_facts, played_title
from bot.ui.daily_card import daily_facts, daily_picture, day_text, lamp_facts
from bot.ui.game_ratings import coming_text, first_steps, gain_text, place_text
from bot.ui.goals import goal_text
from bot.ui.kit.look import BRAND, Page, add_text
from bot.ui.kit.markdown import escape
from bot.ui.kit.pages import ANYBODY, PageButton, Way, view_of
from bot.ui.kit.renderer import Picture, PictureRenderer
from bot.ui.kit.routes import JoinDailyAddress, SessionAddress
from bot.ui.language.text import Language
from bot.ui.lists import small
from bot.ui.posts import channels_text

_NAME_COLUMNS: Final = 32
_MAX_MEMBERS: Final = 20
"""The most members shown with a change, and the most without."""
_MAX_MOVED_CHARACTERS: Final = 1_700
"""The most characters of the lines of members with a change."""
_MAX_STILL_CHARACTERS: Final = 800
"""The most characters of the line of the others; all together stay below Discord's 4,096."""
_MAX_GOALS: Final = 3
_GOAL_COLUMNS: Final = 60
"""The most reached goals that are shown, and the most columns of each."""


async def drawn_page(renderer: PictureRenderer, t: Language, post: DailyPost) -> Page:
    """Return a post with its picture, in the time zone of its plan."""
    t = t.in_zone(ZoneInfo(post.plan.timezone))
    return daily_page(t, post, await daily_picture(renderer, t, post))


def preview_page(t: Language, page: Page) -> Page:
    """Return a preview of a post, in the reader's language, with a note on what it may lack."""
    said = t(
        "A preview. The post itself also has plays that I have not looked at yet, and what is played until then."
    )
    embeds = [page.embed.copy(), *(each.copy() for each in page.beside or ())]
    for embed in embeds:
        add_text(embed, f"-# {said}")
    return replace(page, embed=embeds[0], beside=None if page.beside is None else tuple(embeds[1:]))


def daily_page(t: Language, post: DailyPost, picture: Picture | None = None) -> Page:
    """Return a post: a summary of the day, places and outstanding plays; on a day without news, only the places.

    Next to a picture, which has the places, it lists who has news by their names in the server.
    """
    is_direct = post.plan.member is not None
    short = _embed(t, post, is_short=True) if len(post.standings) <= MAX_MEMBERS else None
    return Page(
        _embed(t, post), _buttons(t, is_direct=is_direct), picture, beside=None if short is None else (short,)
    )


def _embed(t: Language, post: DailyPost, *, is_short: bool = False) -> Embed:
    """Return the embed of a post to a server, or to one member in a direct message."""
    embed = Embed(title=t("Ratings of {day}", day=day_text(post, t.day)), colour=BRAND)
    is_direct = post.plan.member is not None
    if not post.standings and not post.left_out and not is_direct:
        add_text(embed, t("Nobody is in this post yet. Join it with `/daily join`."))
    if post.has_news:
        facts = [*daily_facts(t, post.standings), *lamp_facts(t, post.standings)]
        add_text(embed, " · ".join(f"**{value}** {label}" for value, label in facts))
    if is_short:
        _add_names(t, embed, post)
    elif is_direct:
        add_text(embed, "\n".join(_own(t, each) for each in post.standings))
    else:
        _add_places(t, embed, post)
    plays = [_play(t, post, *each) for each in outstanding(post.standings)[is_short:MAX_PLAYS]]
    if plays and PostOption.NO_PLAYS not in post.plan.options:
        add_text(embed, "\n".join(plays))
    _add_goals(t, embed, post)
    if post.coming is not None:
        hint = t("`/version` says what it does to your rating.")
        add_text(embed, f"{coming_text(t, post.coming)}\n{small(hint)}")
    if post.left_out:
        add_text(embed, _left_out(t, post.left_out))
    return embed


def _add_names(t: Language, embed: Embed, post: DailyPost) -> None:
    """Add the members with news, by their names in Discord and in the game: the picture only has the latter."""
    moved = [each for _place, each in in_order(post.standings) if each.has_moved]
    if moved and post.plan.member is None:
        names = (f"<@{each.member}> {_player(each)}" for each in moved)
        shown = _joined(t, names, len(moved), ", ", _MAX_MOVED_CHARACTERS)
        add_text(embed, t("With news: {names}", names=shown))


def _buttons(t: Language, *, is_direct: bool) -> View | None:
    join = PageButton(JoinDailyAddress(asker=ANYBODY), Way.ASIDE, label=t("Join"))
    address = SessionAddress(asker=ANYBODY, subject=Subject())
    session = PageButton(address, Way.ASIDE, label=t("My session"))
    return view_of([session] if is_direct else [join, session])


def _add_places(t: Language, embed: Embed, post: DailyPost) -> None:
    """Add the members with a change, a line each, and all others in one line, with their places."""
    places = in_order(post.standings)
    moved = [each for each in places if each[1].has_moved]
    others = [each for each in places if not each[1].has_moved]
    fell = [each for each in others if each[1].fell_from is not None]
    still = [each for each in others if each[1].fell_from is None]
    room = _MAX_STILL_CHARACTERS // 2 if fell else _MAX_STILL_CHARACTERS
    if moved:
        lines = (_line(t, *each) for each in moved)
        add_text(embed, _joined(t, lines, len(moved), "\n", _MAX_MOVED_CHARACTERS))
    if still:
        names = (_name(t, *each) for each in still)
        add_text(embed, t("No change: {names}", names=_joined(t, names, len(still), ", ", room)))
    if fell:
        names = (_name(t, *each) for each in fell)
        add_text(embed, t("Lower than before: {names}", names=_joined(t, names, len(fell), ", ", room)))


def _add_goals(t: Language, embed: Embed, post: DailyPost) -> None:
    """Add the goals that were reached, for some members."""
    reached = [(goal, each) for each in post.standings for goal in each.goals]
    told = [
        (t("Goal reached: **{goal}**", goal=goal_text(t, goal, width=_GOAL_COLUMNS)), _player(each))
        for goal, each in reached[:_MAX_GOALS]
    ]
    lines = [" · ".join(each) for each in told]
    more = len(reached) - len(lines)
    if more:
        lines.append(t.plural("and {count} more goal", "and {count} more goals", more))
    if lines:
        add_text(embed, "\n".join(lines))


def _own(t: Language, standing: Standing) -> str:
    return f"{_player(standing)} **{t.hundredths(standing.rating)}** ({_change(t, standing)})"


def _line(t: Language, place: int, standing: Standing) -> str:
    return f"`{t.integer(place)}` <@{standing.member}> {_own(t, standing)}"


def _change(t: Language, standing: Standing) -> str:
    if standing.turn is not None:
        return first_steps(t, standing.turn, standing.change or Hundredths(0))
    if standing.change is None:
        return t("first day")
    if standing.change:
        return t.change(standing.change)
    if not standing.bests:
        return t("goal reached")
    return t.plural("{count} new best", "{count} new bests", standing.bests)


def _name(t: Language, place: int, standing: Standing) -> str:
    return f"`{t.integer(place)}` {_player(standing)} {t.hundredths(standing.rating)}"


def _player(standing: Standing) -> str:
    return escape(standing.player_name, width=_NAME_COLUMNS)


def _play(t: Language, post: DailyPost, standing: Standing, play: StandoutPlay) -> str:
    title = played_title(t, play.change, post.songs)
    facts = [*played_facts(t, play.change, play.now, post.songs, play.region), _player(standing)]
    gain = ""
    if play.effect is not None:
        gain = f"**{gain_text(t, play.effect)}** "
        facts.insert(-1, place_text(t, play.effect.slot, play.place))
    return f"{gain}**{title}** {' · '.join(filter(None, facts))}"


def _left_out(t: Language, count: int) -> str:
    return t.plural(
        "{count} member could not be asked about today: see `/account`.",
        "{count} members could not be asked about today: see `/account`.",
        count,
    )


def _joined(t: Language, parts: Iterable[str], count: int, separator: str, room: int) -> str:
    """Join the parts, `count` in all, that fit into `room` characters, at most `_MAX_MEMBERS`, and say how many are left."""
    shown: list[str] = []
    for part in islice(parts, _MAX_MEMBERS):  # others are not formatted
        room -= len(part) + len(separator)
        if room < 0:
            break
        shown.append(part)
    more = count - len(shown)
    if more:
        shown.append(t.plural("and {count} more member", "and {count} more members", more))
    return separator.join(shown)


def set_up_embed(t: Language, channel: int, first: datetime, timezone: str) -> Embed:
    """Return a manager's answer to `/daily channel`."""
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


def joined_embed(t: Language, plans: Sequence[PostPlan]) -> Embed:
    """Return what a member sees after `/daily join`: what the server will see of them."""
    embed = Embed(title=t("You are in"), colour=BRAND)
    embed.description = t(
        "From now on your player name, rating and its change, your best plays and the goals that you reach appear in "
        "the posts in {channels}. Leave them with `/daily leave`, or by choosing “Only me” in `/account`.",
        channels=channels_text(t, plans),
    )
    return embed


def question_page(t: Language, plans: Sequence[PostPlan], yes: JoinDailyAddress) -> Page:
    """Return the question to a member set to "only me" before they join; `yes` is the address of consent."""
    embed = Embed(title=t("Show yourself in the daily post?"), colour=BRAND)
    embed.description = t(
        "The daily post ties your Discord name to your player name, your rating and its change, your best plays and "
        "the goals that you reach, for everyone who can read {channels}: it is not for those who have chosen “Only me”.",
        channels=channels_text(t, plans),
    )
    label = t("Let members of servers we share look, and join")
    return Page(embed, view_of([PageButton(yes, label=label, style=ButtonStyle.primary)]))


def hurried_embed(t: Language, plan: PostPlan, *, is_new: bool) -> Embed:
    """Return what a manager sees after `/daily now`."""
    embed = Embed(title=t("Posting now") if is_new else t("Posted already"), colour=BRAND)
    embed.description = (
        t("Today's post appears in <#{channel}> within half a minute.", channel=plan.channel)
        if is_new
        else t("Today's post is in <#{channel}> already: there is one a day.", channel=plan.channel)
    )
    return embed


def direct_embed(t: Language, planned: Planned | None, every: str) -> Embed:
    """Return the answer about a member's direct messages, with the next date; `every` is how often they come."""
    embed = Embed(title=t("Direct messages about your day"), colour=BRAND)
    if planned is None:
        embed.description = t("I do not message you on my own. `/daily direct` changes that.")
    elif planned.plan.is_off or planned.next_at is None:
        embed.description = t(
            "Discord did not deliver my messages to you, so I have stopped. Allow direct messages from this "
            "server, then use `/daily direct` again."
        )
    else:
        embed.description = t(
            "When there is news about your own play, I message you: {every}, next {when}.",
            every=every,
            when=utils.format_dt(planned.next_at, "R"),
        )
    return embed


def nothing_embed(t: Language) -> Embed:
    """Return the answer of `/daily preview` if nothing would be posted."""
    embed = Embed(title=t("Nothing to post"), colour=BRAND)
    embed.description = t("Nothing has changed for anybody, so nothing would be posted now.")
    return embed


def left_embed(t: Language, *, was_in: bool) -> Embed:
    """Return what a member sees after `/daily leave`."""
    embed = Embed(title=t("You are out") if was_in else t("You were not in"), colour=BRAND)
    embed.description = (
        t("Your rating no longer appears in this server's daily post.")
        if was_in
        else t("You were not in this server's daily post.")
    )
    return embed


def off_embed(t: Language) -> Embed:
    """Return what a manager sees after `/daily off`."""
    embed = Embed(title=t("Daily post turned off"), colour=BRAND)
    embed.description = t("Who joined is kept, in case you turn it on again.")
    return embed
