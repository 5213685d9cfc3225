"""Members' stored history: recorded whenever records are fetched anyway, and shown as sessions."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any, Final, NamedTuple, Self

from bot.api import Priority
from bot.api.answer import Answer
from bot.base.clock import Clock
from bot.base.memo import RecentHashes
from bot.base.worker import run_in_worker
from bot.domain.age import Age
from bot.domain.charts import Catalogue
from bot.domain.chronicle.effects import RatingEffects
from bot.domain.chronicle.looks import (
    SessionBetween,
    is_all_from_before,
    last_played_between,
    session_between,
)
from bot.domain.chronicle.session import SessionDiff
from bot.domain.chronicle.state import RecordsState, figures_of, marks_of, may_have_moved
from bot.domain.errors import BotError, CannotKeep, CannotRead
from bot.domain.feed import Sitting, sitting_of
from bot.domain.game_rating import WorkedOut
from bot.domain.ids import GuildId, MemberId, Region
from bot.domain.members import AccountLink
from bot.domain.players import Player, Target
from bot.domain.refresh_schedule import AGAIN
from bot.domain.scores import Record, on_normal_charts
from bot.features.shared.askers import Asker, Askers
from bot.features.shared.asking import ask_both
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.library import SongLibrary
from bot.features.shared.session_report import SessionReport
from bot.features.shared.subjects import Subject
from bot.store import LookOutcome, Store

_logger = logging.getLogger(__name__)

_NEVER: Final = datetime.min.replace(tzinfo=UTC)
_KNOWN_MEMBERS: Final = 10_000
"""The most members whose last recorded state is cached."""
_MAX_LOOKS: Final = 14
"""The most looks to search back through for the last change."""
_MAX_TRIES: Final = 3
"""The most attempts to save a look while other processes save theirs."""
_FOLLOWED_AT_ONCE: Final = 4
"""The most members whose records are requested at once after a post."""


class Chronicles:
    """Records states of members' records after the answers that fetched them, and reports their differences."""

    def __init__(  # noqa: PLR0913 - each is a separate dependency
        self,
        store: Store,
        askers: Askers,
        library: SongLibrary,
        ratings: GameRatings,
        hashes: RecentHashes,
        clock: Clock,
        *,
        pause: timedelta,
        when_moved: Callable[[AccountLink, Player, tuple[Record, ...], datetime], Awaitable[None]],
    ) -> None:
        """`pause` is the time without new plays after which a sitting is posted in feeds.

        `when_moved` is called with a change before it is saved, and so again if saving failed.
        """
        self._clock = clock
        self._ratings = ratings
        self._pause = pause
        self._when_moved = when_moved
        self._chronicle = store.chronicle
        self._refresh_schedule = store.refresh_schedule
        self._backlog = store.backlog
        self._askers = askers
        self._library = library
        self._hashes = hashes
        self._noted: OrderedDict[tuple[MemberId, Region], _Noted] = OrderedDict()
        self._notes: set[asyncio.Task[None]] = set()
        """The tasks that save looks."""
        self._follows: set[asyncio.Task[None]] = set()
        """The tasks that request members' records, which may take long."""
        self._note_lock = asyncio.Lock()
        self._follow_slots = asyncio.Semaphore(_FOLLOWED_AT_ONCE)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Finish saving looks, and cancel all requests."""
        for task in self._follows:
            task.cancel()
        await asyncio.gather(*self._notes, *self._follows, return_exceptions=True)

    def note(
        self, link: AccountLink, player: Player, records: tuple[Record, ...], age: Age
    ) -> asyncio.Task[None] | None:
        """Save a member's own records in the background, unless they are stale.

        Returns the saving task; None if there is nothing to save.
        """
        if age.is_stale or self._noted_at(link) == age.fetched_at:
            return None
        return self._begin(self._notes, self._note_or_later(link, player, records, age.fetched_at))

    async def fetch(self, asker: Asker) -> Answer[tuple[Player, tuple[Record, ...]]]:
        """Return a member's own profile and normal records, and save them in the background. Raises: errors of the service."""
        answer = await ask_both(asker.fetch_owner(Target()), asker.fetch_records(Target(), asker.link.region))
        player, records = answer.value
        self.note(asker.link, player, records, answer.age)
        return answer

    def follow(self, profiles: Sequence[tuple[Asker, Answer[Player]]]) -> None:
        """Request and save, in the background, the records of members whose profiles show that they may have changed."""
        self._begin(self._follows, self._follow_all(profiles))

    async def look_at(self, member: MemberId) -> bool:
        """Check a member in the background, and save their plays; return whether their records were requested.

        Raises: NotLinked, errors of the service, and the reason if it could not be asked.
        """
        asker = await self._askers.get(member, priority=Priority.PREFETCH)
        return await self._look_behind(asker, await asker.fetch_player(Target()))

    def _begin(self, begun: set[asyncio.Task[None]], work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(self._safely(work))
        begun.add(task)
        task.add_done_callback(begun.discard)
        return task

    async def report(
        self, viewer: MemberId, subject: Subject, since: date | None, guild: GuildId | None, zone: tzinfo
    ) -> SessionReport:
        """Return what the viewer or another member played on their last day, or since the beginning of the day `since`.

        Days are in the time zone `zone`. Raises: NotLinked, CannotKeep if the viewer's own records cannot be stored,
        and errors of the service.
        """
        asker = await self._askers.get(viewer)
        target = await self._askers.get_target(asker, subject)
        member = viewer if target.is_holder else subject.member
        region = asker.link.region
        if target.is_holder:
            player, age = await self._look(asker)
        else:
            answer = await asker.fetch_player(target)
            player, age = answer.value, answer.age
            region = (member is not None and await self._askers.find_region(member)) or region
        kept_since = None if member is None else await self._chronicle.find_beginning(member, region)
        if target.is_holder and kept_since is None:
            raise CannotKeep
        begin = None if since is None else datetime.combine(since, time(), zone)
        told = None
        if member is not None and begin is not None:
            told = await self._since(member, region, begin)
        elif member is not None:
            told = await self._last(member, region, zone)
        visit = await self._library.find(asker, guild)
        session, effects = (None, None) if told is None else await self._weigh(told)
        return SessionReport(
            player=player,
            session=session,
            effects=effects,
            remembered_since=kept_since,
            is_from_first=begin is not None and kept_since is not None and kept_since >= begin,
            songs=visit.loaded.catalogue.by_id if visit else {},
            region=region,
            age=age,
            audience=asker.audience_of(player),
        )

    async def _look(self, asker: Asker) -> tuple[Player, Age]:
        """Fetch the viewer's own records, and wait until they are saved."""
        answer = await ask_both(
            asker.fetch_player(Target()), asker.fetch_records(Target(), asker.link.region)
        )
        player, records = answer.value
        noting = self.note(asker.link, player, records, answer.age)
        if noting is not None:
            await asyncio.wait({noting})
        return player, answer.age

    async def _weigh(self, told: SessionBetween) -> tuple[SessionDiff, RatingEffects | None]:
        """Return a session with the plays that moved the rating most first, and its effects on the rating."""
        session = told.session
        effects = await self._ratings.find_effects(
            told.after.member, told.before, told.after, session.achievements, told.earlier
        )
        if effects is not None:
            plays = effects.in_order(session.achievements, session.region)
            session = replace(session, achievements=plays)
        return session, effects

    async def _last(self, member: MemberId, region: Region, zone: tzinfo) -> SessionBetween | None:
        """Return what was played on the last day on which a look found a change."""
        states = await self._chronicle.fetch(member, region, most=2)
        pair = await run_in_worker(last_played_between, states)
        if pair is None and len(states) > 1:
            states = await self._chronicle.fetch(member, region, most=_MAX_LOOKS)
            pair = await run_in_worker(last_played_between, states)
        if pair is None:
            return await run_in_worker(session_between, states[1], states[0]) if len(states) > 1 else None
        midnight = datetime.combine(pair.after.taken_at.astimezone(zone), time(), zone)
        before = await self._before(member, region, midnight)
        if before is None or before.taken_at > pair.before.taken_at:
            before = pair.before
        whole = await run_in_worker(session_between, before, pair.after)
        return (
            whole
            if whole.session.achievements
            else await run_in_worker(session_between, pair.before, pair.after)
        )

    async def _since(self, member: MemberId, region: Region, begin: datetime) -> SessionBetween | None:
        """Return what was played since a moment: by the service's time if given, else by that of the look."""
        newest = await self._chronicle.find(member, region)
        before = await self._before(member, region, begin)
        if newest is None or before is None:
            return None
        for _ in range(_MAX_LOOKS):
            found = await self._chronicle.find_next(member, region, after=max(before.taken_at, begin))
            if found is None or not await run_in_worker(is_all_from_before, before, found, begin):
                break
            before = found  # it was uploaded late
        return await run_in_worker(session_between, before, newest, begin)

    async def _before(self, member: MemberId, region: Region, moment: datetime) -> RecordsState | None:
        """Return the state of records at a moment; the first look if nothing is stored from before it."""
        before = await self._chronicle.find(member, region, until=moment)
        return before or await self._chronicle.find_next(member, region)

    async def _safely(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except BotError as error:
            _logger.warning("a day of somebody's records could not be saved: %s", error)
        except Exception:  # nobody awaits it, and the next look saves the same
            _logger.exception("a day of somebody's records was not saved")
        finally:
            work.close()

    async def _follow_all(self, profiles: Sequence[tuple[Asker, Answer[Player]]]) -> None:
        # Skip members who were already checked with the same profile.
        looked_at = await self._refresh_schedule.find([asker.link.member for asker, _ in profiles])
        pending = [each for each in profiles if looked_at.get(each[0].link.member) != each[1].age.fetched_at]
        await asyncio.gather(*(self._safely(self._follow(*each)) for each in pending))

    async def _follow(self, asker: Asker, profile: Answer[Player]) -> None:
        async with self._follow_slots:
            await self._look_behind(asker, profile)

    async def _look_behind(self, asker: Asker, profile: Answer[Player]) -> bool:
        link, told_at = asker.link, _moment_of(profile)
        looked_at = (await self._refresh_schedule.find([link.member])).get(link.member, _NEVER)
        if told_at == looked_at:  # checked with the same profile
            return False
        noted_at = self._noted_at(link) or _NEVER
        newest = await self._chronicle.find_figures(link.member, link.region)
        moved = may_have_moved(profile.value, told_at, newest, max(looked_at, noted_at))
        if moved:
            records = await asker.fetch_records(Target(), link.region)
            await self._note(link, profile.value, records.value, _moment_of(records), is_patient=True)
            told_at = min(told_at, _moment_of(records))
        if told_at > looked_at:
            await self._refresh_schedule.note(link, told_at, again_at=told_at + AGAIN)
        return moved

    async def _note_or_later(
        self, link: AccountLink, player: Player, records: tuple[Record, ...], taken_at: datetime
    ) -> None:
        try:
            await self._note(link, player, records, taken_at)
        except (CannotKeep, CannotRead):
            key = ("chronicle", link.member, link.region, taken_at.isoformat())
            self._backlog.add(
                key,
                lambda: self._note(link, player, records, taken_at, is_patient=True),
                of=link.member,
            )

    async def _note(
        self,
        link: AccountLink,
        player: Player,
        records: tuple[Record, ...],
        taken_at: datetime,
        *,
        is_patient: bool = False,
    ) -> None:
        whose = link.member, link.region
        said = hash((player, await self._hashes.hash_of(on_normal_charts(records))))
        async with self._note_lock:
            if not await self._has_noted(whose, said):
                catalogue = await self._ratings.find_kept_catalogue(link.region)
                found = catalogue and await self._ratings.check(link, catalogue, player, records, taken_at)
                looked = _Look(link, player, records, taken_at, catalogue, found and found.worked_out)
                await self._keep_against_others(looked, is_patient=is_patient)
        self._noted[whose] = _Noted(link.linked_at, taken_at, said)
        self._noted.move_to_end(whose)
        if len(self._noted) > _KNOWN_MEMBERS:
            self._noted.popitem(last=False)

    async def _has_noted(self, whose: tuple[MemberId, Region], said: int) -> bool:
        """Return whether this state is what this process saved last, and no newer state is stored."""
        before = self._noted.get(whose)
        if before is None or before.said != said:
            return False
        # It may have been erased since, or another process may have saved another state.
        newest = await self._chronicle.find_figures(*whose)
        return newest is not None and newest[1] <= before.at

    def _noted_at(self, link: AccountLink) -> datetime | None:
        noted = self._noted.get((link.member, link.region))
        # If the link is a different one, everything saved earlier may have been erased.
        return noted.at if noted is not None and noted.linked_at == link.linked_at else None

    async def _keep_against_others(self, look: "_Look", *, is_patient: bool) -> None:
        for _ in range(_MAX_TRIES):
            if await self._save_look(look, is_patient=is_patient):
                return
        raise CannotKeep

    async def _save_look(self, look: "_Look", *, is_patient: bool) -> bool:
        """Save a look; return False if another process has saved one meanwhile."""
        link, player, records, taken_at, _, _ = look
        before = await self._chronicle.find(link.member, link.region)
        if before is not None and before.taken_at >= taken_at:
            return True
        seen_at = self._noted_at(link)
        state, sitting = await run_in_worker(_looked, look, before, seen_at)
        if before is not None and before.says_the_same(state):
            return True
        await self._when_moved(link, player, records, taken_at)
        now = self._clock.now()
        found = None if sitting is None else LookOutcome(sitting, now, now + self._pause)
        return await self._chronicle.save(
            state, found, account=link.user_id, before=before, is_patient=is_patient
        )


class _Noted(NamedTuple):
    """The last saved state of a member, so that the same state again costs few database queries or none."""

    linked_at: datetime
    """The time of the link with which this was seen."""
    at: datetime
    """The moment at which the records were current."""
    said: int
    """The hash of profile and records."""


class _Look(NamedTuple):
    """A member's data at one moment."""

    link: AccountLink
    player: Player
    records: tuple[Record, ...]
    taken_at: datetime
    catalogue: Catalogue | None
    worked_out: WorkedOut | None
    """The slots that were worked out; None without a catalogue."""


def _looked(
    look: _Look, before: RecordsState | None, seen_at: datetime | None
) -> tuple[RecordsState, Sitting | None]:
    """Return the state of the records, and the sitting since the state before, which was last confirmed at `seen_at`."""
    link, player, records, taken_at, catalogue, worked_out = look
    marks = marks_of(records, before and before.marks)
    state = RecordsState(
        member=link.member,
        region=link.region,
        taken_at=taken_at,
        figures=figures_of(player, marks, link.region, before, worked_out=worked_out, catalogue=catalogue),
        marks=marks,
    )
    if before is None:
        return state, None
    last = max(before.taken_at, seen_at or before.taken_at)
    return state, sitting_of(replace(before, taken_at=last), state, player.player_name, worked_out)


def _moment_of(answer: Answer[object]) -> datetime:
    """Return the moment of an answer by the service. Raises: the reason why the service could not be asked now."""
    if answer.age.trouble is not None:
        raise answer.age.trouble
    return answer.age.fetched_at
