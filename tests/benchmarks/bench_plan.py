"""What following `/plan` gains, beside the order it had before, and the order of least missing points.

Players of three skills (`tests/players.py`) try each of the first ten steps once; what they gain is the sum of their best
slot. Each order is followed with the same luck. The median of 200 players counts. Exits 1 where a goal is missed.
"""

import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from statistics import median
from typing import Final

from players import Arcade, Career, Player, gists_of, statistics_of

from bot.domain.coach import ChartFeatureSet, PopulationModel, Prediction, coach
from bot.domain.history import ChartKey
from bot.domain.ids import JP2
from bot.domain.plan import PlanStep, Slots, chart_key, goals, open_charts, step_to, steps, with_all_charts
from bot.domain.rating import song_rating
from bot.domain.scores import Record

CROWD: Final = 300
PLAYERS: Final = 200
STEPS: Final = 10
PLACES: Final = 30
OUTSIDE: Final = 20
"""What the service names outside the best slot."""

MORE_THAN_BEFORE: Final = 1.5
MORE_THAN_LEAST_POINTS: Final = 1.2


def records_of(arcade: Arcade, career: Career) -> list[Record]:
    """Return somebody's records, the best rated first."""
    found = [
        Record(
            song_id=song.id,
            title=song.title,
            difficulty=chart.difficulty,
            level=chart.level,
            constant=chart.constant,
            score=career.scores[song.id, chart.difficulty],
            rating=song_rating(chart.constant or chart.level, career.scores[song.id, chart.difficulty], JP2),
            is_estimated=False,
            lamps=None,
        )
        for song in arcade.catalogue.songs
        for chart in song.charts
        if (song.id, chart.difficulty) in career.scores
    ]
    return sorted(found, key=lambda record: -record.rating)


def former(slots: Slots) -> list[PlanStep]:
    """Return the steps in their former order: the most gain per missing point first."""
    found: list[PlanStep] = []
    for chart in open_charts(slots):
        each = [step_to(chart, score, slots.region) for score, _ in goals(chart, slots.region)]
        if each:
            found.append(min(each, key=_former_key))
    return sorted(found, key=_former_key)


def _former_key(step: PlanStep) -> tuple[Fraction, int, str]:
    return -Fraction(step.gain, step.missing), step.missing, step.record.title


def least_points(slots: Slots) -> list[PlanStep]:
    """Return the next rank of each chart that gains anything, the fewest missing points first."""
    found = [
        step_to(chart, min(goals(chart, slots.region))[0], slots.region)
        for chart in open_charts(slots)
        if any(True for _ in goals(chart, slots.region))
    ]
    return sorted(found, key=lambda step: (step.missing, step.record.title))


def gained(
    arcade: Arcade, player: Player, records: Sequence[Record], chosen: Sequence[PlanStep], luck: int
) -> int:
    """Return what the sum of the best slot gains when each step is tried once."""
    arcade.chance = Random(luck)
    ratings = {chart_key(record): record.rating for record in records}
    before = sum(sorted(ratings.values(), reverse=True)[:PLACES])
    for step in chosen[:STEPS]:
        song, difficulty = chart_key(step.record)
        assert song is not None
        constant = step.record.constant
        assert constant is not None
        rating = song_rating(constant, arcade.try_once(player, (song, difficulty)), JP2)
        ratings[song, difficulty] = max(rating, ratings.get((song, difficulty), rating))
    return sum(sorted(ratings.values(), reverse=True)[:PLACES]) - before


def outlooks(
    syllabus: ChartFeatureSet, crowd: PopulationModel, career: Career
) -> Mapping[ChartKey, Prediction]:
    """Return what is expected of one player."""
    return coach(syllabus, crowd, career.rating, career.scores).outlooks


def main() -> int:
    """Print the medians; return how many goals were missed."""
    arcade = Arcade(21, songs=500)
    crowd_of = PopulationModel.of(
        ChartFeatureSet.of(arcade.catalogue).exercises,
        gists_of(statistics_of([arcade.career() for _ in range(CROWD)])),
    )
    people = [arcade.meet() for _ in range(PLAYERS)]
    syllabus = ChartFeatureSet.of(arcade.catalogue)
    gains: dict[str, list[int]] = {
        name: []
        for name in (
            "former order",
            "least missing points",
            "plan, without statistics",
            "plan",
            "plan, slots alone",
        )
    }
    for luck, (player, career) in enumerate(people):
        records = records_of(arcade, career)
        slots = Slots(
            best=tuple(records[:PLACES]), empty=0, outside=tuple(records[PLACES:][:OUTSIDE]), region=JP2
        )
        wide = with_all_charts(slots, arcade.catalogue, records)
        orders = {
            "former order": former(slots),
            "least missing points": least_points(slots),
            "plan, without statistics": steps(wide, outlooks(syllabus, PopulationModel.unknown(), career)),
            "plan": steps(wide, outlooks(syllabus, crowd_of, career)),
            "plan, slots alone": steps(slots, outlooks(syllabus, crowd_of, career)),
        }
        for name, order in orders.items():
            gains[name].append(gained(arcade, player, records, order, luck))
    found = {name: median(each) for name, each in gains.items()}
    for name, gain in found.items():
        print(f"{name:<26}{gain:>7.0f} hundredths of the best slot's sum in {STEPS} tries")
    missed = 0
    for name in ("plan, without statistics", "plan", "plan, slots alone"):
        for other, goal in (
            ("former order", MORE_THAN_BEFORE),
            ("least missing points", MORE_THAN_LEAST_POINTS),
        ):
            ratio = found[name] / max(found[other], 1)
            print(f"{name} / {other}: {ratio:.2f} (goal {goal}): {'met' if ratio >= goal else 'MISSED'}")
            missed += ratio < goal
    return missed


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
