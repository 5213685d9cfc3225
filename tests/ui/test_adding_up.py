"""What pages of the coach promise chart by chart adds up to their totals, and to what `kiroku rating explain` says then."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from random import Random
from typing import Final, NamedTuple

import careers
import pytest
from players import Arcade

from bot.domain.age import Age
from bot.domain.climb import StepChoice, climb_steps
from bot.domain.coach import ChartFeatureSet, PopulationModel, coach
from bot.domain.entries import catalogue_entries
from bot.domain.filters import parse_filter
from bot.domain.gains import RatingSlots, to_thousandths
from bot.domain.game_rating import PLACES, Explanation, explain, work_out
from bot.domain.game_versions import Formula, GameVersion, VersionTable
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, MemberId, UserId, UserName
from bot.domain.members import Audience
from bot.domain.numbers import Hundredths
from bot.domain.plan import PlanFilter
from bot.domain.players import Player
from bot.domain.practice import drills
from bot.domain.ranks import MAX_SCORE
from bot.domain.rating import song_rating
from bot.domain.scores import Record
from bot.domain.tries import ClimbTarget, climb_to, evening_gain
from bot.features.plan import PlanReport
from bot.features.practice import PracticeReport, drill_effects
from bot.features.shared.paging import RECORDS, part_of
from bot.ui.kit.routes import PlanAddress, PracticeAddress
from bot.ui.language.text import Language, Languages
from bot.ui.plan import plan_page
from bot.ui.practice import practice_page

ARCADE: Final = Arcade(5, songs=70)
VERSION: Final = GameVersion(
    name="today's",
    region=JP2,
    first_day=date(2026, 1, 1),
    formula=Formula.BEST_AND_NEW,
    new_since=date(2023, 1, 1),
)
CHARTS: Final = {
    (song.id, chart.difficulty): chart for song in ARCADE.catalogue.songs for chart in song.charts
}
COACH: Final = coach(
    ChartFeatureSet.of(ARCADE.catalogue), PopulationModel.unknown(), 14.5, ARCADE.career().scores
)
AGE: Final = Age(datetime(2026, 11, 21, tzinfo=UTC))
ASKER: Final = MemberId(1)
GAIN: Final = r"(?P<less>[^*+\d]*)(?P<gain>\+\d+\.\d{3})(?P<under> ?未満)?"
LINE: Final = re.compile(rf"^\*\*{GAIN}\*\* [A-Z]", re.MULTILINE)
TOTAL: Final = re.compile(rf"\*\*{GAIN}\*\* \((?P<before>\d+\.\d\d) → (?P<after>\d+\.\d\d)\)")


def record_of(key: ChartKey, score: int) -> Record:
    constant = CHARTS[key].constant or Hundredths(0)
    return replace(
        careers.record(str(key[0]), constant, score, difficulty=key[1]),
        rating=song_rating(constant, score, JP2),
    )


class State(NamedTuple):
    """Somebody with some records."""

    records: Mapping[ChartKey, Record]

    @classmethod
    def drawn(cls, luck: Random) -> "State":
        """Return anybody: with no records at all, with full slots, or with one slot empty."""
        share = luck.choice((0, 0.03, 0.2, 0.6, 1.0))
        shift = luck.gauss(0, 0.8)
        return cls(
            {
                key: record_of(
                    key, max(0, min(MAX_SCORE, MAX_SCORE - round(2.718 ** luck.gauss(8 + shift, 1.2))))
                )
                for key in CHARTS
                if luck.random() < share
            }
        )

    @property
    def explanation(self) -> Explanation:
        """What the command would say."""
        records = list(self.records.values())
        rating = work_out(records, ARCADE.catalogue, VERSION).rating
        return explain(records, ARCADE.catalogue, date(2026, 11, 1), rating, VersionTable.of([VERSION]))

    def after(self, scores: Mapping[ChartKey, int]) -> "State":
        """Return them after they have played."""
        return State(
            {**self.records}
            | {
                key: record_of(key, score)
                for key, score in scores.items()
                if key not in self.records or self.records[key].score < score
            }
        )


def player_of(found: Explanation) -> Player:
    return Player(
        user_id=UserId(1),
        user_name=UserName("u"),
        is_protected=False,
        player_name="P",
        honor="",
        honor_type=None,
        level=1,
        rating=found.worked_out.rating or Hundredths(0),
        rating_max=Hundredths(0),
        class_emblem=None,
        updated_on=None,
    )


def plan_texts(t: Language, state: State, more: int | None) -> tuple[list[str], Mapping[ChartKey, int]]:
    """Return all pages of a plan, and what it asks for."""
    found = state.explanation
    player, slots = player_of(found), RatingSlots.of(found.worked_out)
    entries = [*catalogue_entries(ARCADE.catalogue, state.records.values())]
    target = None if more is None else ClimbTarget(Hundredths(player.rating + more))
    climb = target and climb_to(slots, player.rating, entries, COACH.outlooks, target)
    choice = StepChoice(fewest=20, most=20)
    steps = climb.steps if climb else climb_steps(slots, entries, COACH.outlooks, choice, lambda _: True)
    report = PlanReport(
        player=player,
        explanation=found,
        wanted=PlanFilter(),
        target=target,
        climb=climb,
        evening=None if climb or not steps else evening_gain(slots, steps, COACH.outlooks),
        pace=None,
        part=part_of(tuple(steps), RECORDS, 0),
        together=Hundredths(sum(step.effect.sum_gain for step in steps)),
        set_back=0,
        losses={},
        levels=(),
        genres=(),
        without_constant=0,
        counted=1,
        is_known=True,
        region=JP2,
        age=AGE,
    )
    address = PlanAddress(asker=ASKER, target=target and target.value)
    pages = [
        plan_page(t, replace(report, part=part_of(tuple(steps), RECORDS, number)), address)
        for number in range(report.part.count)
    ]
    return [str(page.embed.description) for page in pages], {step.key: step.score for step in steps}


def practice_texts(t: Language, state: State, seed: int) -> tuple[list[str], Mapping[ChartKey, int]]:
    """Return the page of a practice, and what it asks for."""
    found = state.explanation
    slots = RatingSlots.of(found.worked_out)
    entries = [*catalogue_entries(ARCADE.catalogue, state.records.values())]
    drawn = drills(entries, COACH, slots, seed)
    report = PracticeReport(
        player=player_of(found),
        wanted=parse_filter(""),
        drills=drawn,
        effects=drill_effects(slots, drawn),
        explanation=found,
        charts=len(entries),
        is_known=True,
        region=JP2,
        age=AGE,
        audience=Audience.ANYONE,
    )
    embed = practice_page(t, report, PracticeAddress(asker=ASKER, key="", seed=seed)).embed
    fields = "\n".join(str(field.value) for field in embed.fields)
    scores = {(each.entry.song.id, each.entry.chart.difficulty): each.score for each in drawn.values()}
    return [f"{embed.description or ''}\n{fields}"], scores


def thousandths(found: re.Match[str]) -> int:
    """Return what a gain in a text counts: what is less than the least that is written counts nothing."""
    return 0 if found["less"] or found["under"] else round(float(found["gain"]) * 1000)


def hold(texts: list[str], state: State, scores: Mapping[ChartKey, int]) -> None:
    before = state.explanation.worked_out
    after = state.after(scores).explanation.worked_out
    told = sum(thousandths(line) for text in texts for line in LINE.finditer(text))
    assert told == to_thousandths(after.sum - before.sum, PLACES)
    for text in texts:
        total = TOTAL.search(text)
        if scores and after.sum > before.sum:
            assert total is not None, text
            assert thousandths(total) == told
            ratings = [Hundredths(round(float(total[name]) * 100)) for name in ("before", "after")]
            assert ratings == [before.rating, after.rating]


def states(count: int, seed: int) -> Iterator[tuple[int, Language, State]]:
    luck = Random(seed)  # noqa: S311 - invented, not secret
    languages = Languages()
    for number in range(count):
        yield number, languages["ja" if number % 2 else "en-US"], State.drawn(luck)


def hold_all(count: int, seed: int) -> None:
    for number, t, state in states(count, seed):
        more = (None, 1, 5, 30, 200)[number // 2 % 5]
        for texts, scores in (plan_texts(t, state, more), practice_texts(t, state, number)):
            hold(texts, state, scores)


def test_plans_and_practices_add_up() -> None:
    hold_all(60, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 22))
def test_plans_and_practices_add_up_whatever_has_been_played(seed: int) -> None:
    """Ten thousand records in all, in both languages."""
    hold_all(500, seed)
