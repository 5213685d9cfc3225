"""What is written on the card of `/best`, in the reader's language."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import zip_longest
from typing import NamedTuple

from bot.domain.charts import difficulty_name
from bot.domain.history import Snapshot, scores_of
from bot.domain.ids import Region
from bot.domain.members import Cut, Theme
from bot.domain.numbers import Hundredths, format_hundredths, format_level
from bot.domain.ranks import MAX_SCORE, rank_of
from bot.domain.rating import class_floor, song_rating
from bot.domain.scores import Record, Slot, SlotName
from bot.domain.titles import title_of
from bot.features.best import BestReport
from bot.ui.best import MEANINGS, SLOTS
from bot.ui.cards import (
    BestCard,
    Column,
    CurveLine,
    DeltaText,
    Hero,
    LampBadge,
    Legend,
    Move,
    Tile,
    draw_best,
    draw_phone,
    face_of,
    phone_pictures,
)
from bot.ui.cards.best import MAX_CURVE_VALUES, TILES
from bot.ui.cards.phone import FIRST_PLACES
from bot.ui.kit.look import region_text
from bot.ui.kit.markdown import one_line
from bot.ui.kit.renderer import Picture, PictureRenderer
from bot.ui.language.text import Language
from bot.ui.language.titles import title_text
from bot.ui.session_card import change_words, earned_lamps, moved_text, rating_text


class Sketch(NamedTuple):
    """What a card is made of: by this its picture is found again, so the player themselves is no part of it."""

    name: str
    honor: str
    rating: Hundredths
    highest: Hundredths
    slot: SlotName
    """The card is of this one."""
    records: Slot
    """These are the records of that slot."""
    best: Slot
    new: Slot | None
    recent: Slot
    genres: tuple[str | None, ...]
    """These are the genres of the recent records, which do not say them."""
    before: Snapshot | None
    ratings: tuple[tuple[datetime, Hundredths], ...]
    """These are the last that are remembered, oldest first."""
    region: Region
    fetched_at: datetime


def sketch_of(report: BestReport) -> Sketch:
    """Return what the card of a report is made of."""
    player = report.player
    return Sketch(
        name=player.player_name,
        honor=player.honor,
        rating=player.rating,
        highest=player.highest,
        slot=report.name,
        records=report.slot,
        best=report.best,
        new=report.new,
        recent=report.recent,
        genres=report.genres,
        before=report.past and report.past.before,
        ratings=report.past.ratings[-MAX_CURVE_VALUES:] if report.past else (),
        region=report.region,
        fetched_at=report.age.fetched_at,
    )


def pictures_of(sketch: Sketch, cut: Cut) -> int:
    """Return how many pictures a card makes; none where there is nothing on it."""
    count = len(sketch.records.records)
    return phone_pictures(count) if count and cut is Cut.PHONE else min(1, count)


async def best_pictures(
    renderer: PictureRenderer, t: Language, report: BestReport, *, theme: Theme, cut: Cut
) -> list[Picture]:
    """Return the pictures of a slot's card; none where there is nothing on it, or one could not be drawn."""
    sketch = sketch_of(report)
    pictures: list[Picture] = []
    for number, alt in enumerate((best_card_alt, rest_alt)[: pictures_of(sketch, cut)]):
        picture = await renderer.picture(
            alt(t, report), report.player, draw_best_card, t, sketch, theme, cut, number
        )
        if picture is None:
            return []
        pictures.append(replace(picture, name=f"kiroku-{number + 1}.png"))
    return pictures


def draw_best_card(t: Language, sketch: Sketch, theme: Theme, cut: Cut, number: int) -> bytes:
    """Return one of the card's pictures as PNG; for the renderer's thread."""
    card = best_card(t, sketch)
    return draw_phone(card, number, theme) if cut is Cut.PHONE else draw_best(card, theme)


def best_card(t: Language, sketch: Sketch) -> BestCard:
    """Return the card of one of a player's slots; that of the best has the recent one beside it."""
    scribe = _Scribe(t, sketch)
    is_best = sketch.slot is SlotName.BEST
    recent = _recent(t, scribe, sketch)
    return BestCard(
        hero=scribe.hero(),
        heading="" if is_best else t(SLOTS[sketch.slot]),
        note=recent.note if sketch.slot is SlotName.RECENT else t(MEANINGS[sketch.slot]),
        places=len(sketch.records.entries),
        tiles=scribe.tiles(sketch.records, sketch.genres if sketch.slot is SlotName.RECENT else ()),
        recent=recent if is_best else None,
        floor=t("floor {rating}: a score rated above it enters", rating=t.hundredths(scribe.floor))
        if is_best and scribe.floor is not None
        else "",
        legend=scribe.legend(),
        when=t.moment(sketch.fetched_at),
        version=region_text(t, sketch.region, shows_rating=True),
        sign=f"Kiroku · /{t.command_name('best')}",
    )


def _recent(t: Language, scribe: "_Scribe", sketch: Sketch) -> Column:
    average = sketch.recent.average
    return Column(
        heading=t("Recent"),
        note=t("No recent plays.") if average is None else t("average {average}", average=t.average(average)),
        places=len(sketch.recent.entries),
        rows=scribe.tiles(sketch.recent, sketch.genres, are_rows=True),
    )


def best_card_alt(t: Language, report: BestReport) -> str:
    """Return what the card says to people who do not see it."""
    player, before = report.player, report.past and report.past.before
    averages = [(t("best average"), report.best.average), (t("recent average"), report.recent.average)]
    facts = [f"{label} {t.average(value)}" for label, value in averages if value is not None]
    moved = Hundredths(player.rating - before.rating if before else 0)
    first = [
        f"{one_line(record.title)} {difficulty_name(record.difficulty)} {t.hundredths(record.rating)}"
        for record in report.slot.records[:TILES]
    ]
    return t(
        "Card of {player} ({slot}): rating {rating}; {facts}; the first three: {first}.",
        player=player.player_name,
        slot=t(SLOTS[report.name]),
        rating=" ".join(
            [t.hundredths(player.rating), *change_words(moved_text(t, moved) if moved else None)]
        ),
        facts=t.all_of(facts),
        first=t.all_of(first),
    )


def rest_alt(t: Language, report: BestReport) -> str:
    """Return what the second picture of a card says to people who do not see it."""
    return t(
        "Card of {player} ({slot}), places {first} to {last}.",
        player=report.player.player_name,
        slot=t(SLOTS[report.name]),
        first=FIRST_PLACES + 1,
        last=len(report.slot.records),
    )


class _Scribe:
    """Writes the parts of one card."""

    def __init__(self, t: Language, sketch: Sketch) -> None:
        self._t = t
        self._sketch = sketch
        self._now = scores_of(sketch.best, sketch.recent, sketch.new)

    @property
    def floor(self) -> Hundredths | None:
        """What a score must be rated above to enter the best slot; None where places are left."""
        last = self._sketch.best.entries[-1:]
        return last[0].rating if last and last[0] else None

    def hero(self) -> Hero:
        """Return the player."""
        t, sketch = self._t, self._sketch
        averages = {
            t("Best"): sketch.best.average,
            t("Recent"): sketch.recent.average,
        }
        facts = [(label, t.average(value)) for label, value in averages.items() if value is not None]
        if self.floor is not None:
            facts.append((t("Floor"), t.hundredths(self.floor)))
        moved = sketch.rating - sketch.before.rating if sketch.before else 0
        ratings = [float(rating) for _at, rating in sketch.ratings]
        rating, least = rating_text(t, sketch.rating), class_floor(sketch.rating)
        title = title_of(sketch.best, sketch.recent)
        return Hero(
            rating=rating,
            change=moved_text(t, Hundredths(moved)) if moved else None,
            since=self._since() if moved else "",
            name=one_line(sketch.name),
            title=title_text(t, title) if title else "",
            honor=one_line(sketch.honor),
            facts=tuple(facts),
            curve=CurveLine(tuple(ratings), float(least), f"{t.hundredths(least)} {rating.label}")
            if len(ratings) > 1
            else None,
            began=t.day(sketch.ratings[0][0]) if sketch.ratings else "",
            highest=t("highest {rating}", rating=t.hundredths(sketch.highest)),
        )

    def tiles(
        self, slot: Slot, genres: Sequence[str | None] = (), *, are_rows: bool = False
    ) -> tuple[Tile, ...]:
        """Return a slot's records; the first stand on tiles with room for a difficulty's whole name."""
        return tuple(
            self._tile(place, record, genre, is_short=are_rows or place > TILES)
            for place, (record, genre) in enumerate(zip_longest(slot.records, genres), start=1)
        )

    def _tile(self, place: int, record: Record, genre: str | None, *, is_short: bool) -> Tile:
        t, title = self._t, one_line(record.title)
        difficulty = record.difficulty if is_short else difficulty_name(record.difficulty)
        return Tile(
            place=t.integer(place),
            title=title,
            face=face_of(record.song_id or title, title, record.genre or genre),
            difficulty=record.difficulty,
            chart=f"{difficulty} {_measure(record)}".rstrip(),
            rating=t.hundredths(record.rating),
            score=t.integer(record.score),
            rank=rank_of(record.score, self._sketch.region).label,
            lamps=earned_lamps(
                record.score,
                is_full_combo=record.lamps is not None and record.lamps.is_full_combo,
                is_all_justice=record.lamps is not None and record.lamps.is_all_justice,
                is_full_chain=record.lamps is not None and record.lamps.is_full_chain,
            ),
            change=self._change(record),
        )

    def _change(self, record: Record) -> DeltaText | None:
        """Return what became of a record, in rating where that has moved.

        Of each chart the better of its two places counts, as in a snapshot: a recent play below the record is no fall.
        """
        t, before = self._t, self._sketch.before
        if before is None or record.song_id is None:
            return None
        key = (record.song_id, record.difficulty)
        then = before.scores.get(key)
        if then is None:
            return DeltaText(Move.NEW, t("NEW")) if key in self._now else None
        if record.score == then or record.score < self._now.get(key, 0):
            return None
        region = self._sketch.region
        moved = 0
        if record.constant:
            now = song_rating(record.constant, record.score, region)
            moved = abs(now - song_rating(record.constant, then, region))
        move = Move.UP if record.score > then else Move.DOWN
        return DeltaText(move, t.hundredths(Hundredths(moved)) if moved else "")

    def legend(self) -> Legend:
        """Return what the marks mean."""
        t = self._t
        lamps = (
            (LampBadge.FULL_COMBO, "FULL COMBO"),
            (LampBadge.ALL_JUSTICE, "ALL JUSTICE"),
            (LampBadge.ALL_CRITICAL, t.integer(MAX_SCORE)),
            (LampBadge.FULL_CHAIN, "FULL CHAIN"),
        )
        if self._sketch.before is None:
            return Legend(lamps=lamps, changes=())
        return Legend(
            lamps=lamps,
            changes=(
                (DeltaText(Move.NEW, t("NEW")), self._since()),
                (DeltaText(Move.UP, ""), t("gained in rating")),
            ),
        )

    def _since(self) -> str:
        t, before = self._t, self._sketch.before
        return t("since {moment}", moment=t.day(before.taken_at)) if before else ""


def _measure(record: Record) -> str:
    """Return a constant, or the level of one that nobody knows, as short as there is room; with a doubt "14.7?"."""
    if not record.constant:
        return f"{format_level(record.level)}?" if record.level else ""
    return format_hundredths(record.constant, places=1) + ("?" if record.is_estimated else "")
