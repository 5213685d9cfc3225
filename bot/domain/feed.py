"""The content of a feed: a member's sitting, as far as it passes the feed's thresholds."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from bot.domain.chronicle.session import RecordChange, by_worth, compare
from bot.domain.chronicle.state import LampFlags, RecordsState
from bot.domain.game_rating import WorkedOut
from bot.domain.history import ChartKey
from bot.domain.ids import MemberId, Region
from bot.domain.numbers import Hundredths
from bot.domain.ranks import Rank

_LAMPS: Final = (LampFlags.FULL_COMBO, LampFlags.ALL_JUSTICE)
"""Each worth more than the one before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """A member's achievements, without a long pause between two looks that found something."""

    member: MemberId
    player_name: str
    region: Region
    since: datetime
    """The moment of the look before all of it."""
    rating: Hundredths
    rating_before: Hundredths | None
    """The rating before; None if something else has moved it too."""
    plays: tuple[RecordChange, ...]
    """The plays, most important first."""
    best: frozenset[ChartKey] = field(repr=False)
    """The plays that count among the best now."""

    @property
    def gain(self) -> Hundredths | None:
        """The gain of the player's rating from the plays; None if unknown."""
        return None if self.rating_before is None else Hundredths(self.rating - self.rating_before)


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """The thresholds of a feed, of which a play has to pass one; without any, all plays are told."""

    gain: Hundredths | None = None
    """The least gain of the player's rating by plays that count among the best."""
    rank: Rank | None = None
    """The least new rank."""
    lamp: LampFlags | None = None
    """Full combo, or all justice."""

    def choose(self, sitting: Sitting) -> list[RecordChange]:
        """Return the plays of a sitting that are worth telling, what counts most first."""
        if (self.gain, self.rank, self.lamp) == (None, None, None):
            return [*sitting.plays]
        has_gained = self.gain is not None and sitting.gain is not None and sitting.gain >= self.gain
        return [
            play
            for play in sitting.plays
            if (has_gained and play.chart in sitting.best) or self._has_earned(play, sitting.region)
        ]

    def _has_earned(self, play: RecordChange, region: Region) -> bool:
        rank = play.rank(region)
        if self.rank is not None and rank is not None and rank.least_score >= self.rank.least_score:
            return True
        return self.lamp is not None and any(lamp in play.lamps for lamp in _LAMPS[_LAMPS.index(self.lamp) :])


EVERYTHING: Final = Worth()
"""The thresholds of a feed without any."""


def sitting_of(
    before: RecordsState,
    after: RecordsState,
    player_name: str,
    worked_out: WorkedOut | None = None,
) -> Sitting | None:
    """Return the achievements between two looks; None if there are none.

    The best plays are those in the slots `worked_out` from the later look; without these, among the best of all songs.
    """
    session = compare(before, after)
    if not session.achievements:
        return None
    best, moved = after.best, session.moved_constants
    if worked_out is not None:
        best = frozenset(entry.key for entry in (*worked_out.best, *worked_out.new))
        moved |= {change.chart for change in session.changes if change.moves_rating and change.chart in best}
    return Sitting(
        member=after.member,
        player_name=player_name,
        region=after.region,
        since=before.taken_at,
        rating=after.figures.rating,
        rating_before=None if moved or session.fallen else before.figures.rating,
        plays=session.achievements,
        best=best.intersection(change.chart for change in session.achievements),
    )


def played_after(sitting: Sitting, moment: datetime) -> Sitting | None:
    """Return the part of a sitting that is known to be after a moment; None if there is none."""
    if sitting.since >= moment:
        return sitting
    plays = tuple(play for play in sitting.plays if play.played_at is not None and play.played_at > moment)
    return replace(sitting, rating_before=None, plays=plays) if plays else None


def gone_on(first: Sitting, then: Sitting) -> Sitting:
    """Merge two consecutive sittings: each chart as it was before both, and as it is after both."""
    plays = {play.chart: play for play in first.plays}
    for play in then.plays:
        before = plays.get(play.chart, play).before
        plays[play.chart] = replace(play, before=before)
    best = {*then.best, *(first.best - {play.chart for play in then.plays})}
    return replace(
        then,
        since=first.since,
        rating_before=None if then.rating_before is None else first.rating_before,
        plays=by_worth(plays.values(), then.region),
        best=frozenset(best),
    )
