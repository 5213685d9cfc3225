"""The effect of plays between two states on a player's rating: each play after those before it, so that they add up."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from bot.domain.charts import Catalogue
from bot.domain.chronicle.session import RecordChange, SessionDiff
from bot.domain.chronicle.state import LampFlags, RecordMark, RecordsState
from bot.domain.gains import PlayEffect, RatedPlay, RatingSlots, gains_of, slots_after
from bot.domain.game_rating import Explanation, WorkedOut, explain, work_out
from bot.domain.game_versions import NO_HINTS, GameVersion, VersionHints, VersionTable, game_day
from bot.domain.history import ChartKey
from bot.domain.ids import Region
from bot.domain.numbers import Hundredths
from bot.domain.scores import Record

_LAMPS: Final = (LampFlags.ALL_JUSTICE, LampFlags.FULL_COMBO, LampFlags.FULL_CHAIN, LampFlags.CLEAR)
"""The lamps, each worth more than those after it."""


class RatingRules(NamedTuple):
    """The data by which a player's records are rated."""

    catalogue: Catalogue
    versions: VersionTable
    hints: VersionHints = NO_HINTS


class VersionTurn(NamedTuple):
    """A game version that began between two states."""

    version: GameVersion
    rating: Hundredths
    """The rating from earlier records by the version's rules, without anything played since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingEffects:
    """The effect of plays on a player's rating."""

    before: RatingSlots = field(repr=False)
    """The slots before, by today's constants; if a version began in between, as it left them."""
    after: RatingSlots = field(repr=False)
    by_chart: Mapping[ChartKey, PlayEffect] = field(repr=False, hash=False)
    """The effect of each play that can be rated; of two that count the same, the earlier one is first."""
    turn: VersionTurn | None = None
    """None if no version began in between."""
    is_explained: bool
    """Whether the profile's ratings before and after equal those of the slots."""
    counted: frozenset[ChartKey] = field(repr=False)
    """The charts of both slots, before and after, by today's constants."""
    is_lowered: bool
    """Whether the service reported less than it once did, before or after, of a record that would count in its slot."""

    def count_moved_constants(self, session: SessionDiff) -> int:
        """Return on how many charts that count or counted the constant changed, which changes the rating by itself."""
        moved = {change.chart for change in session.changes if change.moves_rating}
        return len(moved & (self.counted | session.moved_constants))

    @property
    def sum_gain(self) -> Hundredths:
        """The amount that all plays together added to the sum of the slots."""
        return Hundredths(self.after.sum - self.before.sum)

    @property
    def thousandths(self) -> int:
        """The same for the player's rating: the sum of the thousandths of all effects."""
        return sum(effect.thousandths for effect in self.by_chart.values())

    def gain_of(self, change: RecordChange) -> Hundredths:
        """Return the amount that a play added to the sum of the slots."""
        effect = self.by_chart.get(change.chart)
        return Hundredths(0) if effect is None else effect.sum_gain

    def place_of(self, change: RecordChange) -> int | None:
        """Return the place in its slot, after all plays, of a chart that raised the rating; None if it has none."""
        effect = self.by_chart.get(change.chart)
        if effect is None or effect.sum_gain <= 0:
            return None
        slot = self.after.places_of(is_new=effect.play.is_new)
        places = (place for place, each in enumerate(slot, start=1) if each.key == change.chart)
        return next(places, None)

    def in_order(self, changes: Iterable[RecordChange], region: Region) -> tuple[RecordChange, ...]:
        """Return plays by their effect: on the rating first, then by lamps, ranks and points."""

        def worth(change: RecordChange) -> tuple[int, int, int, int, ChartKey]:
            earned = change.lamps
            lamp = next((place for place, each in enumerate(_LAMPS) if each & earned), len(_LAMPS))
            rank = change.rank(region)
            least = 0 if rank is None else rank.least_score
            return -self.gain_of(change), lamp, -least, -change.gain, change.chart

        return tuple(sorted(changes, key=worth))


def effects_of(
    before: RecordsState,
    after: RecordsState,
    plays: Sequence[RecordChange],
    earlier: Sequence[RecordChange],
    rules: RatingRules,
) -> RatingEffects:
    """Return the effect of plays between two states on the rating, after `earlier` ones between the same states."""
    catalogue = rules.catalogue
    known = dict[GameVersion | None, WorkedOut]()
    now, then = explain_state(after, rules), explain_state(before, rules, known)
    version, counted = now.worked_out.version, _as_counted(before, after)
    if version not in known or counted != _told(before):
        known[version] = work_out(records_of(counted), catalogue, version)
    base = RatingSlots.of(known[version])
    begun = version if _has_turned(before, then, after, now) else None
    turn = None if begun is None else VersionTurn(begun, base.rating or Hundredths(0))
    slots = slots_after(base, (play for _, play in _rated(earlier, base, catalogue)))
    rated = _rated(plays, slots, catalogue)
    effects = gains_of(slots, [play for _, play in rated])
    return RatingEffects(
        before=slots,
        after=slots_after(slots, (play for _, play in rated)),
        by_chart={chart: effect for (chart, _), effect in zip(rated, effects, strict=True)},
        turn=turn,
        is_explained=now.is_explained is True and then.is_explained is True,
        counted=frozenset(
            entry.key for each in (then, now) for entry in (*each.worked_out.best, *each.worked_out.new)
        ),
        is_lowered=_is_lowered((before, after), slots, catalogue),
    )


def explain_state(
    state: RecordsState, rules: RatingRules, known: dict[GameVersion | None, WorkedOut] | None = None
) -> Explanation:
    """Return the rating from the records of a state, with the profile's of that moment; `known` is as for `explain`."""
    catalogue, versions, hints = rules
    records, day = records_of(_told(state)), game_day(state.taken_at)
    return explain(records, catalogue, day, state.figures.rating, versions, hints, known)


def _told(state: RecordsState) -> Mapping[ChartKey, RecordMark]:
    return {key: mark for key, mark in state.marks.items() if not mark.is_gone}


def records_of(marks: Mapping[ChartKey, RecordMark]) -> Iterator[Record]:
    """Return marks as records of charts; the other data of the charts is in the catalogue."""
    for (song, difficulty), mark in marks.items():
        constant = Hundredths(mark.constant) if mark.constant else None
        yield Record(song, "", difficulty, Hundredths(0), constant, mark.score, Hundredths(0), False, None)  # noqa: FBT003 - by position, for there are thousands


def _as_counted(before: RecordsState, after: RecordsState) -> Mapping[ChartKey, RecordMark]:
    """Return the best ever seen of each record, without those that are gone for good."""
    return {
        key: mark.peak
        for key, mark in before.marks.items()
        if not mark.is_gone or ((now := after.marks.get(key)) is not None and not now.is_gone)
    }


def _is_lowered(states: Iterable[RecordsState], slots: RatingSlots, catalogue: Catalogue) -> bool:
    peaks = {key: mark.peak for state in states for key, mark in state.marks.items() if mark.is_below_peak}
    plays = (slots.play_of(record, catalogue) for record in records_of(peaks))
    return any(
        (play.highest or play.rating) >= slots.floor_for(play.key, is_new=play.is_new)
        for play in plays
        if play is not None
    )


def _has_turned(before: RecordsState, then: Explanation, after: RecordsState, now: Explanation) -> bool:
    """Return whether the current version began between two states: by the calendar, or in an edition that lags."""
    version, former = now.worked_out.version, then.worked_out.version
    if version is None or version.new_since is None or version == former:
        return False
    if before.taken_at < version.begins_at <= after.taken_at:
        return True
    is_later = former is not None and former.first_day < version.first_day
    return is_later and then.is_explained is True and now.is_explained is True


def _rated(
    changes: Sequence[RecordChange], slots: RatingSlots, catalogue: Catalogue
) -> list[tuple[ChartKey, RatedPlay]]:
    """Return how plays count, in the order of play; if times are missing, highest first."""
    marks = {change.chart: change.after for change in changes if change.after is not None}
    rated = [
        (key, play)
        for key, record in zip(marks, records_of(marks), strict=True)
        if (play := slots.play_of(record, catalogue)) is not None
    ]
    if all(mark.played_at for mark in marks.values()):
        rated.sort(key=lambda pair: (marks[pair[0]].played_at, -pair[1].rating, pair[0]))
    else:
        rated.sort(key=lambda pair: (-pair[1].rating, -pair[1].score, pair[0]))
    return rated
