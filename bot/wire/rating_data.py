"""The data that makes up a rating. Source: specification, "Rating data (version 2.0)"."""

from decimal import Decimal

from bot.domain.errors import UnreadableReply
from bot.domain.scores import RatingData, Slot, SlotName
from bot.wire.fields import MOST_HUNDREDTHS, MaybeNumber
from bot.wire.records import RecentPlay, RecordV20
from bot.wire.replies import Reply


class BestSlot(Reply):
    """BEST: 30 places; one that is not filled is None."""

    value: MaybeNumber = None
    """Mean of the single-song ratings."""
    entries: tuple[RecordV20 | None, ...] = ()


class RecentSlot(Reply):
    """RECENT: 10 places; one that is not filled is None."""

    value: MaybeNumber = None
    """Mean of the single-song ratings."""
    entries: tuple[RecentPlay | None, ...] = ()


class CandidateSlot(Reply):
    """Candidates, or what stands outside: at most 20."""

    entries: tuple[RecordV20 | None, ...] = ()


class RatingDataReply(Reply):
    """`records/rating_data`; any of the slots may be missing, or of another shape, but not all."""

    best: BestSlot | None = None
    recent: RecentSlot | None = None
    best_candidate: CandidateSlot | None = None
    best_candidate_sss: CandidateSlot | None = None
    """Candidates below SSS; empty in region jp."""
    best_outside: CandidateSlot | None = None
    new: BestSlot | None = None
    """The best of new songs: no documented service sends it; it is taken where one does."""

    def __post_init__(self) -> None:
        """Refuse an object without any slot. Raises: UnreadableReply."""
        if all(self._slot(name) is None for name in SlotName):
            message = "none of the slots"
            raise UnreadableReply(message)

    def to_domain(self) -> RatingData:
        """Return the slots that the service sent."""
        found = {name: _to_slot(slot) for name in SlotName if (slot := self._slot(name)) is not None}
        return RatingData(slots=found)

    def _slot(self, name: SlotName) -> BestSlot | RecentSlot | CandidateSlot | None:
        match name:
            case SlotName.BEST:
                return self.best
            case SlotName.NEW:
                return self.new
            case SlotName.RECENT:
                return self.recent
            case SlotName.CANDIDATES:
                return self.best_candidate
            case SlotName.CANDIDATES_BELOW_SSS:
                return self.best_candidate_sss
            case SlotName.OUTSIDE:
                return self.best_outside


def _to_slot(slot: BestSlot | RecentSlot | CandidateSlot) -> Slot:
    value = None if isinstance(slot, CandidateSlot) else slot.value
    entries = tuple(None if entry is None else entry.to_domain() for entry in slot.entries)
    # The service calls the mean of nothing 0, which nobody has earned.
    if value is None or all(entry is None for entry in entries):
        return Slot(average=None, entries=entries)
    return Slot(average=Decimal(str(min(max(value, 0.0), MOST_HUNDREDTHS / 100))), entries=entries)
