"""The common look of all answers: colours, and the skeleton of every embed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from discord import Colour, Embed, utils
from discord.ui import Item, View

from bot.domain.age import Age
from bot.domain.charts import (
    ADVANCED,
    BASIC,
    EXPERT,
    MASTER,
    ULTIMA,
    WORLDS_END,
    Chart,
    Difficulty,
    Song,
    difficulty_name,
)
from bot.domain.completion import CompletionRow
from bot.domain.errors import BudgetSpent, NotYet, ServiceDown, UnreadableReply
from bot.domain.ids import Region
from bot.domain.members import Audience, Visibility
from bot.domain.numbers import Hundredths, format_hundredths, format_level
from bot.domain.players import Player
from bot.domain.rating import rating_colour
from bot.domain.scores import Record
from bot.features.shared.reports import Fetched, FetchedPlayer
from bot.ui.kit.icons import difficulty_icon
from bot.ui.kit.markdown import escape
from bot.ui.kit.renderer import Document, Picture
from bot.ui.language.text import Language, mark

TITLE_WIDTH: Final = 44
"""The most columns of a song title in a list: one line of a phone, or two with wide letters."""
_MAX_TITLE_CHARACTERS: Final = 256
"""The limit of an embed's title. Source: Discord's documentation."""
HEADING_WIDTH: Final = 100
"""The most columns of a name in an embed's title: far below Discord's 256 characters, even fully escaped."""

BRAND: Final = Colour(0x5865F2)
QUIET: Final = Colour(0x80848E)

_DIFFICULTY_COLOURS: Final[Mapping[Difficulty, int]] = {
    BASIC: 0x009F7B,
    ADVANCED: 0xF47900,
    EXPERT: 0xE92829,
    MASTER: 0x8C1BE1,
    ULTIMA: 0x131313,
    WORLDS_END: 0x0B6FF3,
}

_RATING_COLOURS: Final[Mapping[str, int]] = {
    "blue": 0x3B82F6,
    "green": 0x22A652,
    "orange": 0xF47900,
    "red": 0xE02424,
    "purple": 0x9333EA,
    "copper": 0xB4652E,
    "silver": 0xA3ADB8,
    "gold": 0xEAB308,
    "platinum": 0xE5D9A5,
    "rainbow": 0xFF5FA8,
    "kiwami": 0xFFD75E,
}

VISIBILITIES: Final[Mapping[Visibility, str]] = {
    Visibility.ONLY_ME: mark("Only me"),
    Visibility.SERVERS: mark("Members of servers we share"),
    Visibility.ANYONE: mark("Anyone"),
}

STILL_READ: Final = mark(
    "The database is being read just now, as by a backup: old copies leave the disk by themselves once that ends."
)
"""The note below an erasure if the data is not gone from the disk yet."""


@dataclass(frozen=True, slots=True)
class Page:
    """The answer of a command: an embed, with the components below it."""

    embed: Embed
    view: View | None = None
    picture: Picture | None = None
    """The picture above the embed, which is complete without it."""
    beside: tuple[Embed, ...] | None = None
    """The embeds shown with the picture instead of `embed`, if the picture shows part of that or all of it."""
    documents: tuple[Document, ...] = ()
    audience: Audience = Audience.ANYONE
    share: Callable[[], Sequence[Item[Any]]] = list
    """The function that makes the share button of a private page, if there is one."""


def difficulty_colour(code: Difficulty) -> Colour:
    """Return the game's colour of a difficulty; grey for an unknown one."""
    return Colour(_DIFFICULTY_COLOURS[code]) if code in _DIFFICULTY_COLOURS else QUIET


def rating_embed_colour(rating: Hundredths) -> Colour:
    """Return the colour in which the game shows a player's rating."""
    return Colour(_RATING_COLOURS[rating_colour(rating)])


def chart_title(chart: Chart) -> str:
    """Return "MASTER 14+"."""
    level = format_level(chart.level) if chart.level else ""
    return f"{difficulty_name(chart.difficulty)} {level}".rstrip()


def constant_text(t: Language, chart: Chart | Record) -> str:
    """Return a constant, also if it is estimated, or "unknown"."""
    if not chart.constant:
        return t("unknown")
    shown = format_hundredths(chart.constant, places=1)
    if chart.is_hosts:
        return t("{constant} (from this bot's host)", constant=shown)
    return t("{constant} (estimated)", constant=shown) if chart.is_estimated else shown


def range_text(t: Language, least: str, most: str) -> str:
    """Return "16.70 to 17.10", or one number if both are equal."""
    return least if least == most else t("{least} to {most}", least=least, most=most)


def measure_sign(chart: Chart | Record | CompletionRow) -> str:
    """Return "14.7", "14.7?" if estimated, "14.7*" if set by the host, "14+?" if unknown."""
    if chart.constant:
        sign = "*" if chart.is_hosts else "?" if chart.is_estimated else ""
        return f"{format_hundredths(chart.constant, places=1)}{sign}"
    return f"{format_level(chart.level)}?" if chart.level else ""


def chart_text(t: Language, chart: Chart | Record) -> str:
    """Return "MASTER 14.7", "MASTER 14.7 (estimated)", "MASTER 14+ (constant unknown)" or "WORLD'S END", with its icon."""
    return f"{difficulty_icon(t, chart.difficulty)} {measure_text(t, chart)}".rstrip()


def measure_text(t: Language, chart: Chart | Record) -> str:
    """Return "14.7", "14.7 (estimated)", "14+ (constant unknown)", or nothing for World's End."""
    if chart.constant:
        return constant_text(t, chart)
    return t("{level} (constant unknown)", level=format_level(chart.level)) if chart.level else ""


def base_embed(
    t: Language,
    title: str,
    colour: Colour,
    *,
    age: Age | None = None,
    region: Region | None = None,
    shows_rating: bool = False,
) -> Embed:
    """Return the skeleton of an embed: its title, and the age and game version of its data.

    `shows_rating`: the data includes a player's rating, which belongs to no region.
    """
    embed = Embed(title=title, colour=colour)
    facts = [] if region is None else [region_text(t, region, shows_rating=shows_rating)]
    if age is not None:
        # Not as the embed's timestamp: Discord shows that in the viewer's zone, unlike all other times here.
        facts.append(t("as of {moment} ({zone})", moment=t.moment(age.fetched_at), zone=t.zone.key))
        embed.description = age_sentence(t, age)
    if facts:  # an empty footer would be sent
        embed.set_footer(text=" · ".join(facts))
    return embed


def fetched_embed(
    t: Language, title: str, colour: Colour, report: Fetched, *, shows_rating: bool = False
) -> Embed:
    """Return the skeleton of an embed about data of one version of the game."""
    return base_embed(t, title, colour, age=report.age, region=report.region, shows_rating=shows_rating)


def player_embed(t: Language, title: str, report: FetchedPlayer, *, shows_rating: bool = False) -> Embed:
    """Return the skeleton of an embed about a player, in the colour of their rating."""
    return fetched_embed(
        t, title, rating_embed_colour(report.player.rating), report, shows_rating=shows_rating
    )


def song_embed(t: Language, song: Song, report: Fetched, difficulty: Difficulty | None = None) -> Embed:
    """Return the skeleton of an embed about a song, in the colour of a difficulty, by default the hardest."""
    if difficulty is None and song.charts:
        difficulty = song.charts[-1].difficulty
    return fetched_embed(
        t, song_heading(song), difficulty_colour(difficulty) if difficulty else QUIET, report
    )


def player_heading(player: Player) -> str:
    """Return a player's name for the title of an embed, or for a paragraph."""
    return escape(player.player_name, width=HEADING_WIDTH)


def region_text(t: Language, region: Region, *, shows_rating: bool = False) -> str:
    """Return the game version of the data; a player's rating comes from the profile, which names none."""
    if shows_rating:
        return t("Game version of the scores: {region} · rating as in the profile", region=region)
    return t("Game version: {region}", region=region)


def age_sentence(t: Language, age: Age) -> str | None:
    """Return the age of old data, why there is none newer, and when there may be if known; None for new data."""
    if age.trouble is None:
        return None
    when = utils.format_dt(age.fetched_at, "R")
    match age.trouble:
        case BudgetSpent(retry_at=retry_at) if not isinstance(age.trouble, NotYet):
            return t(
                "The requests to the record service are used up and come back {again}; this is what it said {when}.",
                again=utils.format_dt(retry_at, "R"),
                when=when,
            )
        case ServiceDown():
            return t("The record service is not answering right now; this is what it said {when}.", when=when)
        case UnreadableReply():
            return t(
                "The record service's latest answer could not be read; this is what it said {when}.",
                when=when,
            )
        case _:
            return t("The record service cannot be asked right now; this is what it said {when}.", when=when)


def listed_title(title: str) -> str:
    """Return a song's title for a list: a long one is cut in the middle, since its end tells remixes apart."""
    return escape(title, width=TITLE_WIDTH, middle=True)


def song_heading(song: Song) -> str:
    """Return a song's title for the title of an embed: complete, up to Discord's limit."""
    return escape(song.title, room=_MAX_TITLE_CHARACTERS)


def add_text(embed: Embed, text: str) -> None:
    """Append a paragraph to an embed's description."""
    embed.description = f"{embed.description}\n\n{text}" if embed.description else text
