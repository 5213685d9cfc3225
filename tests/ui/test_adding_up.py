"""What pages tell chart by chart adds up to their totals, and to what `kiroku rating explain` says before and after."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from typing import Final, NamedTuple

import careers
import pytest
from players import Arcade

from bot.domain.age import Age
from bot.domain.charts import Catalogue
from bot.domain.chronicle.effects import RatingRules, effects_of
from bot.domain.chronicle.session import compare
from bot.domain.chronicle.state import RecordsState, figures_of, marks_of
from bot.domain.climb import StepChoice, climb_steps
from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.player_model import fit_player
from bot.domain.coach.population import PopulationModel
from bot.domain.entries import catalogue_entries
from bot.domain.filters import parse_filter
from bot.domain.gains import RatingSlots, to_thousandths
from bot.domain.game_rating import PLACES, Explanation, explain, work_out
from bot.domain.game_versions import Formula, GameVersion, VersionTable
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, ChannelId, GuildId, MemberId, UserId, UserName
from bot.domain.members import Audience
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.domain.posts import PostKind, PostPlan
from bot.domain.practice import find_pools
from bot.domain.ranks import MAX_SCORE
from bot.domain.rating import song_rating
from bot.domain.scores import Record
from bot.domain.standings import Standing, feats_of, gained, outstanding, played_since
from bot.domain.tries import ClimbTarget, climb_to, evening_gain
from bot.domain.whatif import PlannedScore, what_if
from bot.features.daily import MAX_PLAYS, DailyPost
from bot.features.plan import PlanReport
from bot.features.practice import PracticeReport, drill_effects
from bot.features.shared.paging import RECORDS, part_of
from bot.features.shared.session_report import SessionReport
from bot.features.whatif import WhatIfReport
from bot.ui.chronicle import session_embed
from bot.ui.daily import daily_page
from bot.ui.daily_card import daily_card
from bot.ui.kit.routes import PlanAddress, PracticeAddress
from bot.ui.language.text import Language, Languages
from bot.ui.plan import plan_page
from bot.ui.practice import practice_page
from bot.ui.session_card import session_card
from bot.ui.whatif import what_if_embed

ARCADE: Final = Arcade(5, songs=70)
LUCK: Final = Random(7)  # noqa: S311 - invented, not secret
CATALOGUE: Final = Catalogue.of(
    JP2,
    (
        replace(
            song,
            charts=tuple(
                replace(chart, constant=None) if LUCK.random() < 0.06 else chart for chart in song.charts
            ),
        )
        for song in ARCADE.catalogue.songs
    ),
)
"""Of some charts nobody knows the constant."""
VERSION: Final = GameVersion(
    name="today's",
    region=JP2,
    first_day=date(2026, 1, 1),
    formula=Formula.BEST_AND_NEW,
    new_since=date(2023, 1, 1),
)
CHARTS: Final = {(song.id, chart.difficulty): chart for song in CATALOGUE.songs for chart in song.charts}
MODEL: Final = fit_player(
    ChartFeatureSet.of(CATALOGUE), PopulationModel.unknown(), 14.5, ARCADE.career().scores
)
AGE: Final = Age(datetime(2026, 11, 21, tzinfo=UTC))
ASKER: Final = MemberId(1)
GAIN: Final = r"(?P<less>[^*+\d]*)(?P<gain>\+\d+\.\d{3})(?P<under> ?未満)?"
LINE: Final = re.compile(rf"^\*\*{GAIN}\*\* [A-Z]", re.MULTILINE)
TOTAL: Final = re.compile(rf"\*\*{GAIN}\*\* \((?P<before>\d+\.\d\d) → (?P<after>\d+\.\d\d)\)")


EVENING: Final = datetime(2026, 11, 1, 12, tzinfo=UTC)
RULES: Final = RatingRules(CATALOGUE, VersionTable.of([VERSION]))
ACROSS: Final = re.compile(r" to |～")
"""Between the least and the most where a constant is unknown."""


def record_of(key: ChartKey, score: int) -> Record:
    chart = CHARTS[key]
    return replace(
        careers.record(str(key[0]), chart.constant, score, difficulty=key[1]),
        level=chart.level,
        rating=song_rating(chart.constant, score, JP2) if chart.constant else Hundredths(0),
    )


def drawn_score(luck: Random, shift: float = 0.0) -> int:
    return max(0, min(MAX_SCORE, MAX_SCORE - round(2.718 ** luck.gauss(8 + shift, 1.2))))


class State(NamedTuple):
    """Somebody with some records."""

    records: Mapping[ChartKey, Record]

    @classmethod
    def drawn(cls, luck: Random) -> "State":
        """Return anybody: with no records at all, with full slots, or with one slot empty."""
        share = luck.choice((0, 0.03, 0.2, 0.6, 1.0))
        shift = luck.gauss(0, 0.8)
        return cls({key: record_of(key, drawn_score(luck, shift)) for key in CHARTS if luck.random() < share})

    @property
    def explanation(self) -> Explanation:
        """What the command would say."""
        records = list(self.records.values())
        rating = work_out(records, CATALOGUE, VERSION).rating
        return explain(records, CATALOGUE, date(2026, 11, 1), rating, VersionTable.of([VERSION]))

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
    entries = [*catalogue_entries(CATALOGUE, state.records.values())]
    target = None if more is None else ClimbTarget(Hundredths(player.rating + more))
    climb = target and climb_to(slots, player.rating, entries, MODEL.predictions, target)
    choice = StepChoice(fewest=20, most=20)
    steps = climb.steps if climb else climb_steps(slots, entries, MODEL.predictions, choice, lambda _: True)
    report = PlanReport(
        player=player,
        explanation=found,
        climb=climb,
        evening=None if climb or not steps else evening_gain(slots, steps, MODEL.predictions),
        pace=None,
        part=part_of(tuple(steps), RECORDS, 0),
        together=Hundredths(sum(step.effect.sum_gain for step in steps)),
        set_back=0,
        losses={},
        easier=(),
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
    entries = [*catalogue_entries(CATALOGUE, state.records.values())]
    drawn = find_pools(entries, MODEL, slots).draw(seed)
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


def evening(luck: Random) -> Mapping[ChartKey, int]:
    """Return what is played on an evening, in the order of play; some of it is no better than it was."""
    return {key: drawn_score(luck) for key in luck.sample(sorted(CHARTS), luck.choice((0, 1, 2, 6, 30)))}


def look(state: State, at: datetime, before: RecordsState | None = None) -> RecordsState:
    """Return a look at somebody, of whom the service knows when they have played what."""
    keys = [key for key in state.records if before and state.records[key] != before_record(before, key)]
    times = {key: at - timedelta(minutes=len(keys) - number) for number, key in enumerate(keys)}
    records = tuple(replace(each, updated_at=times.get(key)) for key, each in state.records.items())
    marks = marks_of(records, None if before is None else before.marks)
    player = player_of(state.explanation)
    return RecordsState(
        member=ASKER, region=JP2, taken_at=at, figures=figures_of(player, marks, JP2), marks=marks
    )


def before_record(before: RecordsState, key: ChartKey) -> Record | None:
    mark = before.marks.get(key)
    return None if mark is None else record_of(key, mark.score)


def gains_in(text: str) -> list[int]:
    """Return the gains that a text has in bold, each the least that it may be; what is less than 0.001 counts nothing."""
    bold = (ACROSS.split(each)[0] for each in re.findall(r"\*\*([^*\n]+)\*\*", text))
    found = (re.fullmatch(GAIN, each) for each in bold)
    return [thousandths(each) for each in found if each]


def hold_what_if(t: Language, state: State, scores: Mapping[ChartKey, int]) -> None:
    found, songs = state.explanation, CATALOGUE.by_id
    planned = [PlannedScore(songs[key[0]], CHARTS[key], score) for key, score in list(scores.items())[:5]]
    report = WhatIfReport(
        player=player_of(found),
        explanation=found,
        found=what_if(RatingSlots.of(found.worked_out), planned, state.records, JP2),
        songs=songs,
        region=JP2,
        age=AGE,
    )
    embed = what_if_embed(t, report)
    before, after = (
        found.worked_out,
        state.after({each.key: each.score for each in planned}).explanation.worked_out,
    )
    steps = [line for line in str(embed.description).splitlines() if re.match(r"\*\*[^*]+\*\* [A-Z]", line)]
    assert len(steps) == len(planned)
    total = to_thousandths(after.sum - before.sum, PLACES)
    assert sum(sum(gains_in(line)[:1]) for line in steps) == total
    rating = str(embed.fields[0].value)
    told = re.findall(r"\d+\.\d\d(?!\d)", rating)
    assert [round(float(each) * 100) for each in told[:2]] == [before.rating, after.rating]
    sums = [round(float(each) * 5000) for each in re.findall(r"\d+\.\d{4}", rating)]
    assert sums[:2] == [before.sum, after.sum]
    most = report.found.highest_thousandths
    assert to_thousandths(sums[-1] - before.sum, PLACES) == most
    assert (len(sums) == 3) is (most != total)  # a range of gains stands beside a range of ratings
    assert round(float(told[-1]) * 100) == sums[-1] // PLACES
    assert sum(gains_in(rating.replace(f"**{told[1]}**", ""))[:1]) in {0, total}


def hold_session(t: Language, state: State, scores: Mapping[ChartKey, int]) -> None:
    first = look(state, EVENING - timedelta(days=1))
    last = look(state.after(scores), EVENING, first)
    session = compare(first, last)
    effects = effects_of(first, last, session.achievements, (), RULES)
    session = replace(session, achievements=effects.in_order(session.achievements, JP2))
    report = SessionReport(
        player=player_of(state.after(scores).explanation),
        session=session,
        remembered_since=EVENING,
        is_from_first=False,
        effects=effects,
        songs=CATALOGUE.by_id,
        region=JP2,
        age=AGE,
        audience=Audience.ANYONE,
    )
    before, after = (each.explanation.worked_out for each in (state, state.after(scores)))
    total, text = after.sum - before.sum, str(session_embed(t, report).description)
    text = re.sub("OVER POWER.*", "", text)
    gains = gains_in(text)
    if total:
        assert gains[0] == sum(gains[1:]) == to_thousandths(total, PLACES)
        exact = re.findall(r"\d+\.\d{4}", text)
        assert [round(float(each) * 5000) for each in exact] == [before.sum, after.sum]
    if not session.is_empty:
        told = re.search(r"\*\*(\d+\.\d\d)\*\* \(([^)]+)\)", text)
        assert told is not None
        assert round(float(told[1]) * 100) == after.rating
        assert round(float(told[2].lstrip("±")) * 100) == (after.rating or 0) - (before.rating or 0)
    card = session_card(t, report, session)
    if total:
        assert sum(float(each.text) for each in card.effects) == pytest.approx(total / 5000)
        assert card.together is not None
        assert float(card.together[1]) == pytest.approx(total / 5000)


def hold_post(t: Language, kind: PostKind, people: Sequence[tuple[State, Mapping[ChartKey, int]]]) -> None:
    since = EVENING - timedelta(days=1 if kind is PostKind.DAILY else 7)
    standings: list[Standing] = []
    for number, (state, scores) in enumerate(people, start=1):
        first = look(state, since)
        last = look(state.after(scores), EVENING, first)
        played = played_since(since, last, first)
        effects = effects_of(first, last, played, (), RULES)
        feats = feats_of(played, JP2, last.figures.rating, effects)
        before = first.figures.rating
        standings.append(
            Standing(
                member=MemberId(number),
                player_name=f"P{number}",
                rating=last.figures.rating,
                until=EVENING,
                change=gained(last.figures.rating, before, before, feats),
                feats=feats,
            )
        )
    plan = PostPlan(
        guild=GuildId(1), channel=ChannelId(2), post_at=time(21), timezone="Asia/Tokyo", what=kind
    )
    post = DailyPost(
        plan=plan, day=EVENING.date(), since=since, standings=tuple(standings), songs=CATALOGUE.by_id
    )  # fmt: skip
    text = str(daily_page(t, post).embed.description)
    risen = [
        (after.rating or 0) - (before.rating or 0)
        for before, after in (
            (state.explanation.worked_out, state.after(scores).explanation.worked_out)
            for state, scores in people
        )
    ]
    for number, (state, scores) in enumerate(people, start=1):
        after = state.after(scores).explanation.worked_out.rating or 0
        told = re.search(rf"<@{number}> P{number} \*\*(\d+\.\d\d)\*\* \(([^)]+)\)", text)
        if told is None:
            assert risen[number - 1] == 0
            continue
        assert round(float(told[1]) * 100) == after
        assert (round(float(told[2]) * 100) if told[2].startswith("+") else 0) == risen[number - 1]
    together = re.search(r"\*\*\+(\d+\.\d\d)\*\* ", text.splitlines()[0]) if text else None
    assert (round(float(together[1]) * 100) if together else 0) == (sum(risen) if len(people) > 1 else 0)
    card = daily_card(t, post)
    changes = [(each.change, risen[int(each.name[1:]) - 1]) for each in card.members]
    assert all(change and change.text in {f"{rise / 100:.2f}", "±0", "–"} for change, rise in changes)
    assert gains_in(text) == [
        gain_in_turn(*people[each.member - 1], play.change.chart)
        for each, play in outstanding(standings)[:MAX_PLAYS]
        if play.effect is not None
    ]
    assert not card.play or not gains_in(text) or f"**{card.play.facts.split(' ')[0]}" in text


def gain_in_turn(state: State, scores: Mapping[ChartKey, int], chart: ChartKey) -> int:
    """Return what a play adds to what those before it have, as the ratings of before and after say."""
    order = [key for key, each in state.after(scores).records.items() if each != state.records.get(key)]
    count = order.index(chart)
    begin, then, now = (
        state.after({key: scores[key] for key in order[:number]}).explanation.worked_out.sum
        for number in (0, count, count + 1)
    )
    return to_thousandths(now - begin, PLACES) - to_thousandths(then - begin, PLACES)


def states(count: int, seed: int) -> Iterator[tuple[int, Language, State]]:
    luck = Random(seed)  # noqa: S311 - invented, not secret
    languages = Languages()
    for number in range(count):
        yield number, languages["ja" if number % 2 else "en-US"], State.drawn(luck)


def hold_all(count: int, seed: int) -> None:
    luck = Random(-seed)  # noqa: S311 - as above
    others = [State.drawn(luck) for _ in range(3)]
    for number, t, state in states(count, seed):
        more = (None, 1, 5, 30, 200)[number // 2 % 5]
        for texts, scores in (plan_texts(t, state, more), practice_texts(t, state, number)):
            hold(texts, state, scores)
        scores = evening(luck)
        hold_what_if(t, state, scores) if scores else None
        hold_session(t, state, scores)
        people = [(state, scores), *((each, evening(luck)) for each in others[: number % 3])]
        hold_post(t, (PostKind.DAILY, PostKind.WEEKLY)[number // 2 % 2], people)


def test_what_pages_tell_adds_up() -> None:
    hold_all(30, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 202))
def test_what_pages_tell_adds_up_whatever_has_been_played(seed: int) -> None:
    """Ten thousand states in all, in both languages."""
    hold_all(50, seed)
