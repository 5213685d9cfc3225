"""The greeting in a server that the bot has joined, and the reply to a mention without text."""

from discord import Embed

from bot.ui.kit.look import BRAND, Page, add_text
from bot.ui.kit.pages import ANYBODY, Component, PageButton, Way, link_button, setup_button, view_of
from bot.ui.kit.routes import HelpAddress
from bot.ui.kit.song_routes import TrialAddress
from bot.ui.language.text import Language


def greeting_page(t: Language, *, in_server: bool = True) -> Page:
    """Return the bot's introduction, with buttons for next steps that anybody can press."""
    embed = Embed(title=t("Hello, I am Kiroku"), colour=BRAND)
    add_text(
        embed,
        t(
            "I show what you play: your rating and the records behind it as a picture, what has changed since last "
            "time, and what to play next."
        ),
    )
    add_text(embed, t("**Your own scores** come from the record service, once you link your account there."))
    add_text(
        embed,
        t(
            "**Without an account** you have `/song`, `/search`, `/random` and `/new`, or mention me with a title; `/try` "
            "shows the card of an invented player."
        ),
    )
    items: list[Component] = [
        link_button(t),
        PageButton(TrialAddress(asker=ANYBODY), Way.ASIDE, label=t("What would I see?")),
        PageButton(HelpAddress(asker=ANYBODY), Way.ASIDE, label=t("What can it do?")),
    ]
    if not in_server:
        return Page(embed, view_of(items))
    add_text(
        embed, t("**People who manage this server** set up its daily post, feed and language with `/setup`.")
    )
    return Page(embed, view_of([*items, setup_button(t)]))
