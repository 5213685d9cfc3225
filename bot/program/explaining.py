"""`kiroku rating`: how a rating comes about, from a terminal, without a bot, a database or a service."""

import json
import sys
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Annotated

import click
from pydantic import Field

from bot.domain.errors import UnreadableReply
from bot.domain.game_rating import Explanation, SlotEntry, explain
from bot.domain.ids import Region
from bot.domain.numbers import Hundredths, to_hundredths
from bot.wire.fields import NONE_IF_ODD
from bot.wire.game_versions import read_table
from bot.wire.reading import read_reply
from bot.wire.records import RecordsV20
from bot.wire.replies import Reply
from bot.wire.songs import SongsReply


class RatingCase(Reply):
    """What a member's profile and records say on a day, each part as the service replies it."""

    region: str
    day: date
    """In Japan."""
    records: RecordsV20
    """`records/showall` of version 2.0."""
    catalogue: SongsReply
    """`music/showall` of version 2.0."""
    rating: Annotated[Annotated[float, Field(ge=0, le=100)] | None, NONE_IF_ODD] = None
    """As the profile says; None where it is not known."""

    def explain(self) -> Explanation:
        """Return what the records come to, beside the rating."""
        catalogue = self.catalogue.to_domain(Region(self.region))
        rating = None if self.rating is None else to_hundredths(self.rating)
        return explain(self.records.to_domain(), catalogue, self.day, rating, read_table())


@click.group("rating")
def rating_command() -> None:
    """Say how a player's rating comes about."""


@rating_command.command("explain")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
def explain_command(file: Path) -> None:
    """Read region, day, rating, records and catalogue from FILE; print both slots and whether they explain the rating."""
    try:
        body = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        found = read_reply(RatingCase, body).reply.explain()
    except OSError as error:
        message = f"The file cannot be read: {error.strerror}."
        raise click.ClickException(message) from None
    except UnreadableReply as error:
        message = f"The file is not what is expected ({error}); it needs region, day, records and catalogue."
        raise click.ClickException(message) from None
    click.echo(json.dumps(_as_json(found), indent=1))


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
