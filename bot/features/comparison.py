"""Compares the asker's scores with another player's: on all charts that both have played, or on one song."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.api.cache import Answer
from bot.base.worker import run_in_worker
from bot.domain.age import oldest
from bot.domain.charts import Chart, Difficulty, Song
from bot.domain.coach.feeling import FeltByMember
from bot.domain.coach.player_model import PlayerModel
from bot.domain.coach.prediction import Prediction
from bot.domain.comparison import Duel, DuelCounts, GapOrder, compare
from bot.domain.entries import ChartEntry, record_entries, song_entries
from bot.domain.errors import BotError
from bot.domain.filters import Filter, parse_filter
from bot.domain.game_rating import WorkedOut
from bot.domain.history import ChartKey
from bot.domain.ids import GuildId, MemberId, Region
from bot.domain.members import Audience
from bot.domain.players import Player, Target
from bot.domain.ranks import MAX_SCORE
from bot.domain.scores import Record
from bot.features.shared.askers import Asker, Askers
from bot.features.shared.chronicle import Chronicles
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.library import SongChoice, SongLibrary, SongLookup
from bot.features.shared.paging import RECORDS, Part, part_of
from bot.features.shared.player_models import PlayerModels
from bot.features.shared.reports import Fetched
from bot.features.shared.subjects import Subject

_FetchRecords = Callable[[Target, Region], Awaitable[Answer[tuple[Record, ...]]]]
_Both = tuple[Answer[Player], Answer[Player], Answer[tuple[Record, ...]], Answer[tuple[Record, ...]]]

MAX_SHOWN_CHARTS: Final = 9
"""The most charts in a picture: more would make it too tall for a phone."""


class NobodyToCompare(BotError):
    """A comparison needs another player."""

    def __init__(self) -> None:
        super().__init__("no other player was named")


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonReport(Fetched):
    """The content of `/compare`."""

    me: Player
    other: Player
    wanted: Filter
    total: DuelCounts
    by_difficulty: Mapping[Difficulty, DuelCounts]
    """The counts by difficulty, easiest first; only difficulties that both have played."""
    part: Part[Duel]
    """One page of the charts that both have played, by gap."""
    first: tuple[Duel, ...] = ()
    """The first charts of all pages, as many as fit in a picture."""
    worked_out: tuple[WorkedOut | None, WorkedOut | None] = (None, None)
    """The slots of both players; None if they cannot be worked out now."""
    chances: Mapping[ChartKey, float]
    """The chance that one try of the asker reaches the next rank, or the maximum, on charts of this page."""
    audience: Audience


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """Two players' scores on one chart."""

    mine: ChartEntry
    theirs: Record | None
    """The other player's record; None if they have not played the chart."""
    prediction: Prediction | None
    """The asker's expected score; None if it is unknown."""
    lead_chance: float | None
    """The chance that one try puts the asker ahead; None if they are ahead, if there is nothing to beat, or if it is
    unknown."""

    @property
    def chart(self) -> Chart:
        """The chart."""
        return self.mine.chart


@dataclass(frozen=True, slots=True, kw_only=True)
class SongComparison(Fetched):
    """The content of `/compare` for one song."""

    me: Player
    other: Player
    song: Song
    meetings: tuple[Meeting, ...]
    """The charts that at least one of the two has played, easiest first."""
    audience: Audience


class Comparisons:
    """Compares the asker's scores with those of another player."""

    def __init__(
        self,
        askers: Askers,
        library: SongLibrary,
        chronicle: Chronicles,
        player_models: PlayerModels,
        ratings: GameRatings,
    ) -> None:
        self._askers = askers
        self._ratings = ratings
        self._chronicle = chronicle
        self._player_models = player_models
        self._library = library

    async def report(
        self,
        viewer: MemberId,
        subject: Subject,
        text: str = "",
        number: int = 0,
        guild: GuildId | None = None,
        *,
        order: GapOrder = GapOrder.WIDEST,
    ) -> ComparisonReport:
        """Return one page of the charts that both have played, sorted by gap.

        The filter applies to the viewer's own records. Raises: NobodyToCompare, BadFilter, NotLinked as in every
        command about a member, and errors of the service for the viewer's token.
        """
        wanted = parse_filter(text)
        asker, target = await self._opponents(viewer, subject)
        region = asker.link.region
        (me, other, mine, theirs), visit = await asyncio.gather(
            _ask_about(asker, target, asker.fetch_all_records), self._library.find(asker, guild)
        )
        self._chronicle.note(asker.link, me.value, mine.value, oldest(me.age, mine.age))
        catalogue, rating = visit.loaded.catalogue if visit else None, me.value.rating
        felt = await self._player_models.feel(wanted, None, catalogue, rating, mine.value, asker.link)
        # Going through two full accounts would block the event loop for too long.
        comparison = await run_in_worker(
            lambda: compare(_passing(mine.value, region, visit, wanted, felt), theirs.value, order)
        )
        part = part_of(comparison.duels, RECORDS, number)
        chances: Mapping[ChartKey, float] = {}
        if catalogue and part.items:
            model = await self._player_models.get_model(catalogue, rating, mine.value, asker.link)
            chances = _chances(model, part.items, region)
        return ComparisonReport(
            me=me.value,
            other=other.value,
            wanted=wanted,
            total=comparison.total,
            by_difficulty=comparison.by_difficulty,
            part=part,
            first=comparison.duels[:MAX_SHOWN_CHARTS],
            worked_out=(await self._work_out(visit, me, mine), await self._work_out(visit, other, theirs)),
            chances=chances,
            region=region,
            age=oldest(me.age, other.age, mine.age, theirs.age),
            audience=asker.audience_of(other.value),
        )

    async def _work_out(
        self, visit: SongLookup | None, player: Answer[Player], records: Answer[tuple[Record, ...]]
    ) -> WorkedOut | None:
        if visit is None:
            return None
        catalogue, at = visit.loaded.catalogue, records.age.fetched_at
        return (await self._ratings.explain_with(catalogue, player.value, records.value, at)).worked_out

    async def report_song(
        self, viewer: MemberId, subject: Subject, wanted: str, guild: GuildId | None
    ) -> SongComparison | SongChoice:
        """Return both players' scores on the song, or songs to choose from.

        Raises: NotFound, SongRemoved, and as `report`.
        """
        asker, target = await self._opponents(viewer, subject)
        region = asker.link.region
        visit = await self._library.enter(asker, guild)
        song = await visit.pick_playable(wanted)
        if isinstance(song, SongChoice):
            return song
        fetch = asker.fetch_worlds_end if song.is_worlds_end else asker.fetch_records
        me, other, mine, theirs = await _ask_about(asker, target, fetch)
        if not song.is_worlds_end:
            self._chronicle.note(asker.link, me.value, mine.value, oldest(me.age, mine.age))
        model = await self._player_models.get_model(
            visit.loaded.catalogue, me.value.rating, mine.value, asker.link
        )
        return SongComparison(
            me=me.value,
            other=other.value,
            song=song,
            meetings=tuple(_meetings(song, mine.value, theirs.value, region, model)),
            region=region,
            age=oldest(me.age, other.age, mine.age, theirs.age),
            audience=asker.audience_of(other.value),
        )

    async def _opponents(self, viewer: MemberId, subject: Subject) -> tuple[Asker, Target]:
        asker = await self._askers.get(viewer)
        target = await self._askers.get_target(asker, subject)
        if target.is_holder:
            raise NobodyToCompare
        return asker, target


def _chances(model: PlayerModel, duels: Sequence[Duel], region: Region) -> Mapping[ChartKey, float]:
    """Return the chance of the next rank for each of the viewer's charts for which it is known."""
    return {
        (record.song_id, record.difficulty): chance
        for record in (duel.mine for duel in duels)
        if record.song_id and (chance := model.find_next_chance(record, region)) is not None
    }


async def _ask_about(asker: Asker, target: Target, fetch: _FetchRecords) -> _Both:
    """Return the profiles and the records of the asker and of another player.

    Raises: NobodyToCompare if the other player is the asker; errors of the service.
    """
    region = asker.link.region
    me, other, mine, theirs = await asyncio.gather(
        asker.fetch_owner(Target()),
        asker.fetch_owner(target),
        fetch(Target(), region),
        fetch(target, region),
    )
    if other.value.user_id == asker.link.user_id:
        raise NobodyToCompare
    return me, other, mine, theirs


def _meetings(
    song: Song, mine: Iterable[Record], theirs: Iterable[Record], region: Region, model: PlayerModel
) -> Iterator[Meeting]:
    others = {
        record.difficulty: record for record in theirs if record.song_id == song.id and record.is_played
    }
    for entry in song_entries(song, (record for record in mine if record.song_id == song.id), region):
        other = others.get(entry.chart.difficulty)
        if entry.played is None and other is None:
            continue
        score = entry.played.score if entry.played else 0
        prediction = model.predictions.get(entry.key)
        yield Meeting(
            mine=entry,
            theirs=other,
            prediction=prediction,
            lead_chance=prediction.next_try.chance(other.score + 1)
            if prediction and other and score <= other.score < MAX_SCORE
            else None,
        )


def _passing(
    mine: tuple[Record, ...],
    region: Region,
    visit: SongLookup | None,
    wanted: Filter,
    felt: FeltByMember | None,
) -> list[Record]:
    wanted = wanted.searched(visit.matches) if visit else wanted
    entries = record_entries(mine, region, visit.loaded.catalogue if visit else None)
    passing = wanted.passing(felt.on_entries(entries) if felt else entries)
    return [entry.record for entry in passing if entry.record]
