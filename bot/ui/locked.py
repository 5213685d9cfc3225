"""The answers of `/locked`."""

from collections.abc import Iterable

from discord import Embed

from bot.domain.charts import Song
from bot.domain.members import Audience
from bot.features.locked import LockedReport, Locking
from bot.ui.kit.look import BRAND, Page, add_text, listed_title
from bot.ui.kit.pages import turn_buttons, view_of
from bot.ui.kit.routes import LockedAddress
from bot.ui.language.text import Language
from bot.ui.lists import small


def locked_embed(t: Language, locking: Locking) -> Embed:
    """Return what a member sees after `/locked add`."""
    title = f"**{listed_title(locking.song.title)}**"
    if locking.is_played:
        embed = Embed(title=t("You have played it"), colour=BRAND)
        text = t(
            "You have a score on {title}, so it counts all the same: only songs without one are left out.",
            title=title,
        )
        add_text(embed, text)
        return embed
    embed = Embed(title=t("Left out"), colour=BRAND)
    text = t(
        "{title} is left out of plans, tiers, draws and the OVER POWER total until you play it or take it back "
        "with `/locked remove`. In filters it is `locked`, and `-locked` leaves such songs out.",
        title=title,
    )
    add_text(embed, text)
    return embed


def unlocked_embed(t: Language, song: Song) -> Embed:
    """Return what a member sees after `/locked remove`."""
    embed = Embed(title=t("Unlocked"), colour=BRAND)
    add_text(embed, t("{title} counts again.", title=f"**{listed_title(song.title)}**"))
    return embed


def locked_page(t: Language, report: LockedReport, address: LockedAddress) -> Page:
    """Return one page of a member's locked songs, with others that may be locked too."""
    embed = Embed(title=t("Songs that you have not unlocked"), colour=BRAND)
    empty = t("None: every song counts. Use `/locked add` to leave out one that you cannot play yet.")
    add_text(embed, _titles(report.part.items) or empty)
    if report.part.items:
        add_text(embed, small(t("A song counts again once you play it, or with `/locked remove`.")))
    if report.suggested and not address.number:
        embed.add_field(
            name=t("Players of your rating do not have these either"), value=_titles(report.suggested)
        )
    return Page(embed, view_of(turn_buttons(t, address, report.part)), audience=Audience.ASKER)


def _titles(songs: Iterable[Song]) -> str:
    return "\n".join(listed_title(song.title) for song in songs)
