"""The answers of `/alias`."""

from discord import Embed

from bot.domain.charts import Song
from bot.features.shared.library import NamedSong
from bot.features.shared.paging import Part
from bot.ui.kit.look import BRAND, HEADING_WIDTH, TITLE_WIDTH, Page, add_text, listed_title
from bot.ui.kit.markdown import escape
from bot.ui.kit.pages import turn_buttons, view_of
from bot.ui.kit.routes import AliasesAddress
from bot.ui.language.text import Language

_MAX_TITLE_CHARACTERS = 1_000


def added_embed(t: Language, name: str, song: Song) -> Embed:
    """Return what a manager sees after `/alias add`."""
    embed = Embed(title=t("Alias added"), colour=BRAND)
    add_text(
        embed,
        t(
            "In this server, “{alias}” now means **{title}**.",
            alias=escape(name, width=HEADING_WIDTH),
            title=escape(song.title, room=_MAX_TITLE_CHARACTERS),
        ),
    )
    return embed


def removed_embed(t: Language, name: str) -> Embed:
    """Return what a manager sees after `/alias remove`."""
    embed = Embed(title=t("Alias removed"), colour=BRAND)
    add_text(
        embed, t("“{alias}” means no song in this server any more.", alias=escape(name, width=HEADING_WIDTH))
    )
    return embed


def aliases_page(t: Language, aliases: Part[NamedSong], address: AliasesAddress) -> Page:
    """Return one page of a server's aliases."""
    embed = Embed(title=t("Aliases in this server"), colour=BRAND)
    lines = [f"{escape(alias.name, width=TITLE_WIDTH)} → {_song(t, alias)}" for alias in aliases.items]
    empty = t("None yet. People who manage this server add some with `/alias add`.")
    add_text(embed, "\n".join(lines) or empty)
    return Page(embed, view_of(turn_buttons(t, address, aliases)))


def _song(t: Language, alias: NamedSong) -> str:
    return listed_title(alias.song.title) if alias.song else t("unknown")
