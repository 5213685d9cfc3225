"""`/recap`: a look back, page by page."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from discord import Embed

from bot.domain.curves import Curve
from bot.domain.ids import MemberId
from bot.domain.numbers import Hundredths
from bot.domain.recap import Loved, RecapPeriod
from bot.domain.story import StoryStep
from bot.features.recap import RecapPage, RecapReport
from bot.ui.card_words import chart_then
from bot.ui.chronicle import near_miss_text, played_facts, played_title
from bot.ui.curves import begun_text, change_text
from bot.ui.kit.icons import difficulty_icon, lamp_icon, rank_name
from bot.ui.kit.look import BRAND, HEADING_WIDTH, Page, add_text, base_embed, listed_title, measure_text
from bot.ui.kit.markdown import escape
from bot.ui.kit.pages import fitting_menu
from bot.ui.kit.routes import RecapAddress
from bot.ui.language.text import Language, mark
from bot.ui.lists import list_page, small
from bot.ui.story import played_text

_NAME_COLUMNS: Final = 24
PERIODS: Final[Mapping[RecapPeriod, str]] = {
    RecapPeriod.VERSION: mark("This version of the game"),
    RecapPeriod.LAST_VERSION: mark("The version before"),
    RecapPeriod.YEAR: mark("This year"),
    RecapPeriod.LAST_YEAR: mark("Last year"),
}
_HEADINGS: Final[Mapping[RecapPage, str]] = {
    RecapPage.WHOLE: mark("At a glance"),
    RecapPage.DAY: mark("The best day"),
    RecapPage.JUMP: mark("The biggest jump"),
    RecapPage.PLAY: mark("The best score"),
    RecapPage.MARKS: mark("Ranks and lamps"),
    RecapPage.GENRE: mark("The favourite genre"),
    RecapPage.CHART: mark("The favourite chart"),
    RecapPage.MISS: mark("So close"),
    RecapPage.MONTH: mark("The busiest month"),
    RecapPage.RIVAL: mark("The rival"),
}


def recap_page(t: Language, report: RecapReport, name: str, address: RecapAddress) -> Page:
    """Return one page of a recap, with the menu of periods."""
    whole = replace(address, period=report.period, number=0)
    periods = {replace(whole, period=period): t(PERIODS[period]) for period in report.periods}
    menu = fitting_menu(periods, whole, placeholder=t("Look back at what?"))
    page = Page(recap_embed(t, report, name), audience=report.audience)
    return list_page(t, page, report.part, replace(whole, number=report.part.number), menu)


def recap_embed(t: Language, report: RecapReport, name: str) -> Embed:
    """Return one page of a recap: one topic, and how well it is known."""
    what = t("Year {year}", year=report.span.first.year) if report.version is None else report.version.name
    embed = base_embed(
        t, t("{what}: looking back", what=escape(what, width=HEADING_WIDTH)), BRAND, region=report.region
    )
    embed.set_footer(text=" · ".join([str(embed.footer.text), t("days of {zone}", zone=t.zone.key)]))
    embed.description = f"**{escape(name, width=_NAME_COLUMNS)}**"
    if not report.part.items:
        add_text(embed, _nothing(t, report))
        return embed
    (page,) = report.part.items
    label = t(_HEADINGS[page])
    add_text(embed, "\n".join([f"## {label}", _TEXTS[page](t, report)]))
    looks = report.recap.looks
    if looks:
        count = t.plural("{count} look", "{count} looks", len(looks))
        seen = t("between {first} and {last}", first=t.day(looks[0].moment), last=t.day(looks[-1].moment))
        add_text(embed, small(count, seen))
    return embed


def _nothing(t: Language, report: RecapReport) -> str:
    if report.remembered_since is None:
        return t("None of your records are remembered yet: use `/session` once, and then play.")
    day = t.day(report.remembered_since)
    if report.period in {RecapPeriod.LAST_VERSION, RecapPeriod.LAST_YEAR}:
        return t(
            "Nothing that you played in this time is remembered. Your records have been remembered since {day}.",
            day=day,
        )
    return t(
        "Nothing that you played in this time is remembered. Your records have been remembered since "
        "{day}: what you play from then on is shown.",
        day=day,
    )


def _whole(t: Language, report: RecapReport) -> str:
    recap = report.recap
    lines: list[str] = []
    if recap.looks:
        curve = Curve(MemberId(0), recap.looks)
        if report.versions:
            curve = curve.since(report.versions[-1].begins_at)
        lines.append(t("Rating: {change}", change=change_text(t, curve)))
    lines += [
        t.plural("{count} better record", "{count} better records", recap.plays),
        t.plural("{count} first play", "{count} first plays", recap.new_records),
    ]
    versions = [version for version in report.versions if version.begins_at > report.span.first]
    return "\n".join([*lines, *(begun_text(t, version) for version in versions)])


def _day(t: Language, report: RecapReport) -> str:
    day = report.recap.best_day
    if day is None:
        return ""
    when = t.day(day.first) if day.first == day.last else f"{t.day(day.first)} – {t.day(day.last)}"
    better = t.plural("{count} better record", "{count} better records", day.plays)
    rating = t("Rating: {change}", change=f"**{t.change(day.gain)}**")
    return f"**{when}**\n{rating} · {better}"


def _step(t: Language, report: RecapReport, step: StoryStep | None) -> str:
    if step is None or step.change.after is None:
        return ""
    facts = played_facts(t, step.change, step.change.after, report.songs, report.region)
    return f"**{played_title(t, step.change, report.songs)}**\n{' · '.join(facts)}\n{small(played_text(t, step))}"


def _play(t: Language, report: RecapReport) -> str:
    step = report.recap.best_play
    if step is None or step.change.after is None:
        return ""
    rating = t("rating {rating}", rating=f"**{t.hundredths(step.change.after.rating(report.region))}**")
    return f"{_step(t, report, step)}\n{rating}"


def _marks(t: Language, report: RecapReport) -> str:
    ranks = [f"{rank_name(t, rank)} ×{t.integer(count)}" for rank, count in report.recap.ranks.items()]
    lamps = [f"{lamp_icon(t, lamp)} ×{t.integer(count)}" for lamp, count in report.recap.lamps.items()]
    told = [" · ".join(each) for each in (ranks, lamps) if each]
    note = t("Each counts the charts on which it is new; an ALL JUSTICE is a full combo too.")
    return "\n".join([*told, small(note)] if lamps else told)


def _genre(t: Language, report: RecapReport) -> str:
    if report.recap.genre is None:
        return ""
    genre, loved = report.recap.genre
    return f"**{escape(genre, width=HEADING_WIDTH)}**\n{_loved(t, loved)}"


def _chart(t: Language, report: RecapReport) -> str:
    if report.recap.chart is None:
        return ""
    (song, difficulty), loved = report.recap.chart
    known = report.songs.get(song)
    title = listed_title(known.title) if known else t("a song that the catalogue does not have")
    chart = f"{difficulty_icon(t, difficulty)} {measure_text(t, chart_then(known, difficulty, 0))}".strip()
    times = t.plural("better {count} time", "better {count} times", loved.times)
    return f"**{title}**\n{chart} · {times}"


def _loved(t: Language, loved: Loved) -> str:
    better = t.plural("{count} better record", "{count} better records", loved.times)
    return f"{better} · {t.percent(loved.times, loved.of)}"


def _miss(t: Language, report: RecapReport) -> str:
    return "" if report.recap.miss is None else near_miss_text(t, report.recap.miss, report.songs)


def _month(t: Language, report: RecapReport) -> str:
    if report.recap.month is None:
        return ""
    first, loved = report.recap.month
    return f"**{t.month(first)}**\n{_loved(t, loved)}"


def _rival(t: Language, report: RecapReport) -> str:
    rival = report.rival
    if rival is None:
        return ""
    gap = t.hundredths(Hundredths(abs(rival.ahead)))
    stands = t("level with you")
    if rival.ahead:
        stands = t("{gap} ahead of you", gap=gap) if rival.ahead > 0 else t("{gap} behind you", gap=gap)
    passed = t.plural("{count} change of the lead", "{count} changes of the lead", rival.passed)
    return f"**{escape(rival.name, width=_NAME_COLUMNS)}**\n{stands}{f' · {passed}' if rival.passed else ''}"


_TEXTS: Final[Mapping[RecapPage, Callable[[Language, RecapReport], str]]] = {
    RecapPage.WHOLE: _whole,
    RecapPage.DAY: _day,
    RecapPage.JUMP: lambda t, report: _step(t, report, report.recap.jump),
    RecapPage.PLAY: _play,
    RecapPage.MARKS: _marks,
    RecapPage.GENRE: _genre,
    RecapPage.CHART: _chart,
    RecapPage.MISS: _miss,
    RecapPage.MONTH: _month,
    RecapPage.RIVAL: _rival,
}
