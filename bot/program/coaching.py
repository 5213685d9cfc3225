"""`kiroku coach`: the model of a player from a terminal, without a bot, a database or a service."""

import json
import sys
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Final, TypeVar

import click
from pydantic import Field

from bot.domain.charts import LETTERS, Catalogue, Difficulty
from bot.domain.climb import ClimbStep
from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.feeling import FeltByMember
from bot.domain.coach.felt import Certainty, Felt, FeltDifficulty, learn
from bot.domain.coach.known_plays import KnownPlays
from bot.domain.coach.player_model import PlayerModel, fit_player
from bot.domain.coach.prediction import Chances
from bot.domain.coach.summaries import ChartSummary
from bot.domain.entries import catalogue_entries
from bot.domain.errors import UnreadableReply
from bot.domain.gains import RatingSlots
from bot.domain.game_rating import explain
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, SongId
from bot.domain.numbers import to_hundredths
from bot.domain.ranks import Rank
from bot.domain.tries import Climb, ClimbTarget, climb_to
from bot.wire.fields import NONE_IF_ODD
from bot.wire.game_versions import read_table
from bot.wire.reading import read_reply
from bot.wire.records import RecordsV20
from bot.wire.replies import Reply
from bot.wire.songs import SongsReply
from bot.wire.statistics import StatV13

_RANK_SCORES: Final = tuple(
    rank.least_score for rank in (Rank.S, Rank.SS, Rank.SS_PLUS, Rank.SSS, Rank.SSS_PLUS)
)
_DIFFICULTIES: Final = {letter: code for code, letter in LETTERS.items()}
C = TypeVar("C", bound="Case")
_NEEDED: Final = "it needs rating, records, catalogue and statistics"


class EarlierRecords(RecordsV20):
    """An earlier reply of `records/showall`, and its day."""

    day: date


class Case(Reply):
    """A member and what they may play, each part as the service replies it."""

    rating: Annotated[float, Field(ge=0, le=100)]
    records: RecordsV20
    """`records/showall` of version 2.0."""
    catalogue: SongsReply
    """`music/showall` of version 2.0."""
    statistics: dict[str, Annotated[StatV13 | None, NONE_IF_ODD]] = Field(default_factory=dict)
    """`music/stat` of version 1.3, by song id and letter of the difficulty: "0123456789abcdef:m"."""
    looks: tuple[EarlierRecords, ...] = ()
    """Earlier looks at the records, in any order."""

    def fit_model(self, catalogue: Catalogue | None = None) -> PlayerModel:
        """Return what the member is likely to score."""
        return self._fit_model(ChartFeatureSet.of(catalogue or self.catalogue.to_domain(JP2)))[0]

    def feel(self) -> Mapping[ChartKey, Felt]:
        """Return how hard each chart is at the member's rating."""
        features = ChartFeatureSet.of(self.catalogue.to_domain(JP2))
        found, difficulty = self._fit_model(features)
        by_member = FeltByMember(difficulty=difficulty, rating=self.rating, trust=found.borne_out)
        return {each.key: by_member.of(each.key, each.constant) for each in features.charts}

    def _fit_model(self, features: ChartFeatureSet) -> tuple[PlayerModel, FeltDifficulty]:
        population, difficulty = learn(features.charts, self._summaries())
        earlier = [look.to_domain() for look in sorted(self.looks, key=lambda look: look.day)]
        plays = KnownPlays.of(self.records.to_domain(), earlier)
        return fit_player(features, population, self.rating, plays), difficulty

    def _summaries(self) -> Mapping[ChartKey, ChartSummary]:
        found: dict[ChartKey, ChartSummary] = {}
        for name, each in self.statistics.items():
            song, _, letter = name.partition(":")
            if each is not None:
                key = SongId(song), _DIFFICULTIES.get(letter, Difficulty(letter))
                found[key] = ChartSummary.of(each.to_domain())
        return found


class ClimbCase(Case):
    """A case, and where the member wants to get."""

    target: Annotated[float, Field(ge=0, le=100)]
    """The rating to reach."""
    day: date
    """The day in Japan: it says by which version of the game the rating is counted."""

    def climb(self) -> Climb:
        """Return the way to the target."""
        catalogue = self.catalogue.to_domain(JP2)
        rating = to_hundredths(self.rating)
        records = list(self.records.to_domain())
        found = explain(records, catalogue, self.day, rating, read_table()).worked_out
        predictions = self.fit_model(catalogue).predictions
        entries = [*catalogue_entries(catalogue, records)]
        target = ClimbTarget(to_hundredths(self.target))
        return climb_to(RatingSlots.of(found), rating, entries, predictions, target)


def _predictions_as_json(found: PlayerModel) -> Mapping[str, object]:
    return {
        f"{song}:{difficulty}": {
            **_chances_as_json(prediction.in_the_end),
            "try": _chances_as_json(prediction.next_try),
        }
        for (song, difficulty), prediction in found.predictions.items()
    }


def _chances_as_json(chances: Chances) -> dict[str, object]:
    return {
        "score": chances.score,
        "chance": {str(least): round(chances.chance(least), 4) for least in _RANK_SCORES},
    }


@click.group("coach")
def coach_command() -> None:
    """Say what a player is likely to score, what to play next, and what they are good at."""


@coach_command.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
def expect(file: Path) -> None:
    """Read a player's rating, records, catalogue and statistics from FILE; print a score and chances for each chart.

    They are those of the record in the end; under "try" stand those of the next try.
    """
    click.echo(json.dumps(_predictions_as_json(_read(file, Case, _NEEDED).fit_model()), indent=1))


@coach_command.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
def felt(file: Path) -> None:
    """Read the same from FILE; print as hard as which constant each chart is for players of that rating.

    The doubt is a standard deviation; "sure" says that the chart is certainly harder, or easier, than its constant.
    """
    told = {
        f"{song}:{difficulty}": {
            "felt": round(each.felt, 3),
            "doubt": round(each.doubt, 3),
            "sure": each.certainty is Certainty.SURE,
        }
        for (song, difficulty), each in _read(file, Case, _NEEDED).feel().items()
    }
    click.echo(json.dumps(told, indent=1))


@coach_command.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
def plan(file: Path) -> None:
    """Read the same and a target and a day from FILE; print the charts that lead there, and how many tries it takes."""
    found = _read(file, ClimbCase, f"{_NEEDED}, a target and a day").climb()
    told = {
        "reachable": found.is_possible,
        "highest": found.highest / 100,
        "tries": {"half": found.tries.half, "nine_in_ten": found.tries.nine_in_ten},
        "steps": [_step_as_json(step) for step in found.steps],
        "rating": found.after / 100,
    }
    click.echo(json.dumps(told, indent=1))


def _step_as_json(step: ClimbStep) -> dict[str, object]:
    return {
        "song": step.entry.song.id,
        "diff": step.entry.chart.difficulty,
        "score": step.score,
        "chance": round(step.chance, 4),
        "gain": step.effect.thousandths / 1000,
    }


@coach_command.command("traits")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
def traits_command(file: Path) -> None:
    """Read the same from FILE; print what the player is strong and weak at, and how certain that is.

    An effect is by how much less is lost for a step of the trait, as a logarithm: below 0 it is a weakness.
    """
    told = [
        {
            "trait": each.trait,
            "effect": round(each.strength, 4),
            "error": round(each.doubt, 4),
            "records": each.records,
            "claimed": each.stands_out,
        }
        for each in _read(file, Case, _NEEDED).fit_model().coefficients
    ]
    click.echo(json.dumps(told, indent=1, ensure_ascii=False))


def _read(file: Path, kind: type[C], needed: str) -> C:
    """Return the case of a file. Raises: ClickException."""
    try:
        body = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        return read_reply(kind, body).reply
    except OSError as error:
        message = f"The file cannot be read: {error.strerror}."
        raise click.ClickException(message) from None
    except UnreadableReply as error:
        message = f"The file is not what is expected ({error}); {needed}."
        raise click.ClickException(message) from None
