"""What pictures of records write alike, in the reader's language."""

from collections.abc import Sequence
from datetime import datetime

from bot.domain.charts import Song
from bot.domain.chronicle import LampFlags as Earned
from bot.domain.chronicle import RecordChange as Played
from bot.domain.chronicle import RecordMark
from bot.domain.ids import Region
from bot.domain.numbers import Hundredths, format_hundredths, format_level
from bot.domain.ranks import MAX_SCORE, rank_of
from bot.domain.rating import next_rating_step, rating_step
from bot.domain.scores import Record
from bot.ui.cards import CurveLine, DeltaText, LampBadge, Move, Rating, Tile, face_of
from bot.ui.game_ratings import COLOURS, step_text
from bot.ui.kit.markdown import one_line
from bot.ui.language.text import Language


def rating_text(t: Language, rating: Hundredths) -> Rating:
    """Return a player's rating as it is written, with its class."""
    step = rating_step(rating)
    return Rating(t.hundredths(rating), rating, step.colour, t(COLOURS[step.colour]), step.stars)


def to_go_text(t: Language, rating: Hundredths) -> tuple[tuple[str, bool], ...]:
    """Return what is missing to the next step, in parts, of which the figure is marked; nothing above the last."""
    step = next_rating_step(rating)
    if step is None:
        return ()
    gap = t.hundredths(Hundredths(step.lowest - rating))
    name = "★" * step.stars if step.stars > 1 else step_text(t, step)
    before, _gap, after = t("{gap} to {step}", gap=gap, step=name).partition(gap)
    return tuple(each for each in ((before, False), (gap, True), (after, False)) if each[0])


def moved_text(t: Language, change: Hundredths) -> DeltaText:
    """Return by how much a rating has moved, and where to."""
    return DeltaText(Move.UP if change > 0 else Move.DOWN, t.hundredths(Hundredths(abs(change))))


def change_words(t: Language, change: DeltaText | None) -> list[str]:
    """Return a change as it is read aloud; nothing where there is none."""
    if change is None or not change.text:
        return []
    match change.move:
        case Move.UP:
            return [t("up {text}", text=change.text)]
        case Move.DOWN:
            return [t("down {text}", text=change.text)]
        case Move.NONE:
            return [change.text]


def curve_of(t: Language, ratings: Sequence[tuple[datetime, Hundredths]]) -> CurveLine | None:
    """Return how a rating went, oldest first; None where that is no line."""
    if len(ratings) < 2:  # noqa: PLR2004 - a line needs two ends
        return None
    (began, first), (_ended, last) = ratings[0], ratings[-1]
    span = f"{t.hundredths(first)} → {t.hundredths(last)}"
    return CurveLine(tuple(float(rating) for _at, rating in ratings), began=t.day(began), span=span)


def chart_name(record: Record) -> str:
    """Return "MAS 14.7", or the level where nobody knows the constant, with a mark where it is in doubt."""
    measure = ""
    if record.constant:
        measure = format_hundredths(record.constant, places=1) + ("?" if record.is_estimated else "")
    elif record.level:
        measure = f"{format_level(record.level)}?"
    return f"{record.difficulty} {measure}".rstrip()


def played_tile(t: Language, region: Region, played: Played, now: RecordMark, song: Song | None) -> Tile:
    """Return a record that was played for, as it stands now."""
    song_id, difficulty = played.chart
    title = one_line(song.title) if song else t("a song that the catalogue does not have")
    constant = format_hundredths(Hundredths(now.constant), places=1) if now.constant else ""
    return Tile(
        title=title,
        face=face_of(song_id, title, song.genre if song else None),
        difficulty=difficulty,
        chart=f"{difficulty} {constant}".rstrip(),
        rating=t.hundredths(now.rating(region)) if now.constant else "",
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
    """Return the lamps that are shown of a play, of each family the best."""
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
