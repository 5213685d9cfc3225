"""A month of members who play, as the bot itself lives through it: what sessions tell, and what they cost.

The service is simulated, with members who play, scores that fall and are back, songs that go and come, constants that
change, and hours in which it is down; the bot looks at members and gathers posts by its own code, on a database of its
own, and is started anew now and then. Clocks are set forward and back meanwhile, on both hemispheres.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Final

import careers
import pytest
from lives import BEGAN, Bot, Channels, Outage, Service, is_within, member_of, outages_of

from bot.base.clock import JST, ManualClock
from bot.domain.chronicle.session import compare
from bot.domain.chronicle.state import RecordsState
from bot.domain.ids import JP2, ChannelId, GuildId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.domain.posts import Post, PostFailure, PostPlan
from bot.domain.scores import Record
from bot.features.posts import Key
from bot.store import Store, Vault, new_key

MONTH: Final = 31
"""Days in which clocks are set forward in New York (14), Berlin and Nuuk (28), and back in Sydney and Lord Howe (4 April)."""
WEEK: Final = 8
FORTNIGHT: Final = 14
ZONES: Final = (
    *["Asia/Tokyo"] * 6, "America/New_York", "Europe/Berlin", "America/Nuuk", "Australia/Sydney", "Australia/Lord_Howe",
    "America/Santiago", "UTC",
)  # fmt: skip
HOURS: Final = (0, 8, 12, 20, 21, 21, 21, 22)
PLAYED: Final = {0.02: 45, 0.1: 35, 0.25: 15, 0.7: 5}
"""On which share of days somebody plays, and how many of a hundred do so."""
UPDATED: Final = 0.03
"""Of days on which songs go, come back, and constants change."""
FALLEN: Final = 0.2
"""Of days on which some records fall, and on which those that have fallen are back."""
MOST_REQUESTS: Final = 1.2
"""A member and day, posts and what the service did not answer included, once all are known."""


LATE: Final = timedelta(minutes=5)
"""What no post is without a cause."""
_RESTART: Final = timedelta(days=2)
"""From one to the next, on average."""


@dataclass
class Life:
    """One member: what the service has of them, and what they have really played since the last look."""

    chance: random.Random
    account: UserId
    habit: float
    records: dict[str, Record] = field(default_factory=dict[str, Record])
    removed: dict[str, Record] = field(default_factory=dict[str, Record])
    fallen: dict[str, Record] = field(default_factory=dict[str, Record])
    """What the service tells for a while of records that are better."""
    played: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    """By song, the score before (or less than nothing) and now."""
    updated_at: datetime = BEGAN - timedelta(days=9)
    known: RecordsState | None = None
    """What the bot has remembered last."""

    def play(self, at: datetime) -> None:
        for _ in range(self.chance.randint(1, 12)):
            name = f"song {self.chance.randrange(80)}"
            before = self.records.get(name)
            score = self.chance.randint(950_000, 1_010_000)
            if name in self.removed or (before is not None and before.score >= score):
                continue
            constant = before.constant if before else 1000 + self.chance.randrange(500)
            self.records[name] = replace(careers.record(name, constant, score), updated_at=at)
            self.fallen.pop(name, None)
            first = self.played.get(name, (before.score if before else -1, 0))[0]
            self.played[name] = (first, score)
        self.updated_at = at

    def live(self, what: str, at: datetime) -> None:
        match what:
            case "play":
                self.play(at)
            case "see_again":
                self.see_again(at)
            case "fall":
                self.fall()
            case "recover":
                self.fallen.clear()
            case _:
                self.change_catalogue()

    @property
    def is_missed(self) -> bool:
        """Whether the bot knows nothing of them, or not all that they have played."""
        return self.known is None or bool(self.played.keys() & self.records.keys())

    def change_catalogue(self) -> None:
        if self.known is None:
            return  # what is away at the first look, nobody can know to come back
        for name in self.chance.sample(sorted(self.records), min(2, len(self.records))):
            self.removed[name] = self.records.pop(name)
        for name in self.chance.sample(sorted(self.removed), len(self.removed) // 2):
            self.records[name] = self.removed.pop(name)
        for name, record in list(self.records.items()):
            if self.chance.random() < 0.1:
                self.records[name] = replace(record, constant=Hundredths((record.constant or 0) + 10))

    def fall(self) -> None:
        """Have the service tell of some records that the bot has seen as lower than they are."""
        if self.known is not None:
            for name in self.chance.sample(sorted(self.records.keys() - self.played.keys()), 5):
                record = self.records[name]
                self.fallen[name] = careers.record(name, record.constant, record.score - 30_000)

    def tell(self, _at: datetime) -> tuple[Record, ...]:
        """Return what the service tells of."""
        return tuple(self.fallen.get(name, record) for name, record in self.records.items())

    def see_again(self, at: datetime) -> None:
        """Have the service say another time of records that did not change."""
        self.records = {name: replace(record, updated_at=at) for name, record in self.records.items()}

    def days(self, days: int) -> Iterator[tuple[datetime, str]]:
        """Yield what happens to them, and when: some play twice a day; in the last days nobody does."""
        for day in range(days - 3):
            morning = BEGAN + timedelta(days=day)
            if self.chance.random() < UPDATED:
                yield morning, "change_catalogue"
            if self.chance.random() < FALLEN:
                yield morning + timedelta(minutes=self.chance.randrange(24 * 60)), "fall"
            if self.chance.random() < FALLEN:
                yield morning + timedelta(minutes=self.chance.randrange(24 * 60)), "recover"
            if self.chance.random() < self.habit:
                for _ in range(self.chance.choice((1, 1, 2))):
                    at = morning + timedelta(minutes=self.chance.randrange(60, 15 * 60))  # 10 to 24 in Japan
                    yield at, "play"
                    if self.chance.random() < 0.2:
                        yield at, "see_again"

    def player(self) -> Player:
        rating = Hundredths(sum(sorted(each.rating for each in self.records.values())[-30:]) // 30)
        return Player(
            user_id=self.account, user_name=UserName("a"), is_protected=False, player_name="A", honor="",
            honor_type=None, level=None, rating=rating, rating_max=rating, class_emblem=None,
            updated_on=self.updated_at.astimezone(JST).date(),
        )  # fmt: skip


async def settle(store: Store, lives: Sequence[Life], chance: random.Random) -> list[PostPlan]:
    """Have them all joined, some of them in several servers; return what these post."""
    plans: list[PostPlan] = []
    guilds = [GuildId(number) for number in range(1, 2 + len(lives) // 15)]
    for guild in guilds:
        plan = PostPlan(
            guild=guild, channel=ChannelId(1), post_at=time(chance.choice(HOURS)), timezone=chance.choice(ZONES)
        )  # fmt: skip
        plans.append(await store.plans.save(plan, BEGAN))
    for life in lives:
        link = AccountLink(
            member=member_of(life), user_id=life.account, user_name=UserName("a"), region=JP2,
            visibility=Visibility.SERVERS, linked_at=BEGAN,
        )  # fmt: skip
        await store.links.save(link, f"token of {life.account}")
        for guild in chance.sample(guilds, min(len(guilds), chance.choice([1] * 8 + [2, 3]))):
            await store.daily.join(guild, link.member)
    return plans


async def check(store: Store, life: Life) -> int:
    """Compare what is remembered since the last look with what was played; return how many entries there were."""
    newest = await store.chronicle.find(member_of(life), JP2)
    assert newest is not None
    told, truth = {}, {}
    if newest == life.known:
        return 0  # nothing was played, or the database took nothing: then the next look has to tell it
    if life.known is not None:
        told = {
            str(each.chart[0]): (each.before.score if each.before else -1, each.after.score)
            for each in compare(life.known, newest).achievements
            if each.after is not None
        }
        truth = {name: scores for name, scores in life.played.items() if name in life.records}
        life.played = {name: each for name, each in life.played.items() if name not in truth}
    else:
        life.played = {}
    assert told == truth
    life.known = newest
    return len(truth)


def due_of(plans: Sequence[PostPlan], end: datetime) -> dict[Key, datetime]:
    """Return when each post is due: on every day of its zone, at the time that its clocks show."""
    days = [(BEGAN + timedelta(days=number)).date() for number in range(-1, (end - BEGAN).days + 1)]
    due = {(plan.id, day, ""): plan.due_at(day) for plan in plans for day in days}
    return {key: at for key, at in due.items() if BEGAN < at <= end}


def check_posts(
    due: dict[Key, datetime],
    outcomes: dict[Key, PostFailure | None],
    channels: Channels,
    troubles: Sequence[Outage],
    end: datetime,
    step: timedelta,
) -> None:
    """Each post stands once or was skipped for a reason, and is late only where something was away in its time."""
    settled = {key: at for key, at in due.items() if at < end - timedelta(hours=7)}
    assert settled.keys() <= outcomes.keys() <= due.keys()
    assert {len(sent) for sent in channels.stand.values()} == {1}
    sent = {key: channels.stand[nonce] for key in outcomes if (nonce := nonce_of(key)) in channels.stand}
    assert [key for key, reason in outcomes.items() if reason is None and key not in sent] == []
    for key, (at,) in sent.items():
        away = [each for each in troubles if each[0] <= at and each[1] + step >= due[key]]
        assert timedelta(0) <= at - due[key] <= LATE or away
        assert at - due[key] <= timedelta(hours=6)


def nonce_of(key: Key) -> str:
    plan, day, part = key
    return Post(
        plan=PostPlan(id=plan, post_at=time(), timezone="UTC"), day=day, part=part, due_at=BEGAN
    ).nonce


@pytest.mark.parametrize(
    ("members", "days", "step"),
    [
        (10, WEEK, timedelta(hours=1)),
        pytest.param(50, FORTNIGHT, timedelta(hours=1), marks=[pytest.mark.heavy, pytest.mark.timeout(600)]),
        pytest.param(
            250,
            MONTH,
            timedelta(minutes=30),
            marks=[pytest.mark.heavy, pytest.mark.long, pytest.mark.timeout(7_200)],
        ),
        pytest.param(
            3_000,
            MONTH,
            timedelta(minutes=5),
            marks=[pytest.mark.heavy, pytest.mark.long, pytest.mark.timeout(36_000)],
        ),
    ],
    ids=["some for a week", "fifty for a fortnight", "a village", "a town"],
)
async def test_a_month_invents_and_misses_nothing(  # noqa: C901 - one step after the other, as it goes
    members: int, days: int, step: timedelta, tmp_path: Path
) -> None:
    chance, clock = random.Random(members), ManualClock(BEGAN)  # noqa: S311 - simulated, not secret
    habits = PLAYED if days == MONTH else {0.7: 1}
    lives = [
        Life(random.Random(number), UserId(number), habit)  # noqa: S311 - as above
        for number, habit in enumerate(chance.choices([*habits], [*habits.values()], k=members), 1)
    ]
    by_account = {life.account: life for life in lives}
    for life in lives:
        for days_ago in range(20, 0, -1):
            life.play(BEGAN - timedelta(days=days_ago))
    end = BEGAN + timedelta(days=days)
    service = Service(lives, clock, outages_of(days, chance))
    channels = Channels(clock, chance, outages_of(days, chance))
    events = sorted(
        ((at, life.account, what) for life in lives for at, what in life.days(days)), reverse=True
    )
    entries, joining = 0, 0
    outcomes: dict[Key, PostFailure | None] = {}
    downs: list[Outage] = []
    async with Store(f"sqlite+aiosqlite:///{tmp_path / 'kiroku.db'}", Vault([new_key()])) as store:
        due = due_of(await settle(store, lives, chance), end)
        moments = sorted({at + timedelta(minutes=1) for at in due.values()}, reverse=True)
        bot = Bot(store, service, channels, clock)
        while clock.now() < end:
            until = min(clock.now() + step, moments[-1] if moments else end)
            while moments and moments[-1] <= until:
                moments.pop()
            clock.advance((until - clock.now()).total_seconds())
            while events and events[-1][0] <= clock.now():
                at, account, what = events.pop()
                by_account[account].live(what, at)
            if clock.now() < BEGAN + timedelta(days=1):
                joining = service.counts["sent"]
            if chance.random() < step / _RESTART:
                await bot.close()
                bot = Bot(store, service, channels, clock)
                downs.append((clock.now(), clock.now() + timedelta(minutes=chance.choice((0, 5, 240)))))
            if not is_within(clock.now(), downs):
                await bot.step(outcomes)
            for account in service.shown:
                entries += await check(store, by_account[account])
            service.shown.clear()
        await bot.close()
    assert [life.account for life in lives if life.is_missed] == []
    assert entries > members
    check_posts(due, outcomes, channels, [*service.outages, *channels.outages, *downs], end, step)
    if days == MONTH:
        requests = (service.counts["sent"] - joining) / members / (days - 1)
        print(f"{entries} entries, {len(outcomes)} posts, {requests:.3f} requests a member and day")  # noqa: T201 - the figures that it is about
        assert requests <= MOST_REQUESTS
