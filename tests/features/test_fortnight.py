"""A fortnight of members in six time zones, judged by what they are told: in `/session`, in feeds, and in daily posts.

Members link in the middle of a day and play on it; scores and lamps fall, records go, and all are back later; the service
and Discord are away for hours, and the bot starts anew now and then. `Member` is the simulator's own book: what was
really played, and which of it each reply of the service has shown for the first time.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

import careers
import pytest
from lives import BEGAN, Bot, Channels, Content, Service, member_of, outages_of

from bot.base.clock import JST, ManualClock
from bot.domain.chronicle.session import RecordChange
from bot.domain.chronicle.state import LampFlags, RecordMark
from bot.domain.errors import BotError
from bot.domain.feed import Sitting
from bot.domain.ids import JP2, ChannelId, GuildId, MemberId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.domain.posts import PlanId, PostFailure, PostKind, PostPlan
from bot.domain.scores import Lamps, Record
from bot.features.daily import DailyPost
from bot.features.posts import Key
from bot.features.shared.subjects import Subject
from bot.store import Store, Vault, new_key

ZONES: Final = (
    "Asia/Tokyo", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "America/Santiago", "Pacific/Kiritimati"
)  # fmt: skip
"""In New York clocks are set forward on 14 March."""
STEP: Final = timedelta(hours=1)
QUIET: Final = 2
"""Days at the end on which nobody plays."""
_EARNED: Final = LampFlags.FULL_COMBO | LampFlags.ALL_JUSTICE


class Best(NamedTuple):
    """The best that somebody has ever played on a song."""

    score: int
    lamps: int

    @classmethod
    def of(cls, record: Record) -> "Best":
        lamps = record.lamps or careers.CLEAR
        return cls(
            record.score,
            LampFlags.FULL_COMBO * lamps.is_full_combo | LampFlags.ALL_JUSTICE * lamps.is_all_justice,
        )

    @classmethod
    def told(cls, mark: RecordMark | None) -> "Best | None":
        return None if mark is None else cls(mark.score, int(mark.lamps & _EARNED))


class Step(NamedTuple):
    """From one best of a song to the next."""

    before: Best | None
    after: Best

    @property
    def has_risen(self) -> bool:
        return self.before is None or self.after.score > self.before.score

    @property
    def lamps(self) -> int:
        return self.after.lamps & ~(self.before.lamps if self.before else 0)


class Found(NamedTuple):
    """PostKind a reply of the service has shown for the first time."""

    at: datetime
    song: str
    step: Step
    played_at: datetime


@dataclass
class Member:
    """One member: what they have played, what the service tells of it, and what of that was told."""

    chance: random.Random
    account: UserId
    zone: ZoneInfo
    links_at: datetime
    records: dict[str, Record] = field(default_factory=dict[str, Record])
    fallen: dict[str, Record] = field(default_factory=dict[str, Record])
    """PostKind the service tells for a while of records that are better."""
    gone: set[str] = field(default_factory=set[str])
    seen: dict[str, Best] = field(default_factory=dict[str, Best])
    looks: list[datetime] = field(default_factory=list[datetime])
    found: list[Found] = field(default_factory=list[Found])
    updated_at: datetime = BEGAN - timedelta(days=9)

    def play(self, at: datetime) -> None:
        for _ in range(self.chance.randint(1, 10)):
            name = f"song {self.chance.randrange(60)}"
            before = self.records.get(name)
            score = self.chance.randint(950_000, 1_010_000)
            is_all_justice = self.chance.random() < 0.05
            is_full_combo = is_all_justice or self.chance.random() < 0.2
            if before is not None:
                old = Best.of(before)
                score = max(old.score, score)
                is_all_justice |= bool(old.lamps & LampFlags.ALL_JUSTICE)
                is_full_combo |= bool(old.lamps & LampFlags.FULL_COMBO)
            lamps = Lamps(
                is_clear=True, is_full_combo=is_full_combo, is_all_justice=is_all_justice, is_full_chain=False
            )
            constant = before.constant if before else 1000 + self.chance.randrange(500)
            record = replace(careers.record(name, constant, score, lamps=lamps), updated_at=at)
            if name not in self.gone and (before is None or Best.of(before) != Best.of(record)):
                self.records[name] = record
                self.fallen.pop(name, None)
        self.updated_at = at

    def fall(self, at: datetime) -> None:
        """Have the service tell of less than there is: of scores, lamps, and whole records that it has told of."""
        known = sorted(name for name, each in self.records.items() if self.seen.get(name) == Best.of(each))
        for name in self.chance.sample(known, min(5, len(known))):
            record, loses = self.records[name], self.chance.randrange(4)
            if loses == 0:
                self.gone.add(name)
                continue
            score = record.score - (30_000 if loses != 1 else 0)
            lamps = record.lamps if loses == 2 else careers.CLEAR
            self.fallen[name] = replace(
                careers.record(name, record.constant, score, lamps=lamps), updated_at=at
            )

    def recover(self, at: datetime) -> None:
        """Have all be back: some as of then, by the service's own words."""
        for name in sorted({*self.fallen, *self.gone}):
            if self.seen[name] == Best.of(self.records[name]) and self.chance.random() < 0.5:
                self.records[name] = replace(self.records[name], updated_at=at)
        self.fallen.clear()
        self.gone.clear()
        self.updated_at = at

    def move_constants(self, _at: datetime) -> None:
        for name, record in self.records.items():
            if self.chance.random() < 0.1:
                self.records[name] = replace(record, constant=Hundredths((record.constant or 0) + 10))

    def tell(self, at: datetime) -> tuple[Record, ...]:
        """Return what the service tells of, and note what of it is new."""
        told = {name: each for name, each in self.records.items() if name not in self.gone}
        for name, record in told.items():
            best, before = Best.of(record), self.seen.get(name)
            if name in self.fallen or best == before:
                continue
            if self.looks:
                self.found.append(Found(at, name, Step(before, best), record.updated_at or at))
            self.seen[name] = best
        self.looks.append(at)
        return tuple(self.fallen.get(name, each) for name, each in told.items())

    def player(self) -> Player:
        ratings = sorted(self.fallen.get(name, each).rating for name, each in self.records.items())
        rating = Hundredths(sum(ratings[-30:]) // 30)
        return Player(
            user_id=self.account, user_name=UserName("a"), is_protected=False, player_name="A", honor="",
            honor_type=None, level=None, rating=rating, rating_max=rating, class_emblem=None,
            updated_on=self.updated_at.astimezone(JST).date(),
        )  # fmt: skip

    def day_of(self, moment: datetime) -> date:
        return moment.astimezone(self.zone).date()

    def found_within(self, after: datetime, until: datetime) -> dict[str, Step]:
        return whole(each for each in self.found if after < each.at <= until)

    def last_session(self) -> dict[str, Step]:
        """Return what was found on the last of their days on which anything was."""
        last = self.day_of(self.found[-1].at) if self.found else None
        return whole(each for each in self.found if self.day_of(each.at) == last)

    def may_be_told_since(self, begin: datetime) -> dict[str, set[Step]]:
        """Return by song what was played since a moment.

        PostKind was played before it and found after it may be told with that, where the same song was played since too.
        """
        told: dict[str, set[Step]] = {}
        for song in {each.song for each in self.found if each.played_at >= begin}:
            theirs = [each for each in self.found if each.song == song and each.at > begin]
            first = next(number for number, each in enumerate(theirs) if each.played_at >= begin)
            told[song] = {Step(each.step.before, theirs[-1].step.after) for each in theirs[: first + 1]}
        return told

    def days(self, days: int) -> Iterator[tuple[datetime, str]]:
        """Yield what happens to them, and when."""
        yield self.links_at, "link"
        yield self.links_at + timedelta(minutes=self.chance.randrange(61, 300)), "play"
        for day in range(days):
            morning = BEGAN + timedelta(days=day)

            def sometime(morning: datetime = morning) -> datetime:
                return morning + timedelta(minutes=self.chance.randrange(24 * 60))

            for what, likely in (("fall", 0.4), ("recover", 0.4), ("move_constants", 0.05), ("ask", 0.7)):
                if self.chance.random() < likely:
                    yield sometime(), what
            for _ in range(self.chance.choice((0, 1, 1, 2)) if day < days - QUIET else 0):
                yield sometime(), "play"


def whole(found: Iterator[Found]) -> dict[str, Step]:
    """Return by song from which best to which it went."""
    steps: dict[str, Step] = {}
    for each in found:
        first = steps.get(each.song, each.step)
        steps[each.song] = Step(first.before, each.step.after)
    return steps


def steps_of(changes: Sequence[RecordChange]) -> dict[str, Step]:
    """Return what changes say, by song."""
    found: dict[str, Step] = {}
    for each in changes:
        after = Best.told(each.after)
        assert after is not None
        assert each.lamps & _EARNED == Step(Best.told(each.before), after).lamps
        found[str(each.chart[0])] = Step(Best.told(each.before), after)
    return found


class Judge:
    """Compares what is told with what is true."""

    def __init__(self, members: Mapping[MemberId, Member]) -> None:
        self._members = members
        self.invented: list[str] = []
        self.missed: list[str] = []
        self.told: Counter[str] = Counter()
        """Plays that were told, by where."""
        self._feeds: dict[MemberId, dict[str, Best | None]] = {member: {} for member in members}
        """As which the feed has left each song of which it, or nobody in time, has told."""
        self._posted: dict[tuple[PlanId, MemberId], tuple[datetime, Hundredths]] = {}

    def judge(self, where: str, told: Mapping[str, object], truth: Mapping[str, object]) -> None:
        """Note what is told and not true, and what is true and not told."""
        self.told[where.split(maxsplit=1)[0]] += len(told)
        self.invented += [f"{where}: {name} {each}" for name, each in told.items() if truth.get(name) != each]
        self.missed += [f"{where}: {name} {each}" for name, each in truth.items() if told.get(name) != each]

    async def ask(self, bot: Bot, member: Member, now: datetime) -> None:
        """Judge `/session`, of the last session and since a day."""
        day = member.day_of(now) - timedelta(days=member.chance.randrange(5))
        whose = member_of(member)
        for since in (None, day):
            try:
                report = await bot.chronicle.report(whose, Subject(), since, None, member.zone)
            except BotError:  # the service is away, and nothing is at hand
                return
            told = steps_of(report.session.achievements if report.session else ())
            where = f"session since {since} of {whose} at {now}"
            if since is None:
                self.judge(where, told, member.last_session())
                continue
            truth = member.may_be_told_since(datetime.combine(since, time(), member.zone))
            right = {name: told[name] for name in told if told[name] in truth.get(name, ())}
            self.judge(where, told, {name: right.get(name) for name in truth})

    def read(self, content: Content) -> None:
        """Judge a post that stands."""
        if not isinstance(content, DailyPost):
            self.read_feed(content.sitting)
            return
        for each in content.standings:
            member, key = self._members[each.member], (content.plan.id, each.member)
            first = next((look for look in member.looks if look > content.since), content.since)
            since, rating = self._posted.get(key, (first, None))
            truth = member.found_within(since, each.until)
            feats, steps = each.feats, truth.values()
            told = {"bests": each.bests}
            told |= (
                {"full combos": feats.mere_full_combos, "all justices": feats.all_justices} if feats else {}
            )
            right = {
                "bests": sum(step.has_risen for step in steps),
                "full combos": sum(step.lamps == LampFlags.FULL_COMBO for step in steps),
                "all justices": sum(bool(step.lamps & LampFlags.ALL_JUSTICE) for step in steps),
            }
            self.judge(
                f"post {content.day} of {each.member} since {since}",
                {name: count for name, count in told.items() if count},
                {name: count for name, count in right.items() if count},
            )
            if feats and feats.play:
                play = feats.play.change
                self.judge(
                    f"play in {content.day}",
                    steps_of([play]),
                    {name: step for name, step in truth.items() if name == play.chart[0]},
                )
            if rating is not None:
                most = max(0, each.rating - rating)  # less, where it has only come back
                self.judge(
                    "rating",
                    {"gained": min(each.change or 0, most), "fell from": each.fell_from},
                    {"gained": each.change or 0, "fell from": rating if each.rating < rating else None},
                )
            self._posted[key] = (each.until, each.rating)

    def read_feed(self, sitting: Sitting, *, is_told: bool = True) -> None:
        """Judge a sitting: each song goes on from where the feed has left it."""
        left, member = self._feeds[sitting.member], self._members[sitting.member]
        for song, step in steps_of(sitting.plays).items():
            self.told["feed"] += is_told
            first = next((each.step.before for each in member.found if each.song == song), step.after)
            if step.before != left.get(song, first) or step.after not in {
                each.step.after for each in member.found if each.song == song
            }:
                self.invented.append(f"feed of {sitting.member}: {song} {step}")
            left[song] = step.after

    def close(self) -> None:
        """Judge what nothing was told of."""
        for whose, member in self._members.items():
            truth = {each.song: each.step.after for each in member.found}
            self.missed += [
                f"feed of {whose}: {song}"
                for song, best in truth.items()
                if self._feeds[whose].get(song) != best
            ]
            really = {name: Best.of(each) for name, each in member.records.items()}
            self.missed += [
                f"look at {whose}: {name}"
                for name, best in really.items()
                if name not in member.gone and member.seen.get(name) != best
            ]


async def settle(store: Store) -> list[PostPlan]:
    """Have a daily post and a feed in a server of each zone."""
    plans: list[PostPlan] = []
    for number, zone in enumerate(ZONES, 1):
        for what, at in ((PostKind.DAILY, time(21)), (PostKind.FEED, time(23))):
            plan = PostPlan(what=what, guild=GuildId(number), channel=ChannelId(1), post_at=at, timezone=zone)
            plans.append(await store.plans.save(plan, BEGAN))
    return plans


async def link(store: Store, member: Member, now: datetime) -> None:
    """AccountLink a member, who joins what the server of their zone has."""
    guild, whose = GuildId(1 + ZONES.index(member.zone.key)), member_of(member)
    theirs = AccountLink(
        member=whose, user_id=member.account, user_name=UserName("a"), region=JP2,
        visibility=Visibility.SERVERS, linked_at=now,
    )  # fmt: skip
    await store.links.save(theirs, f"token of {member.account}")
    await store.daily.join(guild, whose)
    await store.feed.join(guild, whose, joined_at=now)


@pytest.mark.parametrize(
    ("count", "days"),
    [
        (10, 6),
        pytest.param(50, 14, marks=[pytest.mark.heavy, pytest.mark.timeout(600)]),
    ],
    ids=["some for six days", "fifty for a fortnight"],
)
async def test_what_is_told_is_what_was_played(count: int, days: int, url: str) -> None:
    chance, clock = random.Random(count), ManualClock(BEGAN + timedelta(minutes=17))  # noqa: S311 - simulated, not secret
    members = [
        Member(
            random.Random(number),  # noqa: S311 - as above
            UserId(number),
            ZoneInfo(ZONES[number % len(ZONES)]),
            BEGAN + timedelta(minutes=chance.randrange(60, (days - QUIET - 1) * 24 * 60)),
        )
        for number in range(1, 1 + count)
    ]
    for member in members:
        for days_ago in range(20, 0, -1):
            member.play(BEGAN - timedelta(days=days_ago))
    service = Service(members, clock, outages_of(days, chance))
    channels = Channels(clock, chance, outages_of(days, chance))
    judge = Judge({member_of(member): member for member in members})
    await live(members, days, url, clock, service, channels, judge)
    judge.close()
    print(f"told: {dict(judge.told)}, invented: {len(judge.invented)}, missed: {len(judge.missed)}")  # noqa: T201 - the figures that it is about
    assert (judge.invented, judge.missed) == ([], [])
    assert min(judge.told[where] for where in ("session", "feed", "post", "play", "rating")) > count


async def live(  # noqa: PLR0917 - what the simulator is made of
    members: Sequence[Member],
    days: int,
    url: str,
    clock: ManualClock,
    service: Service,
    channels: Channels,
    judge: Judge,
) -> None:
    """Go through the days, hour by hour."""
    chance = random.Random(days)  # noqa: S311 - as above
    events = [(at, each.account, what) for each in members for at, what in each.days(days)]
    by_account = {each.account: each for each in members}
    is_linked: set[UserId] = set()
    outcomes: dict[Key, PostFailure | None] = {}
    back_at = clock.now()
    events.sort(reverse=True)
    async with Store(url, Vault([new_key()])) as store:
        await settle(store)

        def start() -> Bot:
            return Bot(
                store, service, channels, clock, judge.read, lambda each: judge.read_feed(each, is_told=False)
            )

        bot = start()
        while clock.now() < BEGAN + timedelta(days=days):
            clock.advance(STEP.total_seconds())
            now = clock.now()
            while events and events[-1][0] <= now:
                at, account, what = events.pop()
                member = by_account[account]
                if what == "link":
                    await link(store, member, now)
                    is_linked.add(account)
                if what not in {"link", "ask"}:
                    getattr(member, what)(at)
                elif account in is_linked:
                    await judge.ask(bot, member, now)
            if chance.random() < 0.03:
                await bot.close()
                bot = start()
                back_at = now + timedelta(hours=chance.choice((0, 0, 4, 8)))
            if now >= back_at:
                await bot.step(outcomes)
        await bot.close()
