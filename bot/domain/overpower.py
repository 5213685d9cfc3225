"""OVER POWER, in thousandths. Source: the game; a song counts by its best chart, World's End not at all."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NewType

from bot.domain.charts import WORLDS_END, Chart, Difficulty, Song, difficulty_order
from bot.domain.ids import SongId
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE
from bot.domain.scores import Lamps, Record

OverPower = NewType("OverPower", int)
"""Over power times 1,000: 91.06 is 91,060."""

_HIGH: Final = (
    (1_007_500, 200, 15),
    (1_005_000, 150, 10),
    (1_000_000, 100, 5),
    (975_000, 0, 2),
)
"""The least score of each step, the hundredths added to the constant, and the ten-thousandths that each point adds."""
_BONUS_MAXIMUM: Final = 1_250
_BONUS_ALL_JUSTICE: Final = 1_000
_BONUS_FULL_COMBO: Final = 500
_STEP_HIGH: Final = 5
_STEP_LOW: Final = 50


def over_power(constant: Hundredths, score: int, lamps: Lamps | None = None) -> OverPower:
    """Return the over power of one score, floored to 0.005 from 975,000 on and to 0.05 below, never below 0."""
    has_all, has_combo = (lamps.is_all_justice, lamps.is_full_combo) if lamps else (False, False)
    return over_power_with(constant, score, is_all_justice=has_all, is_full_combo=has_combo)


def over_power_with(
    constant: Hundredths, score: int, *, is_all_justice: bool, is_full_combo: bool
) -> OverPower:
    """Return the over power as `over_power` does, from single lamps."""
    if score >= MAX_SCORE:
        bonus = _BONUS_MAXIMUM
    elif is_all_justice:
        bonus = _BONUS_ALL_JUSTICE
    else:
        bonus = _BONUS_FULL_COMBO if is_full_combo else 0
    return OverPower(max(0, _of_score(constant, score) + bonus))


def _of_score(constant: int, score: int) -> int:
    for score_from, added, per_point in _HIGH:
        if score >= score_from:
            exact = 500 * (constant + added) + per_point * (score - score_from)
            return exact // (10 * _STEP_HIGH) * _STEP_HIGH
    return _STEP_LOW * _low_steps(constant, score)


def _low_steps(constant: int, score: int) -> int:
    """Return the over power below 975,000 in steps of 0.05."""
    above_five = constant - 500
    if score >= 900_000:  # noqa: PLR2004 - the game's table
        return above_five + (score - 900_000) // 150
    if score >= 800_000:  # noqa: PLR2004 - as above
        return above_five * (score - 700_000) // 200_000
    if score >= 500_000:  # noqa: PLR2004 - as above
        return above_five * (score - 500_000) // 600_000
    return 0


def greatest_over_power(constant: Hundredths) -> OverPower:
    """Return a chart's maximum: 5 (c + 3)."""
    return OverPower(50 * (constant + 300))


class Grouping(StrEnum):
    """A property by which over power can be split."""

    LEVEL = "level"
    GENRE = "genre"
    DIFFICULTY = "difficulty"


@dataclass(frozen=True, slots=True, kw_only=True)
class OverPowerShare:
    """The over power earned, out of the maximum."""

    earned: OverPower
    greatest: OverPower
    played: int
    count: int
    """The number of songs, or of charts if the group counts charts."""

    @property
    def percent(self) -> Hundredths:
        """The share earned, in hundredths of a percent, floored; 0 if there is no maximum."""
        return Hundredths(self.earned * 10_000 // self.greatest if self.greatest else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class OverPowerTally:
    """All over power of one player in one region."""

    total: OverPowerShare
    """A song counts by its best chart."""
    groups: Mapping[str, OverPowerShare]
    """The groups: in a genre a song counts by its best chart, in a level (in hundredths) or difficulty each chart for
    itself."""
    estimated: int
    """The number of charts of unknown constant: their level is used instead."""


@dataclass(frozen=True, slots=True)
class _Item:
    """A chart or a song, prepared for adding up."""

    earned: int
    greatest: int
    is_played: bool


def tally(songs: Iterable[Song], records: Iterable[Record], by: Grouping) -> OverPowerTally:
    """Add up what a player earned of everything in the catalogue, without World's End."""
    found = {(record.song_id, record.difficulty): record for record in records if record.is_played}
    totals: list[_Item] = []
    groups: dict[str, list[_Item]] = {}
    estimated = 0
    for song in songs:
        charts = [chart for chart in song.charts if chart.difficulty != WORLDS_END]
        if not charts:
            continue
        estimated += sum(chart.constant is None for chart in charts)
        items = [_item(song.id, chart, found) for chart in charts]
        whole = _best_of(items)
        totals.append(whole)
        if by is Grouping.GENRE:
            groups.setdefault(song.genre or "", []).append(whole)
            continue
        for chart, item in zip(charts, items, strict=True):
            key = str(chart.level) if by is Grouping.LEVEL else chart.difficulty
            groups.setdefault(key, []).append(item)
    return OverPowerTally(
        total=_share(totals),
        groups={key: _share(groups[key]) for key in _ordered(groups, by)},
        estimated=estimated,
    )


def _item(song: SongId, chart: Chart, found: Mapping[tuple[SongId | None, Difficulty], Record]) -> _Item:
    record = found.get((song, chart.difficulty))
    constant = chart.constant_or_level
    earned = over_power(constant, record.score, record.lamps) if record else 0
    return _Item(earned, greatest_over_power(constant), record is not None)


def _best_of(items: list[_Item]) -> _Item:
    return _Item(
        max(item.earned for item in items),
        max(item.greatest for item in items),
        any(item.is_played for item in items),
    )


def _share(items: list[_Item]) -> OverPowerShare:
    return OverPowerShare(
        earned=OverPower(sum(item.earned for item in items)),
        greatest=OverPower(sum(item.greatest for item in items)),
        played=sum(item.is_played for item in items),
        count=len(items),
    )


def _ordered(groups: Mapping[str, list[_Item]], by: Grouping) -> list[str]:
    """Return the groups' keys: hardest first, genres by size."""
    if by is Grouping.LEVEL:
        return sorted(groups, key=lambda level: -int(level))
    if by is Grouping.DIFFICULTY:
        return sorted(groups, key=lambda code: -difficulty_order(Difficulty(code)))
    return sorted(groups, key=lambda genre: (-len(groups[genre]), genre))
