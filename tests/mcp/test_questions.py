"""Forty fixed questions, answered by the tools alone: no figure is wrong, none costs more than two requests, and no
reply holds the token.

What is right is worked out here from the service's own replies; for what the coach says, by the domain.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any

from bot.base.clock import Clock, ShiftedClock
from bot.domain.charts import Difficulty
from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.known_plays import KnownPlays
from bot.domain.coach.player_model import PlayerModel, fit_player
from bot.domain.coach.population import PopulationModel
from bot.domain.entries import catalogue_entries
from bot.domain.gains import RatingSlots
from bot.domain.game_rating import explain
from bot.domain.game_versions import game_day
from bot.domain.ids import JP2, SongId
from bot.domain.numbers import to_hundredths
from bot.domain.rating import song_rating
from bot.domain.tries import Climb, ClimbTarget, climb_to
from bot.wire.game_versions import read_table
from bot.wire.records import RecordsV20
from bot.wire.songs import SongsReply
from tests.mcp.conftest import Served, assistant

MOST_REQUESTS = 2
LONG_ENOUGH = 200.0
"""Seconds after which records are asked for anew, so that each question costs what it would alone."""
NAMES = {
    "BAS": "BASIC",
    "ADV": "ADVANCED",
    "EXP": "EXPERT",
    "MAS": "MASTER",
    "ULT": "ULTIMA",
    "WE": "WORLD'S END",
}
RANKS = (
    ("SSS+", 1_009_000), ("SSS", 1_007_500), ("SS+", 1_005_000), ("SS", 1_000_000), ("S+", 990_000), ("S", 975_000),
    ("AAA", 950_000), ("AA", 925_000), ("A", 900_000), ("BBB", 800_000), ("BB", 700_000), ("B", 600_000), ("C", 500_000),
    ("D", 0),
)  # fmt: skip
Figure = Any
"""A number, or several."""


class Truth:
    """What the service's replies come to, reckoned with in the plainest way."""

    def __init__(self, served: Served, clock: Clock) -> None:
        self.served = served
        self._clock = clock
        self.records = served.records
        self.charts = served.charts
        self.me = served.replies["1.3/users/me"]["player"]

    @property
    def today(self) -> date:
        return game_day(self._clock.now())

    def count_charts(self, passes: Callable[[dict[str, Any], str, dict[str, Any]], object]) -> int:
        return sum(bool(passes(meta, diff, chart)) for meta, diff, chart in self.charts)

    def count_scores(self, passes: Callable[[dict[str, Any]], object]) -> int:
        return sum(bool(passes(record)) for record in self.records)

    @cached_property
    def played(self) -> dict[tuple[str, str], dict[str, Any]]:
        return {(record["id"], record["diff"]): record for record in self.records}

    @cached_property
    def slots(self) -> tuple[list[tuple[str, str]], list[tuple[str, str]], int]:
        """The charts of both slots of today's game, and the sum of their ratings in hundredths."""
        released = {
            song["meta"]["id"]: date.fromisoformat(song["meta"]["release"]) for song in self.served.songs
        }
        since = read_table().in_force(JP2, self.today)[0].new_since
        assert since is not None
        slots: dict[bool, list[dict[str, Any]]] = {False: [], True: []}
        for record in self.records:
            # A chart whose constant nobody knows counts by its level, which is the least that it may be.
            level = song_rating(to_hundredths(record["level"]), record["score"], JP2) / 100
            rating = record["rating"] if record["const"] else level
            slots[released[record["id"]] >= since].append({**record, "rating": rating})
        best, new = (
            sorted(slots[is_new], key=lambda record: (-record["rating"], -record["score"]))[:places]
            for is_new, places in ((False, 30), (True, 20))
        )
        total = sum(round(record["rating"] * 100) for record in (*best, *new))
        keys = [[(record["id"], NAMES[record["diff"]]) for record in slot] for slot in (best, new)]
        return keys[0], keys[1], total

    @cached_property
    def model(self) -> PlayerModel:
        features = ChartFeatureSet.of(self.catalogue)
        plays = KnownPlays.of(self.wire_records)
        return fit_player(features, PopulationModel.unknown(), self.me["rating"], plays)

    @cached_property
    def catalogue(self) -> Any:
        return SongsReply.model_validate(self.served.songs).to_domain(JP2)

    @cached_property
    def wire_records(self) -> Any:
        return RecordsV20.model_validate(self.served.replies["2.0/records/showall"]).to_domain()

    def climb(self, target: float) -> Climb:
        rating = to_hundredths(self.me["rating"])
        found = explain(self.wire_records, self.catalogue, self.today, rating, read_table()).worked_out
        predictions = self.model.predictions
        entries = [*catalogue_entries(self.catalogue, self.wire_records)]
        return climb_to(
            RatingSlots.of(found), rating, entries, predictions, ClimbTarget(to_hundredths(target))
        )

    @cached_property
    def some_chart(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The hardest chart that the player has played, of a song of the catalogue, with its record."""
        record = max((each for each in self.records if each["diff"] == "MAS"), key=lambda each: each["const"])
        chart = next(
            chart for meta, diff, chart in self.charts if (meta["id"], diff) == (record["id"], "MAS")
        )
        return chart, record

    def days(self, count: int) -> Counter[str]:
        since = self.today - timedelta(days=count - 1)
        days = (
            game_day(datetime.strptime(record["updated_at"], "%Y-%m-%dT%H:%M:%S%z"))
            for record in self.records
        )
        return Counter(day.isoformat() for day in days if day >= since)


@dataclass(frozen=True)
class Question:
    words: str
    tool: str
    right: Callable[[Truth], Figure]
    told: Callable[[dict[str, Any]], Figure]
    arguments: Callable[[Truth], dict[str, Any]]


def total(answer: dict[str, Any]) -> Figure:
    return answer["total"]


def charts(
    words: str, text: str, passes: Callable[[dict[str, Any], str, dict[str, Any]], object]
) -> Question:
    """Ask how many charts pass a filter."""
    return Question(
        words, "find_charts", lambda truth: truth.count_charts(passes), total, lambda _: {"filter": text}
    )


def scores(words: str, text: str, passes: Callable[[dict[str, Any]], object]) -> Question:
    """Ask how many of the player's scores pass a filter."""
    return Question(
        words, "my_scores", lambda truth: truth.count_scores(passes), total, lambda _: {"filter": text}
    )


def first(*names: str) -> Callable[[dict[str, Any]], Figure]:
    return lambda answer: [answer["charts"][0][name] for name in names]


def asked_of_a_chart(truth: Truth) -> dict[str, Any]:
    return {"song": truth.some_chart[1]["id"], "difficulty": "MASTER"}


def allowed(rank: str, judgement: str, cost: int, least: int) -> Question:
    """Ask how many of one judgement alone a rank allows on a chart."""

    def right(truth: Truth) -> Figure:
        notes = truth.some_chart[0]["maxcombo"]
        return min(notes, (1_010_000 - least) * notes // cost)

    def told(answer: dict[str, Any]) -> Figure:
        return next(each["alone"][judgement] for each in answer["borders"] if each["rank"] == rank)

    return Question(f"How many {judgement} does {rank} allow?", "border", right, told, asked_of_a_chart)


def prediction(
    words: str, right: Callable[[Any], Figure], told: Callable[[dict[str, Any]], Figure]
) -> Question:
    """Ask what is expected on a chart."""

    def expected(truth: Truth) -> Figure:
        return right(truth.model.predictions[SongId(truth.some_chart[1]["id"]), Difficulty("MAS")])

    return Question(words, "expect", expected, told, asked_of_a_chart)


def chance_of(rank: str, which: str) -> Callable[[dict[str, Any]], Figure]:
    return lambda answer: next(each[which] for each in answer["chances"] if each["rank"] == rank)


def way_told(found: Climb) -> Figure:
    return [
        [(step.entry.song.id, step.score) for step in found.steps][:25],
        found.tries.half,
        found.after / 100,
    ]


def average(values: Sequence[int]) -> int:
    return sum(values) // len(values)


def counted(record: dict[str, Any]) -> float:
    """Return what a record counts, by the level of a chart whose constant nobody knows."""
    constant = record["level"] if record["is_const_unknown"] and record["diff"] != "WE" else record["const"]
    return max(record["rating"], song_rating(to_hundredths(constant), record["score"], JP2) / 100)


def rank_of(score: int) -> str:
    return next(label for label, least in RANKS if score >= least)


QUESTIONS = [
    charts("How many charts are there?", "", lambda _m, _d, _c: True),
    charts("How many have a constant of 15 or more?", "const>=15", lambda _m, _d, c: c["const"] >= 15),
    charts(
        "How many MASTER charts are of 14.0 to 14.4?",
        "diff:mas const:14.0..14.4",
        lambda _m, d, c: d == "MAS" and 14 <= c["const"] <= 14.4,
    ),
    charts("How many are of level 14+?", "level:14+", lambda _m, _d, c: c["level"] == 14.5),
    charts("How many EXPERT charts are of level 10?", "diff:exp level:10", lambda _m, d, c: (d, c["level"]) == ("EXP", 10)),
    charts("How many ULTIMA charts are there?", "diff:ult", lambda _m, d, _c: d == "ULT"),
    charts("How many charts are of Touhou songs?", "genre:toho", lambda m, _d, _c: m["genre"] == "東方Project"),
    charts("How many are faster than 200?", "bpm>200", lambda m, _d, _c: m["bpm"] > 200),
    charts("How many have 2,000 notes or more?", "combo>=2000", lambda _m, _d, c: c["maxcombo"] >= 2000),
    charts(
        "How many came since 2026?", "release>=2026", lambda m, _d, _c: m["release"] >= "2026-01-01"
    ),
    Question(
        "What is the highest constant?", "find_charts",
        lambda truth: [max(chart["const"] for _, _, chart in truth.charts)], first("constant"), lambda _: {},
    ),
    Question(
        "How many MASTER charts has the player not played?", "find_charts",
        lambda truth: truth.count_charts(lambda m, d, _c: d == "MAS" and (m["id"], d) not in truth.played),
        total, lambda _: {"filter": "diff:mas played:no"},
    ),
    Question(
        "How many charts of 13 or more are played below SSS?", "find_charts",
        lambda truth: truth.count_charts(
            lambda m, d, c: c["const"] >= 13 and truth.played.get((m["id"], d), {"score": 1_010_000})["score"] < 1_007_500
        ),
        total, lambda _: {"filter": "const>=13 rank<sss"},
    ),
    Question(
        "On which chart is the player's best score?", "find_charts",
        lambda truth: [max(record["score"] for record in truth.records)], first("score"),
        lambda _: {"sort": "score-", "filter": "diff:bas,adv,exp,mas,ult"},
    ),
    scores("How many scores are there?", "", lambda _r: True),
    scores("How many are SSS or better?", "rank>=sss", lambda r: r["score"] >= 1_007_500),
    scores("How many are SS+?", "rank:ss+", lambda r: 1_005_000 <= r["score"] < 1_007_500),
    scores("How many are all justice?", "lamp:aj,ajc", lambda r: r["is_alljustice"]),
    scores("How many have no full combo?", "lamp:clear", lambda r: r["is_clear"] and not r["is_fullcombo"]),
    scores("How many are 1,009,000 points or more?", "score>=1009000", lambda r: r["score"] >= 1_009_000),
    scores("How many count for 15.5 or more?", "rating>=15.5", lambda r: counted(r) >= 15.5),
    scores("How many EXPERT charts are SSS?", "diff:exp rank>=sss", lambda r: r["diff"] == "EXP" and r["score"] >= 1_007_500),
    Question(
        "How many World's End scores are there?", "my_scores",
        lambda truth: len(truth.served.replies["2.0/records/worldsend"]["records"]), total,
        lambda _: {"filter": "diff:we"},
    ),
    Question(
        "What is the average score on level 13?", "my_scores",
        lambda truth: average([record["score"] for record in truth.records if record["level"] == 13]),
        lambda answer: answer["average_score"], lambda _: {"filter": "level:13"},
    ),
    Question(
        "How many of each rank are there?", "my_scores",
        lambda truth: dict(Counter(rank_of(record["score"]) for record in truth.records)),
        lambda answer: answer["ranks"], lambda _: {},
    ),
    Question(
        "How many are full combos, all justice among them?", "my_scores",
        lambda truth: sum(bool(record["is_fullcombo"]) for record in truth.records),
        lambda answer: answer["full_combo"], lambda _: {},
    ),
    Question(
        "What is the lowest score?", "my_scores",
        lambda truth: [min(record["score"] for record in truth.records)], first("score"), lambda _: {"sort": "score+"},
    ),
    Question(
        "When was the newest record set?", "my_scores",
        lambda truth: max(datetime.strptime(each["updated_at"], "%Y-%m-%dT%H:%M:%S%z") for each in truth.records),
        lambda answer: datetime.fromisoformat(answer["charts"][0]["set_at"]), lambda _: {"sort": "updated"},
    ),
    Question("What is the rating?", "rating", lambda truth: truth.me["rating"], lambda answer: answer["rating"], lambda _: {}),
    Question(
        "What do the records come to?", "rating", lambda truth: truth.slots[2] // 50 / 100,
        lambda answer: answer["worked_out"], lambda _: {},
    ),
    Question(
        "Which charts are in the best slot?", "rating", lambda truth: sorted(truth.slots[0]),
        lambda answer: sorted((each["song_id"], each["difficulty"]) for each in answer["best"]), lambda _: {},
    ),
    Question(
        "Which charts are in the slot of new songs?", "rating", lambda truth: sorted(truth.slots[1]),
        lambda answer: sorted((each["song_id"], each["difficulty"]) for each in answer["new"]), lambda _: {},
    ),
    allowed("SSS", "justice", 10_000, 1_007_500),
    allowed("SS", "miss", 1_010_000, 1_000_000),
    allowed("S", "attack", 510_000, 975_000),
    prediction("What will the next try be?", lambda found: found.next_try.score, lambda answer: answer["next_try"]),
    prediction(
        "How likely is SSS in the end?", lambda found: round(found.in_the_end.chance(1_007_500), 3),
        chance_of("SSS", "in_the_end"),
    ),
    Question(
        "What is the score on that chart now?", "expect", lambda truth: truth.some_chart[1]["score"],
        lambda answer: answer["score_now"], asked_of_a_chart,
    ),
    Question(
        "Which scores lead 0.30 further, and in how many tries?", "plan",
        lambda truth: way_told(truth.climb(truth.me["rating"] + 0.3)),
        lambda answer: [
            [(step["song_id"], step["score_to_reach"]) for step in answer["steps"]],
            answer["tries_half"], answer["rating_after"],
        ],
        lambda truth: {"target": round(truth.me["rating"] + 0.3, 2)},
    ),
    Question(
        "Can the rating be 25?", "plan", lambda _: [False, 25.0],
        lambda answer: [answer["is_reachable"], answer["target"]], lambda _: {"target": 25},
    ),
    Question(
        "On how many days of the last ninety were records set, and how many?", "history",
        lambda truth: dict(sorted(truth.days(90).items(), reverse=True)[:25]) | {"records": truth.days(90).total()},
        lambda answer: {each["day"]: each["records"] for each in answer["days"]} | {"records": answer["records"]},
        lambda _: {"days": 90},
    ),
]  # fmt: skip


async def test_no_question_has_a_wrong_figure_or_costs_more_than_two_requests(
    served: Served,
) -> None:
    clock = ShiftedClock()
    truth = Truth(served, clock)
    wrong: list[tuple[str, Figure, Figure]] = []
    requests: dict[str, int] = {}
    async with assistant(served.address, served.token, clock) as talk:
        for question in QUESTIONS:
            clock.advance(LONG_ENOUGH)
            before = talk.sent
            answer = await talk.ask(question.tool, **question.arguments(truth))
            requests[question.words] = talk.sent - before
            right, told = question.right(truth), question.told(answer)
            if right != told:
                wrong.append((question.words, right, told))
    assert wrong == []
    assert {words: count for words, count in requests.items() if count > MOST_REQUESTS} == {}
    assert not [said for said in talk.said if served.token in said]


def test_there_are_forty_and_every_tool_is_asked() -> None:
    assert len(QUESTIONS) == len({question.words for question in QUESTIONS}) == 41
    assert Counter(question.tool for question in QUESTIONS).keys() == {
        "find_charts", "my_scores", "rating", "plan", "border", "expect", "history",
    }  # fmt: skip


async def test_no_answer_is_a_figure_of_nothing(served: Served) -> None:
    """What the questions are about is there: a figure that is right because all are 0 would say little."""
    truth = Truth(served, ShiftedClock())
    empty = [question.words for question in QUESTIONS if not question.right(truth)]
    assert empty == []
