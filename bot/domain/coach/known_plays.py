"""A member's known plays: the input of their model."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.domain.history import ChartKey
from bot.domain.scores import Record

_SECONDS_A_YEAR: Final = 365.25 * 24 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPlays:
    """A member's known plays."""

    scores: Mapping[ChartKey, int] = field(repr=False)
    """The current scores, by chart."""
    ages: Mapping[ChartKey, float] = field(default_factory=dict[ChartKey, float], repr=False)
    """The ages of records with a time, in years before the newest of them."""
    first_scores: Mapping[ChartKey, int] = field(default_factory=dict[ChartKey, int], repr=False)
    """The first seen scores of charts that were still unplayed at the first look."""

    @classmethod
    def of(cls, records: Iterable[Record], looks: Sequence[Iterable[Record]] = ()) -> "KnownPlays":
        """Return the known plays from records, and from earlier looks at them, oldest first."""
        played = {key: record for record in records if record.is_played and (key := _key(record))}
        # Compared as numbers: comparing parsed times would query their time zone each time.
        moments = {key: record.updated_at.timestamp() for key, record in played.items() if record.updated_at}
        newest = max(moments.values(), default=0.0)
        first: dict[ChartKey, int] = {}
        for look in (*looks, played.values()) if looks else ():
            for record in look:
                if record.is_played and (key := _key(record)):
                    first.setdefault(key, record.score)
        before = {_key(record) for look in looks[:1] for record in look if record.is_played}
        return cls(
            scores={key: record.score for key, record in played.items()},
            ages={key: (newest - moment) / _SECONDS_A_YEAR for key, moment in moments.items()},
            first_scores={key: score for key, score in first.items() if key not in before},
        )


def _key(record: Record) -> ChartKey | None:
    return None if record.song_id is None else (record.song_id, record.difficulty)
