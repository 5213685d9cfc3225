"""`kiroku coach`: the coach's model from a terminal, without a bot, a database or a service."""

import json
import sys
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Final

import click
from pydantic import Field

from bot.domain.charts import LETTERS, Difficulty
from bot.domain.coach import Chances, ChartFeatureSet, ChartSummary, Coach, KnownPlays, PopulationModel, coach
from bot.domain.errors import UnreadableReply
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, SongId
from bot.domain.ranks import Rank
from bot.wire.fields import NONE_IF_ODD
from bot.wire.reading import read_reply
from bot.wire.records import RecordsV20
from bot.wire.replies import Reply
from bot.wire.songs import SongsReply
from bot.wire.statistics import StatV13

_LEASTS: Final = tuple(rank.least_score for rank in (Rank.S, Rank.SS, Rank.SS_PLUS, Rank.SSS, Rank.SSS_PLUS))
_DIFFICULTIES: Final = {letter: code for code, letter in LETTERS.items()}
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

    def coach(self) -> Coach:
        """Return what the member is likely to score."""
        syllabus = ChartFeatureSet.of(self.catalogue.to_domain(JP2))
        gists: dict[ChartKey, ChartSummary] = {}
        for name, found in self.statistics.items():
            song, _, letter = name.partition(":")
            if found is not None:
                key = SongId(song), _DIFFICULTIES.get(letter, Difficulty(letter))
                gists[key] = ChartSummary.of(found.to_domain())
        earlier = [look.to_domain() for look in sorted(self.looks, key=lambda look: look.day)]
        plays = KnownPlays.of(self.records.to_domain(), earlier)
        return coach(syllabus, PopulationModel.of(syllabus.exercises, gists), self.rating, plays)


def _told(found: Coach) -> Mapping[str, object]:
    return {
        f"{song}:{difficulty}": {
            **_told_of(outlook.in_the_end),
            "try": _told_of(outlook.next_try),
        }
        for (song, difficulty), outlook in found.outlooks.items()
    }


def _told_of(chances: Chances) -> dict[str, object]:
    return {
        "score": chances.score,
        "chance": {str(least): round(chances.chance(least), 4) for least in _LEASTS},
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
    click.echo(json.dumps(_told(_read(file).coach()), indent=1))


def _read(file: Path) -> Case:
    """Return the case of a file. Raises: ClickException."""
    try:
        body = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        return read_reply(Case, body).reply
    except OSError as error:
        message = f"The file cannot be read: {error.strerror}."
        raise click.ClickException(message) from None
    except UnreadableReply as error:
        message = f"The file is not what is expected ({error}); {_NEEDED}."
        raise click.ClickException(message) from None
