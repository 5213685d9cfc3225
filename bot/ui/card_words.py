"""Texts that all pictures of records share, in the reader's language."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from bot.domain.charts import Chart, Difficulty, Song
from bot.domain.chronicle.session import RecordChange as Played
from bot.domain.chronicle.state import LampFlags as Earned
from bot.domain.chronicle.state import RecordMark
from bot.domain.ids import Region
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE, rank_of
from bot.domain.rating import next_rating_step, rating_bounds, rating_step, ratings_within
from bot.domain.scores import Record
from bot.ui.cards.curves import CurveLine
from bot.ui.cards.faces import face_of
from bot.ui.cards.plates import DeltaText, LampBadge, Move, Rating
from bot.ui.cards.tiles import Tile
from bot.ui.game_ratings import COLOURS, step_text
from bot.ui.kit.look import measure_sign
from bot.ui.kit.markdown import one_line
from bot.ui.language.text import Language


def rating_text(t: Language, rating: Hundredths) -> Rating:
    """Return the text of a player's rating, with its class."""
    step = rating_step(rating)
    return Rating(t.hundredths(rating), rating, step.colour, t(COLOURS[step.colour]), step.stars)


def to_go_text(t: Language, rating: Hundredths) -> tuple[tuple[str, bool], ...]:
    """Return what is missing to the next step, in parts with the figure marked; empty above the last step."""
    step = next_rating_step(rating)
    if step is None:
        return ()
    gap = t.hundredths(Hundredths(step.lowest - rating))
    name = "★" * step.stars if step.stars > 1 else step_text(t, step)
    before, _gap, after = t("{gap} to {step}", gap=gap, step=name).partition(gap)
    return tuple(each for each in ((before, False), (gap, True), (after, False)) if each[0])


def moved_text(t: Language, change: Hundredths) -> DeltaText:
    """Return the change of a rating with its direction."""
    return DeltaText(Move.UP if change > 0 else Move.DOWN, t.hundredths(Hundredths(abs(change))))


def change_words(t: Language, change: DeltaText | None) -> list[str]:
    """Return a change in words for alternative texts; nothing if there is none."""
    if change is None or not change.text:
        return []
    match change.move:
        case Move.UP:
            return [t("up {text}", text=change.text)]
        case Move.DOWN:
            return [t("down {text}", text=change.text)]
        case Move.NONE:
            return [change.text]


def rating_curve(t: Language, ratings: Sequence[tuple[datetime, Hundredths]]) -> CurveLine | None:
    """Return the curve of a rating, oldest value first; None for fewer than two values."""
    if len(ratings) < 2:  # noqa: PLR2004 - a line needs two ends
        return None
    (began, first), (_ended, last) = ratings[0], ratings[-1]
    span = f"{t.hundredths(first)} → {t.hundredths(last)}"
    return CurveLine(tuple(float(rating) for _at, rating in ratings), began=t.day(began), span=span)


def chart_name(chart: Chart | Record) -> str:
    """Return "MAS 14.7", or the level if the constant is unknown, with a mark as in `measure_sign`."""
    return f"{chart.difficulty} {measure_sign(chart)}".rstrip()


def least_rating_text(t: Language, least: Hundredths, most: Hundredths) -> str:
    """Return "16.70", or "≥16.70" if an unknown constant may raise it; nothing if the chart has no rating."""
    return f"{'' if least == most else '≥'}{t.hundredths(least)}" if most else ""


def least_sign(records: Iterable[Record], region: Region) -> str:
    """Return "≥" for a sum or an average of records if an unknown constant may raise it."""
    bounds = (rating_bounds(record, region) for record in records)
    return "≥" if any(least != most for least, most in bounds) else ""


def chart_then(song: Song | None, difficulty: Difficulty, constant: int) -> Chart:
    """Return a chart of the catalogue with its constant at the time of a record, if it had one then."""
    gone = Chart(
        difficulty=difficulty, level=Hundredths(0), constant=None, is_estimated=False, max_combo=None
    )
    chart = (song and song.find_chart(difficulty)) or gone
    if not constant or chart.constant == constant:
        return chart
    return replace(chart, constant=Hundredths(constant), is_estimated=False, is_hosts=False)


def played_tile(t: Language, region: Region, played: Played, now: RecordMark, song: Song | None) -> Tile:
    """Return the tile of a record, as it is now."""
    song_id, difficulty = played.chart
    title = one_line(song.title) if song else t("a song that the catalogue does not have")
    chart = chart_then(song, difficulty, now.constant)
    return Tile(
        title=title,
        face=face_of(song_id, title, song.genre if song else None),
        difficulty=difficulty,
        chart=chart_name(chart),
        rating=least_rating_text(t, *ratings_within(chart, now.score, region)),
        score=t.integer(now.score),
        rank=rank_of(now.score, region).label,
        lamps=earned_lamps(
            now.score,
            is_full_combo=bool(now.lamps & Earned.FULL_COMBO),
            is_all_justice=bool(now.lamps & Earned.ALL_JUSTICE),
            is_full_chain=bool(now.lamps & Earned.FULL_CHAIN),
        ),
    )


def earned_lamps(
    score: int, *, is_full_combo: bool, is_all_justice: bool, is_full_chain: bool
) -> tuple[LampBadge, ...]:
    """Return the lamps shown for a play: the best of each family."""
    earned: list[LampBadge] = []
    if score >= MAX_SCORE:
        earned.append(LampBadge.ALL_CRITICAL)
    elif is_all_justice:
        earned.append(LampBadge.ALL_JUSTICE)
    elif is_full_combo:
        earned.append(LampBadge.FULL_COMBO)
    if is_full_chain:
        earned.append(LampBadge.FULL_CHAIN)
    return tuple(earned)
