"""The boards of a server: its members who let others look, by what is remembered of them; the service is not asked."""

import asyncio
import logging
from collections.abc import Collection, Coroutine, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Final, Self

from bot.base.clock import Clock
from bot.base.worker import run_in_worker
from bot.domain.boards import TURNING, BoardPlace, Measure, Rival, place_among, places_of
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
from bot.store import Store

_logger = logging.getLogger(__name__)

PAGE_SIZE: Final = 15
_BELIEVED_SECONDS: Final = 60.0
"""Seconds for which it is believed who is in a server: a thousand members are ten requests to Discord."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardQuestion:
    """What a board is asked for."""

    measure: Measure = Measure.RATING
    song: str = ""
    """Its id, or a text that it is looked for by; one that is given is what members are compared by."""
    difficulty: Difficulty = MASTER
    role: int | None = None
    """The role of those whom alone it is about."""
    number: int = 0
    """The page, from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardReport:
    """What `/leaderboard` shows."""

    measure: Measure
    song: Song | None
    """Where scores are compared."""
    difficulty: Difficulty
    part: Part[BoardPlace]
    own: BoardPlace | None
    """The viewer's; None where nothing of theirs is remembered."""
    version: GameVersion | None
    """The one that counts now, of what starts anew with each; figures from before it stand below."""
    is_seen: bool
    """Whether the viewer lets others see them on boards."""
    is_only_me: bool
    """Whether they have chosen not to: others are not seen because the service protects them."""
    region: Region
    audience: Audience


@dataclass(slots=True)
class _Known:
    """Who of the members that Discord was asked about is in a server."""

    asked_at: float
    """The moment of the question, by the monotonic clock."""
    asked: set[MemberId] = field(default_factory=set[MemberId])
    here: dict[MemberId, Neighbour] = field(default_factory=dict[MemberId, Neighbour])
    door: asyncio.Lock = field(default_factory=asyncio.Lock)


class Boards:
    """Notes who is in which server, and compares them."""

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
        """What is being written down."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Let what is being noted be written down."""
        await asyncio.gather(*self._notes)

    def notice(self, member: MemberId, guild: GuildId) -> None:
        """Have it noted, behind the answer, that a member who lets others look was in a server."""
        self._begin(self._notice(member, guild))

    async def report(
        self, viewer: MemberId, guild: GuildId, question: BoardQuestion, among: Among
    ) -> BoardReport | SongChoice:
        """Return one page of a board, with the viewer's own place; or songs between which to choose.

        Whoever does not let others look is not counted either, but in what they themselves are shown.
        Raises: NotLinked, NotFound, NoChart, MembershipUnknown.
        """
        asker = await self._askers.get(viewer)
        song = None
        if question.song:
            song = await (await self._library.enter(asker, guild)).pick(question.song)
            if isinstance(song, SongChoice):
                return song
            get_chart(song, question.difficulty)
        measure = Measure.SCORE if song else question.measure
        chart = (song.id, question.difficulty) if song else None
        here = await self._fetch_here(guild, {viewer, *await self._store.sightings.fetch(guild)}, among)
        figures = await self._fetch_figures(measure, chart, here.keys() | {viewer}, asker.link.region)
        # Asking takes a while, in which members hide or erase what they linked.
        shown = {*await self._store.sightings.fetch(guild)}
        link = (await self._askers.get(viewer)).link
        if link.is_on_boards:
            shown.add(viewer)
        rivals = [
            Rival(member, here[member].name, *figure)
            for member, figure in figures.items()
            if member in shown and member in here and question.role in (None, *here[member].roles)
        ]
        version = self._ratings.begun_version(asker.link.region) if measure in TURNING else None
        begun = None if version is None else version.begins_at
        places = await run_in_worker(places_of, rivals, begun)
        own = next((place for place in places if place.rival.member == viewer), None)
        if own is None and viewer in figures:
            own = place_among(Rival(viewer, "", *figures[viewer]), rivals, begun)
        return BoardReport(
            measure=measure,
            song=song,
            difficulty=question.difficulty,
            part=part_of(places, PAGE_SIZE, question.number),
            own=own,
            version=version,
            is_seen=link.is_on_boards,
            is_only_me=link.visibility is Visibility.ONLY_ME,
            region=asker.link.region,
            audience=Audience.ANYONE if link.is_on_boards else Audience.ASKER,
        )

    async def find_here(self, guild: GuildId, among: Among) -> Mapping[MemberId, Neighbour]:
        """Return who is in a server of those who have let others look. Raises: MembershipUnknown."""
        return await self._fetch_here(guild, {*await self._store.sightings.fetch(guild)}, among)

    async def _fetch_here(
        self, guild: GuildId, members: Collection[MemberId], among: Among
    ) -> Mapping[MemberId, Neighbour]:
        """Return who of these members is in a server; who has left is forgotten there."""
        now = self._clock.monotonic()
        for old in [each for each, known in self._here.items() if now - known.asked_at > _BELIEVED_SECONDS]:
            del self._here[old]
        known = self._here.setdefault(guild, _Known(now))
        async with known.door:
            unknown = {*members} - known.asked
            if unknown:
                found = await among(unknown)
                known.here |= found
                known.asked |= unknown
                if gone := unknown - found.keys():
                    self._begin(self._store.sightings.forget(guild, gone))
        return known.here

    async def _fetch_figures(
        self, measure: Measure, chart: ChartKey | None, members: Collection[MemberId], region: Region
    ) -> Mapping[MemberId, tuple[int, datetime]]:
        if chart is None:
            return await self._store.chronicle.fetch_figures(measure, members, region)
        scores = await self._store.chronicle.fetch_scores(chart, members, region)
        return {member: (mark.score, as_of) for member, (mark, as_of) in scores.items()}

    async def _notice(self, member: MemberId, guild: GuildId) -> None:
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


async def _safely(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except BotError as error:
        _logger.debug(
            "who is in a server was not noted: %s", error
        )  # the store has said once that it is away
    except Exception:  # nobody waits for it, and the next use notes the same
        _logger.exception("who is in a server was not noted")
