"""`kiroku coach`: the coach's model from a terminal, without a bot, a database or a service."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

import click
from msgspec import Meta, field

from bot.domain.charts import LETTERS, Difficulty
from bot.domain.coach import ChartFeatureSet, ChartSummary, Coach, PopulationModel, coach
from bot.domain.errors import UnreadableReply
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, SongId
from bot.domain.ranks import Rank
from bot.wire.reading import read_reply
from bot.wire.records import RecordsV20
from bot.wire.replies import Reply
from bot.wire.songs import SongsReply
from bot.wire.statistics import StatV13

_LEASTS: Final = tuple(rank.least_score for rank in (Rank.S, Rank.SS, Rank.SS_PLUS, Rank.SSS, Rank.SSS_PLUS))
_DIFFICULTIES: Final = {letter: code for code, letter in LETTERS.items()}


class Case(Reply):
    """A member and what they may play, each part as the service replies it."""

    rating: Annotated[float, Meta(ge=0, le=100)]
    records: RecordsV20
    """`records/showall` of version 2.0."""
    catalogue: SongsReply
    """`music/showall` of version 2.0."""
    statistics: dict[str, StatV13 | None] = field(default_factory=dict)
    """`music/stat` of version 1.3, by song id and letter of the difficulty: "0123456789abcdef:m"."""

    def coach(self) -> Coach:
        """Return what the member is likely to score."""
        syllabus = ChartFeatureSet.of(self.catalogue.to_domain(JP2))
        gists: dict[ChartKey, ChartSummary] = {}
        for name, found in self.statistics.items():
            song, _, letter = name.partition(":")
            if found is not None:
                key = SongId(song), _DIFFICULTIES.get(letter, Difficulty(letter))
                gists[key] = ChartSummary.of(found.to_domain())
        scores = {
            (record.song_id, record.difficulty): record.score
            for record in self.records.to_domain()
            if record.song_id is not None and record.is_played
        }
        return coach(syllabus, PopulationModel.of(syllabus.exercises, gists), self.rating, scores)


def _told(found: Coach) -> Mapping[str, object]:
    return {
        f"{song}:{difficulty}": {
            "score": outlook.score,
            "chance": {str(least): round(outlook.chance(least), 4) for least in _LEASTS},
        }
        for (song, difficulty), outlook in found.outlooks.items()
    }


@click.group("coach")
def coach_command() -> None:
    """Say what a player is likely to score."""


@coach_command.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
def expect(file: Path) -> None:
    """Read a player's rating, records, catalogue and statistics from FILE; print a score and chances for each chart."""
    try:
        body = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        case = read_reply(Case, body).reply
    except OSError as error:
        message = f"The file cannot be read: {error.strerror}."
        raise click.ClickException(message) from None
    except UnreadableReply as error:
        message = (
            f"The file is not what is expected ({error}); it needs rating, records, catalogue and statistics."
        )
        raise click.ClickException(message) from None
    click.echo(json.dumps(_told(case.coach()), indent=1))
