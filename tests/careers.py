"""Records and slots made up for tests of arithmetic."""

from collections.abc import Iterable, Mapping

from bot.domain.charts import MASTER, Catalogue, Chart, Difficulty, Song
from bot.domain.coach import ChartFeatureSet, PopulationModel, Prediction, coach
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, Region, SongId
from bot.domain.numbers import Hundredths
from bot.domain.plan import Slots
from bot.domain.rating import song_rating
from bot.domain.scores import Lamps, RatingData, Record, Slot, SlotName

FULL_COMBO = Lamps(is_clear=True, is_full_combo=True, is_all_justice=False, is_full_chain=False)
ALL_JUSTICE = Lamps(is_clear=True, is_full_combo=True, is_all_justice=True, is_full_chain=False)
CLEAR = Lamps(is_clear=True, is_full_combo=False, is_all_justice=False, is_full_chain=False)


def record(
    name: str,
    constant: int | None,
    score: int,
    *,
    difficulty: Difficulty = MASTER,
    lamps: Lamps | None = CLEAR,
    region: Region = JP2,
) -> Record:
    """Return a record whose rating follows from its constant, in hundredths, and its score."""
    known = None if constant is None else Hundredths(constant)
    return Record(
        song_id=SongId(name),
        title=name,
        difficulty=difficulty,
        level=Hundredths((constant or 0) // 100 * 100),
        constant=known,
        score=score,
        rating=Hundredths(0) if known is None else song_rating(known, score, region),
        is_estimated=False,
        lamps=lamps,
    )


def slots(best: list[Record], outside: list[Record], *, empty: int = 0, region: Region = JP2) -> Slots:
    return Slots(best=tuple(best), empty=empty, outside=tuple(outside), region=region)


def rating_data(**entries: list[Record | None]) -> RatingData:
    """Return slots by the service's own names."""
    return RatingData(
        slots={
            SlotName(name): Slot(average=None, entries=tuple(records)) for name, records in entries.items()
        }
    )


def catalogue(records: Iterable[Record], region: Region = JP2) -> Catalogue:
    """Return songs with the charts of some records, each record's song having that chart alone."""
    return Catalogue.of(
        region,
        (
            Song(
                id=each.song_id or SongId(each.title),
                title=each.title,
                genre=None,
                artist=None,
                released_on=None,
                bpm=None,
                charts=(
                    Chart(
                        difficulty=each.difficulty,
                        level=each.level,
                        constant=each.constant,
                        is_estimated=False,
                        max_combo=None,
                    ),
                ),
            )
            for each in records
        ),
    )


def outlooks(planned: Slots, rating: float = 15.0) -> Mapping[ChartKey, Prediction]:
    """Return what is expected of the charts of slots by their records alone."""
    records = (*planned.best, *planned.outside)
    scores = {
        (each.song_id, each.difficulty): each.score for each in records if each.song_id and each.is_played
    }
    return coach(ChartFeatureSet.of(catalogue(records)), PopulationModel.unknown(), rating, scores).outlooks
