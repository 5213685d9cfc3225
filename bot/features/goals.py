"""Goals of members: how far they are, and which of them a session has reached."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from bot.apart import apart
from bot.clock import Clock
from bot.domain.age import Age
from bot.domain.chronicle import Session
from bot.domain.coach import Outlook
from bot.domain.entries import ChartEntry, catalogue_entries
from bot.domain.errors import BadQuery, BotError, CannotRead, NotFound
from bot.domain.goals import BadGoal, Goal, Nearest, Progress, check, nearest, parse_goal, progress
from bot.domain.history import ChartKey
from bot.domain.ids import GuildId, MemberId, Region
from bot.domain.members import Audience
from bot.domain.players import Player
from bot.domain.scores import Record
from bot.features.askers import Asker, Askers
from bot.features.chronicle import Chronicles
from bot.features.coaches import Coaches
from bot.features.library import Library, Visit
from bot.store import Store

MOST_GOALS: Final = 10
"""Goals of one member."""


_NEAREST: Final = 2
"""Charts of a goal that are named as the next."""


class TooManyGoals(BotError):
    """A member has as many goals as they may."""

    def __init__(self) -> None:
        super().__init__(f"a member has {MOST_GOALS} goals at most")


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalStanding:
    """One goal, and how far it is."""

    goal: Goal
    code: str
    """With which others copy it."""
    progress: Progress
    reached_at: datetime | None
    """As of when it was first seen to be reached; it stays reached."""
    nearest: tuple[Nearest, ...] = ()
    """The charts that are likeliest to come next, as far as that can be said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalsReport:
    """What `/goal list` shows."""

    player: Player
    standings: tuple[GoalStanding, ...]
    """The one set first first."""
    region: Region
    age: Age
    audience: Audience


@dataclass(frozen=True, slots=True)
class _Records:
    """What a member has scored, and among what."""

    player: Player
    records: tuple[Record, ...] = field(repr=False)
    visit: Visit
    age: Age

    def measure(self, goals: Iterable[Goal]) -> list[Progress]:
        """Return how far each goal is; some thousand charts a goal."""
        entries = self._entries()
        return [progress(goal.searched(self.visit.matches), entries, self.player.rating) for goal in goals]

    def find_nearest(
        self, goals: Iterable[Goal], outlooks: Mapping[ChartKey, Outlook]
    ) -> list[tuple[Nearest, ...]]:
        """Return the charts of each goal that are likeliest to come next."""
        entries = self._entries()
        return [
            tuple(nearest(goal.searched(self.visit.matches), entries, outlooks, _NEAREST)) for goal in goals
        ]

    def _entries(self) -> list[ChartEntry]:
        return [*catalogue_entries(self.visit.loaded.catalogue, self.records)]


class Goals:
    """Keeps what members have set themselves."""

    def __init__(
        self,
        store: Store,
        askers: Askers,
        library: Library,
        chronicle: Chronicles,
        coaches: Coaches,
        clock: Clock,
    ) -> None:
        self._goals = store.goals
        self._questions = store.questions
        self._askers = askers
        self._library = library
        self._chronicle = chronicle
        self._coaches = coaches
        self._clock = clock

    async def add(self, viewer: MemberId, text: str, guild: GuildId | None) -> GoalStanding:
        """Keep a goal of the viewer's; one that they have already stays as it is.

        One that is reached at first sight is known as reached from the beginning, so that nobody is told of it later.
        Raises: BadFilter, BadGoal, TooManyGoals, NotLinked, CannotKeep, and what the service answers.
        """
        goal = parse_goal(text)
        asker = await self._askers.get(viewer)
        known = await self._look(asker, guild)
        (found,) = await apart(known.measure, [goal])
        check(goal, found)
        at = known.age.fetched_at
        if not await self._goals.add(viewer, str(goal), at, is_reached=found.is_reached, most=MOST_GOALS):
            raise TooManyGoals
        code = await self._questions.keep(str(goal), self._clock.now())
        return GoalStanding(goal=goal, code=code, progress=found, reached_at=at if found.is_reached else None)

    async def copy(self, viewer: MemberId, code: str, guild: GuildId | None) -> GoalStanding:
        """Keep a goal that somebody has set, by its code. Raises: NotFound, and as `add`."""
        text = await self._questions.find(code.strip().lower())
        if text is None:
            raise NotFound(code)
        try:
            return await self.add(viewer, text, guild)
        except (BadQuery, BadGoal):  # the code is that of a filter
            raise NotFound(code) from None

    async def remove(self, viewer: MemberId, code: str) -> Goal:
        """Forget a goal of the viewer's, by its code or as it was typed, and return it. Raises: NotFound, CannotKeep."""
        kept = await self._goals.fetch(viewer)
        found = next((each for each in kept if code.strip() in (each.code, each.text)), None)
        if found is None:
            raise NotFound(code)
        await self._goals.remove(viewer, found.code)
        return parse_goal(found.text)

    async def fetch(self, viewer: MemberId) -> list[tuple[str, Goal]]:
        """Return the viewer's goals by their codes, without how far they are; asks nothing but the database."""
        try:
            return [(each.code, parse_goal(each.text)) for each in await self._goals.fetch(viewer)]
        except CannotRead:
            return []

    async def report(self, viewer: MemberId, guild: GuildId | None) -> GoalsReport:
        """Return how far all of the viewer's goals are. Raises: NotLinked, and what the service answers."""
        asker = await self._askers.get(viewer)
        kept = await self._goals.fetch(viewer)
        known = await self._look(asker, guild)
        goals = [parse_goal(each.text) for each in kept]
        found = await apart(known.measure, goals)
        coached = await self._coaches.coach(known.visit.loaded.catalogue, known.player.rating, known.records)
        next_charts = await apart(known.find_nearest, goals, coached.outlooks)
        return GoalsReport(
            player=known.player,
            standings=tuple(
                GoalStanding(
                    goal=goal, code=each.code, progress=how_far, reached_at=each.reached_at, nearest=charts
                )
                for each, goal, how_far, charts in zip(kept, goals, found, next_charts, strict=True)
            ),
            region=asker.link.region,
            age=known.age,
            audience=asker.audience_of(known.player),
        )

    async def reached_in(self, viewer: MemberId, session: Session, guild: GuildId | None) -> tuple[Goal, ...]:
        """Return which of the viewer's goals were first seen to be reached in a session of theirs.

        Each is in one session alone, however often that is told: the moment is noted once, as that of the session which
        first sees it, before anybody is told. The session has just asked for what is needed, so nothing more is asked;
        it is told whatever becomes of goals.
        """
        try:
            if any(each.reached_at is None for each in await self._goals.fetch(viewer)):
                await self._note_reached(viewer, session.until, guild)
            kept = await self._goals.fetch(viewer)
        except BotError:
            return ()
        return tuple(
            parse_goal(each.text)
            for each in kept
            if each.reached_at is not None
            and max(session.since, each.set_at) < each.reached_at <= session.until
        )

    async def _note_reached(self, viewer: MemberId, at: datetime, guild: GuildId | None) -> None:
        """Note which goals are reached, unless newer records may say else."""
        known = await self._look(await self._askers.get(viewer), guild)
        if known.age.is_stale:
            return
        kept = await self._goals.fetch(viewer)
        found = await apart(known.measure, [parse_goal(each.text) for each in kept])
        reached = {each.code for each, how_far in zip(kept, found, strict=True) if how_far.is_reached}
        await self._goals.note_reached(viewer, reached, at)

    async def _look(self, asker: Asker, guild: GuildId | None) -> _Records:
        """Return what a member has scored, which is noted too. Raises: what the service answers."""
        visit, answer = await asyncio.gather(self._library.enter(asker, guild), self._chronicle.fetch(asker))
        player, records = answer.value
        return _Records(player, records, visit, answer.age)
