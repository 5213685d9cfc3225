"""Builds the five slots of records/rating_data. Source: specification, "Rating data"."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Final, NamedTuple

from bot.domain.charts import WORLDS_END
from bot.domain.game_rating import NEW_PLACES, PLACES
from bot.domain.game_versions import GameVersion, VersionTable, game_day
from bot.domain.ids import JP, Region
from bot.domain.numbers import Hundredths
from bot.domain.ranks import Rank
from bot.domain.rating import least_score, song_rating
from bot.wire.game_versions import read_table
from service.model import Flags, StoredChart, StoredRecord, StoredSong
from service.numbers import number
from service.plays import recent_v2_0, record_v2_0

BEST_SIZE: Final = 30
RECENT_SIZE: Final = 10
LIST_SIZE: Final = 20


class RatedScore(NamedTuple):
    """A score that may count for a player's rating."""

    song: StoredSong
    chart: StoredChart
    score: int


@cache
def _versions() -> VersionTable:
    return read_table()


def player_rating(
    scores: Iterable[RatedScore],
    recents: Sequence[Hundredths],
    region: Region,
    at: int,
    versions: VersionTable | None = None,
) -> Hundredths:
    """Return a player's rating by the formula that the region's game has at a moment, in Unix seconds.

    In the older formula the ten best stand in if no recent plays are known. A chart of unknown constant counts by its
    level, because the game knows the constant. `versions` replaces the shipped versions.
    """
    day = game_day(datetime.fromtimestamp(at, UTC))
    version = next(iter((versions or _versions()).in_force(region, day)), None)
    ratings: tuple[list[int], list[int]] = [], []
    for song, chart, score in scores:
        constant = chart.constant or chart.level
        if constant and chart.difficulty != WORLDS_END:
            ratings[_is_new(song, version)].append(song_rating(constant, score, region))
    best, new = (sorted(each, reverse=True) for each in ratings)
    if version is None or version.new_since is None:
        recent = recents or best[:RECENT_SIZE]
        return Hundredths((sum(best[:BEST_SIZE]) + sum(recent)) // (BEST_SIZE + RECENT_SIZE))
    return Hundredths((sum(best[:BEST_SIZE]) + sum(new[:NEW_PLACES])) // PLACES)


def _is_new(song: StoredSong, version: GameVersion | None) -> bool:
    # Days in ISO 8601 are in order as texts are.
    return (
        version is not None
        and version.new_since is not None
        and (song.release or "") >= version.new_since.isoformat()
    )


def best_order(record: StoredRecord) -> tuple[int, int, str, str]:
    """Return the sort key of the slots: rating, then score, both highest first, then chart."""
    return -record.rating, -record.score, record.song.song_id, record.chart.difficulty


def rating_data(
    records: Sequence[StoredRecord], recents: Sequence[StoredRecord], region: Region
) -> dict[str, object]:
    """Return the reply. Charts without a known constant and World's End are not rated."""
    ranked = rated(records)
    best, outside = ranked[:BEST_SIZE], ranked[BEST_SIZE:]
    candidates = _candidates(best, outside, region)
    below_sss = [record for record in candidates if record.score < Rank.SSS.least_score]
    return {
        "best": {"value": mean(best), "entries": _padded(best, BEST_SIZE, record_v2_0)},
        "recent": {"value": mean(recents), "entries": _padded(recents, RECENT_SIZE, recent_v2_0)},
        "best_candidate": _listed(candidates),
        "best_candidate_sss": _listed([] if region == JP else below_sss),
        "best_outside": _listed(outside),
    }


def rated(records: Iterable[StoredRecord]) -> list[StoredRecord]:
    """Return the records that can stand in a slot, best first."""
    return sorted((record for record in records if _is_rated(record)), key=best_order)


def _is_rated(record: StoredRecord) -> bool:
    return (
        bool(record.chart.constant)
        and record.chart.difficulty != WORLDS_END
        and bool(record.flags & Flags.PLAYED)
    )


def mean(records: Sequence[StoredRecord]) -> int | float:
    """Return the mean rating of the places that are filled, as the specification words it; 0 of none.

    Source: the game, which cuts means to two places.
    """
    return number(Hundredths(sum(record.rating for record in records) // len(records))) if records else 0


def _padded(
    records: Sequence[StoredRecord], size: int, build: Callable[[StoredRecord], dict[str, object]]
) -> list[dict[str, object] | None]:
    filled = [build(record) for record in records[:size]]
    return [*filled, *[None] * (size - len(filled))]


def _listed(records: Sequence[StoredRecord]) -> dict[str, object]:
    return {"entries": [record_v2_0(record) for record in records[:LIST_SIZE]]}


def _candidates(
    best: Sequence[StoredRecord], outside: Sequence[StoredRecord], region: Region
) -> list[StoredRecord]:
    """Return the records outside whose chart can still enter the slot, least missing score first."""
    if len(best) < BEST_SIZE:
        return []
    wanted = Hundredths(best[-1].rating + 1)
    needed = {
        constant: least_score(constant, wanted, region)
        for constant in {record.chart.constant for record in outside}
    }
    missing: list[tuple[int, StoredRecord]] = []
    for record in outside:
        score = needed[record.chart.constant]
        if score is not None:
            missing.append((score - record.score, record))
    missing.sort(key=lambda pair: (pair[0], *best_order(pair[1])))
    return [record for _, record in missing]
