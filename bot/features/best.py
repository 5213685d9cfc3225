"""The slots of a rating, and the best records under any filter, by page."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from bot.api.answer import Answer
from bot.base.worker import run_in_worker
from bot.domain.age import Age, oldest
from bot.domain.entries import Order
from bot.domain.errors import BotError
from bot.domain.filters import Filter, parse_filter
from bot.domain.game_rating import Explanation
from bot.domain.history import Past
from bot.domain.ids import GuildId, MemberId
from bot.domain.players import Player, Target
from bot.domain.rating import rating_bounds
from bot.domain.scores import EMPTY_SLOT, RatingData, Record, Slot, SlotName
from bot.domain.slots import OUTSIDE, in_order, outside_slot, shown_slots
from bot.features.shared.askers import Asker, Askers
from bot.features.shared.catalogues import Catalogues
from bot.features.shared.choosing import choose_entries
from bot.features.shared.chronicle import Chronicles
from bot.features.shared.game_ratings import GameRatings, RatingSources
from bot.features.shared.history import History
from bot.features.shared.library import SongLibrary
from bot.features.shared.paging import RECORDS, Part, part_of
from bot.features.shared.player_models import PlayerModels
from bot.features.shared.reports import PlayerReport
from bot.features.shared.subjects import Subject

FILTERED_PLACES: Final = 30
"""The number of best records under a filter, as many as the older songs in the rating."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BestReport(PlayerReport):
    """The content of `/best`."""

    wanted: Filter | None = None
    """The filter whose best records are shown, which are not part of the rating; None if the slot is one of the
    game's."""
    name: SlotName
    slot: Slot
    best: Slot
    new: Slot | None = None
    """The slot of new songs; None if the game has none, or if it cannot be worked out now."""
    is_new_sent: bool = False
    """Whether the new slot is the record service's own, rather than worked out."""
    recent: Slot
    is_recent_sent: bool = True
    """Whether the service sends recent plays of this game at all."""
    genres: tuple[str | None, ...]
    """The genres of the recent records' songs, as far as the catalogue in memory has them; the records do not."""
    explanation: Explanation | None = None
    """The explanation of the rating; None if it cannot be worked out now."""
    trouble: BotError | None = None
    """The reason why the best slot is the record service's own although the game counts new songs separately; None if
    it is not."""
    past: Past | None
    """The asker's stored past; None if the report is about somebody else."""
    part: Part[Record]
    """One page of the slot's filled places."""


class Best:
    """Reports slots."""

    def __init__(  # noqa: PLR0913, PLR0917 - each is a separate dependency
        self,
        askers: Askers,
        catalogues: Catalogues,
        history: History,
        ratings: GameRatings,
        chronicle: Chronicles,
        library: SongLibrary,
        player_models: PlayerModels,
    ) -> None:
        self._askers = askers
        self._player_models = player_models
        self._library = library
        self._chronicle = chronicle
        self._catalogues = catalogues
        self._history = history
        self._ratings = ratings

    async def report(
        self,
        viewer: MemberId,
        subject: Subject,
        name: SlotName,
        number: int = 0,
        *,
        text: str = "",
        guild: GuildId | None = None,
    ) -> BestReport:
        """Return one page of a slot, or of the best records under a filter; a number past the end gives the last page.

        Raises: BadFilter, NotLinked, and errors of the service for the viewer's token.
        """
        wanted = parse_filter(text) if text else None
        asker = await self._askers.get(viewer)
        target = await self._askers.get_target(asker, subject)
        region = asker.link.region
        answer = await self._ratings.ask(asker, target, region, profile=asker.fetch_owner(target))
        (player, data, records, _), age = answer.value, answer.age
        about = subject.member
        told = await self._ratings.explain(asker, answer.value, age.fetched_at, member=about)
        trouble = await self._ratings.find_trouble(asker, answer.value, told, age.fetched_at, member=about)
        best, new = shown_slots(data, told, region)
        kept = None if trouble else best
        past = await self._note_own(asker, answer, kept, new, told) if target.is_holder else None
        if wanted is not None:
            slot, age = await self._find_best(asker, target, player, wanted, guild, age)
        else:
            shown = {SlotName.BEST: best, SlotName.NEW: new or EMPTY_SLOT}
            slot = shown.get(name) or await self._find_other(asker, name, data, records, told)
        return BestReport(
            player=player,
            wanted=wanted,
            name=name,
            slot=slot,
            best=best,
            new=new,
            is_new_sent=SlotName.NEW in data.slots,
            recent=data[SlotName.RECENT],
            is_recent_sent=SlotName.RECENT in data.slots,
            genres=self._catalogues.genres(region, [each.song_id for each in data[SlotName.RECENT].records]),
            explanation=told,
            trouble=trouble,
            past=past,
            part=part_of(slot.records, RECORDS, number),
            region=region,
            age=age,
            audience=asker.audience_of(player),
        )

    async def _note_own(
        self,
        asker: Asker,
        answer: Answer[RatingSources],
        best: Slot | None,
        new: Slot | None,
        told: Explanation | None,
    ) -> Past:
        """Save the asker's own data; return their stored past in this version of the game."""
        (player, data, records, _), age = answer.value, answer.age
        if records is not None:
            self._chronicle.note(asker.link, player, records, age)
        noted = await self._history.note(asker.link, player, data, age, best=best, new=new)
        return noted.since(told and told.begun_at)

    async def _find_other(
        self,
        asker: Asker,
        name: SlotName,
        data: RatingData,
        records: Sequence[Record] | None,
        told: Explanation | None,
    ) -> Slot:
        """Return a slot outside the rating: charts outside the best slot as it was worked out, if it was.

        Otherwise return the service's slot.
        """
        region, worked_out = asker.link.region, told and told.worked_out
        if name in OUTSIDE and records and worked_out is not None and worked_out.version is not None:
            catalogue = await self._ratings.find_catalogue(asker, region)
            if catalogue is not None:
                return await run_in_worker(outside_slot, name, worked_out, records, catalogue)
        return in_order(data, name, region)

    async def _find_best(
        self, asker: Asker, target: Target, player: Player, wanted: Filter, guild: GuildId | None, age: Age
    ) -> tuple[Slot, Age]:
        """Return the records with the highest ratings under a filter, and the age of the oldest data."""
        region = asker.link.region
        answer = await asker.fetch_records(target, region)
        visit = await self._library.find(asker, guild)
        order, link = Order.RATING_DOWN, asker.link if target.is_holder else None
        catalogue = visit.loaded.catalogue if visit else None
        felt = await self._player_models.feel(wanted, order, catalogue, player.rating, answer.value, link)
        chosen = await run_in_worker(choose_entries, answer.value, region, visit, wanted, order, felt)
        # If the constant is unknown, the lowest value that the level allows counts, as in the slots.
        rated = [
            replace(entry.record, rating=rating_bounds(entry.record, region)[0])
            for entry in chosen
            if entry.record is not None
        ]
        records = sorted(rated, key=lambda record: record.rating, reverse=True)[:FILTERED_PLACES]
        total = Decimal(sum(record.rating for record in records)).scaleb(-2)
        return Slot(average=total / len(records) if records else None, entries=tuple(records)), oldest(
            age, answer.age
        )
