"""How near the coach comes to what real players have scored: records held out, beside the player's own histogram.

The players stand in `../shared/data/real`, outside the project; without them nothing is judged. Hidden are a third of
the records (five times), the newest third, all but some, and all but the thirty best. Exits 1 where a goal is missed.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from math import log
from pathlib import Path
from random import Random
from statistics import fmean, median
from typing import Final

from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.known_plays import KnownPlays
from bot.domain.coach.player_model import fit_player
from bot.domain.coach.population import PopulationModel
from bot.domain.coach.predictions import Predictions
from bot.domain.history import ChartKey
from bot.domain.ids import JP2
from bot.domain.scores import Record
from bot.wire.reading import read_reply
from bot.wire.records import RecordsV20
from bot.wire.songs import SongsReply

FOLDER: Final = Path(__file__).parents[3] / "shared" / "data" / "real"
PLAYERS: Final = ("a", "b")
LEASTS: Final = (975_000, 990_000, 1_000_000, 1_005_000, 1_007_500, 1_009_000)
SSS: Final = LEASTS.index(1_007_500)
SS_PLUS: Final = LEASTS.index(1_005_000)
FEW: Final = (5, 10, 20, 30, 50, 100)
HARD: Final = -1.8
"""Constant minus rating from which the hardest charts begin."""
FEWEST_IN_TENTH: Final = 150
WORLDS: Final = 100
"""In which the hidden records are drawn anew from what was said of them."""
GOALS: Final = {"third": (0.95, 0.93), "few20": (0.86, 0.84), "best30": (1.0, 1.0)}
"""Brier score and log loss, as parts of the own histogram's."""
MOST_MEDIAN: Final = 0.97
MOST_OF_ANY: Final = 1.01
"""Brier score of the worst player, as a part of the own histogram's."""
MOST_OFF: Final = 0.05
MOST_OFF_BY_PLAYER: Final = 0.08
EASY: Final = -10.0
LEAST_ON_EASY: Final = 1_000_000
MOST_SAID: Final = (0.04, 0.10)
"""By what SSS and SS+ may be said above what came, on the hardest charts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RealPlayer:
    """A player, and the charts of their day."""

    features: ChartFeatureSet = field(repr=False)
    records: Sequence[Record] = field(repr=False)
    rating: float

    @classmethod
    def read(cls, name: str) -> "RealPlayer":
        """Return a player of the folder."""
        songs = read_reply(SongsReply, (FOLDER / f"player_{name}_catalogue.json").read_bytes()).reply
        replies = read_reply(RecordsV20, (FOLDER / f"player_{name}_records.json").read_bytes()).reply
        records = [each for each in replies.to_domain() if each.constant and not each.is_estimated]
        best = sorted((each.rating for each in records), reverse=True)[:30]
        return cls(
            features=ChartFeatureSet.of(songs.to_domain(JP2)), records=records, rating=fmean(best) / 100
        )

    def splits(self) -> Iterator[tuple[str, list[int]]]:
        """Yield which records are known, by the name of what is asked."""
        every = range(len(self.records))
        for seed in range(5):
            hidden = {*Random(seed).sample(every, len(every) // 3)}
            yield "third", [at for at in every if at not in hidden]
        timed = sorted((moment, at) for at in every if (moment := self.records[at].updated_at))
        if len(timed) > len(every) / 2:
            hidden = {at for _, at in timed[-(len(every) // 3) :]}
            yield "newest", [at for at in every if at not in hidden]
        for few in FEW:
            for seed in range(100, 104):
                if few < 0.6 * len(every):
                    yield f"few{few}", Random(seed).sample(every, few)
        yield "best30", sorted(every, key=lambda at: -self.records[at].rating)[:30]


@dataclass(slots=True)
class Verdict:
    """What was said of hidden records, and what they were."""

    errors: list[float] = field(default_factory=list)
    said: list[tuple[float, ...]] = field(default_factory=list)
    came: list[tuple[bool, ...]] = field(default_factory=list)
    harder: list[float] = field(default_factory=list)
    records: list[int] = field(default_factory=list)
    """Which record each was: some are hidden several times."""

    def note(self, score: float, chances: Sequence[float], truth: int, harder: float, record: int) -> None:
        """Hold what was said against a record."""
        self.records.append(record)
        self.errors.append(abs(score - truth))
        self.said.append(tuple(max(1e-4, min(1 - 1e-4, chance)) for chance in chances))
        self.came.append(tuple(truth >= least for least in LEASTS))
        self.harder.append(harder)

    @property
    def pairs(self) -> list[tuple[float, bool]]:
        """Every chance, and whether it came true."""
        return [
            pair
            for said, came in zip(self.said, self.came, strict=True)
            for pair in zip(said, came, strict=True)
        ]

    @property
    def brier(self) -> float:
        """Mean squared distance from what came."""
        return fmean((said - came) ** 2 for said, came in self.pairs)

    @property
    def log_loss(self) -> float:
        """Mean surprise."""
        return fmean(-log(said if came else 1 - said) for said, came in self.pairs)


def were_it_true(verdicts: Sequence[Verdict], off: Callable[[Sequence[Verdict]], float]) -> str:
    """Return by how much chances would be off that are exactly true: in the mean, and in one of twenty worlds."""
    found: list[float] = []
    for seed in range(WORLDS):
        luck = Random(seed)
        worlds: list[Verdict] = []
        for each in verdicts:
            lucks = {at: luck.random() for at in each.records}
            came = [
                tuple(lucks[at] < one for one in said)
                for at, said in zip(each.records, each.said, strict=True)
            ]
            worlds.append(replace(each, came=came))
        found.append(off(worlds))
    return f"    were each chance exactly true: {fmean(found):.3f} in the mean, {sorted(found)[WORLDS * 19 // 20]:.3f} in one of twenty worlds"


def own_histogram(
    known: Sequence[tuple[float, int]],
) -> Callable[[float], tuple[float, list[float]]]:
    """Return what says the player's own median and shares near a constant."""

    def near(constant: float, fewest: int) -> list[int]:
        width = 0.2
        while True:
            found = [score for each, score in known if abs(each - constant) <= width + 1e-6]
            if len(found) >= min(fewest, len(known)) or width > 20:
                return found
            width *= 1.6

    def expect(constant: float) -> tuple[float, list[float]]:
        shares = near(constant, 8)
        return median(near(constant, 3)), [
            (sum(score >= least for score in shares) + 0.5) / (len(shares) + 1) for least in LEASTS
        ]

    return expect


def judge(player: RealPlayer) -> Mapping[str, tuple[Verdict, Verdict]]:
    """Return by question what the coach said, and what the histogram."""
    found: dict[str, tuple[Verdict, Verdict]] = defaultdict(lambda: (Verdict(), Verdict()))
    population = PopulationModel.unknown()
    for name, known in player.splits():
        mine, own = found[name]
        told = fit_player(
            player.features, population, player.rating, KnownPlays.of([player.records[at] for at in known])
        )
        constants = [((each.constant or 0) / 100, each.score) for each in player.records]
        histogram = own_histogram([constants[at] for at in known])
        expected: dict[float, tuple[float, list[float]]] = {}
        for at in sorted({*range(len(player.records))} - {*known}):
            constant, score = constants[at]
            prediction = told.predictions[_key(player.records[at])].in_the_end
            harder = constant - player.rating
            mine.note(prediction.score, [prediction.chance(least) for least in LEASTS], score, harder, at)
            if constant not in expected:
                expected[constant] = histogram(constant)
            own.note(*expected[constant], score, harder, at)
    return found


def _key(record: Record) -> ChartKey:
    assert record.song_id is not None
    return record.song_id, record.difficulty


def worst_tenth(pairs: Sequence[tuple[float, bool]]) -> float:
    """Return by how much a tenth of chances is off at most."""
    tenths: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for said, came in pairs:
        tenths[min(9, int(said * 10))].append((said, came))
    return max(
        (
            abs(fmean(said for said, _ in tenth) - fmean(came for _, came in tenth))
            for tenth in tenths.values()
            if len(tenth) >= FEWEST_IN_TENTH
        ),
        default=0.0,
    )


def _worst_tenth_of(verdicts: Sequence[Verdict]) -> float:
    return worst_tenth([pair for each in verdicts for pair in each.pairs])


def main() -> int:
    """Print everything; return how many goals were missed."""
    if not FOLDER.exists():
        print(f"no players in {FOLDER}: nothing is judged")
        return 0
    verdicts = {name: judge(RealPlayer.read(name)) for name in PLAYERS}
    missed = 0
    for question in dict.fromkeys(name for each in verdicts.values() for name in each):
        for player, found in verdicts.items():
            if question in found:
                mine, own = found[question]
                for who, each in (("own", own), ("coach", mine)):
                    print(
                        f"{question:<7} {player} {who:<6} MAE {fmean(each.errors):6.0f}  Brier {each.brier:.4f}"
                        f"  log loss {each.log_loss:.4f}  worst tenth {worst_tenth(each.pairs):.3f}"
                    )
        means = _means(question, verdicts)
        print(
            f"{question:<7} of the own histogram's: Brier {means[0]:.3f}, log loss {means[1]:.3f}, MAE {means[2]:.3f}"
        )
        for what, figure, goal in zip(("Brier", "log loss"), means, GOALS.get(question, ()), strict=False):
            missed += _told(f"  {question}: {what} of the own histogram's", figure, goal)
        if question == "third":
            missed += _told("  third: MAE of the own median's", means[2], MOST_MEDIAN)
            worst = max(found[question][0].brier / found[question][1].brier for found in verdicts.values())
            missed += _told("  third: Brier of the worst player's", worst, MOST_OF_ANY)
            mine = [found[question][0] for found in verdicts.values()]
            missed += _told("  third: a tenth is off by", _worst_tenth_of(mine), MOST_OFF)
            print(were_it_true(mine, _worst_tenth_of))
            for player, each in zip(verdicts, mine, strict=True):
                missed += _told(
                    f"  third: a tenth of {player} is off by", _worst_tenth_of([each]), MOST_OFF_BY_PLAYER
                )
            missed += _told_of_hardest(mine)
    return missed + sum(_told_of_all_charts(name, RealPlayer.read(name)) for name in PLAYERS)


def _told_of_all_charts(name: str, player: RealPlayer) -> int:
    """Tell what is expected on the easiest charts, and how often a harder chart or a better score is likelier."""
    lowest, breaks = [LEAST_ON_EASY * 2], 0
    easy = [each.key for each in player.features.charts if each.constant < player.rating + EASY]
    for few in (len(player.records), 100, 20, 5, 1, 0):
        told = fit_player(
            player.features, PopulationModel.unknown(), player.rating, KnownPlays.of(player.records[:few])
        )
        lowest += [told.predictions[key].in_the_end.score for key in easy]
        assert isinstance(told.predictions, Predictions)
        rows = told.predictions.rows.quantiles
        for values in (*rows, *zip(*rows, strict=True)):
            breaks += sum(after < before - 1e-9 for before, after in pairwise(values))
    missed = _told(f"  {name}: lowest score on the easiest charts", min(lowest), LEAST_ON_EASY, at_least=True)
    return missed + _told(f"  {name}: invariants broken", breaks, 0)


def _means(
    question: str, verdicts: Mapping[str, Mapping[str, tuple[Verdict, Verdict]]]
) -> tuple[float, float, float]:
    """Return the means of players, the coach's as parts of the histogram's."""
    both = [found[question] for found in verdicts.values() if question in found]
    return (
        fmean(mine.brier for mine, _ in both) / fmean(own.brier for _, own in both),
        fmean(mine.log_loss for mine, _ in both) / fmean(own.log_loss for _, own in both),
        fmean(fmean(mine.errors) for mine, _ in both) / fmean(fmean(own.errors) for _, own in both),
    )


def _told_of_hardest(verdicts: Sequence[Verdict]) -> int:
    missed = 0
    for what, at, goal in (("SSS", SSS, MOST_SAID[0]), ("SS+", SS_PLUS, MOST_SAID[1])):
        for name, each in zip(PLAYERS, verdicts, strict=True):
            said, came = zip(*_hardest(each, at), strict=True)
            charts = len(
                {record for record, harder in zip(each.records, each.harder, strict=True) if harder >= HARD}
            )
            print(
                f"  third, {len(said)} times the {charts} hardest charts of {name}: {what} said {fmean(said):.3f},"
                f" came {fmean(came):.3f}"
            )
        above = partial(_said_above, at=at)
        missed += _told(f"  third, hardest charts: {what} said above what came", above(verdicts), goal)
        print(were_it_true(verdicts, above))
    return missed


def _hardest(verdict: Verdict, at: int) -> list[tuple[float, bool]]:
    return [
        (said[at], came[at])
        for said, came, harder in zip(verdict.said, verdict.came, verdict.harder, strict=True)
        if harder >= HARD
    ]


def _said_above(verdicts: Sequence[Verdict], *, at: int) -> float:
    """Return by how much a rank was said above what came on the hardest charts, in the mean of players."""
    return fmean(fmean(said - came for said, came in _hardest(each, at)) for each in verdicts)


def _told(what: str, figure: float, goal: float, *, at_least: bool = False) -> bool:
    missed = figure < goal if at_least else figure > goal
    print(
        f"{what}: {figure:.3f} (goal at {'least' if at_least else 'most'} {goal:.3f}): {'MISSED' if missed else 'met'}"
    )
    return missed


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
