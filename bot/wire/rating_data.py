"""The data that makes up a rating. Source: specification, "Rating data (version 2.0)"."""

from decimal import Decimal
from typing import Annotated, Final, Self, cast

from pydantic import BeforeValidator, model_validator
from pydantic_core import PydanticCustomError

from bot.domain.scores import RatingData, Slot, SlotName
from bot.wire.fields import MAX_HUNDREDTHS, MaybeNumber
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


def _none_if_odd(slot: object) -> object:
    """Return a slot that is one, with an empty list for null: one bad entry costs its place alone, not the slot."""
    if not isinstance(slot, dict):
        return slot if isinstance(slot, Reply) else None
    members = cast("dict[str, object]", slot)
    entries = members.get("entries")
    if entries is None:
        return {**members, "entries": []}
    return members if isinstance(entries, list | tuple) else None


_ODD_IS_NONE: Final = BeforeValidator(_none_if_odd)


class RatingDataReply(Reply):
    """`records/rating_data`; any of the slots may be missing, or of another shape, but not all."""

    best: Annotated[BestSlot | None, _ODD_IS_NONE] = None
    recent: Annotated[RecentSlot | None, _ODD_IS_NONE] = None
    best_candidate: Annotated[CandidateSlot | None, _ODD_IS_NONE] = None
    best_candidate_sss: Annotated[CandidateSlot | None, _ODD_IS_NONE] = None
    """Candidates below SSS; empty in region jp."""
    best_outside: Annotated[CandidateSlot | None, _ODD_IS_NONE] = None
    new: Annotated[BestSlot | None, _ODD_IS_NONE] = None
    """The best of new songs: no documented service sends it; it is taken where one does."""

    @model_validator(mode="after")
    def _has_slots(self) -> Self:
        if all(self._slot(name) is None for name in SlotName):
            raise PydanticCustomError("no_slots", "none of the slots")
        return self

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
    return Slot(average=Decimal(str(min(max(value, 0.0), MAX_HUNDREDTHS / 100))), entries=entries)
