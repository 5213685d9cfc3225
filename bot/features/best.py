"""The slots that make up a rating, page by page."""

from dataclasses import dataclass

from bot.domain.age import Age
from bot.domain.history import Past
from bot.domain.ids import MemberId, Region
from bot.domain.members import Audience
from bot.domain.players import Player
from bot.domain.scores import Record, Slot, SlotName
from bot.domain.slots import in_order
from bot.features.shared.askers import Askers, Subject, ask_both
from bot.features.shared.catalogues import Catalogues
from bot.features.shared.history import History
from bot.features.shared.paging import RECORDS, Part, part_of


@dataclass(frozen=True, slots=True, kw_only=True)
class BestReport:
    """What `/best` shows."""

    player: Player
    name: SlotName
    slot: Slot
    best: Slot
    recent: Slot
    genres: tuple[str | None, ...]
    """Of the recent records' songs, which do not say it: as far as the catalogue in memory does."""
    past: Past | None
    """What is kept of the asker's own; None where the report is about somebody else."""
    part: Part[Record]
    """Of the slot's filled places."""
    region: Region
    age: Age
    audience: Audience


class Best:
    """Looks slots up."""

    def __init__(self, askers: Askers, catalogues: Catalogues, history: History) -> None:
        self._askers = askers
        self._catalogues = catalogues
        self._history = history

    async def report(self, viewer: MemberId, subject: Subject, name: SlotName, number: int = 0) -> BestReport:
        """Return one page of a slot; a number past the end gives the last page.

        Raises: NotLinked, and what the service answers to the viewer's token.
        """
        asker = await self._askers.get(viewer)
        target = await self._askers.get_target(asker, subject)
        region = asker.link.region
        answer = await ask_both(
            asker.fetch_owner(target),
            asker.fetch_rating_data(target, region),
            is_known=asker.knows_player(target),
        )
        player, data = answer.value
        past = await self._history.note(asker.link, player, data, answer.age) if target.is_holder else None
        best = in_order(data, SlotName.BEST, region)
        slot = best if name is SlotName.BEST else in_order(data, name, region)
        return BestReport(
            player=player,
            name=name,
            slot=slot,
            best=best,
            recent=data[SlotName.RECENT],
            genres=self._catalogues.genres(
                region, [record.song_id for record in data[SlotName.RECENT].records]
            ),
            past=past,
            part=part_of(slot.records, RECORDS, number),
            region=region,
            age=answer.age,
            audience=asker.audience_of(player),
        )
