"""The data that makes up a rating. Source: specification, "Rating data (version 2.0)"."""

from decimal import Decimal
from typing import Annotated, Final, Self, cast

from pydantic import BeforeValidator, model_validator

from bot.domain.scores import RatingData, Slot, SlotName
from bot.wire.fields import NULL_IS_EMPTY, MaybeNumber
from bot.wire.records import Play, RecordV20
from bot.wire.replies import Reply


class BestSlot(Reply):
    """BEST: 30 places; one that is not filled is None."""

    value: MaybeNumber = None
    """Mean of the single-song ratings."""
    entries: Annotated[tuple[RecordV20 | None, ...], NULL_IS_EMPTY] = ()


class RecentSlot(Reply):
    """RECENT: 10 places; one that is not filled is None."""

    value: MaybeNumber = None
    """Mean of the single-song ratings."""
    entries: Annotated[tuple[Play | None, ...], NULL_IS_EMPTY] = ()


class CandidateSlot(Reply):
    """Candidates, or what stands outside: at most 20."""

    entries: Annotated[tuple[RecordV20 | None, ...], NULL_IS_EMPTY] = ()


def _none_if_odd(slot: object) -> object:
    if not isinstance(slot, dict):
        return None
    members = cast("dict[str, object]", slot)
    return members if isinstance(members.get("entries"), list | None) else None


_ODD_IS_NONE: Final = BeforeValidator(_none_if_odd)
"""Not OrElse, which would give a slot up for one bad entry: that costs its place alone."""


class RatingDataReply(Reply):
    """`records/rating_data`; any of the slots may be missing, or of another shape, but not all."""

    best: Annotated[BestSlot | None, _ODD_IS_NONE] = None
    recent: Annotated[RecentSlot | None, _ODD_IS_NONE] = None
    best_candidate: Annotated[CandidateSlot | None, _ODD_IS_NONE] = None
    best_candidate_sss: Annotated[CandidateSlot | None, _ODD_IS_NONE] = None
    """Candidates below SSS; empty in region jp."""
    best_outside: Annotated[CandidateSlot | None, _ODD_IS_NONE] = None

    @model_validator(mode="after")
    def _is_rating_data(self) -> Self:
        if all(self._slot(name) is None for name in SlotName):
            message = "none of the five slots"
            raise ValueError(message)
        return self

    def to_domain(self) -> RatingData:
        """Return the slots that the service sent."""
        found = {name: _to_slot(slot) for name in SlotName if (slot := self._slot(name)) is not None}
        return RatingData(slots=found)

    def _slot(self, name: SlotName) -> BestSlot | RecentSlot | CandidateSlot | None:
        match name:
            case SlotName.BEST:
                return self.best
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
    has_mean = value is not None and any(entry is not None for entry in entries)
    return Slot(average=Decimal(str(value)) if has_mean else None, entries=entries)
