"""`/try`: what linking offers, before doing it."""

from discord import Embed

from bot.domain.players import Player
from bot.ui.kit.look import Page, add_text, rating_embed_colour
from bot.ui.kit.pages import link_button, view_of
from bot.ui.kit.renderer import Picture
from bot.ui.language.text import Language


def trial_page(t: Language, player: Player, picture: Picture | None) -> Page:
    """Return the card of an invented player, with the way to one's own."""
    embed = Embed(title=t("What linking brings"), colour=rating_embed_colour(player.rating))
    add_text(embed, t("This player is invented. Your own card looks like this once your account is linked:"))
    facts = (
        t("your rating, and how it went"),
        t("the records behind it, and which have risen since last time"),
        t("what to play next, and how likely it is to pay off"),
    )
    add_text(embed, "\n".join(f"- {fact}" for fact in facts))
    return Page(embed, view_of([link_button(t)]), picture)
