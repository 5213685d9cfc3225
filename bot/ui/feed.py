"""The messages of a feed, and the answers of `/feed`."""

from collections.abc import Mapping, Sequence
from typing import Final

from discord import ButtonStyle, Embed

from bot.domain.chronicle.state import LampFlags
from bot.domain.feed import Worth
from bot.domain.ids import MemberId
from bot.domain.numbers import Hundredths
from bot.domain.posts import PostPlan
from bot.domain.ranks import Rank
from bot.features.feed import FeedPost
from bot.features.server_posts import Planned
from bot.features.shared.subjects import Subject
from bot.ui.chronicle import moved_lines, other_lines
from bot.ui.game_ratings import turn_text
from bot.ui.kit.look import BRAND, HEADING_WIDTH, Page, add_text, base_embed, rating_embed_colour
from bot.ui.kit.markdown import escape
from bot.ui.kit.pages import ANYBODY, PageButton, PageMenu, Way, view_of
from bot.ui.kit.routes import FeedsAddress, JoinFeedAddress, SessionAddress
from bot.ui.language.text import Language
from bot.ui.posts import channels_text

RANKS: Final = (Rank.SSS_PLUS, Rank.SSS, Rank.SS_PLUS, Rank.SS, Rank.S_PLUS, Rank.S)
"""The ranks that a feed can require."""
LAMPS: Final[Mapping[LampFlags, str]] = {LampFlags.FULL_COMBO: "FC", LampFlags.ALL_JUSTICE: "AJ"}


def feed_page(t: Language, post: FeedPost) -> Page:
    """Return a message about one sitting, with buttons to see its session and to join."""
    sitting = post.sitting
    title = t("New bests of {player}", player=escape(sitting.player_name, width=HEADING_WIDTH))
    embed = base_embed(
        t, title, rating_embed_colour(sitting.rating), region=sitting.region, shows_rating=True
    )
    turn = post.effects and post.effects.turn
    if turn:
        add_text(embed, turn_text(t, turn, sitting.rating_before or turn.rating))
    add_text(embed, f"<@{sitting.member}> {_rating(t, post)}")
    add_text(embed, "\n".join(_lines(t, post)))
    theirs = SessionAddress(asker=ANYBODY, subject=Subject(member=sitting.member, shares_server=True))
    join = PageButton(JoinFeedAddress(asker=ANYBODY), Way.ASIDE, label=t("Join"))
    return Page(embed, view_of([join, PageButton(theirs, Way.ASIDE, label=t("Session"))]))


def _lines(t: Language, post: FeedPost) -> list[str]:
    """Return the lines about the plays, those that moved the rating first."""
    effects = post.effects
    moved = [play for play in post.plays if effects and effects.gain_of(play) > 0]
    lines = [] if effects is None else moved_lines(t, moved, effects, post.songs, post.sitting.region)
    others = [play for play in post.plays if play not in moved]
    return [*lines, *other_lines(t, others, len(moved), post.songs, post.sitting.region)]


def _rating(t: Language, post: FeedPost) -> str:
    sitting, turn = post.sitting, post.effects and post.effects.turn
    now = t.hundredths(sitting.rating)
    gain = Hundredths(sitting.rating - turn.rating) if turn else sitting.gain
    if gain is None:
        return t("Rating **{now}**", now=now)
    return t("Rating **{now}** ({change})", now=now, change=t.change(gain) if gain else "±0")


def joined_embed(t: Language, plans: Sequence[PostPlan]) -> Embed:
    """Return what a member sees after `/feed join`: what the server will see of them."""
    embed = Embed(title=t("You are in the feed"), colour=BRAND)
    embed.description = t(
        "What you play from now on appears in {channels}, once you have stopped for a while: your player name, your "
        "rating and its change, and your new bests. Leave with `/feed leave`, or by choosing “Only me” in `/account`.",
        channels=channels_text(t, plans),
    )
    return embed


def question_page(t: Language, plans: Sequence[PostPlan], yes: JoinFeedAddress) -> Page:
    """Return the question to a member set to "only me" before they join; `yes` is the address of consent."""
    embed = Embed(title=t("Show yourself in the feed?"), colour=BRAND)
    embed.description = t(
        "The feed ties your Discord name to your player name, your rating and its change, and your new bests, for "
        "everyone who can read {channels}: it is not for those who have chosen “Only me”.",
        channels=channels_text(t, plans),
    )
    label = t("Let members of servers we share look, and join")
    return Page(embed, view_of([PageButton(yes, label=label, style=ButtonStyle.primary)]))


def left_embed(t: Language, *, was_in: bool) -> Embed:
    """Return what a member sees after `/feed leave`."""
    embed = Embed(
        title=t("You are out of the feed") if was_in else t("You were not in the feed"), colour=BRAND
    )
    embed.description = (
        t("What you play no longer appears in this server's feed.")
        if was_in
        else t("You were not in this server's feed.")
    )
    return embed


def off_embed(t: Language) -> Embed:
    """Return what a manager sees when a server has no feed any more."""
    embed = Embed(title=t("Feed turned off"), colour=BRAND)
    embed.description = t("Who joined is kept, in case you turn it on again.")
    return embed


def feeds_page(
    t: Language, plans: Sequence[Planned], asker: MemberId, *, is_in: bool, may_remove: bool
) -> Page:
    """Return all feeds of a server, with a menu that removes one for those who may."""
    embed = Embed(title=t("Feeds of this server"), colour=BRAND)
    lines = [f"`{t.integer(number)}` {feed_line(t, each.plan)}" for number, each in enumerate(plans, 1)]
    add_text(embed, "\n".join(lines))
    add_text(
        embed,
        t(
            "Plays of members who joined with `/feed join` are announced there, one message each time they play."
        ),
    )
    add_text(embed, t("You are in it.") if is_in else t("You are not in it."))
    if not may_remove:
        return Page(embed)
    choices = {
        FeedsAddress(
            asker=asker, remove=each.plan.id
        ): f"{t.integer(number)}. {worth_text(t, each.plan.worth)}"
        for number, each in enumerate(plans, 1)
    }
    return Page(embed, view_of([PageMenu(choices, placeholder=t("Remove one"))]))


def worth_text(t: Language, worth: Worth) -> str:
    """Return the conditions of what a feed posts."""
    parts: list[str] = []
    if worth.gain is not None:
        parts.append(t("rating {gain} or more", gain=t.change(worth.gain)))
    if worth.rank is not None:
        parts.append(t("{rank} or higher", rank=worth.rank.label))
    if worth.lamp is not None:
        parts += [name for lamp, name in LAMPS.items() if lamp >= worth.lamp]
    return " / ".join(parts) or t("every new best")


def feed_line(t: Language, plan: PostPlan) -> str:
    """Return the channel of a feed, and the conditions of what it posts."""
    facts = [f"<#{plan.channel}>", worth_text(t, plan.worth)]
    return " · ".join([*facts, t("off: I could not write there")] if plan.is_off else facts)
