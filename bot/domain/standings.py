"""How members stand beside one another in a post: places, what each has gained, and the plays that stand out."""

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
    """One achievement, beside the rating of its player."""

    change: RecordChange
    now: RecordMark
    """The record, as it stands since."""
    above: Hundredths
    """How much more it counts for than the player's rating."""
    region: Region
    effect: PlayEffect | None = None
    """What it did to the player's rating, where it moved that."""
    place: int | None = None
    """Where its chart stands in its slot since."""

    @property
    def gain(self) -> tuple[int, bool]:
        """What it added to the player's rating, in thousandths, and whether it moved that at all."""
        return (0, False) if self.effect is None else (self.effect.thousandths, True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Feats:
    """What a member has played for in the time that a post tells of."""

    bests: int
    """Records that are new or have risen."""
    all_justices: int
    mere_full_combos: int
    """Full combos that are no all justice; `Summary.full_combo` counts those too."""
    play: StandoutPlay | None
    """The one that moved their rating most, or stands furthest above it; None where no chart's constant is known."""
    is_lowered: bool = False
    """Whether the service told of less than it once did at an end of that time: the rating moves by that too."""
    turn: VersionTurn | None = None
    """The version of the game that has begun in that time: the rating is counted from there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One member in a post."""

    member: MemberId
    player_name: str
    rating: Hundredths
    until: datetime
    """Up to when what was played is told."""
    change: Hundredths | None
    """Gained in the time that the post tells of, as `gained` says; None where nothing is known from before."""
    fell_from: Hundredths | None = None
    """What they were last shown with, where the service tells of less now."""
    feats: Feats | None = None
    """None where their records are not known at both ends of that time."""
    goals: tuple[Goal, ...] = ()
    """Those that they have reached in that time, first reached first."""
    ratings: tuple[Hundredths, ...] = field(default=(), repr=False)
    """The ratings of the days of which they are known, oldest first."""

    @property
    def bests(self) -> int:
        """How many records are known to be new or to have risen."""
        return self.feats.bests if self.feats else 0

    @property
    def has_moved(self) -> bool:
        """Whether there is anything to tell."""
        return self.change != 0 or self.bests > 0 or bool(self.goals) or self.turn is not None

    @property
    def turn(self) -> VersionTurn | None:
        """The version of the game that has begun in that time."""
        return self.feats.turn if self.feats else None


def gained(rating: Hundredths, before: Hundredths, best: Hundredths, feats: Feats | None) -> Hundredths:
    """Return what a rating has gained, which is never less than nothing.

    That is what it rose by where it is known to have been played for, else what passes the `best` that was ever seen: a
    rating that fell and is back was no news.
    """
    is_earned = feats is not None and feats.bests > 0 and not feats.is_lowered
    return Hundredths(max(0, rating - (before if is_earned else max(before, best))))


def feats_of(
    played: Sequence[RecordChange],
    region: Region,
    rating: Hundredths,
    effects: RatingEffects | None = None,
) -> Feats:
    """Return what achievements come to, for a player of a rating, and by what they did to that."""
    plays = [
        StandoutPlay(change, now, Hundredths(counted - rating), region, effect, place)
        for change in played
        if (now := change.after) is not None
        for effect, place in [_moved(change, effects)]
        # Of a chart of unknown constant, the least that its level allows.
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
    """Return what a play did to the rating, and where its chart stands since; nothing where it moved nothing."""
    if effects is None or effects.gain_of(change) <= 0:
        return None, None
    return effects.by_chart[change.chart], effects.place_of(change)


def played_since(
    moment: datetime, now: RecordsState, before: RecordsState, then: RecordsState | None = None
) -> list[RecordChange]:
    """Return what was played for since a moment.

    `before` is how records stood at the moment, or at the first look, and `then` the first look after that. Where an
    earlier version let this take the place of what was known at the moment, that counts of it of which the service says
    that it was played after the moment.
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
    """Return members by rating, highest first, each with their place; equal ratings share one."""
    ordered = sorted(standings, key=lambda each: (-each.rating, each.member))
    return [*placed(ordered, lambda standing: standing.rating)]


def chosen(standings: Iterable[Standing], most: int) -> list[tuple[int, Standing]]:
    """Return those who have moved, in the order and with the places of `in_order`.

    Where there are more than `most`, those who gained most; last, those of whom nothing is known from before.
    """
    moved = [(place, each) for place, each in in_order(standings) if each.has_moved]
    by_gain = sorted(
        (each for _, each in moved),
        key=lambda each: (each.change is None, -(each.change or 0), -each.bests, -each.rating, each.member),
    )
    shown = {each.member for each in by_gain[:most]}
    return [(place, each) for place, each in moved if each.member in shown]


def outstanding(standings: Iterable[Standing]) -> list[tuple[Standing, StandoutPlay]]:
    """Return a play of each member of whom one is known, by what it gained, then how far it stands above their rating."""
    found = [(each, each.feats.play) for each in standings if each.feats and each.feats.play]
    found.sort(key=lambda pair: (pair[1].gain, pair[1].above, pair[0].rating, -pair[0].member), reverse=True)
    return found
