"""The effects of plays on a player's rating, in the unit of the rating and counted in order, so that a list adds up.

Source: the game: a rating is the sum of its slots divided by their places, so that a chart's gain of 0.50 is one of 0.010
in the rating.
"""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Final, NamedTuple

from bot.domain.charts import Catalogue, Chart, Song
from bot.domain.game_rating import BEST_PLACES, NEW_PLACES, PLACES, WorkedOut, count_record
from bot.domain.game_versions import Formula, GameVersion
from bot.domain.history import ChartKey
from bot.domain.ids import Region
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE, ranks_of
from bot.domain.rating import MAX_ADDED_HUNDREDTHS, constants_of, least_score, song_rating
from bot.domain.scores import Record, SlotName

_RECENT_PLACES: Final = 10


class RatedPlace(NamedTuple):
    """A chart in a place of a slot."""

    rating: Hundredths
    score: int
    key: ChartKey

    @property
    def order(self) -> tuple[int, int]:
        """The sort key of a slot: the highest rating first, then the highest score."""
        return -self.rating, -self.score


class RatedPlay(NamedTuple):
    """A score on a chart, as it counts for the rating."""

    rating: Hundredths
    score: int
    key: ChartKey
    is_new: bool
    """Whether the chart's song counts as new."""
    highest: Hundredths | None = None
    """The highest possible rating if the chart's constant is unknown; `rating` is then the lowest."""


class SlotPlace(NamedTuple):
    """A chart's place in a slot."""

    slot: SlotName
    place: int
    """The place, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingSlots:
    """The charts that make up a player's rating, as far as records show: the older formula's recent plays are left out."""

    best: tuple[RatedPlace, ...] = field(repr=False)
    """The highest first, as `RatedPlace.order` has them."""
    new: tuple[RatedPlace, ...] = field(repr=False)
    version: GameVersion | None
    """The version; None if the formula has no slot of new songs."""

    @classmethod
    def of(cls, worked_out: WorkedOut) -> "RatingSlots":
        """Return the slots that were calculated from records."""
        best, new = (
            tuple(RatedPlace(entry.rating, entry.record.score, entry.key) for entry in slot)
            for slot in (worked_out.best, worked_out.new)
        )
        has_new = worked_out.formula is Formula.BEST_AND_NEW
        return cls(best=best, new=new, version=worked_out.version if has_new else None)

    @property
    def places(self) -> int:
        """The divisor of the sum of all slots."""
        return BEST_PLACES + _RECENT_PLACES if self.version is None else PLACES

    @property
    def sum(self) -> Hundredths:
        """The sum of the ratings in both slots."""
        return Hundredths(sum(place.rating for place in (*self.best, *self.new)))

    @property
    def exact(self) -> Decimal:
        """The sum divided by the places: the exact rating, if the formula does not count recent plays."""
        return Decimal(self.sum).scaleb(-2) / self.places

    @property
    def rating(self) -> Hundredths | None:
        """The player's rating, floored; None if the formula also counts recent plays."""
        return None if self.version is None else Hundredths(self.sum // PLACES)

    def is_new(self, song: Song | None) -> bool:
        """Return whether a song's charts count in the new slot; a song in no catalogue counts as old."""
        return song is not None and self.version is not None and self.version.is_new(song.released_on)

    def place_of(self, key: ChartKey) -> SlotPlace | None:
        """Return a chart's place; None if it is in neither slot."""
        for slot, places in ((SlotName.BEST, self.best), (SlotName.NEW, self.new)):
            keys = [place.key for place in places]
            if key in keys:
                return SlotPlace(slot, keys.index(key) + 1)
        return None

    def places_of(self, *, is_new: bool) -> tuple[RatedPlace, ...]:
        """Return the filled places of the slot of new or of older songs."""
        return self.new if is_new else self.best

    def floor_for(self, key: ChartKey, *, is_new: bool) -> Hundredths:
        """Return the rating beyond which a score on a chart raises the player's rating."""
        slot = self.places_of(is_new=is_new)
        own = next((place.rating for place in slot if place.key == key), None)
        if own is not None:
            return own
        return slot[-1].rating if len(slot) >= _size(is_new=is_new) else Hundredths(0)

    def least_score_for(self, song: Song, chart: Chart, region: Region) -> int | None:
        """Return the least score on a chart that certainly raises the player's rating; None if none does.

        An unknown constant counts as the lowest of its level.
        """
        constant, _ = constants_of(chart.constant, chart.level)
        floor = self.floor_for((song.id, chart.difficulty), is_new=self.is_new(song))
        return least_score(constant, Hundredths(floor + 1), region) if constant else None

    def play_on(self, song: Song, chart: Chart, score: int, region: Region) -> RatedPlay | None:
        """Return a score on a chart as a rated play; None if neither constant nor level of the chart is known."""
        least, most = constants_of(chart.constant, chart.level)
        if not most:
            return None
        rating = song_rating(least, score, region)
        highest = None if least == most else song_rating(most, score, region)
        return RatedPlay(rating, score, (song.id, chart.difficulty), self.is_new(song), highest)

    def play_of(self, record: Record, catalogue: Catalogue) -> RatedPlay | None:
        """Return a record as a rated play; None if it cannot be rated."""
        counted = count_record(record, catalogue, self.version)
        if counted is None:
            return None
        entry, is_new = counted
        highest = None if entry.is_certain else entry.highest
        return RatedPlay(entry.rating, record.score, entry.key, is_new, highest)


class SlotFloors:
    """The rating to pass on each chart for the player's rating to rise, precomputed for thousands of charts."""

    def __init__(self, slots: RatingSlots) -> None:
        self._slots = slots
        self._standing = {place.key: place.rating for place in (*slots.best, *slots.new)}
        self._lowest = {
            is_new: places[-1].rating if len(places) >= _size(is_new=is_new) else Hundredths(0)
            for is_new, places in ((False, slots.best), (True, slots.new))
        }

    def floor_for(self, song: Song, chart: Chart) -> Hundredths:
        """Return the rating beyond which a score on a chart raises the player's."""
        own = self._standing.get((song.id, chart.difficulty))
        return self._lowest[self._slots.is_new(song)] if own is None else own

    def is_open(self, song: Song, chart: Chart, region: Region) -> bool:
        """Return whether some score on a chart certainly raises the player's rating."""
        constant, _ = constants_of(chart.constant, chart.level)
        if constant + MAX_ADDED_HUNDREDTHS <= self._lowest[self._slots.is_new(song)]:
            return False  # like most charts: no floor is lower than that of the last place
        return constant > 0 and song_rating(constant, MAX_SCORE, region) > self.floor_for(song, chart)


class SlotTally:
    """The effect of consecutive plays on the sum of the slots, without details."""

    def __init__(self, slots: RatingSlots) -> None:
        self.gained = 0
        self._places = {
            is_new: {place.key: place.rating for place in slots.places_of(is_new=is_new)}
            for is_new in (False, True)
        }

    def count(self, key: ChartKey, rating: Hundredths, *, is_new: bool) -> None:
        """Count a play on a chart."""
        places = self._places[is_new]
        before = places.get(key, Hundredths(0))
        if key not in places and len(places) >= _size(is_new=is_new):
            lowest = min(places, key=places.__getitem__)
            before = places[lowest]
            if rating > before:
                del places[lowest]
        if rating > before:
            places[key] = rating
            self.gained += rating - before


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayEffect:
    """The effect of one play on a player's rating, after those counted before it."""

    play: RatedPlay
    slot: SlotName
    place: int | None
    """The chart's place in the slot afterwards, from 1; None if it is not there."""
    before: RatedPlace | None
    """The chart's entry before, if it was in the slot already."""
    pushed_out: RatedPlace | None
    """The entry that left the slot for it."""
    sum_gain: Hundredths
    """The amount added to the sum of the slots."""
    thousandths: int
    """The amount added to the player's rating, rounded so that the effects of a list add up to that of the whole list."""

    @property
    def is_entry(self) -> bool:
        """Whether the chart entered the slot by this play."""
        return self.place is not None and self.before is None


class ChartReach(NamedTuple):
    """A chart's present and possible effect on a player's rating."""

    slot: SlotName
    place: int | None
    """The chart's place, from 1; None if it is in no slot."""
    least: int
    """The least score that certainly raises the rating."""
    goal: PlayEffect
    """The effect of the next rank above that score, or of the maximum score."""
    most: PlayEffect
    """The same with the highest constant of the level; differs from `goal` only if the constant is unknown."""


def reach_of(slots: RatingSlots, song: Song, chart: Chart, region: Region) -> ChartReach | None:
    """Return a chart's possible effect on a player's rating; None if no score on it raises the rating."""
    least = slots.least_score_for(song, chart, region)
    if least is None:
        return None
    border = min(
        (rank.least_score for rank in ranks_of(region) if rank.least_score >= least), default=MAX_SCORE
    )
    play = slots.play_on(song, chart, border, region)
    if play is None:
        return None
    goal = gain_of(slots, play)
    keys = [place.key for place in slots.places_of(is_new=play.is_new)]
    place = keys.index(play.key) + 1 if play.key in keys else None
    return ChartReach(goal.slot, place, least, goal, gain_of(slots, at_most(play)))


def at_most(play: RatedPlay) -> RatedPlay:
    """Return a play rated with the highest constant of its chart's level."""
    return play if play.highest is None else play._replace(rating=play.highest, highest=None)


def gain_of(slots: RatingSlots, play: RatedPlay) -> PlayEffect:
    """Return the effect of one play on a player's rating."""
    return gains_of(slots, [play])[0]


def gains_of(slots: RatingSlots, plays: Iterable[RatedPlay]) -> list[PlayEffect]:
    """Return the effect of each play on a player's rating, each after those before it."""
    effects: list[PlayEffect] = []
    total = 0
    for play in plays:
        slots, effect = count_play(slots, play)
        before, total = total, total + effect.sum_gain
        shown = to_thousandths(total, slots.places) - to_thousandths(before, slots.places)
        effects.append(replace(effect, thousandths=shown))
    return effects


def slots_after(slots: RatingSlots, plays: Iterable[RatedPlay]) -> RatingSlots:
    """Return the slots after some plays."""
    for play in plays:
        slots, _ = count_play(slots, play)
    return slots


def to_thousandths(sum_gain: int, places: int) -> int:
    """Return a gain of the slots' sum in thousandths of the player's rating, rounded."""
    return (20 * sum_gain + places) // (2 * places)


def count_play(slots: RatingSlots, play: RatedPlay) -> tuple[RatingSlots, PlayEffect]:
    """Return the slots after a play, and its effect; a score below the chart's own changes nothing."""
    slot = slots.places_of(is_new=play.is_new)
    before = next((place for place in slot if place.key == play.key), None)
    if before is not None and before.score >= play.score:
        return slots, _effect(play, slot, before, slot)
    others = [place for place in slot if place is not before]
    now = RatedPlace(play.rating, play.score, play.key)
    # Placed behind equal entries: an entry keeps its place against a play that is not better.
    others.insert(bisect_left(others, (*now.order, 1), key=lambda place: (*place.order, 0)), now)
    after = tuple(place for place in others[: _size(is_new=play.is_new)] if place.rating > 0)
    changed = replace(slots, new=after) if play.is_new else replace(slots, best=after)
    return changed, _effect(play, slot, before, after)


def _effect(
    play: RatedPlay, slot: tuple[RatedPlace, ...], before: RatedPlace | None, after: tuple[RatedPlace, ...]
) -> PlayEffect:
    keys = [place.key for place in after]
    gain = sum(place.rating for place in after) - sum(place.rating for place in slot)
    return PlayEffect(
        play=play,
        slot=SlotName.NEW if play.is_new else SlotName.BEST,
        place=keys.index(play.key) + 1 if play.key in keys else None,
        before=before,
        pushed_out=next((place for place in slot if place.key not in keys), None),
        sum_gain=Hundredths(gain),
        thousandths=0,
    )


def _size(*, is_new: bool) -> int:
    return NEW_PLACES if is_new else BEST_PLACES
