"""Records and slots made up for tests of arithmetic."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from bot.domain.age import Age
from bot.domain.charts import MASTER, Catalogue, Chart, Difficulty, Song
from bot.domain.climb import StepChoice, climb_steps
from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.player_model import fit_player
from bot.domain.coach.population import PopulationModel
from bot.domain.coach.prediction import Prediction
from bot.domain.entries import catalogue_entries
from bot.domain.gains import RatingSlots
from bot.domain.game_rating import Explanation, work_out
from bot.domain.game_versions import Formula, GameVersion
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, Region, SongId
from bot.domain.notes import Judgement
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.domain.rating import song_rating
from bot.domain.scores import Lamps, RatingData, Record, Slot, SlotName
from bot.domain.tries import ClimbTarget, climb_to, evening_gain
from bot.features.plan import PlanReport
from bot.features.shared.paging import part_of

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
                        is_estimated=each.is_estimated,
                        max_combo=None,
                    ),
                ),
            )
            for each in records
        ),
    )


def predictions(records: Iterable[Record], rating: float = 15.0) -> Mapping[ChartKey, Prediction]:
    """Return what is expected of charts by the records on them alone."""
    records = list(records)
    scores = {
        (each.song_id, each.difficulty): each.score for each in records if each.song_id and each.is_played
    }
    return fit_player(
        ChartFeatureSet.of(catalogue(records)), PopulationModel.unknown(), rating, scores
    ).predictions


def explanation(records: Iterable[Record], region: Region = JP2) -> Explanation:
    """Return what records come to by today's rules, none of their songs being new."""
    records = list(records)
    version = GameVersion(
        name="today's",
        region=region,
        first_day=date(2025, 1, 1),
        formula=Formula.BEST_AND_NEW,
        new_since=date(2025, 1, 1),
    )
    found = work_out(records, catalogue(records, region), version)
    return Explanation(worked_out=found, is_explained=True, reason=None)


def plan_report(
    player: Player, records: Sequence[Record], age: Age, target: ClimbTarget | None = None
) -> PlanReport:
    """Return what `/plan` shows of somebody who has played these charts and knows no others."""
    explained = explanation(records)
    slots = RatingSlots.of(explained.worked_out)
    entries = [*catalogue_entries(catalogue(records), records)]
    found = predictions(records)
    climb = target and climb_to(slots, player.rating, entries, found, target)
    steps = climb.steps if climb else climb_steps(slots, entries, found, StepChoice(), lambda _: True)
    return PlanReport(
        player=player,
        explanation=explained,
        climb=climb,
        evening=None if climb or not steps else evening_gain(slots, steps, found),
        pace=None,
        part=part_of(tuple(steps), 8, 0),
        together=Hundredths(sum(step.effect.sum_gain for step in steps)),
        set_back=0,
        losses={step.key: dict.fromkeys(Judgement, 9_999) for step in steps},
        easier=(),
        levels=(),
        genres=(),
        without_constant=0,
        counted=0,
        is_known=True,
        region=JP2,
        age=age,
    )
