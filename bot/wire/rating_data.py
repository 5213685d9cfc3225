"""The data that makes up a rating. Source: specification, "Rating data (version 2.0)"."""

from decimal import Decimal
from typing import Self

from pydantic import model_validator
from pydantic.dataclasses import dataclass

from bot.domain.charts import Difficulty
from bot.domain.ids import SongId
from bot.domain.scores import RatingData, Record, Slot, SlotName
from bot.wire.fields import Flag, MaybeNumber, Text, Whole
from bot.wire.records import RecordV20
from bot.wire.replies import Reply, hundredths, known_constant


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentEntry:
    """A play of the RECENT slot: less than a record, for it is one play and no best."""

    id: str
    """Song id, 16 hexadecimal characters."""
    diff: str
    level: MaybeNumber = None
    """Chart level; n.5 is n+."""
    title: Text
    const: MaybeNumber = None
    """Chart constant; 0 where unknown."""
    score: Whole
    """Points, 0 to 1,010,000."""
    rating: MaybeNumber = None
    """Single-song rating."""
    is_const_unknown: Flag = None

    def to_domain(self) -> Record:
        """Return the play in the shape of a record."""
        constant = known_constant(self.const)
        return Record(
            song_id=SongId(self.id),
            title=self.title,
            difficulty=Difficulty(self.diff),
            level=hundredths(self.level),
            constant=constant,
            score=self.score,
            rating=hundredths(self.rating),
            is_estimated=bool(self.is_const_unknown) and constant is not None,
            lamps=None,
        )


class BestSlot(Reply):
    """BEST: 30 places; one that is not filled is None."""

    value: MaybeNumber = None
    """Mean of the single-song ratings."""
    entries: tuple[RecordV20 | None, ...] = ()


class RecentSlot(Reply):
    """RECENT: 10 places; one that is not filled is None."""

    value: MaybeNumber = None
    """Mean of the single-song ratings."""
    entries: tuple[RecentEntry | None, ...] = ()


class CandidateSlot(Reply):
    """Candidates, or what stands outside: at most 20."""

    entries: tuple[RecordV20 | None, ...] = ()


class RatingDataReply(Reply):
    """`records/rating_data`; any of the slots may be missing."""

    best: BestSlot | None = None
    recent: RecentSlot | None = None
    best_candidate: CandidateSlot | None = None
    best_candidate_sss: CandidateSlot | None = None
    """Candidates below SSS; empty in region jp."""
    best_outside: CandidateSlot | None = None

    @model_validator(mode="after")
    def _is_rating_data(self) -> Self:
        if not self.model_fields_set:
            message = "none of the five slots"
            raise ValueError(message)
        return self

    def to_domain(self) -> RatingData:
        """Return the slots that the service sent."""
        found = {name: slot for name in SlotName if (slot := self._slot(name)) is not None}
        return RatingData(slots=found)

    def _slot(self, name: SlotName) -> Slot | None:
        match name:
            case SlotName.BEST:
                slot = self.best
            case SlotName.RECENT:
                slot = self.recent
            case SlotName.CANDIDATES:
                slot = self.best_candidate
            case SlotName.CANDIDATES_BELOW_SSS:
                slot = self.best_candidate_sss
            case SlotName.OUTSIDE:
                slot = self.best_outside
        if slot is None:
            return None
        value = None if isinstance(slot, CandidateSlot) else slot.value
        return Slot(
            average=None if value is None else Decimal(str(value)),
            entries=tuple(None if entry is None else entry.to_domain() for entry in slot.entries),
        )
