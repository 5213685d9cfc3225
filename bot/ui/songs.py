"""`/song` as an embed with its buttons, the menu of matching songs, and the choices of autocomplete."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from discord import Embed
from discord.app_commands import Choice
from discord.ui import Button

from bot.domain.charts import Chart, Song
from bot.domain.errors import BotError
from bot.domain.folding import fold
from bot.domain.gains import ChartReach, SlotPlace
from bot.domain.ids import MemberId, Region, SongId
from bot.domain.nicknames import Kinship
from bot.domain.notes import JUDGEMENTS, loss_of_one
from bot.domain.ranks import rank_of
from bot.features.shared.library import SongChoice
from bot.features.songs import FriendScore, FriendScores, SongReport
from bot.ui.chances import next_goal_text
from bot.ui.felt import felt_lines, not_felt_lines
from bot.ui.game_ratings import gain_text, place_text, slot_place_text
from bot.ui.kit.address import Address
from bot.ui.kit.choices import MAX_CHOICE_CHARACTERS, MAX_CHOICES, choice_text
from bot.ui.kit.errors import error_sentence
from bot.ui.kit.icons import rank_name
from bot.ui.kit.look import (
    BRAND,
    HEADING_WIDTH,
    TITLE_WIDTH,
    Page,
    add_text,
    chart_title,
    constant_text,
    range_text,
    song_embed,
)
from bot.ui.kit.markdown import cut, escape, one_line
from bot.ui.kit.pages import PageMenu, view_of, with_leads, with_more
from bot.ui.kit.routes import FriendScoresAddress, OwnScoresAddress
from bot.ui.kit.song_routes import SongAddress, StatisticsAddress
from bot.ui.language.text import Language, mark
from bot.ui.lists import record_facts, record_rating, small

_MAX_FIELD_CHARACTERS: Final = 1_024
"""The limit of an embed's field. Source: Discord's documentation."""
_WHY: Final[Mapping[Kinship, str]] = {
    Kinship.SPELLING: mark("spelt almost like that"),
    Kinship.HEADS: mark("its words begin like that"),
    Kinship.SOUND: mark("sounds like it"),
    Kinship.MEANING: mark("means that in English"),
    Kinship.WORDS: mark("has a word in common"),
}
_ARTIST_COLUMNS: Final = 40
_MAX_CACHED_CHARTS: Final = 4_096
"""The size of the cache of charts' texts: they are the same for everybody, and a song has five charts."""
_MAX_CACHED_TITLES: Final = 16_384
"""The size of the cache of listed titles, several times a catalogue's: each keystroke shows 25."""


def song_choices(songs: Iterable[Song]) -> list[Choice[str]]:
    """Return songs as choices with their ids as values; equal titles are told apart."""
    listed = list(songs)[:MAX_CHOICES]
    return [_choice(label, song.id) for label, song in zip(song_labels(listed), listed, strict=True)]


@lru_cache(_MAX_CACHED_TITLES)
def _choice(label: str, song: SongId) -> Choice[str]:
    return Choice(name=label, value=song)


def song_labels(songs: Sequence[Song]) -> list[str]:
    """Return unique names of songs in a list: with their hardest chart if titles are equal."""
    titles = [fold(song.title) or song.title.strip() for song in songs]
    shared = _repeated(titles)
    labels = [
        _told_apart(song) if title in shared else _listed(song.title)
        for title, song in zip(titles, songs, strict=True)
    ]
    alike = _repeated(labels)
    return [
        choice_text(f"{cut(label, MAX_CHOICE_CHARACTERS - 20, middle=True)} ({song.id[:8]})", middle=True)
        if label in alike
        else label
        for label, song in zip(labels, songs, strict=True)
    ]


def _repeated(texts: Sequence[str]) -> set[str]:
    if len(set(texts)) == len(texts):  # the usual case, at every keystroke
        return set()
    return {text for text, times in Counter(texts).items() if times > 1}


def _told_apart(song: Song) -> str:
    title = one_line(song.title)
    told = [chart_title(song.charts[-1]) if song.charts else "", cut(song.artist or "", _ARTIST_COLUMNS)]
    ending = " · ".join(part for part in told if part)
    if ending:
        title = f"{cut(title, MAX_CHOICE_CHARACTERS - len(ending) - 3, middle=True)} — {ending}"
    return choice_text(title, middle=True)


@lru_cache(_MAX_CACHED_TITLES)
def _listed(title: str) -> str:
    return choice_text(title, middle=True)


def choice_page(t: Language, choice: SongChoice, address_of: Callable[[SongId], Address]) -> Page:
    """Return the question which of several songs was meant; `address_of` returns the address of a choice."""
    embed = Embed(title=t("Which song do you mean?"), colour=BRAND)
    if choice.reasons:
        _add_reasons(t, embed, choice)
    elif choice.text.strip():
        text = escape(choice.text, width=HEADING_WIDTH)
        several = t("Several songs match “{text}”.", text=text)
        alone = t("No song is called “{text}”. This one comes nearest.", text=text)
        add_text(embed, several if len(choice.songs) > 1 else alone)
    addresses = [address_of(song.id) for song in choice.songs]
    labels = song_labels(choice.songs)
    if not all(address.fits for address in addresses):  # other typed values are very long
        add_text(embed, "\n".join(escape(label, width=TITLE_WIDTH, middle=True) for label in labels))
        return Page(embed)
    choices = dict(zip(addresses, labels, strict=True))
    artists = {
        address: choice_text(song.artist or "") for address, song in zip(addresses, choice.songs, strict=True)
    }
    return Page(embed, view_of([PageMenu(choices, placeholder=t("Choose a song"), descriptions=artists)]))


def _add_reasons(t: Language, embed: Embed, choice: SongChoice) -> None:
    """Add that nothing was found, the closest songs with reasons, and how to make the name work."""
    text = escape(choice.text, width=HEADING_WIDTH)
    add_text(embed, t("No song is called “{text}”. These come nearest:", text=text))
    titles = [escape(song.title, width=TITLE_WIDTH, middle=True) for song in choice.songs]
    reasons = [t(_WHY[why]) for why in choice.reasons]
    add_text(embed, "\n".join(map(" · ".join, zip(titles, reasons, strict=True))))
    if choice.may_suggest:
        add_text(
            embed,
            t(
                "Is that what people here call one of them? `/alias suggest` makes the name work in this server."
            ),
        )


def song_page(t: Language, found: SongReport | SongChoice, asker: MemberId) -> Page:
    """Return a song with buttons to pages about it, or the question which of several was meant."""
    if isinstance(found, SongChoice):
        return choice_page(t, found, lambda song: SongAddress(asker=asker, song=song))
    song = found.song.id
    leads: Mapping[str, Address] = {
        t("Statistics"): StatisticsAddress(asker=asker, song=song),
        t("My score"): OwnScoresAddress(asker=asker, song=song),
        t("Friends' scores"): FriendScoresAddress(asker=asker, song=song),
    }
    return with_more(with_leads(Page(whole_song_embed(t, found)), leads), _links(t, found))


def _links(t: Language, report: SongReport) -> list[Button[Any]]:
    """Return the buttons to pages outside Discord that the host has configured."""
    addresses = {t("Chart"): report.chart_url, t("Videos"): report.video_url}
    return [Button(label=label, url=url) for label, url in addresses.items() if url]


def whole_song_embed(t: Language, report: SongReport) -> Embed:
    """Return a song with all its charts and the asker's scores."""
    song = report.song
    embed = song_embed(t, report.song, report)
    if report.trouble is not None:
        add_text(embed, missing_scores_text(t, report.trouble))
    unknown = t("unknown")
    embed.add_field(name=t("Artist"), value=escape(song.artist or "", room=_MAX_FIELD_CHARACTERS) or unknown)
    embed.add_field(name=t("Genre"), value=escape(song.genre or "", width=HEADING_WIDTH) or unknown)
    embed.add_field(name=t("BPM"), value=t.integer(song.bpm) if song.bpm else unknown)
    embed.add_field(name=t("Released"), value=t.day(song.released_on) if song.released_on else unknown)
    for chart in song.charts:
        title, facts = _of_all(t, chart)
        embed.add_field(name=title, value="\n".join([facts, *_own_lines(t, chart, report)]), inline=False)
    return embed


def own_embed(t: Language, report: SongReport) -> Embed:
    """Return the asker's own scores on a song."""
    embed = song_embed(t, report.song, report)
    played = [
        (chart, record)
        for chart in report.song.charts
        if (record := report.scores.get(chart.difficulty)) is not None and record.is_played
    ]
    if report.trouble is not None:
        add_text(embed, missing_scores_text(t, report.trouble))
    elif not played:
        add_text(embed, t("You have no score on this song yet."))
    for chart, record in reversed(played):
        lines = [f"**{record_facts(t, record, report.region)}**"]
        if rating := record_rating(t, record, report.region):
            lines.append(t("Rating: {rating}", rating=rating))
        if (chance := report.chances.get(chart.difficulty)) is not None:
            lines.append(next_goal_text(t, record.score, report.region, chance))
        if (reach := report.reach.get(chart.difficulty)) is not None:
            lines.append(small(*_reach(t, reach, report.region)))
        if record.updated_at is not None:
            lines.append(t("Updated: {day}", day=t.day(record.updated_at)))
        embed.add_field(name=chart_title(chart), value="\n".join(lines), inline=False)
    return embed


def friend_scores_embed(t: Language, found: FriendScores) -> Embed:
    """Return the scores of the asker's friends on a song, by chart, the best first."""
    embed = song_embed(t, found.song, found)
    for chart in reversed(found.song.charts):
        lines = _friend_lines(t, found.friends, chart, found)
        if lines:
            embed.add_field(name=chart_title(chart), value="\n".join(lines), inline=False)
    if not found.friends:
        add_text(embed, t("None of your friends has a score on this song."))
    if found.left_out:
        left = t.plural(
            "{count} friend was not asked about.", "{count} friends were not asked about.", found.left_out
        )
        add_text(embed, left)
    return embed


def _friend_lines(
    t: Language, friends: Sequence[FriendScore], chart: Chart, found: FriendScores
) -> list[str]:
    played = [
        (each.friend, record)
        for each in friends
        if (record := each.scores.get(chart.difficulty)) is not None and record.is_played
    ]
    played.sort(key=lambda pair: -pair[1].score)
    return [
        f"{escape(friend.player_name or friend.user_name, width=24)} **{record_facts(t, record, found.region)}**"
        for friend, record in played
    ]


def missing_scores_text(t: Language, trouble: BotError) -> str:
    """Return that the reader's own scores could not be fetched, and why."""
    return t("Your scores are missing: {reason}", reason=error_sentence(t, trouble))


def _own_lines(t: Language, chart: Chart, report: SongReport) -> Iterator[str]:
    if (felt := report.felt.get(chart.difficulty)) is not None:
        yield from felt_lines(t, felt)
        yield from not_felt_lines(t, report.felt, chart.difficulty)
    record = report.scores.get(chart.difficulty)
    if record is not None and record.is_played:
        mine = record_facts(t, record, report.region)
        rating = record_rating(t, record, report.region)
        yield t("You: {score}", score=f"**{mine}**" + (f" · {rating}" if rating else ""))
        if (chance := report.chances.get(chart.difficulty)) is not None:
            yield next_goal_text(t, record.score, report.region, chance)
    if (reach := report.reach.get(chart.difficulty)) is not None:
        yield small(*_reach(t, reach, report.region))


def _reach(t: Language, reach: ChartReach, region: Region) -> Iterator[str]:
    """Yield a chart's place in the asker's rating, the score from which it raises that, and the gain by the next rank."""
    yield slot_place_text(t, SlotPlace(reach.slot, reach.place)) if reach.place else ""
    yield t("counts from {score} on", score=f"**{t.integer(reach.least)}**")
    goal = reach.goal
    rank = rank_name(t, rank_of(goal.play.score, region))
    gain = range_text(t, gain_text(t, goal), gain_text(t, reach.most))
    yield f"{rank}: {t.all_of([place_text(t, goal.slot, goal.place), f'**{gain}**'])}"


@lru_cache(_MAX_CACHED_CHARTS)
def _of_all(t: Language, chart: Chart) -> tuple[str, str]:
    """Return the texts that are the same for everybody: a chart's title, and the facts below it."""
    combo, unknown = chart.max_combo, t("unknown")
    constant = t("Constant: {constant}", constant=constant_text(t, chart))
    count = t("Max combo: {count}", count=t.integer(combo) if combo else unknown)
    facts = f"{constant} · {count}"
    if combo:
        losses = (
            f"{each.name}\N{NO-BREAK SPACE}−{t.hundredths(loss_of_one(each, combo))}" for each in JUDGEMENTS
        )
        facts = f"{facts}\n-# {' · '.join(losses)}"
    return chart_title(chart), facts
