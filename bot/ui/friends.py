"""`/friends` as an embed with its pages."""

from discord import Embed

from bot.domain.players import Friend
from bot.features.friends import FriendsPage
from bot.ui.look import BRAND, Page, add_text, card
from bot.ui.markdown import code, escape
from bot.ui.pages import Address, turn_buttons, view_of
from bot.ui.text import Language

_NAME_WIDTH = 32


def friends_page(t: Language, page: FriendsPage, address: Address) -> Page:
    """Return one page of a friend list."""
    return Page(friends_embed(t, page), view_of(turn_buttons(t, address, page.part)))


def friends_embed(t: Language, page: FriendsPage) -> Embed:
    """Return the friends on one page, by rating."""
    embed = card(t, t("Your friends"), BRAND, age=page.age)
    if not page.friends:
        add_text(embed, t("No friends yet. Add some on the record service, and they appear here."))
        return embed
    add_text(embed, t.plural("{count} friend", "{count} friends", sum(f.is_accepted for f in page.friends)))
    shown = page.friends[page.part.start : page.part.stop]
    add_text(
        embed,
        "\n".join(_line(t, place, friend) for place, friend in enumerate(shown, start=page.part.start + 1)),
    )
    return embed


def _line(t: Language, place: int, friend: Friend) -> str:
    name = escape(friend.player_name or friend.user_name, width=_NAME_WIDTH)
    line = f"**{place}.** {name} ({code(friend.user_name)}) **{t.hundredths(friend.rating)}**"
    marks = [
        t("protected") if friend.is_protected else "",
        "" if friend.is_accepted else t("asked you") if friend.is_incoming else t("not answered yet"),
    ]
    return " · ".join([line, *(f"*{mark}*" for mark in marks if mark)])
