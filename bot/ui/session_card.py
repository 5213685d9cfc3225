"""What is written on the picture of `/session`, in the reader's language."""

from collections.abc import Mapping
from itertools import zip_longest
from typing import Final, NamedTuple

from bot.domain.charts import Song, difficulty_name
from bot.domain.chronicle import LampFlags as Earned
from bot.domain.chronicle import RecordChange as Played
from bot.domain.chronicle import RecordMark, SessionDiff
from bot.domain.ids import Region, SongId
from bot.domain.members import Theme
from bot.domain.numbers import Hundredths, format_hundredths
from bot.domain.ranks import MAX_SCORE, rank_of
from bot.domain.rating import rating_step
from bot.ui.cards import DeltaText, LampBadge, Move, Rating, SessionPicture, Tile, draw_session, face_of
from bot.ui.cards.session import MAX_ROWS, MAX_TILES
from bot.ui.game_ratings import step_text
from bot.ui.kit.look import region_text
from bot.ui.kit.markdown import one_line
from bot.ui.language.text import Language

_LAMPS: Final = Earned.FULL_COMBO | Earned.ALL_JUSTICE | Earned.FULL_CHAIN


class SessionSketch(NamedTuple):
    """What the picture is made of: by this it is found again, so neither player nor catalogue is a part of it."""

    player: str
    session: SessionDiff
    songs: tuple[Song | None, ...]
    """They are the songs of the achievements shown, in their order; None is one that the catalogue does not have."""


def session_sketch(player: str, session: SessionDiff, songs: Mapping[SongId, Song]) -> SessionSketch:
    """Return what the picture of a session is made of."""
    shown = session.achievements[: MAX_TILES + MAX_ROWS]
    return SessionSketch(player, session, tuple(songs.get(played.chart[0]) for played in shown))


def draw_session_card(t: Language, sketch: SessionSketch, theme: Theme) -> bytes:
    """Return the picture of a session as PNG; for the renderer's thread."""
    return draw_session(session_picture(t, sketch), theme)


def session_picture(t: Language, sketch: SessionSketch) -> SessionPicture:
    """Return what is written on the picture of a session."""
    session = sketch.session
    shown = [
        (played, played.after, song)
        for played, song in zip_longest(session.achievements[: len(sketch.songs)], sketch.songs)
        if played is not None and played.after is not None
    ]
    more = len(session.achievements) - len(shown)
    moved = session.rating_change
    lamps = sum(bool(played.lamps & _LAMPS) for played in session.achievements)
    region = region_text(t, session.region, shows_rating=True)
    return SessionPicture(
        player=one_line(sketch.player),
        when=_when(t, session),
        before=t.hundredths(session.before.rating) if moved else None,
        after=rating_text(t, session.after.rating),
        change=moved_text(t, moved) if moved else None,
        counts=(
            (t.integer(session.new_records), t.plural("new record", "new records", session.new_records)),
            (t.integer(session.gains), t.plural("higher score", "higher scores", session.gains)),
            (t.integer(len(session.entered)), t("entered the best")),
            (t.integer(lamps), t.plural("new lamp", "new lamps", lamps)),
        ),
        gains=tuple(played_tile(t, session.region, *each) for each in shown[:MAX_TILES]),
        others_heading=t("Also better"),
        others_note=t("what each gained in score"),
        others=tuple(played_tile(t, session.region, *each, is_row=True) for each in shown[MAX_TILES:]),
        more=t.plural("and {count} more chart", "and {count} more charts", more) if more else "",
        empty=t("Nothing new was uploaded in this time."),
        foot=f"{t.moment(session.until)} · {region}",
        sign=f"Kiroku · /{t.command_name('session')}",
    )


def session_card_alt(t: Language, picture: SessionPicture) -> str:
    """Return what the picture says to people who do not see it."""
    counts = t.all_of(f"{value} {label}" for value, label in picture.counts)
    gains = t.all_of(" ".join([tile.title, tile.score, *change_words(tile.change)]) for tile in picture.gains)
    rating = picture.after.text if picture.after else "–"
    return t(
        "Session of {player}: rating {rating}; {counts}; the largest gains: {gains}.",
        player=picture.player,
        rating=" ".join([rating, *change_words(picture.change)]),
        counts=counts,
        gains=gains or picture.empty,
    )


def change_words(change: DeltaText | None) -> list[str]:
    """Return a change as it is read aloud; nothing where there is none."""
    if change is None:
        return []
    sign = {Move.NEW: "", Move.UP: "+", Move.DOWN: "−"}[change.move]
    return [f"({sign}{change.text})"]


def rating_text(t: Language, rating: Hundredths) -> Rating:
    """Return a player's rating as it is written, with its class."""
    step = rating_step(rating)
    return Rating(t.hundredths(rating), step.colour, step_text(t, step))


def _when(t: Language, session: SessionDiff) -> str:
    """Return when it was played where the service says so, else between which looks."""
    first, last = session.played_at or (session.since, session.until)
    until = last.astimezone(t.zone)
    is_one_day = first.astimezone(t.zone).date() == until.date()
    return f"{t.moment(first)} – {t.hour(until.timetz()) if is_one_day else t.moment(last)}"


def moved_text(t: Language, change: Hundredths) -> DeltaText:
    """Return by how much a rating has moved, and where to."""
    return DeltaText(Move.UP if change > 0 else Move.DOWN, t.hundredths(Hundredths(abs(change))))


def played_tile(
    t: Language, region: Region, played: Played, now: RecordMark, song: Song | None, *, is_row: bool = False
) -> Tile:
    """Return a record that was played for, as it stands now."""
    song_id, difficulty = played.chart
    title = one_line(song.title) if song else t("a song that the catalogue does not have")
    constant = format_hundredths(Hundredths(now.constant), places=1) if now.constant else ""
    rank = rank_of(now.score, region)
    return Tile(
        place="",
        title=title,
        face=face_of(song_id, title, song.genre if song else None),
        difficulty=difficulty,
        chart=f"{difficulty if is_row else difficulty_name(difficulty)} {constant}".rstrip(),
        rating=t.hundredths(now.rating(region)) if now.constant else "",
        score=t.integer(now.score),
        rank=rank.label,
        lamps=earned_lamps(
            now.score,
            is_full_combo=bool(now.lamps & Earned.FULL_COMBO),
            is_all_justice=bool(now.lamps & Earned.ALL_JUSTICE),
            is_full_chain=bool(now.lamps & Earned.FULL_CHAIN),
        ),
        change=_gained(t, region, played, is_row=is_row),
    )


def _gained(t: Language, region: Region, played: Played, *, is_row: bool) -> DeltaText | None:
    """Return what a record gained: on a tile in rating, on a row, or where that is nothing, in score."""
    if played.is_new:
        return DeltaText(Move.NEW, t("NEW"))
    rating = played.rating_gain(region)
    if rating > 0 and not is_row:
        return DeltaText(Move.UP, t.hundredths(Hundredths(rating)))
    return DeltaText(Move.UP, t.integer(played.gain)) if played.gain else None


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
