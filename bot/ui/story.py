"""The history of a chart: the score at each look as a plot, and the changes between looks in words."""

from dataclasses import replace
from typing import Final

from discord import Embed

from bot.domain.charts import difficulty_name
from bot.domain.chronicle.session import RecordChange
from bot.domain.chronicle.state import LampFlags, RecordMark
from bot.domain.game_versions import GameVersion
from bot.domain.members import PictureStyle
from bot.domain.numbers import Hundredths, format_hundredths
from bot.domain.ranks import MAX_SCORE, rank_of
from bot.domain.story import StoryStep
from bot.features.story import StoryReport
from bot.ui.kit.alternative import alternative, said
from bot.ui.kit.icons import lamp_icon, rank_icon, rank_name
from bot.ui.kit.look import HEADING_WIDTH, Page, add_text, base_embed, difficulty_colour
from bot.ui.kit.markdown import escape
from bot.ui.kit.pages import fitting_menu
from bot.ui.kit.renderer import Picture
from bot.ui.kit.routes import StoryAddress
from bot.ui.language.text import Language
from bot.ui.lists import list_page, small
from bot.ui.plots import Labels, Trace, traces_plot
from bot.ui.scores import chart_heading, removed_song_note

_MIN_LOOKS: Final = 2
"""The least number of looks with a score for a plot."""
_NAME_COLUMNS: Final = 24
_LAMPS: Final = (LampFlags.ALL_JUSTICE, LampFlags.FULL_COMBO, LampFlags.FULL_CHAIN)


def story_page(
    t: Language, report: StoryReport, name: str, address: StoryAddress, picture: Picture | None
) -> Page:
    """Return the history of a chart, with the menu of the song's other charts; `name` is empty if Discord gives none."""
    whole = replace(address, song=report.song.id, number=0)
    charts = {
        replace(whole, difficulty=chart.difficulty): difficulty_name(chart.difficulty)
        for chart in report.song.charts
    }
    chosen = replace(whole, difficulty=report.chart.difficulty)
    menu = fitting_menu(charts, chosen, placeholder=t("Choose a difficulty")) if len(charts) > 1 else []
    embed = story_embed(t, report, name, is_own=report.member == address.asker)
    page = Page(embed, picture=picture, audience=report.audience)
    return list_page(t, page, report.part, replace(chosen, number=report.part.number), menu)


def story_embed(t: Language, report: StoryReport, name: str, *, is_own: bool) -> Embed:
    """Return the history of a chart in words."""
    title = escape(report.song.title, width=HEADING_WIDTH) or report.song.id
    embed = base_embed(
        t, t("History: {what}", what=title), difficulty_colour(report.chart.difficulty), region=report.region
    )
    embed.set_footer(text=" · ".join([str(embed.footer.text), t("days of {zone}", zone=t.zone.key)]))
    lines = [f"**{chart_heading(t, report.chart)}**"]
    if name:
        lines.insert(0, f"**{escape(name, width=_NAME_COLUMNS)}**")
    embed.description = "\n".join(lines)
    if report.is_removed:
        add_text(embed, removed_song_note(t))
    looks = report.story.looks
    if not looks:
        begins = (
            t("None of your records are remembered yet: use `/session` once, and then play.")
            if is_own
            else t(
                "None of their records are remembered yet: they need to use `/session` once, and then play."
            )
        )
        add_text(embed, begins)
        return embed
    if report.part.items:
        add_text(embed, "\n".join(_event(t, report, event) for event in report.part.items))
    add_text(embed, _first(t, report))
    count = t.plural("{count} look", "{count} looks", len(looks))
    legend = t("each dot is a look; where no line joins two, nobody knows when it changed")
    add_text(embed, small(count, legend if is_drawn(report) else ""))
    return embed


def _first(t: Language, report: StoryReport) -> str:
    """Return what the first look saw; nothing is known of the time before it."""
    looks = report.story.looks
    first, last = looks[0], looks[-1]
    if first.mark is not None:
        score = f"**{t.integer(first.mark.score)}** {rank_icon(t, first.mark.score, report.region)}".rstrip()
        return t(
            "First seen on {day}: {score}; nothing before is known.", day=t.day(first.moment), score=score
        )
    if last.mark is None:
        return t("Not played yet at the last look, on {day}.", day=t.day(last.moment))
    return t("Not played yet at the first look, on {day}.", day=t.day(first.moment))


def _event(t: Language, report: StoryReport, event: StoryStep | GameVersion) -> str:
    if isinstance(event, GameVersion):
        return t("**{version}** began on {day}.", version=escape(event.name), day=t.day(event.begins_at))
    played = event.change.at_peak
    facts = _played(t, report, played) if played.is_achievement else _shown(t, event.change)
    if event.change.is_of_constant and event.change.before and event.change.after:
        facts.append(t("constant {before} → {now}", **_constants(event.change.before, event.change.after)))
    return " · ".join([*facts, played_text(t, event)])


def _played(t: Language, report: StoryReport, change: RecordChange) -> list[str]:
    """Return what was achieved: score, rank and lamps that are new."""
    if change.after is None:
        return []
    gain = f" ({t.points(change.gain)})" if change.gain else ""
    rank = change.rank(report.region)
    return [
        f"**{t.integer(change.after.score)}**{gain}",
        *([t("first play")] if change.is_new else []),
        *([] if rank is None else [rank_name(t, rank)]),
        *(lamp_icon(t, lamp) for lamp in _LAMPS if lamp in change.lamps),
    ]


def _shown(t: Language, change: RecordChange) -> list[str]:
    """Return how the service shows a record that changed without a play; nothing if it is as before."""
    before, now = change.before, change.after
    if before is None or now is None or (before.is_gone, before.score) == (now.is_gone, now.score):
        return []
    if now.is_gone:
        return [t("not shown by the record service")]
    return [t("shown as {score} by the record service", score=f"**{t.integer(now.score)}**")]


def _constants(before: RecordMark, now: RecordMark) -> dict[str, str]:
    shown = (
        format_hundredths(Hundredths(mark.constant), places=1) if mark.constant else "?"
        for mark in (before, now)
    )
    return dict(zip(("before", "now"), shown, strict=True))


def played_text(t: Language, step: StoryStep) -> str:
    """Return the day of a play if the service gives it, else the days of the looks between which it was."""
    played = step.change.at_peak.played_at
    if played is not None:
        return t.day(played)
    first, last = t.day(step.since), t.day(step.until)
    return last if first == last else t("between {first} and {last}", first=first, last=last)


def is_drawn(report: StoryReport) -> bool:
    """Return whether there are enough looks for a plot."""
    return sum(map(len, report.story.runs)) >= _MIN_LOOKS


def draw_story(t: Language, report: StoryReport, style: PictureStyle) -> bytes:
    """Return the plot of seen scores as PNG, with lines only between known ones; runs in the renderer's thread."""
    constants = [
        (step.until, "{before} → {now}".format(**_constants(step.change.before, step.change.after)))
        for step in report.story.steps
        if step.change.is_of_constant and step.change.before and step.change.after
    ]
    versions = [(version.begins_at, version.name) for version in report.versions]
    runs = tuple(tuple((at, float(score)) for at, score in run) for run in report.story.runs)
    return traces_plot(
        Labels(title=_title(report)),
        [Trace("", runs)],
        style,
        format_day=t.day,
        # No label above the highest possible score.
        format_value=lambda value: t.integer(round(value)) if value <= MAX_SCORE else "",
        marks=sorted([*versions, *constants]),
    )


def story_alt(t: Language, report: StoryReport) -> str:
    """Return the alternative text of the plot: each score with the day on which it was first seen."""
    seen = [
        t(
            "{score} {rank} on {day}",
            score=t.integer(score),
            rank=rank_of(score, report.region).label,
            day=t.day(at),
        )
        for (at, score), *_ in report.story.runs
    ]
    begun = [
        t("{version} began on {day}.", version=version.name, day=t.day(version.begins_at))
        for version in report.versions
    ]
    return alternative(
        t, t("{what} over time.", what=_title(report)), *(t("{facts}.", facts=each) for each in seen), *begun
    )


def _title(report: StoryReport) -> str:
    return f"{said(report.song.title)} {difficulty_name(report.chart.difficulty)}"
