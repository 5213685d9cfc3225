"""Song pages: one song with the asker's own scores, or a choice of songs."""

import asyncio
from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import quote

from bot.api.answer import Answer
from bot.domain.age import Age, oldest
from bot.domain.charts import Difficulty, Song, difficulty_name
from bot.domain.coach.feeling import FeltChart
from bot.domain.errors import BotError
from bot.domain.gains import ChartReach, reach_of
from bot.domain.ids import GuildId, MemberId, Region
from bot.domain.players import Friend, Target
from bot.domain.scores import Record
from bot.features.shared.askers import Asker, Askers
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.library import SongChoice, SongLibrary, SongLookup
from bot.features.shared.player_models import PlayerModels
from bot.features.shared.reports import Fetched

FRIENDS_ASKED: Final = 8
"""The most friends whose scores are requested, highest ratings first: each costs a request."""

_MAX_BUTTON_URL: Final = 512
"""The most characters of the address behind a button. Source: Discord's documentation."""

Scores: TypeAlias = Mapping[Difficulty, Record]
"""One player's records on one song."""
_Records: TypeAlias = Answer[tuple[Record, ...]]


class SongLinks(NamedTuple):
    """Templates of addresses that the host has set; empty if there are none."""

    chart: str
    video: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SongReport(Fetched):
    """The content of `/song`."""

    song: Song
    scores: Scores = field(default_factory=dict[Difficulty, Record])
    """The asker's records; empty if they have none, are not linked, cannot be asked about now, or hide them."""
    chances: Mapping[Difficulty, float] = field(default_factory=dict[Difficulty, float])
    """The chance that one try of theirs reaches the next rank, or the maximum, on charts for which it is known."""
    felt: Mapping[Difficulty, FeltChart] = field(default_factory=dict[Difficulty, FeltChart])
    """The felt difficulty of charts for the asker, for those for which it is known."""
    trouble: BotError | None = None
    """The reason why the scores are missing, if they could not be read."""
    chart_url: str = ""
    """The address where the hardest chart can be seen; may be empty, as the next."""
    video_url: str = ""
    reach: Mapping[Difficulty, ChartReach] = field(default_factory=dict[Difficulty, ChartReach])
    """The possible effects of charts on the asker's rating, for those that can raise it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FriendScore:
    """One friend's records on one song."""

    friend: Friend
    scores: Scores


@dataclass(frozen=True, slots=True, kw_only=True)
class FriendScores(Fetched):
    """The records of the asker's friends on one song."""

    song: Song
    friends: tuple[FriendScore, ...]
    """The friends who played it, by rating."""
    asked: int
    """The number of friends whose scores were read."""
    left_out: int
    """The number of friends who were not asked about."""


class SongPages:
    """Makes the pages of songs."""

    def __init__(
        self,
        askers: Askers,
        library: SongLibrary,
        player_models: PlayerModels,
        ratings: GameRatings,
        links: SongLinks,
    ) -> None:
        self._links = links
        self._askers = askers
        self._ratings = ratings
        self._player_models = player_models
        self._library = library

    async def report(
        self, viewer: MemberId, wanted: str, guild: GuildId | None, *, in_public: bool
    ) -> SongReport | SongChoice:
        """Return the song with an id or a name, or several to choose from.

        In public, the scores of a viewer set to "only me" are left out. Raises: NotFound, NotLinked if there is no
        catalogue without a token, and errors of the service.
        """
        visit = await self._library.visit(viewer, guild)
        song = await visit.pick_playable(wanted)
        return song if isinstance(song, SongChoice) else await self._report(visit, song, in_public=in_public)

    async def report_in_message(
        self, viewer: MemberId, text: str, guild: GuildId | None
    ) -> SongReport | SongChoice:
        """Return the song that a message names, or several to choose from.

        Raises: NoSongNamed, and as `report`.
        """
        visit = await self._library.visit(viewer, guild)
        song = visit.pick_in_message(text)
        return song if isinstance(song, SongChoice) else await self._report(visit, song)

    async def report_own(self, viewer: MemberId, wanted: str, guild: GuildId | None) -> SongReport:
        """Return a song with the viewer's own scores. Raises: NotLinked, and as `report`."""
        await self._askers.get(viewer)
        visit = await self._library.visit(viewer, guild)
        return await self._report(visit, visit.get(wanted))

    async def report_friends(self, viewer: MemberId, wanted: str, guild: GuildId | None) -> FriendScores:
        """Return the records of the viewer's friends on a song.

        Raises: NotLinked, NotFound, and errors of the service if nothing can be read at all.
        """
        asker = await self._askers.get(viewer)
        visit = await self._library.visit(viewer, guild)
        song = visit.get(wanted)
        answer = await asker.fetch_friends()
        friends = sorted(
            (friend for friend in answer.value if friend.is_accepted), key=lambda each: -each.rating
        )
        found = await asyncio.gather(
            *(_score_of(asker, friend, song, visit.region) for friend in friends[:FRIENDS_ASKED])
        )
        read = [each for each in found if each is not None]
        return FriendScores(
            song=song,
            friends=tuple(score for score, _ in read if score.scores),
            asked=len(read),
            left_out=len(friends) - len(read),
            region=visit.region,
            age=oldest(visit.loaded.age, answer.age, *(age for _, age in read)),
        )

    async def _report(self, visit: SongLookup, song: Song, *, in_public: bool = False) -> SongReport:
        asker = None if in_public and visit.asker and visit.asker.is_only_me else visit.asker
        found = SongReport(
            song=song,
            region=visit.region,
            age=visit.loaded.age,
            chart_url=address_of(self._links.chart, song),
            video_url=address_of(self._links.video, song),
        )
        if asker is None:
            return found
        try:
            answer = await _fetch(asker, Target(), song, visit.region)
            found = replace(found, age=oldest(found.age, answer.age), scores=_on(song, answer))
            found = await self._with_prediction(found, visit, asker, answer)
            return replace(found, reach=await self._reach(visit, asker, song, answer))
        except BotError as error:
            # The song is the answer; missing scores must not fail it.
            return replace(found, trouble=error)

    async def _reach(
        self, visit: SongLookup, asker: Asker, song: Song, answer: _Records
    ) -> Mapping[Difficulty, ChartReach]:
        """Return the possible effects of charts on the rating, by the version that last explained it; sends no request."""
        if song.is_worlds_end or not answer.value:
            return {}
        slots = await self._ratings.find_slots(asker.link.member, visit.region, answer.value)
        if slots is None:
            return {}
        found = {chart.difficulty: reach_of(slots, song, chart, visit.region) for chart in song.charts}
        return {difficulty: reach for difficulty, reach in found.items() if reach is not None}

    async def _with_prediction(
        self, found: SongReport, visit: SongLookup, asker: Asker, answer: _Records
    ) -> SongReport:
        """Return the report with predictions by the known profile; sends no request for them."""
        player = None if found.song.is_worlds_end else asker.find_player()
        if player is None:
            return found
        model, felt = await self._player_models.get_model_and_felt(
            visit.loaded.catalogue, player.rating, answer.value, asker.link
        )
        return replace(
            found,
            chances={
                difficulty: chance
                for difficulty, record in found.scores.items()
                if (chance := model.find_next_chance(record, found.region)) is not None
            },
            felt={
                chart.difficulty: felt.on_chart((found.song.id, chart.difficulty), chart.constant / 100)
                for chart in found.song.charts
                if chart.constant
            },
        )


def address_of(template: str, song: Song) -> str:
    """Return the address of a song by the host's template; empty if there is none, or if it is too long for a button."""
    difficulty = difficulty_name(song.charts[-1].difficulty) if song.charts else ""
    parts = {"id": song.id, "title": song.title, "difficulty": difficulty}
    address = template.format_map({name: quote(text, safe="") for name, text in parts.items()})
    return address if len(address) <= _MAX_BUTTON_URL else ""


async def _score_of(
    asker: Asker, friend: Friend, song: Song, region: Region
) -> tuple[FriendScore, Age] | None:
    try:
        answer = await _fetch(asker, Target(user_id=friend.user_id), song, region)
    except BotError:
        # One friend who is gone, or an exhausted budget, must not cost the others.
        return None
    return FriendScore(friend=friend, scores=_on(song, answer)), answer.age


async def _fetch(asker: Asker, target: Target, song: Song, region: Region) -> _Records:
    return await (asker.fetch_worlds_end if song.is_worlds_end else asker.fetch_records)(target, region)


def _on(song: Song, answer: _Records) -> Scores:
    records = answer.value
    order = answer.made_by(_order_by_song)
    start = bisect_left(order, song.id, key=lambda place: _song_of(records[place]))
    found = takewhile(lambda record: record.song_id == song.id, (records[place] for place in order[start:]))
    return {record.difficulty: record for record in found}


def _order_by_song(records: Sequence[Record]) -> Sequence[int]:
    """Return the positions of records, sorted by song: as numbers, since a dict would take as much memory as the records."""
    return array("I", sorted(range(len(records)), key=lambda place: _song_of(records[place])))


def _song_of(record: Record) -> str:
    return record.song_id or ""
