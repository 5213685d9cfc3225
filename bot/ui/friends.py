"""`/friends` as an embed with its pages."""

from discord import Embed

from bot.domain.players import Friend
from bot.features.friends import FriendsReport
from bot.ui.kit.look import BRAND, Page, add_text, base_embed
from bot.ui.kit.markdown import code, escape
from bot.ui.kit.pages import turn_buttons, view_of
from bot.ui.kit.routes import FriendsAddress
from bot.ui.language.text import Language

_NAME_COLUMNS = 32


def friends_page(t: Language, report: FriendsReport, address: FriendsAddress) -> Page:
    """Return one page of a friend list."""
    return Page(friends_embed(t, report), view_of(turn_buttons(t, address, report.part)))


def friends_embed(t: Language, report: FriendsReport) -> Embed:
    """Return the friends on one page, by rating and numbered, and below them pending requests."""
    embed = base_embed(t, t("Your friends"), BRAND, age=report.age)
    add_text(embed, _standing(t, report))
    friends = [
        f"**{place}.** {_line(t, friend)}" for place, friend in report.part.numbered if friend.is_accepted
    ]
    requests = [f"▸ {_line(t, each)}" for each in report.part.items if not each.is_accepted]
    if friends:
        add_text(embed, "\n".join(friends))
    if requests:
        heading = t("Requests")
        add_text(embed, "\n".join([f"**{heading}**", *requests]))
    return embed


def _standing(t: Language, report: FriendsReport) -> str:
    if not report.count:
        return t("No friends yet. Add some on the record service, and they appear here.")
    counted = t.plural("{count} friend", "{count} friends", report.count)
    if report.own is None or report.place is None:
        return counted
    place, players = map(t.integer, report.place)
    own = t("You: {score}", score=f"**{t.hundredths(report.own)}**")
    return " · ".join([counted, own, t("Place {place} of {players}", place=place, players=players)])


def _line(t: Language, friend: Friend) -> str:
    name = escape(friend.player_name or friend.user_name, width=_NAME_COLUMNS)
    # Protected players who are not friends yet hide their rating, and players who never uploaded have none.
    rating = f"**{t.hundredths(friend.rating)}**" if friend.rating else "–"
    marks = [
        t("protected") if friend.is_protected else "",
        "" if friend.is_accepted else t("asked you") if friend.is_incoming else t("not answered yet"),
    ]
    return " · ".join(
        [f"{name} ({code(friend.user_name)}) {rating}", *(f"*{mark}*" for mark in marks if mark)]
    )
