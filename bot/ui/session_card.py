"""The texts on the picture of `/session`, in the reader's language."""

from dataclasses import replace
from decimal import Decimal
from typing import Final, NamedTuple

from bot.domain.chronicle.effects import RatingEffects
from bot.domain.chronicle.session import RecordChange, SessionDiff
from bot.domain.chronicle.state import LampFlags as Earned
from bot.domain.gains import PlayEffect
from bot.domain.numbers import Hundredths
from bot.domain.scores import SlotName
from bot.features.shared.session_report import SessionReport
from bot.ui.card_words import change_words, moved_text, played_tile, rating_text, to_go_text
from bot.ui.cards.plates import DeltaText, Move
from bot.ui.cards.plays import Play
from bot.ui.cards.session import MAX_EFFECTS, MAX_OTHERS, Effect, SessionCard
from bot.ui.cards.tiles import Tile
from bot.ui.kit.alternative import LIST, Listed, alternative, said
from bot.ui.kit.look import region_text
from bot.ui.kit.markdown import one_line
from bot.ui.language.text import Language
from bot.ui.lists import more_charts

_LAMPS: Final = Earned.FULL_COMBO | Earned.ALL_JUSTICE | Earned.FULL_CHAIN
_MAX_CLOSE: Final = 4
"""The most plays shown that came close to counting."""
_CLOSE_HUNDREDTHS: Final = 50
"""The most hundredths by which a play can be short and still count as close."""
_TICKS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""The possible steps between two marks of the axis, in hundredths."""
_MAX_TICKS: Final = 7


class _Moved(NamedTuple):
    """A play that has moved the rating."""

    played: RecordChange
    effect: PlayEffect


def session_card(t: Language, report: SessionReport, session: SessionDiff) -> SessionCard:
    """Return the texts on the picture of a session."""
    return _Scribe(t, report, session).card()


def session_card_alt(t: Language, card: SessionCard) -> str:
    """Return the alternative text of the picture."""
    rating = t.all_of([card.rating.text if card.rating else "–", *change_words(t, card.change)])
    together = [t("together {gain}", gain=card.together[1])] if card.together else []
    made = [" ".join(filter(None, [_told(each), each.text])) for each in card.effects]
    plays = [card.play.tile] if card.play and not made else []
    told = [f"{said(tile.title)} {tile.difficulty} {tile.number}" for tile in (*plays, *card.others)]
    return alternative(
        t,
        t("Session of {player}: rating {rating}.", player=said(card.player), rating=rating),
        Listed(t("{heading}: {list}.", heading=card.effects_heading, list=LIST), [*together, *made])
        if made
        else "",
        t("{facts}.", facts=t.all_of(t("{count} {what}", count=n, what=what) for n, what in card.counts)),
        Listed(t("Better: {list}."), told) if told else "" if made else card.empty,
    )


def _told(effect: Effect) -> str:
    if effect.tile is None:
        return effect.label
    return " ".join([said(effect.tile.title), effect.tile.difficulty, effect.tile.number, effect.origin])


class _Scribe:
    """Writes the parts of one picture."""

    def __init__(self, t: Language, report: SessionReport, session: SessionDiff) -> None:
        self._t = t
        self._report = report
        self._session = session
        self._effects = report.effects
        self._moved = list(_moved(session, report.effects))

    def card(self) -> SessionCard:
        """Return the whole picture."""
        t, session, before = self._t, self._session, self._before
        moved = Hundredths(session.after.rating - before)
        best = max(self._moved, key=lambda each: each.effect.sum_gain, default=None)
        plays = [change for change in session.achievements if change.after is not None]
        hero = best.played if best else next(iter(plays), None)
        shown = {change.chart for change in (*(each.played for each in self._moved), hero) if change}
        others = [change for change in plays if change.chart not in shown]
        more = len(others) - len(others[:MAX_OTHERS])
        better = session.new_records + session.gains
        scores = t.plural("{count} better score", "{count} better scores", better)
        day = t.day(session.until)
        card = SessionCard(
            player=one_line(self._report.player.player_name),
            when=_when(t, session),
            short_when=f"{day} · {scores}" if better else day,
            before=t.hundredths(before) if moved else "",
            from_before=t("from {rating}", rating=t.hundredths(before)) if moved else "",
            rating=rating_text(t, session.after.rating),
            change=moved_text(t, moved) if moved else DeltaText(Move.NONE, "±0.00"),
            to_go=to_go_text(t, session.after.rating),
            counts=self._counts(),
            play=self._play(hero, best.effect if best else None) if hero else None,
            others_heading=t("Also better"),
            others_note=t("what each gained in score")
            if self._effects is None
            else t("nothing for the rating"),
            others=tuple(self._other(change) for change in others[:MAX_OTHERS]),
            more="".join(more_charts(t, more)),
            empty=t("Nothing new was uploaded in this time."),
            foot=t.moment(session.until),
            version=region_text(t, session.region, shows_rating=True),
            sign=f"Kiroku · /{t.command_name('session')}",
        )
        if self._effects is None:
            return card
        return self._with_gains(card, self._effects, moved) if best else self._with_close(card, self._effects)

    @property
    def _before(self) -> Hundredths:
        """The rating before; if a version has begun meanwhile, the rating that it left."""
        turn = self._effects and self._effects.turn
        return turn.rating if turn else self._session.before.rating

    def _with_gains(self, card: SessionCard, effects: RatingEffects, moved: int) -> SessionCard:
        """Return the picture with the gain of each play, in order of play, so that they add up."""
        t, places = self._t, effects.before.places
        largest = sorted(self._moved, key=lambda each: -each.effect.sum_gain)
        kept = largest if len(largest) <= MAX_EFFECTS else largest[: MAX_EFFECTS - 1]
        rest = [each for each in largest if each not in kept]
        at = float(effects.before.exact) * 100
        shown: list[Effect] = []
        for each in self._moved:
            if each in kept:
                end = at + each.effect.sum_gain / places
                shown.append(self._effect(each, effects, at, end))
                at = end
        if rest:
            gain = sum(each.effect.sum_gain for each in rest)
            label = t.plural("{count} more chart", "{count} more charts", len(rest))
            text = _gain(t, gain, places)
            shown.append(Effect(label=label, text=text, start=at, end=at + gain / places))
        heading, note = t("What the plays added"), ""
        if effects.is_explained and moved > 0:
            heading = t("What made the {change}", change=t.change(Hundredths(moved)))
            then, now = (t.decimal(each.exact, least=4, most=4) for each in (effects.before, effects.after))
            note = t("exactly {before} → {after}: shown rounded down", before=then, after=now)
        return replace(
            card,
            effects_heading=heading,
            effects_note=note,
            effects=tuple(shown),
            together=(t("in all"), _gain(t, effects.sum_gain, places)),
            ticks=_ticks(t, shown[0].start, shown[-1].end),
        )

    def _effect(self, each: _Moved, effects: RatingEffects, start: float, end: float) -> Effect:
        t, is_new = self._t, each.effect.play.is_new
        place = effects.place_of(each.played)
        said_place = t("NEW #{place}") if is_new else t("BEST #{place}")
        return Effect(
            tile=self._tile(each.played, is_new=is_new),
            origin=self._origin(each.played),
            place="" if place is None else said_place.format(place=t.integer(place)),
            tag=t("NEW") if is_new else "",
            text=_gain(t, each.effect.sum_gain, effects.before.places),
            start=start,
            end=end,
        )

    def _with_close(self, card: SessionCard, effects: RatingEffects) -> SessionCard:
        """Return the picture with the plays that came closest to counting; unchanged if none came close."""
        t, found = self._t, list[tuple[int, int, RecordChange]]()
        for change in self._session.achievements:
            effect = effects.by_chart.get(change.chart)
            if effect is None or effect.place is not None or effect.play.highest is not None:
                continue
            floor = effects.after.floor_for(change.chart, is_new=effect.play.is_new)
            short = floor - effect.play.rating
            if 0 <= short <= _CLOSE_HUNDREDTHS:
                found.append((short, floor, change))
        found = sorted(found, key=lambda each: (each[0], each[2].chart))[:_MAX_CLOSE]
        if not found:
            return card
        floors = {floor for _short, floor, _change in found}
        starts = [self._rated_before(change) for _short, _floor, change in found]
        left = -2.0 * max(short + 1 for short, _floor, _change in found)
        return replace(
            card,
            effects_heading=t("Closest to counting"),
            effects=tuple(
                Effect(
                    tile=self._tile(change, is_new=effects.by_chart[change.chart].play.is_new),
                    origin=self._origin(change),
                    tag=t("NEW") if effects.by_chart[change.chart].slot is SlotName.NEW else "",
                    text=t("{gap} short", gap=t.hundredths(Hundredths(short))),
                    start=left if before is None else max(left, min(before - floor, -short)),
                    end=-short,
                )
                for (short, floor, change), before in zip(found, starts, strict=True)
            ),
            floor=0.0,
            floor_text=t("floor {rating}", rating=t.hundredths(Hundredths(floors.pop())))
            if len(floors) == 1
            else t("floor"),
        )

    def _counts(self) -> tuple[tuple[str, str], ...]:
        t, session = self._t, self._session
        lamps = sum(bool(played.lamps & _LAMPS) for played in session.achievements)
        return (
            (t.integer(session.new_records), t.plural("new record", "new records", session.new_records)),
            (t.integer(session.gains), t.plural("higher score", "higher scores", session.gains)),
            self._entered(),
            (t.integer(lamps), t.plural("new lamp", "new lamps", lamps)),
        )

    def _entered(self) -> tuple[str, str]:
        """Return how many charts entered a slot of the rating; if those are unknown, the best of all songs."""
        t, effects = self._t, self._effects
        if effects is None or effects.after.version is None:
            return t.integer(len(self._session.entered)), t("entered the best")
        entered = [
            each for each in self._moved if each.effect.before is None and effects.place_of(each.played)
        ]
        return t.integer(len(entered)), t("entered a slot")

    def _play(self, change: RecordChange, effect: PlayEffect | None) -> Play:
        """Return the main play: the one that moved the rating most, else the best of the others."""
        t, effects = self._t, self._effects
        is_new = effect is not None and effect.play.is_new
        tile, origin = self._tile(change, is_new=is_new), self._origin(change)
        if effect is None or effects is None:
            facts = " · ".join(filter(None, [origin, self._achieved(change)]))
            return Play(tile=tile, facts=facts, short_facts=facts)
        return Play(
            tile=tile,
            tag=t("NEW SONG") if is_new else "",
            effect=_gain(t, effect.sum_gain, effects.before.places),
            facts=" · ".join(filter(None, [t("of the rating"), origin])),
            short_facts=origin,
        )

    def _achieved(self, change: RecordChange) -> str:
        """Return what is new about a play without effect on the rating: a lamp, a rank, or points."""
        t, rank = self._t, change.rank(self._session.region)
        if change.lamps & _LAMPS:
            return t("the lamp is the first on it")
        if rank is not None and not change.is_new:
            return t("{rank} for the first time", rank=rank.label)
        return t("{points} points", points=t.points(change.gain)) if change.gain else ""

    def _origin(self, change: RecordChange) -> str:
        t = self._t
        if change.is_new:
            return t("first play")
        before = self._rated_before(change)
        return "" if before is None else t("from {rating}", rating=t.hundredths(before))

    def _rated_before(self, change: RecordChange) -> Hundredths | None:
        before = change.before
        if change.is_new or before is None or not before.constant:
            return None
        return Hundredths(before.rating(self._session.region))

    def _tile(self, change: RecordChange, *, is_new: bool = False) -> Tile:
        song = self._report.songs.get(change.chart[0])
        if change.after is None:
            raise AssertionError  # only plays are shown, and each has a record
        return replace(played_tile(self._t, self._session.region, change, change.after, song), is_new=is_new)

    def _other(self, change: RecordChange) -> Tile:
        """Return another play with its gain in score."""
        tile = self._tile(change)
        if change.is_new:
            return replace(tile, change=DeltaText(Move.NONE, self._t("first play")))
        gained = DeltaText(Move.UP, self._t.integer(change.gain))
        return replace(tile, change=gained) if change.gain else tile


def _moved(session: SessionDiff, effects: RatingEffects | None) -> list[_Moved]:
    """Return the plays that have moved the rating, in the order of play."""
    if effects is None:
        return []
    plays = {change.chart: change for change in session.achievements}
    return [
        _Moved(plays[chart], effect)
        for chart, effect in effects.by_chart.items()
        if effect.sum_gain > 0 and chart in plays
    ]


def _gain(t: Language, sum_gain: int, places: int) -> str:
    """Return the exact gain in rating: hundredths of a sum, divided by the number of places."""
    return f"+{t.decimal(Decimal(sum_gain).scaleb(-2) / places, least=4, most=4)}"


def _ticks(t: Language, start: float, end: float) -> tuple[tuple[float, str], ...]:
    """Return the hundredths of the rating along the axis of the bars, with a step that keeps them legible."""
    step = next(each for each in _TICKS if (end - start) / each <= _MAX_TICKS or each == _TICKS[-1])
    first = int(start // step) * step
    last = -int(-end // step) * step
    return tuple((float(at), t.hundredths(Hundredths(at))) for at in range(first, last + 1, step))


def _when(t: Language, session: SessionDiff) -> str:
    """Return when it was played if the service gives that, else the looks between which it was."""
    first, last = session.played_at or (session.since, session.until)
    until = last.astimezone(t.zone)
    is_one_day = first.astimezone(t.zone).date() == until.date()
    since = t.moment(first)
    if since == t.moment(last):  # within the same minute
        return since
    return f"{since} – {t.hour(until.timetz()) if is_one_day else t.moment(last)}"
