"""Members' standings in a post: places, gains, and outstanding plays."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from bot.base.clock import JST
from bot.domain.boards import placed
from bot.domain.chronicle.effects import RatingEffects, VersionTurn
from bot.domain.chronicle.session import RecordChange, compare
from bot.domain.chronicle.state import LampFlags, RecordMark, RecordsState
from bot.domain.gains import PlayEffect
from bot.domain.goals import Goal
from bot.domain.ids import MemberId, Region
from bot.domain.numbers import Hundredths


class StandoutPlay(NamedTuple):
    """One achievement, compared with the rating of its player."""

    change: RecordChange
    now: RecordMark
    """The record as it is now."""
    above: Hundredths
    """The amount by which it counts for more than the player's rating."""
    region: Region
    effect: PlayEffect | None = None
    """The effect on the player's rating, if it changed that."""
    place: int | None = None
    """The place of its chart in its slot now."""

    @property
    def gain(self) -> tuple[int, bool]:
        """The thousandths added to the player's rating, and whether it changed that at all."""
        return (0, False) if self.effect is None else (self.effect.thousandths, True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Feats:
    """A member's achievements in the period of a post."""

    bests: int
    """The number of records that are new or have risen."""
    all_justices: int
    mere_full_combos: int
    """The number of full combos that are not all justice; `Summary.full_combo` counts those too."""
    play: StandoutPlay | None
    """The play that changed their rating most, or is furthest above it; None if no chart's constant is known."""
    is_lowered: bool = False
    """Whether the service reported less than it once did at either end of the period: that also changes the rating."""
    turn: VersionTurn | None = None
    """The game version that began in the period: the rating is counted from there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One member in a post."""

    member: MemberId
    player_name: str
    rating: Hundredths
    until: datetime
    """The moment up to which plays are reported."""
    change: Hundredths | None
    """The gain in the period of the post, by `gained`; None if nothing earlier is known."""
    fell_from: Hundredths | None = None
    """The rating that they were last shown with, if the service reports a lower one now."""
    feats: Feats | None = None
    """None if their records are not known at both ends of the period."""
    goals: tuple[Goal, ...] = ()
    """The goals that they reached in the period, first reached first."""
    ratings: tuple[Hundredths, ...] = field(default=(), repr=False)
    """The ratings of the days on which they are known, oldest first."""

    @property
    def bests(self) -> int:
        """The number of records known to be new or to have risen."""
        return self.feats.bests if self.feats else 0

    @property
    def has_moved(self) -> bool:
        """Whether there is anything to report."""
        return self.change != 0 or self.bests > 0 or bool(self.goals) or self.turn is not None

    @property
    def turn(self) -> VersionTurn | None:
        """The game version that began in the period."""
        return self.feats.turn if self.feats else None


def gained(rating: Hundredths, before: Hundredths, best: Hundredths, feats: Feats | None) -> Hundredths:
    """Return a rating's gain, which is never negative.

    It is the rise if plays are known to have caused it, else the amount above the highest rating ever seen, `best`: a
    rating that fell and came back is no news.
    """
    is_earned = feats is not None and feats.bests > 0 and not feats.is_lowered
    return Hundredths(max(0, rating - (before if is_earned else max(before, best))))


def feats_of(
    played: Sequence[RecordChange],
    region: Region,
    rating: Hundredths,
    effects: RatingEffects | None = None,
) -> Feats:
    """Return a player's feats from achievements, the player's rating, and the effects on it."""
    plays = [
        StandoutPlay(change, now, Hundredths(counted - rating), region, effect, place)
        for change in played
        if (now := change.after) is not None
        for effect, place in [_moved(change, effects)]
        # If a chart's constant is unknown, the least that its level allows is used.
        if (counted := now.rating(region) if now.constant else effect.play.rating if effect else 0)
    ]
    lamps = [change.lamps for change in played]
    return Feats(
        bests=sum(change.is_new or change.gain > 0 for change in played),
        all_justices=sum(LampFlags.ALL_JUSTICE in each for each in lamps),
        mere_full_combos=sum(
            LampFlags.FULL_COMBO in each and LampFlags.ALL_JUSTICE not in each for each in lamps
        ),
        play=max(
            plays, key=lambda play: (play.gain, play.above, play.now.score, play.change.chart), default=None
        ),
        turn=None if effects is None else effects.turn,
    )


def _moved(change: RecordChange, effects: RatingEffects | None) -> tuple[PlayEffect | None, int | None]:
    """Return a play's effect on the rating, and its chart's place now; both None if it did not raise the rating."""
    if effects is None or effects.gain_of(change) <= 0:
        return None, None
    return effects.by_chart[change.chart], effects.place_of(change)


def played_since(
    moment: datetime, now: RecordsState, before: RecordsState, then: RecordsState | None = None
) -> list[RecordChange]:
    """Return what was achieved since a moment.

    `before` is the state at the moment, or at the first look, and `then` the first look after that. If an earlier
    version kept `then` as the only look of the moment's day, changes up to it count only if the service dates them
    after the moment.
    """
    if then is None or not then.stands_for_day or before.taken_at > moment or not _is_same_day(moment, then):
        return [*compare(before, now).achievements]
    found = {change.chart: change for change in compare(then, now).achievements}
    for change in compare(before, then).achievements:
        if change.played_at is not None and change.played_at > moment:
            found.setdefault(change.chart, change)
    return [*found.values()]


def _is_same_day(moment: datetime, state: RecordsState) -> bool:
    return moment.astimezone(JST).date() == state.day


def in_order(standings: Iterable[Standing]) -> list[tuple[int, Standing]]:
    """Return members by rating, highest first, each with their place; equal ratings share a place."""
    ordered = sorted(standings, key=lambda each: (-each.rating, each.member))
    return [*placed(ordered, lambda standing: standing.rating)]


def chosen(standings: Iterable[Standing], most: int) -> list[tuple[int, Standing]]:
    """Return the members with news, in the order and with the places of `in_order`.

    If there are more than `most`, those with the greatest gains are chosen; members without earlier data come last.
    """
    moved = [(place, each) for place, each in in_order(standings) if each.has_moved]
    by_gain = sorted(
        (each for _, each in moved),
        key=lambda each: (each.change is None, -(each.change or 0), -each.bests, -each.rating, each.member),
    )
    shown = {each.member for each in by_gain[:most]}
    return [(place, each) for place, each in moved if each.member in shown]


def outstanding(standings: Iterable[Standing]) -> list[tuple[Standing, StandoutPlay]]:
    """Return each member's outstanding play, if one is known, by its gain, then by how far it is above their rating."""
    found = [(each, each.feats.play) for each in standings if each.feats and each.feats.play]
    found.sort(key=lambda pair: (pair[1].gain, pair[1].above, pair[0].rating, -pair[0].member), reverse=True)
    return found
