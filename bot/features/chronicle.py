"""What is remembered of members' records: noted whenever they are at hand anyway, told as sessions."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from msgspec import Struct

from bot.apart import apart
from bot.api import Priority
from bot.api.cache import Answer
from bot.clock import JST, Clock
from bot.domain.age import Age
from bot.domain.charts import Song
from bot.domain.chronicle import Session, State, compare, figures_of, marks_of, may_have_moved
from bot.domain.errors import BotError, CannotKeep, CannotRead
from bot.domain.feed import Sitting, sitting_of
from bot.domain.ids import GuildId, MemberId, Region, SongId
from bot.domain.members import Audience, Link
from bot.domain.players import Player, Target
from bot.domain.rounds import AGAIN
from bot.domain.scores import Record
from bot.features.askers import Asker, Askers, Subject, ask_both
from bot.features.library import Library
from bot.store import Found, Store

T = TypeVar("T")

_log = logging.getLogger(__name__)

_NEVER: Final = datetime.min.replace(tzinfo=UTC)

_KNOWN: Final = 10_000
"""Members of whom it is known in memory what was noted last."""
_LOOKS: Final = 14
"""Looks back at most, for the last one between which something was played."""
_FOLLOWED: Final = 4
"""Members at a time whose records are asked for behind a post."""


class SessionReport(Struct, frozen=True, kw_only=True):
    """What `/session` shows."""

    player: Player
    session: Session | None
    """None where nothing is remembered from before."""
    remembered_since: datetime | None
    """The first look that there is; None where there is none."""
    is_from_first: bool
    """What was asked for is from before that: what is shown is since then."""
    songs: Mapping[SongId, Song]
    """Those of the catalogue, as far as there is one."""
    region: Region
    age: Age
    audience: Audience


class Chronicles:
    """Notes states of records behind the answers that they are at hand for, and tells what they differ by."""

    def __init__(
        self,
        store: Store,
        askers: Askers,
        library: Library,
        clock: Clock,
        *,
        pause: timedelta,
        when_moved: Callable[[Link, Player, tuple[Record, ...], datetime], Awaitable[None]],
    ) -> None:
        """Remember nobody yet; what was played is told in feeds once nothing more was found for as long as `pause`.

        `when_moved` is told of a change before it is kept, and so again where it could not be.
        """
        self._clock = clock
        self._pause = pause
        self._when_moved = when_moved
        self._chronicle = store.chronicle
        self._rounds = store.rounds
        self._backlog = store.backlog
        self._askers = askers
        self._library = library
        self._noted: OrderedDict[tuple[MemberId, Region], datetime] = OrderedDict()
        """As of when records were noted last, so that an answer that is kept asks the database nothing."""
        self._notes: set[asyncio.Task[None]] = set()
        """What is being written down."""
        self._follows: set[asyncio.Task[None]] = set()
        """Members who are being asked about, which may take long."""
        self._note_door = asyncio.Lock()
        self._follow_door = asyncio.Semaphore(_FOLLOWED)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let what is being noted be written down, and ask nobody else."""
        for task in self._follows:
            task.cancel()
        await asyncio.gather(*self._notes, *self._follows, return_exceptions=True)

    def note(
        self, link: Link, player: Player, records: tuple[Record, ...], age: Age
    ) -> asyncio.Task[None] | None:
        """Have what a member sees of their own kept, behind the answer, unless it stands in for newer.

        Returns what writes it down; None where it is written already.
        """
        if age.is_stale or self._noted.get((link.member, link.region)) == age.fetched_at:
            return None
        return self._begin(self._notes, self._note_or_later(link, player, records, age.fetched_at))

    async def fetch(self, asker: Asker) -> Answer[tuple[Player, tuple[Record, ...]]]:
        """Return a member's own profile and normal records, noted behind the answer. Raises: what the service answers."""
        answer = await ask_both(asker.fetch_owner(Target()), asker.fetch_records(Target(), asker.link.region))
        player, records = answer.value
        self.note(asker.link, player, records, answer.age)
        return answer

    def follow(self, asker: Asker, profile: Answer[Player]) -> None:
        """Have all records of a member asked for and noted too, behind their profile, where it says that they may have moved."""
        self._begin(self._follows, self._follow(asker, profile))

    async def look_at(self, member: MemberId) -> bool:
        """Look at a member in the background, and note what they have played; return whether their records were asked for.

        Raises: NotLinked, what the service answers, and why it could not be asked.
        """
        asker = await self._askers.get(member, priority=Priority.PREFETCH)
        return await self._look_behind(asker, await asker.fetch_player(Target()))

    def _begin(self, begun: set[asyncio.Task[None]], work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(self._safely(work))
        begun.add(task)
        task.add_done_callback(begun.discard)
        return task

    async def report(
        self, viewer: MemberId, subject: Subject, since: date | None, guild: GuildId | None
    ) -> SessionReport:
        """Return what was played last, or since the beginning of a day: the viewer's own, or that of a member.

        Raises: NotLinked, CannotKeep where the viewer's own cannot be remembered, and what the service answers.
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
        states = [] if member is None else await self._states(member, region, since)
        if target.is_holder and not states:
            raise CannotKeep
        session = await apart(_last_session, states) if since is None else await apart(_whole_session, states)
        visit = await self._library.find(asker, guild)
        return SessionReport(
            player=player,
            session=session,
            remembered_since=states[-1].taken_at if states else None,
            is_from_first=since is not None and bool(states) and states[-1].day >= since,
            songs=visit.loaded.catalogue.by_id if visit else {},
            region=region,
            age=age,
            audience=asker.audience_of(player),
        )

    async def _look(self, asker: Asker) -> tuple[Player, Age]:
        """Ask for the viewer's own records, and have them noted before they are told of."""
        answer = await ask_both(
            asker.fetch_player(Target()), asker.fetch_records(Target(), asker.link.region)
        )
        player, records = answer.value
        noting = self.note(asker.link, player, records, answer.age)
        if noting is not None:
            await asyncio.wait({noting})
        return player, answer.age

    async def _states(self, member: MemberId, region: Region, since: date | None) -> list[State]:
        """Return states, the newest first: the last, or that of today and the one that it is compared with."""
        if since is None:
            states = await self._chronicle.fetch(member, region, until=date.max, most=2)
            if len(states) > 1 and not (await apart(compare, states[1], states[0])).achievements:
                states = await self._chronicle.fetch(member, region, until=date.max, most=_LOOKS)
            return [*states]
        newest = await self._chronicle.find(member, region, until=date.max)
        before = await self._chronicle.find(member, region, until=since - timedelta(days=1))
        before = before or await self._chronicle.find_first(member, region)
        return [each for each in (newest, before) if each is not None]

    async def _safely(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except BotError as error:
            _log.warning("a day of somebody's records could not be kept: %s", error)
        except Exception:  # noqa: BLE001 - nobody waits for it, and the next look notes the same
            _log.exception("a day of somebody's records was not kept")
        finally:
            work.close()

    async def _follow(self, asker: Asker, profile: Answer[Player]) -> None:
        async with self._follow_door:
            await self._look_behind(asker, profile)

    async def _look_behind(self, asker: Asker, profile: Answer[Player]) -> bool:
        link, told_at = asker.link, _moment_of(profile)
        looked_at = await self._rounds.find(link.member) or _NEVER
        noted_at = self._noted.get((link.member, link.region), _NEVER)
        newest = await self._chronicle.find(link.member, link.region, until=date.max)
        moved = may_have_moved(profile.value, told_at, newest, max(looked_at, noted_at))
        if moved:
            records = await asker.fetch_records(Target(), link.region)
            await self._note(link, profile.value, records.value, _moment_of(records), is_patient=True)
            told_at = min(told_at, _moment_of(records))
        if told_at > looked_at:
            await self._rounds.note(link, told_at, again_at=told_at + AGAIN)
        return moved

    async def _note_or_later(
        self, link: Link, player: Player, records: tuple[Record, ...], taken_at: datetime
    ) -> None:
        try:
            await self._note(link, player, records, taken_at)
        except (CannotKeep, CannotRead):
            key = ("chronicle", link.member, link.region, taken_at.astimezone(JST).date().isoformat())
            self._backlog.add(
                key,
                lambda: self._note(link, player, records, taken_at, is_patient=True),
                of=link.member,
            )

    async def _note(
        self,
        link: Link,
        player: Player,
        records: tuple[Record, ...],
        taken_at: datetime,
        *,
        is_patient: bool = False,
    ) -> None:
        day = taken_at.astimezone(JST).date()
        async with self._note_door:
            before = await self._chronicle.find(link.member, link.region, until=day)
            if before is None or before.taken_at < taken_at:
                state, sitting = await apart(_looked, link, player, records, taken_at, before)
                if before is None or not before.says_the_same(state):
                    await self._when_moved(link, player, records, taken_at)
                    now = self._clock.now()
                    found = None if sitting is None else Found(sitting, now, now + self._pause)
                    await self._chronicle.save(state, found, account=link.user_id, is_patient=is_patient)
        self._noted[link.member, link.region] = taken_at
        self._noted.move_to_end((link.member, link.region))
        if len(self._noted) > _KNOWN:
            self._noted.popitem(last=False)


def _looked(
    link: Link, player: Player, records: tuple[Record, ...], taken_at: datetime, before: State | None
) -> tuple[State, Sitting | None]:
    """Return how records stand, and what was played for since the state before."""
    marks = marks_of(records, before and before.marks)
    state = State(
        member=link.member,
        region=link.region,
        taken_at=taken_at,
        figures=figures_of(player, marks, link.region),
        marks=marks,
    )
    return state, None if before is None else sitting_of(before, state, player.player_name)


def _moment_of(answer: Answer[T]) -> datetime:
    """Return as of when the service said something. Raises: why it could not be asked now."""
    if answer.age.trouble is not None:
        raise answer.age.trouble
    return answer.age.fetched_at


def _last_session(states: list[State]) -> Session | None:
    """Return what differs between the last two looks that differ in anything that was played."""
    sessions = (compare(before, after) for after, before in pairwise(states))
    found = None
    for session in sessions:
        found = found or session
        if session.achievements:
            return session
    return found


def _whole_session(states: list[State]) -> Session | None:
    return compare(states[1], states[0]) if len(states) > 1 else None
