"""Members' goals: their progress, and when they were first seen as reached.

A goal's charts do not depend on where it is shown: aliases belong to a server, a goal does not.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple

from bot.base.clock import Clock
from bot.base.worker import run_in_worker
from bot.domain.age import Age
from bot.domain.climb import TargetMeasure
from bot.domain.entries import find_removed_song
from bot.domain.errors import BadQuery, BotError, CannotKeep, CannotRead
from bot.domain.game_versions import GameVersion
from bot.domain.goals import (
    BadGoal,
    Flaw,
    Goal,
    GoalProgress,
    Kind,
    Nearest,
    check,
    parse_goal,
)
from bot.domain.ids import MemberId
from bot.domain.members import AccountLink
from bot.domain.numbers import Hundredths
from bot.domain.pace import Pace
from bot.domain.players import Player
from bot.domain.scores import Record
from bot.domain.tries import Climb
from bot.domain.typed import check_kept, check_seen
from bot.features.shared.askers import Asker, Askers
from bot.features.shared.catalogues import Catalogues
from bot.features.shared.chronicle import Chronicles
from bot.features.shared.goal_packs import BadPack, GoalPack, PackFlaw, read_kept, read_pack
from bot.features.shared.goal_records import GoalRecords
from bot.features.shared.library import SongRemoved
from bot.features.shared.paces import Paces
from bot.features.shared.reports import PlayerReport
from bot.features.shared.studies import Studies, Study
from bot.store import Store, key_of

MAX_GOALS: Final = 10
"""The most goals of one member."""
_WHOLE: Final = 100


class TooManyGoals(BotError):
    """A member has reached the limit of goals."""

    def __init__(self) -> None:
        super().__init__(f"a member has {MAX_GOALS} goals at most")


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalStanding:
    """One goal and its progress."""

    goal: Goal
    code: str
    """The code with which others copy it."""
    progress: GoalProgress
    reached_at: datetime | None
    """The moment at which it was first seen as reached; it stays reached."""
    nearest: tuple[Nearest, ...] = ()
    """The charts that are likeliest to come next, as far as known."""
    climb: Climb | None = None
    """The climb to a rating; None for goals of other kinds."""
    chapter: GameVersion | None = None
    """The version of the game that has begun since a rating goal was set: its progress is counted from there."""

    @property
    def percent(self) -> int:
        """The progress of 100; a reached goal stays at 100 even if a rating has fallen since."""
        return self.progress.percent if self.reached_at is None else 100


class PackStanding(NamedTuple):
    """A goal pack that a member has taken, and its progress."""

    pack: GoalPack
    code: str
    standings: tuple[GoalStanding, ...]

    @property
    def reached(self) -> int:
        """The number of reached goals."""
        return sum(each.percent == _WHOLE for each in self.standings)

    @property
    def percent(self) -> int:
        """The progress of 100, the floored mean of all goals: 100 only if every goal is reached."""
        return sum(each.percent for each in self.standings) // len(self.standings)


class ReachedGoal(NamedTuple):
    """A goal that a member has reached."""

    goal: Goal
    at: datetime
    """The moment at which it was first seen as reached."""


class UnreadGoal(NamedTuple):
    """A goal in words that this version does not know; it can be removed, and has no other effect."""

    text: str


class NoSuchGoal(BotError):
    """A member has no such goal to remove."""

    def __init__(self, goals: Sequence[Goal | UnreadGoal]) -> None:
        self.goals = goals
        """The member's goals outside packs."""
        super().__init__("no goal of that code or text")


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalsReport(PlayerReport):
    """The content of `/goal list`."""

    standings: tuple[GoalStanding, ...]
    """The goals outside packs, in the order in which they were set."""
    packs: tuple[PackStanding, ...] = ()
    """The packs, in the order in which they were taken; their goals are in no other list."""
    unread: tuple[UnreadGoal, ...] = ()
    pace: Pace | None
    """The growth rate of the rating."""


def _read(text: str) -> Goal | None:
    """Return a goal from its stored text; None if another version wrote it in words that this one does not know."""
    try:
        return parse_goal(text)
    except BotError:
        return None


def _check(goal: Goal, found: GoalProgress, known: GoalRecords) -> None:
    """Raise BadGoal for an unreachable goal, and SongRemoved if it names a song that has left the game."""
    try:
        check(goal, found, known.loaded.catalogue)
    except BadGoal as error:
        for title in goal.which.titles if error.flaw is Flaw.NO_CHART else ():
            removed = find_removed_song(title, known.records, known.loaded.catalogue)
            if removed is not None:
                raise SongRemoved(removed.title) from None
        raise


class GoalWatch:
    """Notes reached goals, whenever a look finds that somebody's records have changed."""

    def __init__(self, store: Store, catalogues: Catalogues) -> None:
        self._goals = store.goals
        self._members = store.members
        self._catalogues = catalogues

    async def note_reached(
        self, link: AccountLink, player: Player, records: tuple[Record, ...], at: datetime
    ) -> None:
        """Note goals as reached at a moment, permanently; sends no request for them. Raises: CannotKeep, CannotRead."""
        left = [each for each in await self._goals.fetch(link.member) if each.reached_at is None]
        loaded = await self._catalogues.find(link.region) if left else None
        if loaded is None:
            return
        locked = (await self._members.get(link.member)).locked
        goals = {each.code: goal for each in left if (goal := _read(each.text)) is not None}
        found = await run_in_worker(GoalRecords(player, records, loaded, locked).measure, goals.values())
        reached = [code for code, how_far in zip(goals, found, strict=True) if how_far.is_reached]
        if reached:
            await self._goals.note_reached(link.member, reached, at)


class Goals:
    """Stores the goals that members set themselves, and reports their progress."""

    def __init__(
        self,
        store: Store,
        askers: Askers,
        catalogues: Catalogues,
        chronicle: Chronicles,
        studies: Studies,
        clock: Clock,
    ) -> None:
        self._goals = store.goals
        self._packs = store.goal_packs
        self._states = store.chronicle
        self._questions = store.questions
        self._backlog = store.backlog
        self._askers = askers
        self._catalogues = catalogues
        self._chronicle = chronicle
        self._studies = studies
        self._paces = Paces(store, clock)
        self._clock = clock

    async def add(self, viewer: MemberId, text: str) -> GoalStanding:
        """Add a goal of the viewer; one that they have already stays as it is.

        A goal that is already reached is stored as reached from the beginning, so that it is not announced later.
        Raises: BadFilter, BadGoal, SongRemoved, TooLong, TooManyGoals, NotLinked, CannotKeep, and errors of the
        service.
        """
        goal = parse_goal(text)
        check_kept(str(goal))
        asker = await self._askers.get(viewer)
        known, age = await self._look(asker)
        (found,) = await run_in_worker(known.measure, [goal])
        _check(goal, found, known)
        code, now = key_of(str(goal)), self._clock.now()
        kept = {each.code: each.start for each in await self._goals.fetch(viewer)}
        start = kept.get(code, found.done)
        at = age.fetched_at
        in_packs = await self.fetch_codes_in_packs(viewer)
        is_kept = await self._goals.add(
            viewer,
            str(goal),
            at,
            start=found.done,
            is_reached=found.is_reached,
            most=MAX_GOALS + len(in_packs & kept.keys()),
        )
        if not is_kept:
            raise TooManyGoals
        try:
            await self._questions.save(str(goal), now)
        except CannotKeep:  # the goal is stored: its code follows
            self._backlog.add(("question", code), lambda: self._questions.save(str(goal), now))
        return GoalStanding(
            goal=goal,
            code=code,
            progress=replace(found, start=start),
            reached_at=at if found.is_reached else None,
        )

    async def copy(self, viewer: MemberId, code: str) -> GoalStanding:
        """Add another member's goal by its code.

        Raises: ControlCharacter, BadPack for the code of a pack or an unknown code, and as `add`.
        """
        check_seen(code)
        text = await self._questions.find(code.strip().lower())
        if text is None:
            raise BadPack(PackFlaw.UNKNOWN_CODE)
        try:
            return await self.add(viewer, text)
        except (BadQuery, BadGoal):  # the code is that of a filter or of a pack
            try:
                read_pack(text)
            except BadPack:
                raise BadPack(PackFlaw.UNKNOWN_CODE) from None
            raise BadPack(PackFlaw.NO_GOAL) from None

    async def remove(self, viewer: MemberId, code: str) -> Goal | UnreadGoal:
        """Delete a goal of the viewer, by its code or its words in any language, and return it.

        Raises: ControlCharacter, NoSuchGoal, CannotKeep.
        """
        check_seen(code)
        kept, typed = await self._goals.fetch(viewer), _read(code)
        known = {code.strip(), str(typed or "")}
        found = next((each for each in kept if not known.isdisjoint((each.code, each.text))), None)
        if found is None:
            raise NoSuchGoal([goal for _, goal in await self.fetch(viewer)])
        await self._goals.delete(viewer, found.code)
        return _read(found.text) or UnreadGoal(found.text)

    async def fetch(self, viewer: MemberId) -> list[tuple[str, Goal | UnreadGoal]]:
        """Return the viewer's goals outside packs by code, without progress; reads only the database."""
        try:
            in_packs = await self.fetch_codes_in_packs(viewer)
            kept = [each for each in await self._goals.fetch(viewer) if each.code not in in_packs]
            return [(each.code, _read(each.text) or UnreadGoal(each.text)) for each in kept]
        except CannotRead:
            return []

    async def report(self, viewer: MemberId) -> GoalsReport:
        """Return the progress of all of the viewer's goals. Raises: NotLinked, and errors of the service."""
        kept, packs = await self._goals.fetch(viewer), await self._fetch_packs(viewer)
        study = await self._studies.make(viewer, None)
        known = GoalRecords(study.player, study.records, study.visit.loaded, study.asker.locked)
        rows = {each.code: each for each in kept}
        in_packs = {key_of(str(goal)): goal for pack in packs.values() for goal in pack.goals}
        own = {each.code: goal for each in kept if (goal := _read(each.text)) is not None}
        read = [(rows.get(code), code, goal) for code, goal in {**own, **in_packs}.items()]
        goals = [goal for _, _, goal in read]
        found = await run_in_worker(known.measure_and_predict, goals, study)
        chapter, anew = await self._find_chapter(study)
        new = {
            code
            for each, code, goal in read
            if each and goal.kind is Kind.RATING and chapter and each.set_at < chapter.begins_at
        }
        standings = {
            code: GoalStanding(
                goal=goal,
                code=code,
                progress=replace(stands.progress, start=anew if code in new else each and each.start),
                reached_at=each and each.reached_at,
                nearest=stands.nearest,
                climb=stands.climb,
                chapter=chapter if code in new else None,
            )
            for (each, code, goal), stands in zip(read, found, strict=True)
        }
        return GoalsReport(
            player=known.player,
            standings=tuple(each for code, each in standings.items() if code not in in_packs),
            packs=tuple(
                PackStanding(pack, code, tuple(standings[key_of(str(goal))] for goal in pack.goals))
                for code, pack in packs.items()
            ),
            unread=tuple(UnreadGoal(each.text) for each in kept if _read(each.text) is None),
            pace=await self._paces.find(study.asker.link, TargetMeasure.RATING)
            if any(each.climb for each in found)
            else None,
            region=study.asker.link.region,
            age=study.age,
            audience=study.asker.audience_of(known.player),
        )

    async def fetch_codes_in_packs(self, viewer: MemberId) -> AbstractSet[str]:
        """Return the codes of all goals of the packs that the viewer has taken."""
        packs = await self._fetch_packs(viewer)
        return {key_of(str(goal)) for pack in packs.values() for goal in pack.goals}

    async def _fetch_packs(self, viewer: MemberId) -> Mapping[str, GoalPack]:
        """Return the viewer's packs by code, without those that this version cannot read."""
        return read_kept(await self._packs.fetch(viewer))

    async def measure(self, viewer: MemberId, goals: Sequence[Goal]) -> tuple[list[GoalProgress], Age]:
        """Return the progress of goals that the viewer may want, and its age. Raises: as `add`, for any of them."""
        known, age = await self._look(await self._askers.get(viewer))
        found = await run_in_worker(known.measure, goals)
        for goal, each in zip(goals, found, strict=True):
            try:
                _check(goal, each, known)
            except BadGoal as error:
                raise BadGoal(error.flaw, error.charts, error.highest, one_of_many=str(goal)) from None
        return found, age

    async def _find_chapter(self, study: Study) -> tuple[GameVersion | None, Hundredths]:
        """Return the version on which a rating is based, and the rating at the first look since it began."""
        link, version = study.asker.link, study.explanation.worked_out.version
        if version is None or version.new_since is None or not study.explanation.is_explained:
            return None, study.player.rating
        first = await self._states.find_next(link.member, link.region, after=version.begins_at)
        return version, study.player.rating if first is None else first.figures.rating

    async def find_reached(
        self, members: Collection[MemberId], since: datetime
    ) -> Mapping[MemberId, Sequence[ReachedGoal]]:
        """Return the goals that members reached after a moment, earliest first; none if they cannot be read.

        Each goal has one moment, however often it is shown: it was noted once, before anybody was told.
        """
        try:
            found = await self._goals.fetch_reached(members, since)
        except CannotRead:
            return {}
        return {
            member: [
                ReachedGoal(goal, each.reached_at)
                for each in kept
                if each.reached_at and (goal := _read(each.text)) is not None
            ]
            for member, kept in found.items()
        }

    async def _look(self, asker: Asker) -> tuple[GoalRecords, Age]:
        """Return a member's records, which are saved too, and their age. Raises: errors of the service."""
        loaded, answer = await asyncio.gather(
            self._catalogues.get(asker.link.region, asker.open_token, patience=asker.patience),
            self._chronicle.fetch(asker),
        )
        player, records = answer.value
        return GoalRecords(player, records, loaded, asker.locked), answer.age
