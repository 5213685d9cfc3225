"""`/song` as an embed, and the choices of its autocomplete."""

from collections.abc import Iterable
from typing import Final

from discord import Embed
from discord.app_commands import Choice

from bot.domain.charts import Chart, Song, difficulty_name
from bot.domain.numbers import format_hundredths, format_level
from bot.features.songs import SongPage
from bot.ui.best import record_facts
from bot.ui.look import HEADING_WIDTH, QUIET, card, difficulty_colour
from bot.ui.markdown import cut, escape
from bot.ui.text import Language

_CHOICES: Final = 25
_CHOICE_WIDTH: Final = 100
"""Characters of a choice. Source: Discord's documentation."""


def song_choices(songs: Iterable[Song]) -> list[Choice[str]]:
    """Return songs as choices that carry their ids; titles that collide are told apart by their artist."""
    listed = list(songs)[:_CHOICES]
    titles = [song.title.casefold() for song in listed]
    return [
        Choice(name=_label(song, titles.count(song.title.casefold()) > 1), value=song.id) for song in listed
    ]


def _label(song: Song, is_shared: bool) -> str:  # noqa: FBT001 - a predicate of one line above
    title = song.title.strip() or song.id
    shown = f"{title} — {song.artist}" if is_shared and song.artist else title
    return cut(shown, _CHOICE_WIDTH)[:_CHOICE_WIDTH]


def song_embed(t: Language, page: SongPage) -> Embed:
    """Return a song with all its charts, and the asker's scores beside them."""
    song = page.song
    hardest = song.charts[-1].difficulty if song.charts else None
    embed = card(
        t,
        escape(song.title, width=HEADING_WIDTH) or song.id,
        difficulty_colour(hardest) if hardest else QUIET,
        fetched_at=page.fetched_at,
        is_stale=page.is_stale,
        region=page.region,
    )
    unknown = t("unknown")
    embed.add_field(name=t("Artist"), value=escape(song.artist or unknown, width=HEADING_WIDTH))
    embed.add_field(name=t("Genre"), value=escape(song.genre or unknown, width=HEADING_WIDTH))
    embed.add_field(name=t("BPM"), value=t.integer(song.bpm) if song.bpm else unknown)
    embed.add_field(name=t("Released"), value=t.day(song.released_on) if song.released_on else unknown)
    for chart in song.charts:
        embed.add_field(name=_chart_title(chart), value=_chart_facts(t, chart, page), inline=False)
    return embed


def _chart_title(chart: Chart) -> str:
    level = format_level(chart.level) if chart.level else ""
    return f"{difficulty_name(chart.difficulty)} {level}".rstrip()


def _chart_facts(t: Language, chart: Chart, page: SongPage) -> str:
    facts = [
        t("Constant: {constant}", constant=_constant(t, chart)),
        t("Max combo: {count}", count=t.integer(chart.max_combo) if chart.max_combo else t("unknown")),
    ]
    lines = [" · ".join(facts)]
    record = page.scores.get(chart.difficulty)
    if record is not None and record.is_played:
        mine = record_facts(t, record, page.region)
        rating = f" · {t.hundredths(record.rating)}" if record.rating else ""
        lines.append(t("You: {score}", score=f"**{mine}**{rating}"))
    return "\n".join(lines)


def _constant(t: Language, chart: Chart) -> str:
    if chart.constant is None:
        return t("unknown")
    shown = format_hundredths(chart.constant, places=1)
    return t("{constant} (estimated)", constant=shown) if chart.is_estimated else shown
