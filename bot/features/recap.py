"""A member's recap, from stored history and for themselves only; sends no request for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum
from functools import partial
from typing import Final, NamedTuple

from bot.base.clock import Clock
from bot.base.worker import run_in_worker
from bot.domain.boards import Measure
from bot.domain.charts import Song
from bot.domain.curves import Point
from bot.domain.game_versions import GameVersion, game_day
from bot.domain.ids import GuildId, MemberId, Region, SongId
from bot.domain.members import Audience
from bot.domain.numbers import Hundredths
from bot.domain.recap import KeptRecap, Recap, RecapPeriod, RecapRival, RecapSpan, RecapTally, rival_of
from bot.features.boards import Boards
from bot.features.shared.askers import Asker, Askers
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.library import SongLibrary
from bot.features.shared.paging import Part, part_of
from bot.features.shared.subjects import Among
from bot.store import Store

_LOOKS_AT_ONCE: Final = 20
_FRESH_TIME: Final = timedelta(days=28)
"""The age below which a version is too new for a recap by default, if there was one before it."""
_NEAR_HUNDREDTHS: Final = Hundredths(50)
"""The greatest distance of a rival's rating from the member's own."""
_RIVALS: Final = 8
"""The number of players with the nearest ratings who are considered as rivals."""


class RecapPage(StrEnum):
    """The topics of a recap's pages."""

    WHOLE = "whole"
    DAY = "day"
    JUMP = "jump"
    PLAY = "play"
    MARKS = "marks"
    GENRE = "genre"
    CHART = "chart"
    MISS = "miss"
    MONTH = "month"
    RIVAL = "rival"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecapReport:
    """The content of `/recap`."""

    period: RecapPeriod
    periods: tuple[RecapPeriod, ...]
    """The periods that the viewer can choose from."""
    span: RecapSpan
    version: GameVersion | None
    """The version of the game that the recap covers; None for a year."""
    versions: tuple[GameVersion, ...]
    """The versions of the game that began within the span, oldest first."""
    recap: Recap
    rival: RecapRival | None
    part: Part[RecapPage]
    """The shown page, out of those that have content."""
    remembered_since: datetime | None
    """The first stored look; None if there is none."""
    songs: Mapping[SongId, Song]
    region: Region
    audience: Audience


class _Question(NamedTuple):
    """The parameters of a recap."""

    region: Region
    span: RecapSpan
    zone: tzinfo
    turns: tuple[datetime, ...]


class Recaps:
    """Makes recaps from members' stored history."""

    def __init__(
        self,
        store: Store,
        askers: Askers,
        library: SongLibrary,
        ratings: GameRatings,
        boards: Boards,
        clock: Clock,
    ) -> None:
        self._store = store
        self._askers = askers
        self._library = library
        self._ratings = ratings
        self._boards = boards
        self._clock = clock

    async def report(
        self,
        viewer: MemberId,
        period: RecapPeriod | None,
        guild: GuildId | None,
        among: Among | None,
        zone: tzinfo,
        number: int = 0,
    ) -> RecapReport:
        """Return one page of the viewer's own recap; `among` looks up members of the server where it is used.

        Raises: NotLinked, MembershipUnknown, CannotRead.
        """
        asker = await self._askers.get(viewer)
        region, now = asker.link.region, self._clock.now()
        begun = await self._begun(viewer, region)
        period, periods = period or _usual(begun, now), _periods(begun)
        period = period if period in periods else RecapPeriod.YEAR
        version, span = _span(period, begun, now.astimezone(zone))
        versions = self._ratings.versions.begun_between(region, span.first, min(span.end, now))
        question = _Question(region, span, zone, tuple(each.begins_at for each in versions))
        visit = await self._library.find(asker, guild)
        songs: Mapping[SongId, Song] = {} if visit is None else visit.loaded.catalogue.by_id
        known = await self._store.snapshots.recaps.get(
            viewer, partial(self._make, viewer, question, songs), fits=lambda found: found.of == question
        )
        recap = known.recap
        rival = None
        if guild is not None and among is not None and len(recap.looks) > 1:
            rival = await self._find_rival(asker, guild, among, recap.looks)
        pages = pages_of(recap, rival)
        # Members may end their link or hide while this is read.
        asker = await self._askers.get(viewer)
        return RecapReport(
            period=period,
            periods=periods,
            span=span,
            version=version,
            versions=versions,
            recap=recap,
            rival=rival,
            part=part_of(pages, 1, number),
            remembered_since=known.remembered_since,
            songs=songs,
            region=region,
            audience=Audience.ASKER,
        )

    async def _begun(self, member: MemberId, region: Region) -> tuple[GameVersion, ...]:
        """Return the versions that have begun for a member, the one that they play first."""
        table = self._ratings.versions
        begun = tuple(each for each in table.in_force(region, game_day(self._clock.now())) if each.new_since)
        hints = await self._ratings.find_hints(member, region)
        played = hints.chosen or hints.last
        return begun[begun.index(played) :] if played in begun else begun

    async def _make(self, member: MemberId, question: _Question, songs: Mapping[SongId, Song]) -> KeptRecap:
        """Go through a member's looks. Raises: CannotRead."""
        chronicle, (region, span, zone, turns) = self._store.chronicle, question
        tally = RecapTally(region, span, turns, zone)
        begun = await chronicle.find_beginning(member, region)
        before = await chronicle.find(member, region, until=span.first)
        after = None if before is None else before.taken_at
        if before is not None:
            tally.add([before])
        while states := await chronicle.fetch_next(member, region, after=after, most=_LOOKS_AT_ONCE):
            await run_in_worker(tally.add, states)
            after = states[-1].taken_at
            if after >= span.end:
                break
        genres = {song.id: song.genre for song in songs.values() if song.genre}
        return KeptRecap(question, await run_in_worker(tally.finish, genres), begun)

    async def _find_rival(
        self, asker: Asker, guild: GuildId, among: Among, own: Sequence[Point]
    ) -> RecapRival | None:
        """Return a rival whose rating was near, out of those in the server who let others look."""
        viewer, chronicle = asker.link.member, self._store.chronicle
        here = await self._boards.find_here(guild, among)
        figures = await self._store.boards.fetch_figures(
            Measure.RATING, here.keys() - {viewer}, asker.link.region
        )
        near = sorted(figures, key=lambda member: abs(figures[member][0] - own[-1].figure))[:_RIVALS]
        first, last = own[0].moment.date(), own[-1].moment.date()
        looks: dict[MemberId, list[Point]] = {member: [] for member in near}
        for look in await chronicle.fetch_looks(near, None, first=first, last=last):
            looks[look.member].append(Point(look.taken_at, look.rating))
        shown = {*await self._store.sightings.fetch(guild)}
        others = [(here[member].name, points) for member, points in looks.items() if member in shown]
        return rival_of(own, others, _NEAR_HUNDREDTHS)


def _periods(begun: Sequence[GameVersion]) -> tuple[RecapPeriod, ...]:
    """Return the available periods, given the versions that have begun for a member."""
    if not begun:
        return RecapPeriod.YEAR, RecapPeriod.LAST_YEAR
    return tuple(each for each in RecapPeriod if each is not RecapPeriod.LAST_VERSION or len(begun) > 1)


def _usual(begun: Sequence[GameVersion], now: datetime) -> RecapPeriod:
    is_fresh = len(begun) > 1 and now - begun[0].begins_at < _FRESH_TIME
    return RecapPeriod.LAST_VERSION if is_fresh else RecapPeriod.VERSION


def _span(
    period: RecapPeriod, begun: Sequence[GameVersion], now: datetime
) -> tuple[GameVersion | None, RecapSpan]:
    """Return a recap's version and time span; years are in the time zone of `now`."""
    match period:
        case RecapPeriod.VERSION:
            return begun[0], RecapSpan(begun[0].begins_at, datetime.max.replace(tzinfo=UTC))
        case RecapPeriod.LAST_VERSION:
            return begun[1], RecapSpan(begun[1].begins_at, begun[0].begins_at)
        case _:
            year = now.year - (period is RecapPeriod.LAST_YEAR)
            first, end = (datetime(each, 1, 1, tzinfo=now.tzinfo) for each in (year, year + 1))
            return None, RecapSpan(first, end)


def pages_of(recap: Recap, rival: RecapRival | None) -> list[RecapPage]:
    """Return the pages that have content; none if nothing was played."""
    known = {
        RecapPage.WHOLE: recap,
        RecapPage.DAY: recap.best_day,
        RecapPage.JUMP: recap.jump,
        RecapPage.PLAY: recap.best_play,
        RecapPage.MARKS: recap.ranks or recap.lamps or None,
        RecapPage.GENRE: recap.genre,
        RecapPage.CHART: recap.chart,
        RecapPage.MISS: recap.miss,
        RecapPage.MONTH: recap.month,
        RecapPage.RIVAL: rival,
    }
    return [] if recap.is_empty else [page for page, what in known.items() if what is not None]
