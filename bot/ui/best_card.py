"""The texts on the card of `/best`, in the reader's language."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import zip_longest
from typing import Final

from bot.domain.filters import Filter
from bot.domain.history import ChartKey, scores_of
from bot.domain.ids import JP
from bot.domain.members import Cut, PictureStyle
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE, rank_of
from bot.domain.rating import RATING_STEPS, rating_bounds, song_rating
from bot.domain.scores import Record, Slot, SlotName
from bot.domain.slots import ideal_average
from bot.domain.titles import title_of
from bot.features.best import BestReport
from bot.ui.best import SLOTS, no_recent_text
from bot.ui.card_words import (
    change_words,
    chart_name,
    earned_lamps,
    least_rating_text,
    least_sign,
    moved_text,
    rating_curve,
    rating_text,
    to_go_text,
)
from bot.ui.cards.best import MAX_CURVE_VALUES, BestCard, Legend, Section
from bot.ui.cards.drawn import draw_best
from bot.ui.cards.faces import face_of
from bot.ui.cards.heroes import Hero, RatingSum, SumRow
from bot.ui.cards.plates import DeltaText, LampBadge, Move
from bot.ui.cards.tiles import Tile
from bot.ui.game_ratings import step_text
from bot.ui.kit.alternative import Listed, alternative, said
from bot.ui.kit.look import region_text
from bot.ui.kit.markdown import cut, one_line
from bot.ui.kit.renderer import Picture, PictureRenderer
from bot.ui.language.text import Language
from bot.ui.language.titles import title_text

_RATED: Final = frozenset({SlotName.BEST, SlotName.NEW})
"""The slots that are shown together if one of them is asked for."""
_FILTER_COLUMNS: Final = 28
"""The most columns of a filter above its records."""


async def best_picture(
    renderer: PictureRenderer, t: Language, report: BestReport, style: PictureStyle
) -> Picture | None:
    """Return the picture of a slot's card; None without records, for the cut `LIST`, or if it could not be drawn."""
    if style.cut is Cut.LIST or not report.slot.records:
        return None
    card = best_card(t, report)
    return await renderer.picture(best_card_alt(t, card), report.player, draw_best, card, style)


def best_card(t: Language, report: BestReport) -> BestCard:
    """Return the card of one of a player's slots; both slots that make the rating are shown side by side."""
    scribe = _Scribe(t, report)
    version = report.explanation and report.explanation.worked_out.version
    facts = [region_text(t, report.region, shows_rating=True)]
    if version is not None:
        facts.append(t("new: songs since {version}", version=version.name))
    return BestCard(
        hero=scribe.hero(),
        sections=(sections := scribe.sections()),
        legend=scribe.legend(sections),
        when=t.moment(report.age.fetched_at),
        version=" · ".join(facts),
        sign=f"Kiroku · /{t.command_name('best')}",
    )


def best_card_alt(t: Language, card: BestCard) -> str:
    """Return the alternative text of the card."""
    hero, shown = card.hero, [tile for section in card.sections for tile in section.tiles]
    rating = " ".join([hero.rating.text, hero.rating.label, "★" * hero.rating.stars]).rstrip()
    changed = [t("{change} {since}", change=each, since=hero.since) for each in change_words(t, hero.change)]
    came_in = [said(tile.title) for tile in shown if tile.change and tile.change.text == t("IN")]
    rated = [f"{said(tile.title)} {tile.difficulty} {tile.number}" for tile in card.sections[0].tiles]
    return alternative(
        t,
        t(
            "{player}: rating {rating}.",
            player=said(hero.name),
            rating=t.all_of([rating, *changed]),
        ),
        *(_section_words(t, section) for section in card.sections),
        Listed(t("Came in: {list}."), came_in),
        Listed(t("First: {list}."), rated),
    )


def _section_words(t: Language, section: Section) -> str:
    count = t.plural("{count} chart", "{count} charts", len(section.tiles))
    facts = [section.note, section.floor or count]
    return t("{heading}: {facts}.", heading=section.heading, facts=t.all_of(filter(None, facts)))


class _Scribe:
    """Writes the parts of one card."""

    def __init__(self, t: Language, report: BestReport) -> None:
        self._t = t
        self._report = report
        self._before = report.past and report.past.before
        self._now = scores_of(report.best, report.recent, report.new)

    def sections(self) -> tuple[Section, ...]:
        """Return both slots that make the rating, or the single one that was asked for."""
        report = self._report
        if report.wanted is not None:
            return (self._filtered(report.slot, report.wanted),)
        if report.name not in _RATED:
            return (self._other(report.name, report.slot),)
        best = self._rated(SlotName.BEST, report.best)
        if report.new is not None:
            return best, self._rated(SlotName.NEW, report.new)
        return (best, self._other(SlotName.RECENT, report.recent)) if report.region == JP else (best,)

    def _rated(self, name: SlotName, slot: Slot) -> Section:
        t, is_new, places = self._t, name is SlotName.NEW, len(slot.entries)
        last, free = slot.entries[-1] if slot.entries else None, places - len(slot.records)
        meaning = (
            t("songs of this version") if is_new else t("older songs") if self._report.new is not None else ""
        )
        floor = phone = ""
        if last is not None and self._report.trouble is None:  # else it is unknown
            floor = t("floor {rating}: a score rated above it enters", rating=t.hundredths(last.rating))
            phone = t("floor {rating}", rating=t.hundredths(last.rating))
        elif free:
            floor = t.plural("{count} place free: it counts 0", "{count} places free: each counts 0", free)
            phone = t.plural("{count} place free", "{count} places free", free)
        average = self._average(slot)
        return Section(
            heading=_heading(t, name, slot),
            note="  ".join(filter(None, [t("average {average}", average=average), meaning])),
            phone_note=" · ".join(filter(None, [t("this version") if is_new else meaning, phone])),
            average=t("∅ {average}", average=average[:-1]),
            is_new=is_new,
            places=places,
            tiles=self._tiles(slot, is_new=is_new),
            free=t("free"),
            floor=floor,
        )

    def _other(self, name: SlotName, slot: Slot) -> Section:
        t, is_recent = self._t, name is SlotName.RECENT
        average = "" if slot.average is None else t.average(slot.average)
        note = t("average {average}", average=average) if average else ""
        if is_recent and not slot.records:
            note = no_recent_text(t, self._report)
        return Section(
            heading=_heading(t, name, slot),
            note=note,
            phone_note=note if is_recent and not slot.records else "",
            average=t("∅ {average}", average=average) if average else "",
            places=len(slot.entries),
            tiles=self._tiles(slot, genres=self._report.genres if is_recent else ()),
            free=t("free"),
        )

    def _filtered(self, slot: Slot, wanted: Filter) -> Section:
        t = self._t
        average, ideal = _thousandths(t, slot), ideal_average(slot, self._report.region)
        at_least = least_sign(slot.records, self._report.region)
        return Section(
            heading=cut(one_line(wanted.written(t.code)), _FILTER_COLUMNS),
            note=t(
                "average {average}, ideal {ideal}: not the rating",
                average=at_least + average,
                ideal=at_least + t.decimal(ideal, least=3, most=3) if ideal is not None else "",
            ),
            phone_note=t("not the rating"),
            average=t("∅ {average}", average=at_least + average[:-1]),
            places=len(slot.entries),
            tiles=self._tiles(slot),
        )

    def hero(self) -> Hero:
        """Return the player."""
        t, report = self._t, self._report
        moved = report.player.rating - self._before.rating if self._before else 0
        title, last = title_of(report.best, report.recent), RATING_STEPS[-1]
        return Hero(
            rating=rating_text(t, report.player.rating),
            change=moved_text(t, Hundredths(moved)) if moved else None,
            since=self._since() if moved else "",
            name=one_line(report.player.player_name),
            title=title_text(t, title) if title else "",
            to_go=to_go_text(t, report.player.rating),
            last_step=f"{step_text(t, last)} {t.hundredths(last.lowest)}",
            sum=self._sum(),
            curve=rating_curve(t, report.past.ratings[-MAX_CURVE_VALUES:] if report.past else ()),
        )

    def _sum(self) -> RatingSum | None:
        """Return the calculation of the rating, as far as the slots show it."""
        t, report = self._t, self._report
        other = report.new if report.new is not None else report.recent if report.region == JP else None
        if other is None:
            return None
        slots = (report.best, other)
        is_new = report.new is not None
        labels = (
            _heading(t, SlotName.BEST, report.best),
            _heading(t, SlotName.NEW if is_new else SlotName.RECENT, other),
        )
        sums = [sum(record.rating for record in slot.records) for slot in slots]
        most = [self._highest(slot) or total for slot, total in zip(slots, sums, strict=True)]
        places = sum(len(slot.entries) for slot in slots)
        if not places or not any(sums):
            return None
        rows = [
            SumRow(
                label=label,
                average=self._average(slot),
                places=f"× {t.integer(len(slot.entries))}",
                total=t.hundredths(Hundredths(total)),
                is_new=slot is report.new,
            )
            for label, slot, total in zip(labels, slots, sums, strict=True)
        ]
        divisor, result = f"÷ {t.integer(places)}", _span(t, sum(sums) // places, sum(most) // places)
        whole = f"{_span(t, sum(sums), sum(most))} {divisor}"
        return RatingSum(
            rows=tuple(rows),
            total=whole if result == t.hundredths(report.player.rating) else f"{whole} = {result}",
            divisor=divisor,
            result=result,
            label=t("in all"),
        )

    def _average(self, slot: Slot) -> str:
        """Return a slot's average, with a sign if unknown constants may raise it."""
        total, highest = sum(record.rating for record in slot.records), self._highest(slot)
        sign = least_sign(slot.records, self._report.region) if highest is None else "≥" * (highest > total)
        return sign + _thousandths(self._t, slot)

    def _highest(self, slot: Slot) -> int | None:
        """Return the highest possible sum of a slot's ratings by today's rules; None if the slots were not worked out."""
        report = self._report
        found = report.explanation and report.explanation.worked_out
        if not found or report.new is None:
            return None
        return found.highest_best if slot is report.best else found.highest_new

    def _tiles(
        self, slot: Slot, *, is_new: bool = False, genres: Sequence[str | None] = ()
    ) -> tuple[Tile, ...]:
        before = self._known_before(slot)
        return tuple(
            self._tile(place, record, genre, before, is_new=is_new)
            for place, (record, genre) in enumerate(zip_longest(slot.records, genres), start=1)
        )

    def _known_before(self, slot: Slot) -> Mapping[ChartKey, int] | None:
        """Return the figures of an earlier day; None if they have none of this slot: early snapshots lack the new one."""
        before = self._before
        if before is None or not any(_key(record) in before.scores for record in slot.records):
            return None
        return before.scores

    def _tile(
        self,
        place: int,
        record: Record,
        genre: str | None,
        before: Mapping[ChartKey, int] | None,
        *,
        is_new: bool,
    ) -> Tile:
        t, title = self._t, one_line(record.title)
        lamps = record.lamps
        return Tile(
            place=t.integer(place),
            title=title,
            face=face_of(record.song_id or title, title, record.genre or genre),
            difficulty=record.difficulty,
            chart=chart_name(record),
            rating=least_rating_text(t, *rating_bounds(record, self._report.region)),
            score=t.integer(record.score),
            rank=rank_of(record.score, self._report.region).label,
            lamps=earned_lamps(
                record.score,
                is_full_combo=lamps is not None and lamps.is_full_combo,
                is_all_justice=lamps is not None and lamps.is_all_justice,
                is_full_chain=lamps is not None and lamps.is_full_chain,
            ),
            change=None if before is None else self._change(record, before),
            is_new=is_new,
        )

    def _change(self, record: Record, before: Mapping[ChartKey, int]) -> DeltaText | None:
        """Return the change of a record, in rating if that has changed.

        The better of a chart's places counts, as in a snapshot: a recent play below the record is no loss.
        """
        t, key = self._t, _key(record)
        if key is None:
            return None
        then = before.get(key)
        if then is None:
            return DeltaText(Move.UP, t("IN")) if key in self._now else None
        if record.score == then or record.score < self._now.get(key, 0):
            return None
        region = self._report.region
        moved = 0
        if record.constant:
            now = song_rating(record.constant, record.score, region)
            moved = abs(now - song_rating(record.constant, then, region))
        move = Move.UP if record.score > then else Move.DOWN
        return DeltaText(move, t.hundredths(Hundredths(moved)) if moved else "")

    def legend(self, sections: Sequence[Section]) -> Legend:
        """Return the meanings of the marks; only of lamps on the card, as there is no room for others."""
        t = self._t
        shown = {lamp for section in sections for tile in section.tiles for lamp in tile.lamps}
        meanings = (
            (LampBadge.FULL_COMBO, "FULL COMBO"),
            (LampBadge.ALL_JUSTICE, "ALL JUSTICE"),
            (LampBadge.ALL_CRITICAL, t.integer(MAX_SCORE)),
            (LampBadge.FULL_CHAIN, "FULL CHAIN"),
        )
        lamps = tuple(each for each in meanings if each[0] in shown)
        charts = " ".join(tile.chart for section in sections for tile in section.tiles)
        notes = (("?", t("constant in doubt")), ("*", t("constant from this bot's host")))
        signs = tuple((sign, meaning) for sign, meaning in notes if sign in charts)
        if self._before is None:
            return Legend(lamps=lamps, changes=(), signs=signs)
        came_in = t("came in {since}", since=self._since())
        changes = ((DeltaText(Move.UP, ""), t("gained in rating")), (DeltaText(Move.UP, t("IN")), came_in))
        return Legend(lamps=lamps, changes=changes, signs=signs)

    def _since(self) -> str:
        t, before = self._t, self._before
        return t("since {moment}", moment=t.day(before.taken_at)) if before else ""


def _heading(t: Language, name: SlotName, slot: Slot) -> str:
    """Return the heading of a slot, with its number of places if they make the rating."""
    headings = {
        SlotName.BEST: t("BEST {places}", places=t.integer(len(slot.entries))),
        SlotName.NEW: t("NEW {places}", places=t.integer(len(slot.entries))),
    }
    return headings.get(name) or t(SLOTS[name])


def _span(t: Language, least: int, most: int) -> str:
    """Return "843.20", or "843.20–844.00" if constants are unknown."""
    return "–".join(dict.fromkeys(t.hundredths(Hundredths(each)) for each in (least, most)))


def _key(record: Record) -> ChartKey | None:
    return None if record.song_id is None else (record.song_id, record.difficulty)


def _thousandths(t: Language, slot: Slot) -> str:
    """Return the average of all places of a slot with three decimals; an empty place counts 0."""
    total = sum(record.rating for record in slot.records)
    return t.decimal(Decimal(total).scaleb(-2) / max(1, len(slot.entries)), least=3, most=3)
