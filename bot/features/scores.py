"""Scores: on one song, in filtered lists, and on World's End charts."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.base.worker import run_in_worker
from bot.domain.charts import Difficulty, Song
from bot.domain.coach.feeling import FeltByMember
from bot.domain.coach.player_model import PlayerModel
from bot.domain.coach.prediction import Prediction
from bot.domain.entries import ChartEntry, Order, song_entries
from bot.domain.filters import Filter, parse_filter
from bot.domain.gains import RatingSlots, SlotPlace
from bot.domain.game_rating import Explanation
from bot.domain.ids import GuildId, MemberId, Region
from bot.domain.scores import Record
from bot.domain.summary import Summary, summarise
from bot.features.shared.askers import Askers
from bot.features.shared.asking import ask_both
from bot.features.shared.choosing import choose_entries
from bot.features.shared.chronicle import Chronicles
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.library import SongChoice, SongLibrary, SongLookup
from bot.features.shared.paging import RECORDS, Part, part_of
from bot.features.shared.player_models import PlayerModels
from bot.features.shared.reports import PlayerReport
from bot.features.shared.subjects import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class SongScores(PlayerReport):
    """The content of `/score`."""

    song: Song
    entries: tuple[ChartEntry, ...]
    """Every chart, easiest first; also charts no longer in the catalogue that have a record."""
    is_removed: bool
    """Whether the song is no longer in the catalogue and known only from records."""
    predictions: Mapping[Difficulty, Prediction]
    """The expected scores on played charts with a known constant."""
    places: Mapping[Difficulty, SlotPlace] = field(default_factory=dict[Difficulty, SlotPlace])
    """The places of charts in the rating, for those that count in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoresReport(PlayerReport):
    """The content of `/scores` and `/worldsend`."""

    wanted: Filter
    summary: Summary
    """A summary of everything that passes the filter."""
    part: Part[ChartEntry]


class Scores:
    """Reports scores."""

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
        self._player_models = player_models
        self._chronicle = chronicle
        self._library = library

    async def report_song(
        self, viewer: MemberId, subject: Subject, wanted: str, guild: GuildId | None
    ) -> SongScores | SongChoice:
        """Return a player's scores on every chart of the song, or songs to choose from.

        Raises: NotLinked, NotFound, and errors of the service for the viewer's token.
        """
        asker = await self._askers.get(viewer)
        target = await self._askers.get_target(asker, subject)
        region = asker.link.region
        visit = await self._library.enter(asker, guild)
        song = await visit.pick_played(wanted, target, asks=True)
        if isinstance(song, SongChoice):
            return song
        fetch = asker.fetch_worlds_end if song.is_worlds_end else asker.fetch_records
        answer = await ask_both(
            asker.fetch_owner(target), fetch(target, region), is_known=asker.knows_player(target)
        )
        player, records = answer.value
        if target.is_holder and not song.is_worlds_end:
            self._chronicle.note(asker.link, player, records, answer.age)
        own = [record for record in records if record.song_id == song.id]
        predictions: Mapping[Difficulty, Prediction] = {}
        places: Mapping[Difficulty, SlotPlace] = {}
        if own and not song.is_worlds_end:
            catalogue = visit.loaded.catalogue
            holder = asker.link if target.is_holder else None
            model = await self._player_models.get_model(catalogue, player.rating, records, holder)
            predictions = _predictions(model, own)
            places = _places(
                await self._ratings.explain_with(
                    catalogue, player, records, answer.age.fetched_at, member=holder and holder.member
                ),
                own,
            )
        return SongScores(
            player=player,
            song=song,
            entries=tuple(song_entries(song, own, region)),
            is_removed=not song.is_worlds_end and song.id not in visit.loaded.catalogue.by_id,
            predictions=predictions,
            places=places,
            region=region,
            age=answer.age,
            audience=asker.audience_of(player),
        )

    async def report(
        self,
        viewer: MemberId,
        subject: Subject,
        text: str,
        order: Order,
        number: int = 0,
        guild: GuildId | None = None,
    ) -> ScoresReport:
        """Return one page of the scores that pass a filter.

        Unplayed charts are included only if the filter mentions playing. Raises: BadFilter, NotLinked, and errors of
        the service for the viewer's token.
        """
        wanted = parse_filter(text)
        asker = await self._askers.get(viewer)
        target = await self._askers.get_target(asker, subject)
        region = asker.link.region
        visit, answer = await asyncio.gather(
            self._library.find(asker, guild),
            ask_both(asker.fetch_owner(target), asker.fetch_all_records(target, region)),
        )
        player, records = answer.value
        if target.is_holder:
            self._chronicle.note(asker.link, player, records, answer.age)
        link = asker.link if target.is_holder else None
        catalogue = visit.loaded.catalogue if visit else None
        felt = await self._player_models.feel(wanted, order, catalogue, player.rating, records, link)
        entries, summary = await run_in_worker(_chosen, records, region, visit, wanted, order, felt)
        return ScoresReport(
            player=player,
            wanted=wanted,
            summary=summary,
            part=part_of(entries, RECORDS, number),
            region=region,
            age=answer.age,
            audience=asker.audience_of(player),
        )

    async def report_worlds_end(self, viewer: MemberId, number: int = 0) -> ScoresReport:
        """Return one page of the viewer's own World's End scores, highest first.

        Raises: as `report`.
        """
        return await self.report(viewer, Subject(), "diff:we", Order.SCORE_DOWN, number)


def _chosen(
    records: tuple[Record, ...],
    region: Region,
    visit: SongLookup | None,
    wanted: Filter,
    order: Order,
    felt: FeltByMember | None,
) -> tuple[list[ChartEntry], Summary]:
    chosen = choose_entries(records, region, visit, wanted, order, felt)
    return chosen, summarise((entry.record for entry in chosen if entry.record), region)


def _predictions(model: PlayerModel, own: Sequence[Record]) -> Mapping[Difficulty, Prediction]:
    """Return the expected scores on played charts with a known constant."""
    found = {record.difficulty: model.find_prediction(record) for record in own if record.is_played}
    return {difficulty: prediction for difficulty, prediction in found.items() if prediction is not None}


def _places(explained: Explanation, own: Sequence[Record]) -> Mapping[Difficulty, SlotPlace]:
    """Return the places of charts in the rating, for those that count in it."""
    slots = RatingSlots.of(explained.worked_out)
    found = {
        record.difficulty: slots.place_of((record.song_id, record.difficulty))
        for record in own
        if record.song_id is not None
    }
    return {difficulty: place for difficulty, place in found.items() if place is not None}
