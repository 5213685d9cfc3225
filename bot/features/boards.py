"""The boards of a server: its members who let others look, from stored history; sends no request to the service."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Final, Self, TypeAlias

from bot.base.clock import Clock
from bot.base.worker import run_in_worker
from bot.domain.boards import TURNING, BoardPlace, Measure, Ranking, place_of
from bot.domain.charts import MASTER, Difficulty, Song
from bot.domain.errors import BotError, CannotKeep
from bot.domain.game_versions import GameVersion
from bot.domain.history import ChartKey
from bot.domain.ids import GuildId, MemberId, Region
from bot.domain.members import Audience, Visibility
from bot.features.shared.askers import Askers
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.library import SongChoice, SongLibrary, get_chart
from bot.features.shared.paging import Part, part_of
from bot.features.shared.subjects import Among, Neighbour
from bot.store import Store, Whose

_logger = logging.getLogger(__name__)

PAGE_SIZE: Final = 15
_Fetch: TypeAlias = Callable[[Whose], Awaitable[dict[MemberId, int]]]
_BELIEVED_SECONDS: Final = 60.0
"""Seconds for which server membership is cached: a thousand members take ten requests to Discord."""

_WRITTEN_OUT_AT_ONCE: Final = 200
"""The most members of a board whose scores are backfilled at once: those who have not played since scores are stored
separately."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardQuestion:
    """The parameters of a board."""

    measure: Measure = Measure.RATING
    song: str = ""
    """The id of a song or a search text; if given, the board compares scores on it."""
    difficulty: Difficulty = MASTER
    role: int | None = None
    """The role to which the board is limited."""
    number: int = 0
    """The page, from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardReport:
    """The content of `/leaderboard`."""

    measure: Measure
    song: Song | None
    """The song whose scores are compared."""
    difficulty: Difficulty
    part: Part[BoardPlace]
    own: BoardPlace | None
    """The viewer's place; None if nothing of theirs is stored."""
    version: GameVersion | None
    """The current version of the game, if the measure starts anew with each; figures from before it rank below."""
    is_seen: bool
    """Whether the viewer lets others see them on boards."""
    is_only_me: bool
    """Whether the viewer chose "only me"; other members who are not seen are protected by the service."""
    region: Region
    audience: Audience


@dataclass(slots=True)
class _Known:
    """The cached membership of a server."""

    asked_at: float
    """The moment of the request, by the monotonic clock."""
    asked: set[MemberId] = field(default_factory=set[MemberId])
    here: dict[MemberId, Neighbour] = field(default_factory=dict[MemberId, Neighbour])
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Boards:
    """Notes the members of each server, and compares them."""

    def __init__(
        self, store: Store, askers: Askers, library: SongLibrary, ratings: GameRatings, clock: Clock
    ) -> None:
        self._store = store
        self._ratings = ratings
        self._askers = askers
        self._library = library
        self._clock = clock
        self._here: dict[GuildId, _Known] = {}
        self._notes: set[asyncio.Task[None]] = set()
        """The tasks that write to the database."""
        self._is_writing_out = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Finish the running writes."""
        await asyncio.gather(*self._notes)

    def note_sighting(self, member: MemberId, guild: GuildId) -> None:
        """Note in the background that a member who lets others look was in a server."""
        self._begin(self._note_sighting(member, guild))

    async def report(
        self, viewer: MemberId, guild: GuildId, question: BoardQuestion, among: Among
    ) -> BoardReport | SongChoice:
        """Return one page of a board, with the viewer's own place; or songs to choose from.

        Members who do not let others look are not counted, except in what they themselves are shown. Raises: NotLinked,
        NotFound, SongRemoved, NoChart, MembershipUnknown.
        """
        asker = await self._askers.get(viewer)
        song = None
        if question.song:
            song = await (await self._library.enter(asker, guild)).pick_playable(question.song)
            if isinstance(song, SongChoice):
                return song
            get_chart(song, question.difficulty)
        measure = Measure.SCORE if song else question.measure
        chart = (song.id, question.difficulty) if song else None
        region = asker.link.region
        version = self._ratings.begun_version(region) if measure in TURNING else None
        fetch = partial(self._fetch_standings, measure, chart, region, version and version.begins_at)
        standings, here = await self._fetch_present(guild, viewer, among, fetch)
        link = (await self._askers.get(viewer)).link
        own = standings.get(viewer)
        if own is None:
            own = (await fetch(Whose(member=viewer))).get(viewer)
            if own is not None and link.is_on_boards:
                standings[viewer] = own
        page, shown, numbers = await run_in_worker(_page_of, standings, here, question, viewer, own)
        places = await self._places(measure, region, numbers, here)
        return BoardReport(
            measure=measure,
            song=song,
            difficulty=question.difficulty,
            part=Part(
                items=tuple(places[each] for each in shown if each in places),
                start=page.start,
                total=page.total,
                number=page.number,
                count=page.count,
            ),
            own=places.get(viewer),
            version=version,
            is_seen=link.is_on_boards,
            is_only_me=link.visibility is Visibility.ONLY_ME,
            region=region,
            audience=Audience.ANYONE if link.is_on_boards else Audience.ASKER,
        )

    async def _fetch_present(
        self, guild: GuildId, viewer: MemberId, among: Among, fetch: _Fetch
    ) -> tuple[dict[MemberId, int], Mapping[MemberId, Neighbour]]:
        """Return the standings of those seen in a server, and which of them are in it now."""
        standings, known = await fetch(Whose(guild)), self._known_here(guild)
        members = {viewer, *standings}
        if known.asked.issuperset(members):
            return standings, known.here
        here = await self._fetch_here(guild, members, among)
        return await fetch(Whose(guild)), here  # members may hide or erase during the request

    async def _places(
        self,
        measure: Measure,
        region: Region,
        numbers: Mapping[MemberId, tuple[int, int]],
        here: Mapping[MemberId, Neighbour],
    ) -> dict[MemberId, BoardPlace]:
        """Return the places of a few members, from their numbers and standings."""
        if measure is Measure.SCORE:
            moments = await self._store.boards.fetch_moments(numbers, region)
        else:
            figures = await self._store.boards.fetch_figures(measure, numbers, region)
            moments = {member: as_of for member, (_, as_of) in figures.items()}
        return {
            member: place_of(
                number, member, here[member].name if member in here else "", standing, moments[member]
            )
            for member, (number, standing) in numbers.items()
            if member in moments  # otherwise erased meanwhile
        }

    async def find_here(self, guild: GuildId, among: Among) -> Mapping[MemberId, Neighbour]:
        """Return those members of a server who let others look. Raises: MembershipUnknown."""
        return await self._fetch_here(guild, {*await self._store.sightings.fetch(guild)}, among)

    async def _fetch_here(
        self, guild: GuildId, members: Collection[MemberId], among: Among
    ) -> Mapping[MemberId, Neighbour]:
        """Return which of these members are in a server; the sightings of those who have left are deleted."""
        known = self._known_here(guild)
        async with known.lock:
            unknown = {*members} - known.asked
            if unknown:
                found = await among(unknown)
                known.here |= found
                known.asked |= unknown
                if gone := unknown - found.keys():
                    self._begin(self._store.sightings.delete(guild, gone))
        return known.here

    def _known_here(self, guild: GuildId) -> _Known:
        now = self._clock.monotonic()
        for old in [each for each, known in self._here.items() if now - known.asked_at > _BELIEVED_SECONDS]:
            del self._here[old]
        return self._here.setdefault(guild, _Known(now))

    async def _fetch_standings(
        self, measure: Measure, chart: ChartKey | None, region: Region, begun: datetime | None, whose: Whose
    ) -> dict[MemberId, int]:
        if chart is None:
            return await self._store.boards.fetch_standings(measure, whose, region, begun)
        scores, unwritten = await self._store.boards.fetch_scores(chart, whose, region)
        if unwritten and not self._is_writing_out:
            self._is_writing_out = True
            self._begin(self._backfill_scores(unwritten[:_WRITTEN_OUT_AT_ONCE], region))
        return scores

    async def _backfill_scores(self, members: Sequence[MemberId], region: Region) -> None:
        try:
            for member in members:
                await self._store.boards.backfill_scores(member, region)
        finally:
            self._is_writing_out = False

    async def _note_sighting(self, member: MemberId, guild: GuildId) -> None:
        known = await self._store.members.get(member)
        if known.link is not None and known.link.is_on_boards and guild not in known.seen_in:
            note = partial(self._store.sightings.note, guild, member)
            try:
                await note()
            except CannotKeep:
                self._store.backlog.add(("sighting", guild, member), note, of=member)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(_safely(work))
        self._notes.add(task)
        task.add_done_callback(self._notes.discard)


def _page_of(
    standings: dict[MemberId, int],
    here: Mapping[MemberId, Neighbour],
    question: BoardQuestion,
    viewer: MemberId,
    own: int | None,
) -> tuple[Part[int], list[MemberId], dict[MemberId, tuple[int, int]]]:
    """Return a page and its members, with the places and standings of these and of the viewer."""
    role = question.role
    ranking = Ranking(
        {
            member: standing
            for member, standing in standings.items()
            if member in here and (role is None or role in here[member].roles)
        }
    )
    page = part_of(range(len(ranking)), PAGE_SIZE, question.number)
    members = ranking.members(page.start, PAGE_SIZE, lambda member: here[member].name)
    figures = {member: standings[member] for member in members}
    if own is not None:
        figures[viewer] = own
    numbers = {member: (ranking.number_of(standing), standing) for member, standing in figures.items()}
    return page, members, numbers


async def _safely(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except BotError as error:
        _logger.debug(
            "who is in a server was not saved: %s", error
        )  # the store has already logged the failure
    except Exception:  # nobody awaits it, and the next use notes the same
        _logger.exception("who is in a server was not saved")
