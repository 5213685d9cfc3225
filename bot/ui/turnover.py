"""`/version`: the game version that somebody plays, the effect of the next one on their rating, and how to recover."""

from typing import Final

from discord import Embed

from bot.domain.game_rating import BEST_PLACES, NEW_PLACES, SlotEntry
from bot.domain.ids import Region
from bot.domain.numbers import Hundredths
from bot.domain.ranks import rank_of
from bot.domain.turnover import Comeback, MovedChart, NearChart, Turnover
from bot.features.turnover import TurnReport
from bot.ui.explanations import explanation_lines
from bot.ui.game_ratings import coming_text, entry_rating, rating_with_step, slot_averages, turned_text
from bot.ui.kit.icons import rank_name
from bot.ui.kit.look import add_text, measure_text, player_embed, player_heading
from bot.ui.kit.markdown import escape
from bot.ui.language.text import Language
from bot.ui.lists import chart_line, more_charts, small

_MAX_MOVED: Final = 8
_MAX_NEAR: Final = 5
"""The most charts shown: a field has 1,024 characters."""


def turn_embed(t: Language, report: TurnReport) -> Embed:
    """Return the version that somebody plays, the effect of the next one, and what to do before and after."""
    title = t("Game version of {player}", player=player_heading(report.player))
    embed = player_embed(t, title, report, shows_rating=True)
    turnover = report.turnover
    if turnover is None:
        add_text(
            embed, t("The game that you have chosen counts no new songs: no version takes anything away.")
        )
        return embed
    lines = explanation_lines(t, report.explanation, report.player.rating)
    add_text(embed, "\n".join([rating_with_step(t, report.player.rating), lines[0], *map(small, lines[1:])]))
    embed.add_field(name=t("Next version"), value=_following(t, report), inline=False)
    if report.comeback is not None:
        embed.add_field(name=t("Places to fill"), value=_comeback(t, report, report.comeback), inline=False)
    if turnover.now.new:  # else nothing is taken away
        embed.add_field(name=t("On the day after"), value=_day_after(t, report, turnover), inline=False)
    if turnover.moved:
        embed.add_field(name=_moved_title(t, turnover), value=_moved(t, turnover), inline=False)
    if turnover.near:
        near = "\n".join(_near(t, each) for each in turnover.near[:_MAX_NEAR])
        embed.add_field(name=t("Almost among the older ones: worth playing now"), value=near, inline=False)
    return embed


def _following(t: Language, report: TurnReport) -> str:
    version = report.following
    if version is None:
        return t("Its day is not known yet. It may come any week.")
    if report.has_begun and report.is_from_before:
        return turned_text(t, version)
    if report.has_begun:
        return t(
            "**{version}** began on {day} in Japan. Your edition of the game gets it later; the day is not known.",
            version=escape(version.name),
            day=t.day(version.begins_at),
        )
    return coming_text(t, version)


def _comeback(t: Language, report: TurnReport, comeback: Comeback) -> str:
    """Return how many places of new songs are filled, and the rating after a few new songs at one's usual level."""
    filled = len(report.explanation.worked_out.new)
    ratings = [
        t.plural(
            "{count} chart → **{rating}**",
            "{count} charts → **{rating}**",
            count,
            rating=t.hundredths(rating),
        )
        for count, rating in comeback.ratings.items()
    ]
    said = t(
        "{filled} of {count} places of new songs are filled. With new songs like #{place} of your older ones ({usual}):",
        filled=t.integer(filled),
        count=t.integer(NEW_PLACES),
        place=t.integer(len(report.explanation.worked_out.best)),
        usual=_usual(t, comeback.usual, report.region),
    )
    return f"{said}\n{' · '.join(ratings)}"


def _usual(t: Language, entry: SlotEntry, region: Region) -> str:
    """Return "16.45, as by SSS on 14.4"."""
    rank = rank_name(t, rank_of(entry.record.score, region))
    return t(
        "{rating}, as by {rank} on {chart}",
        rating=entry_rating(t, entry),
        rank=rank,
        chart=measure_text(t, entry.record),
    )


def _day_after(t: Language, report: TurnReport, turnover: Turnover) -> str:
    before, after = turnover.now.rating or Hundredths(0), turnover.then.rating or Hundredths(0)
    if report.explanation.is_explained:
        before = report.player.rating
    lines = [
        t(
            "{before} → **{after}**: all songs of today are older ones then, and the {count} places of new songs are "
            "empty. That is no loss but a new chapter; everybody begins it so.",
            before=t.hundredths(before),
            after=t.hundredths(after),
            count=t.integer(NEW_PLACES),
        )
    ]
    averages = [slot_averages(t, found)[0] for found in (turnover.now, turnover.then)]
    if averages[0] != averages[1]:
        lines.append(small(t("Best average {before} → {after}", before=averages[0], after=averages[1])))
    return "\n".join(lines)


def _moved_title(t: Language, turnover: Turnover) -> str:
    return t.plural(
        "{count} new record moves among the best {places}",
        "{count} new records move among the best {places}",
        len(turnover.moved),
        places=t.integer(BEST_PLACES),
    )


def _moved(t: Language, turnover: Turnover) -> str:
    shown = turnover.moved[:_MAX_MOVED]
    lines = [_moved_line(t, each) for each in shown]
    return "\n".join([*lines, *more_charts(t, len(turnover.moved) - len(shown))])


def _moved_line(t: Language, moved: MovedChart) -> str:
    record = moved.entry.record
    number = f"#{t.integer(moved.place)} {entry_rating(t, moved.entry)}"
    return f"{chart_line(t, number, record, record.title)} {measure_text(t, record)}"


def _near(t: Language, near: NearChart) -> str:
    record = near.record
    line = chart_line(t, t.points(near.missing), record, record.title)
    return f"{line}\n{small(f'{t.integer(record.score)} → {t.integer(near.least)}', measure_text(t, record))}"
