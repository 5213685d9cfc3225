"""The slots that make up a rating, page by page."""

from dataclasses import dataclass

from bot.domain.age import Age
from bot.domain.game_rating import Explanation
from bot.domain.history import Past
from bot.domain.ids import MemberId, Region
from bot.domain.members import Audience
from bot.domain.players import Player
from bot.domain.scores import EMPTY_SLOT, Record, Slot, SlotName
from bot.domain.slots import in_order, shown_slots
from bot.features.shared.askers import Askers, Subject
from bot.features.shared.catalogues import Catalogues
from bot.features.shared.chronicle import Chronicles
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.history import History
from bot.features.shared.paging import RECORDS, Part, part_of


@dataclass(frozen=True, slots=True, kw_only=True)
class BestReport:
    """What `/best` shows."""

    player: Player
    name: SlotName
    slot: Slot
    best: Slot
    new: Slot | None = None
    """None where the game knows no new songs, or where the slot cannot be worked out now."""
    is_new_sent: bool = False
    """The new slot is the record service's own, not worked out."""
    recent: Slot
    genres: tuple[str | None, ...]
    """Of the recent records' songs, which do not say it: as far as the catalogue in memory does."""
    explanation: Explanation | None = None
    """How the rating comes about; None where that cannot be worked out now."""
    past: Past | None
    """What is kept of the asker's own; None where the report is about somebody else."""
    part: Part[Record]
    """Of the slot's filled places."""
    region: Region
    age: Age
    audience: Audience


class Best:
    """Looks slots up."""

    def __init__(
        self,
        askers: Askers,
        catalogues: Catalogues,
        history: History,
        ratings: GameRatings,
        chronicle: Chronicles,
    ) -> None:
        self._askers = askers
        self._chronicle = chronicle
        self._catalogues = catalogues
        self._history = history
        self._ratings = ratings

    async def report(self, viewer: MemberId, subject: Subject, name: SlotName, number: int = 0) -> BestReport:
        """Return one page of a slot; a number past the end gives the last page.

        Raises: NotLinked, and what the service answers to the viewer's token.
        """
        asker = await self._askers.get(viewer)
        target = await self._askers.get_target(asker, subject)
        region = asker.link.region
        answer = await self._ratings.ask(asker, target, region, profile=asker.fetch_owner(target))
        player, data, records = answer.value
        explanation = await self._ratings.explain(
            asker, answer.value, answer.age.fetched_at, member=subject.member
        )
        if target.is_holder and records is not None:
            self._chronicle.note(asker.link, player, records, answer.age)
        best, new = shown_slots(data, explanation, region)
        past = None
        if target.is_holder:
            past = await self._history.note(asker.link, player, data, answer.age, best=best, new=new)
            if explanation is not None and explanation.begun_at is not None:
                past = past.since(explanation.begun_at)
        slots = {SlotName.BEST: best, SlotName.NEW: new or EMPTY_SLOT}
        slot = slots[name] if name in slots else in_order(data, name, region)
        return BestReport(
            player=player,
            name=name,
            slot=slot,
            best=best,
            new=new,
            is_new_sent=SlotName.NEW in data.slots,
            recent=data[SlotName.RECENT],
            genres=self._catalogues.genres(
                region, [record.song_id for record in data[SlotName.RECENT].records]
            ),
            explanation=explanation,
            past=past,
            part=part_of(slot.records, RECORDS, number),
            region=region,
            age=answer.age,
            audience=asker.audience_of(player),
        )
