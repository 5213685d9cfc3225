"""Goals that members set themselves: a condition for a number of charts, a rating, or an amount of over power.

    goal   = filter, amount     such as  level:14+ rank>=sss count:20   or  genre:toho lamp:aj 50%
           | "rating" number    such as  rating 16.50
           | "op" filter amount such as  op level:15 80%

Terms of the filter about records are the condition, the others select the charts. World's End does not count, because
its records are not stored.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, StrEnum
from typing import Final, NamedTuple

from typing_extensions import override

from bot.domain.charts import WORLDS_END, Catalogue
from bot.domain.coach.prediction import Prediction
from bot.domain.entries import ChartEntry
from bot.domain.errors import BotError
from bot.domain.filters import Filter, parse_filter
from bot.domain.history import ChartKey
from bot.domain.ids import SongId
from bot.domain.numbers import Hundredths, format_hundredths, to_hundredths
from bot.domain.overpower import greatest_over_power, over_power
from bot.domain.ranks import MAX_SCORE
from bot.domain.rating import constants_of, song_rating
from bot.domain.scores import Record

_ALL: Final = Hundredths(100_00)
_NO_RATING: Final = Hundredths(0)
_EVERYTHING: Final = Filter()
_MAX_RATING: Final = Hundredths(99_99)
_MAX_CHARTS: Final = 99_999
_RATING: Final = re.compile(
    r"\s*(?:rating|レーティング|レート|레이팅)\s+([-+−－]?[\d.．]+)\s*", re.IGNORECASE
)
_RATING_NUMBER: Final = re.compile(r"\d{1,2}(?:\.\d{1,2})?")
_TOKEN: Final = re.compile(
    r'"(?:[^"\\]|\\.)*"|「[^」]*」|(?:[^\s"「]|(?<=[:=])"(?:[^"\\]|\\.)*"|(?<=[:=])「[^」]*」)+|\S'
)
_COUNT: Final = re.compile(r"(?:count|数|譜面数|譜面數|채보수)([:：=＝<>＜＞].*)", re.IGNORECASE)
"""An amount, valid or not: as a filter it would be an unknown key, for which a wrong one would be suggested."""
_CHARTS: Final = re.compile(r"[:：=＝](\d{1,5})")
_PERCENT: Final = re.compile(r"(\d{1,3}(?:\.\d{1,2})?)[%％]")
_OVER_POWER: Final = frozenset({"op", "overpower"})
_WORDS: Final = {"ja": ("レーティング", "譜面数"), "ko": ("레이팅", "채보수"), "zh-TW": ("rating", "譜面數")}
"""The words for a rating and an amount, by language; other languages use English."""


class Kind(Enum):
    """What is counted."""

    CHARTS = "charts"
    """The charts on which the condition holds."""
    OVER_POWER = "op"
    RATING = "rating"


class Flaw(StrEnum):
    """What is wrong with a goal."""

    NO_CONDITION = "condition"
    """The goal does not say what to reach on the charts."""
    TWO_AMOUNTS = "amounts"
    AMOUNT = "amount"
    """The amount is impossible, or a goal of over power has none."""
    RANK = "rank"
    """The goal requires a rank that the region does not have, which no score ever is."""
    NO_CHART = "charts"
    """No chart passes its filter."""
    FELT = "felt"
    """The goal uses felt difficulty, which changes from day to day, and from player to player."""
    TOO_FEW = "few"
    """Fewer charts pass the filter than the goal requires."""
    TOO_HIGH = "high"
    """No chart can have a rating as high as the one to reach."""


class BadGoal(BotError):
    """A goal cannot be set as it was typed."""

    def __init__(
        self, flaw: Flaw, charts: int = 0, highest: Hundredths = _NO_RATING, *, one_of_many: str = ""
    ) -> None:
        self.flaw = flaw
        self.charts = charts
        """The number of charts that pass its filter."""
        self.highest = highest
        """The highest possible rating of any chart."""
        self.one_of_many = one_of_many
        """The goal among several; empty if there is only one."""
        super().__init__(f"no goal: {flaw}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """A goal of a member."""

    kind: Kind
    which: Filter = _EVERYTHING
    """The charts that it is about."""
    condition: Filter = _EVERYTHING
    """The condition on each chart."""
    count: int | None = None
    """The number of charts; None if `share` defines it."""
    share: Hundredths = _ALL
    """The share of the charts, or of their over power, in hundredths of a per cent."""
    rating: Hundredths = _NO_RATING

    def searched(self, search: Callable[[str], Collection[SongId]]) -> "Goal":
        """Return the goal with the plain words of its filter looked up."""
        return replace(self, which=self.which.searched(search))

    @override
    def __str__(self) -> str:
        return self.written("en")

    def written(self, language: str) -> str:
        """Return the goal in the words of a language; it parses to the same."""
        rating, count = _WORDS.get(language, ("rating", "count"))
        if self.kind is Kind.RATING:
            return f"{rating} {format_hundredths(self.rating)}"
        amount = f"{_number(self.share)}%" if self.count is None else f"{count}:{self.count}"
        head = "op" if self.kind is Kind.OVER_POWER else ""
        filters = (self.which.written(language), self.condition.written(language))
        return " ".join(part for part in (head, *filters, amount) if part)


def _number(share: Hundredths) -> str:
    return format_hundredths(share).rstrip("0").rstrip(".")


def parse_goal(text: str) -> Goal:
    """Return the goal that a text describes. Raises: BadFilter, BadGoal."""
    typed = _RATING.fullmatch(text)
    if typed is not None:
        number = typed[1].replace("．", ".")
        rating = to_hundredths(number) if _RATING_NUMBER.fullmatch(number) else _NO_RATING
        if not 0 < rating <= _MAX_RATING:
            raise BadGoal(Flaw.AMOUNT)
        return Goal(kind=Kind.RATING, rating=rating)
    rest: list[str] = []
    counts: list[int] = []
    shares: list[Hundredths] = []
    for token in _TOKEN.findall(text):
        if count := _COUNT.fullmatch(token):
            charts = _CHARTS.fullmatch(count[1])
            counts.append(int(charts[1]) if charts else 0)
        elif share := _PERCENT.fullmatch(token):
            shares.append(to_hundredths(share[1]))
        else:
            rest.append(token)
    is_over_power = bool(rest) and rest[0].casefold() in _OVER_POWER
    wanted = parse_filter(" ".join(rest[is_over_power:]))
    if len(counts) + len(shares) > 1:
        raise BadGoal(Flaw.TWO_AMOUNTS)
    return _goal(wanted, counts, shares, Kind.OVER_POWER if is_over_power else Kind.CHARTS)


def _goal(wanted: Filter, counts: list[int], shares: list[Hundredths], kind: Kind) -> Goal:
    if wanted.needs_felt:
        raise BadGoal(Flaw.FELT)
    which, condition = wanted.parted()
    if bool(condition.terms) is not (kind is Kind.CHARTS):
        raise BadGoal(Flaw.NO_CONDITION if kind is Kind.CHARTS else Flaw.AMOUNT)
    if kind is Kind.OVER_POWER and not shares:
        raise BadGoal(Flaw.AMOUNT)
    if any(not 0 < count <= _MAX_CHARTS for count in counts) or any(not 0 < each <= _ALL for each in shares):
        raise BadGoal(Flaw.AMOUNT)
    return Goal(
        kind=kind,
        which=which,
        condition=condition,
        count=counts[0] if counts else None,
        share=shares[0] if shares else _ALL,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalProgress:
    """The progress of a goal."""

    done: int
    """The number of charts, or over power in thousandths, or a rating in hundredths."""
    needed: int
    """The amount to reach; 0 if no chart passes the filter any more."""
    charts: int
    """The number of charts that pass the filter."""
    start: int | None = None
    """The value of `done` when the goal was set; None if unknown."""

    @property
    def is_reached(self) -> bool:
        """Whether the goal is reached."""
        return 0 < self.needed <= self.done

    @property
    def percent(self) -> int:
        """The progress since the goal was set in per cent, floored: 100 only if it is reached."""
        if self.is_reached or not self.needed:
            return 100 if self.is_reached else 0
        start = min(self.start or 0, self.needed - 1)
        return max(0, self.done - start) * 100 // (self.needed - start)


def progress(goal: Goal, entries: Iterable[ChartEntry], rating: Hundredths) -> GoalProgress:
    """Return the progress of a player with this rating and these entries, one for every chart of the catalogue."""
    if goal.kind is Kind.RATING:
        return GoalProgress(done=rating, needed=goal.rating, charts=0)
    chosen = charts_of(goal, entries)
    if goal.kind is Kind.OVER_POWER:
        chosen = [entry for entry in chosen if not entry.is_locked]
        earned, greatest = _over_power(chosen, by_song=not goal.which.terms)
        return GoalProgress(done=earned, needed=_part(greatest, goal.share), charts=len(chosen))
    done = len(goal.condition.passing(chosen))
    needed = _part(len(chosen), goal.share) if goal.count is None else goal.count * bool(chosen)
    return GoalProgress(done=done, needed=needed, charts=len(chosen))


def charts_of(goal: Goal, entries: Iterable[ChartEntry]) -> list[ChartEntry]:
    """Return the charts that a goal is about."""
    return [entry for entry in goal.which.passing(entries) if entry.chart.difficulty != WORLDS_END]


def check(goal: Goal, found: GoalProgress, catalogue: Catalogue) -> None:
    """Raise BadGoal for a goal that nobody could reach with this catalogue."""
    if goal.kind is Kind.RATING:
        # A rating is an average of chart ratings by any formula, and a version with few songs will get more.
        highest = _highest_rating(catalogue)
        if catalogue.songs and goal.rating > highest:
            raise BadGoal(Flaw.TOO_HIGH, highest=highest)
        return
    if not goal.condition.has_its_ranks(catalogue.region):
        raise BadGoal(Flaw.RANK)
    if not found.charts:
        raise BadGoal(Flaw.NO_CHART)
    if found.needed > found.charts and goal.kind is Kind.CHARTS:
        raise BadGoal(Flaw.TOO_FEW, found.charts)


def _highest_rating(catalogue: Catalogue) -> Hundredths:
    """Return the highest possible rating of a score on any chart, with unknown constants as the highest of their level."""
    constants = (
        constants_of(chart.constant, chart.level)[1]
        for song in catalogue.songs
        for chart in song.charts
        if chart.difficulty != WORLDS_END
    )
    return song_rating(max(constants, default=_NO_RATING), MAX_SCORE, catalogue.region)


def _part(whole: int, share: Hundredths) -> int:
    """Return a share of a whole number, rounded up."""
    return -(-whole * share // _ALL)


def _over_power(entries: Iterable[ChartEntry], *, by_song: bool) -> tuple[int, int]:
    """Return over power earned and possible, by song (each counts by its best chart) or by chart."""
    earned: dict[object, int] = {}
    greatest: dict[object, int] = {}
    for entry in entries:
        key = entry.song.id if by_song else entry.key
        constant, played = entry.chart.constant_or_level, entry.played
        power = over_power(constant, played.score, played.lamps) if played else 0
        earned[key] = max(earned.get(key, 0), power)
        greatest[key] = max(greatest.get(key, 0), greatest_over_power(constant))
    return sum(earned.values()), sum(greatest.values())


class Nearest(NamedTuple):
    """A chart on which a goal's condition does not hold yet, with the chance that it soon will."""

    entry: ChartEntry
    chance: float
    """The chance that the next try meets the condition, 0 to 1."""


def nearest(
    goal: Goal, entries: Iterable[ChartEntry], predictions: Mapping[ChartKey, Prediction], most: int
) -> list[Nearest]:
    """Return the charts likeliest to be reached next; none if the goal is about anything but scores.

    The likelihood of lamps is unknown. Songs that are not unlocked are included only if the goal names them itself.
    """
    has, locked_too = goal.condition.tester(), goal.which.names_locked
    lacking = [
        entry for entry in charts_of(goal, entries) if not has(entry) and (locked_too or not entry.is_locked)
    ]
    score = _least_score(goal.condition, lacking[0]) if lacking and goal.kind is Kind.CHARTS else None
    if score is None:
        return []
    found = [
        Nearest(entry, prediction.next_try.chance(score))
        for entry in lacking
        if (prediction := predictions.get(entry.key)) is not None
    ]
    found.sort(key=lambda each: (-each.chance, *each.entry.key))
    return found[:most]


def _least_score(condition: Filter, entry: ChartEntry) -> int | None:
    """Return the least score for which a condition holds; None if it does not depend on points alone."""
    played = Record(
        song_id=entry.song.id,
        title=entry.song.title,
        difficulty=entry.chart.difficulty,
        level=entry.chart.level,
        constant=entry.chart.constant,
        score=0,
        rating=_NO_RATING,
        is_estimated=entry.chart.is_estimated,
        lamps=None,
    )

    def holds(score: int) -> bool:
        return condition.matches(replace(entry, record=replace(played, score=score)))

    if holds(0) or not holds(MAX_SCORE):
        return None
    return bisect_left(range(MAX_SCORE + 1), x=True, key=holds)
