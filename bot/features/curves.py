"""Several members' figures over time: from stored history, and for the viewer also from a request."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Final

from bot.base.worker import run_in_worker
from bot.domain.boards import TURNING, Measure
from bot.domain.charts import Catalogue
from bot.domain.chronicle.state import PlayerFigures, figures_of, marks_of, over_power_of
from bot.domain.curves import Curve, DaySpan, curve_of
from bot.domain.errors import BotError
from bot.domain.game_rating import WorkedOut
from bot.domain.game_versions import GameVersion
from bot.domain.ids import MemberId, Region
from bot.domain.members import Audience
from bot.domain.players import Player, Target
from bot.domain.scores import Record
from bot.features.shared.askers import Asker, Askers
from bot.features.shared.chronicle import Chronicles
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.subjects import Subject
from bot.store import Look, Store

_AVERAGES: Final = frozenset({Measure.BEST, Measure.NEW})


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvesReport:
    """The content of `/history`."""

    measure: Measure
    curves: tuple[Curve, ...]
    """The curves in the order in which the members were named, including those without points."""
    turns: tuple[GameVersion, ...] = ()
    """Versions of the game that began within the curves, oldest first: the figure starts anew there."""
    has_new_songs: bool = True
    """Whether the viewer's game counts new songs, as far as known."""
    region: Region
    audience: Audience


class Curves:
    """Reports figures over time from stored history."""

    def __init__(self, store: Store, askers: Askers, chronicle: Chronicles, ratings: GameRatings) -> None:
        self._store = store
        self._askers = askers
        self._chronicle = chronicle
        self._ratings = ratings

    async def report(
        self, viewer: MemberId, subjects: Sequence[Subject], measure: Measure, span: DaySpan, zone: tzinfo
    ) -> CurvesReport:
        """Return a figure over time of members who let the viewer look; only the viewer's own data is requested.

        Raises: NotLinked with the member who may not be looked up, MembershipUnknown.
        """
        asker = await self._askers.get(viewer)
        members = await self._fetch_members(asker, subjects)
        region = None if measure is Measure.RATING else asker.link.region
        looks: dict[MemberId, list[tuple[datetime, int | None]]] = {member: [] for member in members}
        if viewer in looks:
            with suppress(BotError):
                looks[viewer].append(await self._look(asker, measure))
            # Members may hide or erase their link while the request runs.
            asker = await self._askers.get(viewer)
            await self._fetch_members(asker, subjects)
        if measure in _AVERAGES:
            for member in members:
                await self._ratings.work_out_past(member, asker.link.region)
        first, last = span.in_any_zone
        for look in await self._store.chronicle.fetch_looks(members, region, first=first, last=last):
            looks[look.member].append((look.taken_at, _figure(look, measure)))
        curves = await run_in_worker(_curves, looks, span, zone)
        is_own_hidden = asker.is_only_me and viewer in looks
        return CurvesReport(
            measure=measure,
            curves=curves,
            turns=self._turns(curves, asker.link.region) if measure in TURNING else (),
            has_new_songs=self._ratings.begun_version(asker.link.region) is not None,
            region=asker.link.region,
            audience=Audience.ASKER if is_own_hidden else Audience.ANYONE,
        )

    async def _fetch_members(self, asker: Asker, subjects: Sequence[Subject]) -> list[MemberId]:
        """Return the members of a report, without duplicates. Raises: as `report`."""
        found = [await self._askers.get_remembered(asker, subject) for subject in subjects]
        return list(dict.fromkeys(member for member in found if member is not None))

    def _turns(self, curves: Sequence[Curve], region: Region) -> tuple[GameVersion, ...]:
        moments = [point.moment for curve in curves for point in curve.points]
        if not moments:
            return ()
        return self._ratings.versions.begun_between(region, min(moments), max(moments))

    async def _look(self, asker: Asker, measure: Measure) -> tuple[datetime, int | None]:
        """Return the viewer's current figure, with as few requests as possible. Raises: errors of the service."""
        region = asker.link.region
        match measure:
            case Measure.BEST | Measure.NEW:
                answer = await self._chronicle.fetch(asker)
                (player, records), at = answer.value, answer.age.fetched_at
                found = await self._ratings.explain_own(asker, player, records, at)
                worked_out = None if found is None else found.worked_out
                figures = await run_in_worker(_figures, player, records, region, worked_out)
                average = figures.new_average if measure is Measure.NEW else figures.best_average
                return at, None if average is None else int(average * 10_000)
            case Measure.OVER_POWER:
                records = await asker.fetch_records(Target(), region)
                catalogue = await self._ratings.find_catalogue(asker, region)
                return records.age.fetched_at, await run_in_worker(_over_power, records.value, catalogue)
            case _:
                player = await asker.fetch_player(Target())
                return player.age.fetched_at, player.value.rating


def _figures(
    player: Player, records: tuple[Record, ...], region: Region, worked_out: WorkedOut | None
) -> PlayerFigures:
    return figures_of(player, marks_of(records), region, worked_out=worked_out)


def _over_power(records: tuple[Record, ...], catalogue: Catalogue | None) -> int:
    return over_power_of(marks_of(records), catalogue)


def _figure(look: Look, measure: Measure) -> int | None:
    match measure:
        case Measure.BEST:
            return look.best_average
        case Measure.NEW:
            return look.new_average
        case Measure.OVER_POWER:
            return look.over_power
        case _:
            return look.rating


def _curves(
    looks: Mapping[MemberId, Sequence[tuple[datetime, int | None]]], span: DaySpan, zone: tzinfo
) -> tuple[Curve, ...]:
    return tuple(curve_of(member, seen, span, zone) for member, seen in looks.items())
