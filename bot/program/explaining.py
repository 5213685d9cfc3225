"""`kiroku rating`: explains a rating on the terminal, without a bot, a database or a service."""

import json
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final, TypeVar, cast

import click
from pydantic import BaseModel

from bot.base.config import CannotStart, read_environment
from bot.domain.charts import Catalogue
from bot.domain.errors import UnreadableReply
from bot.domain.game_rating import Explanation, SlotEntry, explain
from bot.domain.game_versions import VersionTable
from bot.domain.host_constants import HostConstant, fill_constants
from bot.domain.ids import Region
from bot.domain.numbers import Hundredths, to_hundredths
from bot.domain.scores import Record
from bot.features.shared.game_data import read_game_versions, read_host_constants
from bot.wire.reading import read_value
from bot.wire.records import RecordsV20
from bot.wire.songs import SongsReply

R = TypeVar("R", bound=BaseModel)

_NEEDED: Final = ("region", "day", "records", "catalogue")
_MAX_RATING: Final = 100
_DAY_COLUMNS: Final = 10
"""Characters of a day that is written like 2025-12-11."""


class BadCase(ValueError):
    """The input cannot be explained; the text says in one sentence what is wrong with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingCase:
    """A member's profile and records on a day."""

    catalogue: Catalogue
    records: tuple[Record, ...]
    day: date
    """The day in Japan."""
    rating: Hundredths | None
    """The rating in the profile; None if unknown."""

    @classmethod
    def of(cls, text: bytes) -> "RatingCase":
        """Parse a case from a JSON object, with records and catalogue in the form of the service's replies. Raises: BadCase."""
        given = _object_of(text)
        if missing := [name for name in _NEEDED if name not in given]:
            message = f"The file lacks {', '.join(missing)}."
            raise BadCase(message)
        region = given["region"]
        if not isinstance(region, str) or not region.strip():
            message = "The region is a text such as jp2."
            raise BadCase(message)
        songs = _reply_of(SongsReply, given["catalogue"], "catalogue", "music/showall")
        records = _reply_of(RecordsV20, given["records"], "records", "records/showall")
        return cls(
            catalogue=songs.to_domain(Region(region.strip())),
            records=records.to_domain(),
            day=_day_of(given["day"]),
            rating=_rating_of(given.get("rating")),
        )

    def explain(self, versions: VersionTable, constants: Iterable[HostConstant] = ()) -> Explanation:
        """Return the rating computed from the records, compared with the profile's."""
        catalogue = fill_constants(self.catalogue, constants).catalogue
        return explain(self.records, catalogue, self.day, self.rating, versions)


def _object_of(text: bytes) -> Mapping[str, object]:
    with suppress(ValueError, RecursionError):
        found: object = json.loads(text.decode("utf-8-sig"))
        if isinstance(found, dict):
            return cast("dict[str, object]", found)
    message = "The file is no JSON object."
    raise BadCase(message)


def _reply_of(kind: type[R], value: object, name: str, path: str) -> R:
    """Parse a reply strictly: an entry left out here would be missing in the rating without a warning."""
    try:
        reading = read_value(kind, value)
    except UnreadableReply:
        message = f"What stands under {name} is no reply of {path}."
        raise BadCase(message) from None
    if reading.lost:
        message = f"Of the entries under {name}, {reading.lost} cannot be read."
        raise BadCase(message)
    return reading.reply


def _day_of(value: object) -> date:
    with suppress(ValueError):
        if isinstance(value, str) and len(value) == _DAY_COLUMNS:
            return date.fromisoformat(value)
    message = "The day is written like 2025-12-11."
    raise BadCase(message)


def _rating_of(value: object) -> Hundredths | None:
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _MAX_RATING:
        return to_hundredths(value)
    message = f"The rating is a number from 0 to {_MAX_RATING}, or null."
    raise BadCase(message)


@click.group("rating")
def rating_command() -> None:
    """Explain how a player's rating adds up."""


@rating_command.command("explain")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
def explain_command(file: Path) -> None:
    """Read region, day, rating, records and catalogue from FILE; print both slots and whether they explain the rating.

    GAME_VERSIONS and CONSTANTS_FILE count here as they do for the bot.
    """
    try:
        body = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        versions, constants = read_game_versions(_path("game_versions")), _path("constants_file")
        found = RatingCase.of(body).explain(versions, read_host_constants(constants))
    except OSError as error:
        message = f"The file cannot be read: {error.strerror}."
        raise click.ClickException(message) from None
    except (BadCase, CannotStart) as error:
        raise click.ClickException(str(error)) from None
    click.echo(json.dumps(_as_json(found), indent=1))


def _path(setting: str) -> Path | None:
    named = read_environment().get(setting)
    return None if named is None else Path(named.strip())


def _as_json(explanation: Explanation) -> Mapping[str, object]:
    found = explanation.worked_out
    return {
        "version": None if found.version is None else found.version.name,
        "formula": found.formula.value,
        "best": _listed(found.best),
        "new": _listed(found.new),
        "sum": found.sum / 100,
        "rating": _number(found.rating),
        "explained": explanation.is_explained,
        "reason": None if explanation.reason is None else explanation.reason.value,
        "highest_rating": _number(found.highest_rating),
        "unknown_constants": [
            [*entry.key, entry.rating / 100, entry.highest / 100]
            for entry in (*found.best, *found.new)
            if not entry.is_certain
        ],
        "undated": [list(key) for key in found.undated],
        "left_out": [list(key) for key in found.left_out],
    }


def _listed(entries: Iterable[SlotEntry]) -> list[tuple[str, str, float]]:
    return [(*entry.key, entry.rating / 100) for entry in entries]


def _number(rating: Hundredths | None) -> float | None:
    return None if rating is None else rating / 100
