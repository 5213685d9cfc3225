"""A month of members who play, and of a service that changes under them: what sessions tell beside what was played."""

import random
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import careers
import pytest
from chronicles import NOW

from bot.clock import JST
from bot.domain.chronicle import State, compare, figures_of, marks_of, may_have_moved, pack, unpack
from bot.domain.ids import JP2, MemberId, UserId, UserName
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.domain.scores import Record

DAYS = 30
PLAYED = 0.11
"""The share of days on which a member plays"""
UPDATED = 0.03
"""Of days on which songs go, come back, and constants change."""
MOST_REQUESTS = 1.2
"""A member and day."""


@dataclass
class Life:
    """One member: what the service has of them, and what they have really played since the last look."""

    chance: random.Random
    records: dict[str, Record] = field(default_factory=dict)
    removed: dict[str, Record] = field(default_factory=dict)
    played: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By song, the score before (or less than nothing) and now."""
    updated_at: datetime = NOW - timedelta(days=9)

    def play(self, at: datetime) -> None:
        for _ in range(self.chance.randint(1, 12)):
            name = f"song {self.chance.randrange(80)}"
            if name in self.removed:
                continue
            before = self.records.get(name)
            score = self.chance.randint(950_000, 1_010_000)
            if before is not None and before.score >= score:
                continue
            constant = before.constant if before else 1000 + self.chance.randrange(500)
            self.records[name] = replace(careers.record(name, constant, score), updated_at=at)
            first = self.played.get(name, (before.score if before else -1, 0))[0]
            self.played[name] = (first, score)
        self.updated_at = at

    def change_catalogue(self) -> None:
        for name in self.chance.sample(sorted(self.records), min(2, len(self.records))):
            self.removed[name] = self.records.pop(name)
        for name in self.chance.sample(sorted(self.removed), len(self.removed) // 2):
            self.records[name] = self.removed.pop(name)
        for name, record in list(self.records.items()):
            if self.chance.random() < 0.1:
                self.records[name] = replace(record, constant=Hundredths((record.constant or 0) + 10))

    def see_again(self, at: datetime) -> None:
        """Have the service say another time of records that did not change."""
        self.records = {name: replace(record, updated_at=at) for name, record in self.records.items()}

    def player(self) -> Player:
        rating = Hundredths(sum(sorted(each.rating for each in self.records.values())[-30:]) // 30)
        return Player(
            user_id=UserId(1), user_name=UserName("a"), is_protected=False, player_name="A", honor="",
            honor_type=None, level=None, rating=rating, rating_max=rating, class_emblem=None,
            updated_on=self.updated_at.astimezone(JST).date(),
        )  # fmt: skip


def month(life: Life, count: Counter[str]) -> None:  # noqa: C901 - one day after the other, as it goes
    """Live through a month, looked at once a day at most."""
    chance, newest, looked_at = life.chance, None, None
    for day in range(DAYS):
        morning = NOW + timedelta(days=day)
        if (
            newest is not None and chance.random() < UPDATED
        ):  # what was away at first, nobody can know to come back
            life.change_catalogue()
        if chance.random() < PLAYED:
            life.play(morning + timedelta(hours=chance.randint(0, 8)))
            if chance.random() < 0.2:
                life.see_again(life.updated_at)
        count["member-days"] += 1
        if chance.random() < 0.05:
            continue  # the service or the bot is away
        at = morning + timedelta(hours=9)
        if chance.random() < 0.02:
            looked_at = None  # the bot began anew
        player = life.player()
        count["requests"] += 1
        if not may_have_moved(player, at, newest, looked_at or datetime.min.replace(tzinfo=UTC)):
            assert not life.played
            continue
        count["requests"] += 1
        looked_at = at
        marks = marks_of(life.records.values(), newest and newest.marks)
        state = State(
            member=MemberId(1), region=JP2, taken_at=at, figures=figures_of(player, marks, JP2),
            marks=unpack(pack(marks)),
        )  # fmt: skip
        if newest is not None and not newest.says_the_same(state):
            told = {
                str(each.chart[0]): (each.before.score if each.before else -1, each.after.score)
                for each in compare(newest, state).achievements
                if each.after is not None
            }
            truth = {name: scores for name, scores in life.played.items() if name in life.records}
            count["entries"] += len(truth)
            assert told == truth
            life.played = {name: each for name, each in life.played.items() if name not in truth}
        if newest is None:
            life.played = {}
        if newest is None or not newest.says_the_same(state):
            newest = state


@pytest.mark.parametrize("members", [40, pytest.param(3_000, marks=pytest.mark.long)], ids=["some", "a town"])
def test_a_month_invents_and_misses_nothing(members: int) -> None:
    count: Counter[str] = Counter()
    for seed in range(members):
        life = Life(random.Random(seed))  # noqa: S311 - simulated, not secret
        for days_ago in range(20, 0, -1):
            life.play(NOW - timedelta(days=days_ago))
        month(life, count)
    assert count["entries"] > members * 5
    assert count["requests"] / count["member-days"] <= MOST_REQUESTS
