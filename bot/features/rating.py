"""A player's rating at a glance."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from bot.base.worker import run_in_worker
from bot.domain.age import Age
from bot.domain.errors import BotError
from bot.domain.game_rating import Explanation, Reason, SlotCaps, caps_of
from bot.domain.game_versions import GameVersion, game_day
from bot.domain.ids import MemberId
from bot.domain.missing_records import MissingRecords, find_gap, find_missing
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.domain.scores import Record, SlotName
from bot.domain.slots import shown_slots
from bot.features.shared.askers import Asker, Askers
from bot.features.shared.chronicle import Chronicles
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.history import History
from bot.features.shared.reports import PlayerReport
from bot.features.shared.subjects import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingReport(PlayerReport):
    """The content of `/rating`."""

    best_average: Decimal | None
    recent_average: Decimal | None
    counts_new_songs: bool = False
    """Whether the game counts new songs instead of recent plays."""
    is_recent_sent: bool = True
    """Whether the service sends recent plays of this game at all."""
    explanation: Explanation | None = None
    """The explanation of the rating; None if it cannot be worked out now."""
    trouble: BotError | None = None
    """The reason why the averages are the record service's own although the game counts new songs separately; None if
    they are not."""
    missing: MissingRecords | None = None
    """The charts on which one more record would explain the rating; None if there is no such gap."""
    caps: SlotCaps | None = None
    """The maximum of the slots with today's songs."""
    turned: GameVersion | None = None
    """The version of the game that has begun since the asker's own profile was updated."""
    history: tuple[tuple[datetime, Hundredths], ...]
    """The asker's own rating over time, oldest first; empty if the report is about somebody else."""


class Ratings:
    """Reports ratings."""

    def __init__(self, askers: Askers, history: History, ratings: GameRatings, chronicle: Chronicles) -> None:
        self._askers = askers
        self._chronicle = chronicle
        self._history = history
        self._ratings = ratings

    async def report(self, viewer: MemberId, subject: Subject) -> RatingReport:
        """Return a player's profile and the averages of its slots.

        Raises: NotLinked, and errors of the service for the viewer's token.
        """
        asker = await self._askers.get(viewer)
        target = await self._askers.get_target(asker, subject)
        region = asker.link.region
        answer = await self._ratings.ask(asker, target, region, profile=asker.fetch_player(target))
        player, slots, records, _ = answer.value
        explanation = await self._ratings.explain(
            asker, answer.value, answer.age.fetched_at, member=subject.member
        )
        trouble = await self._ratings.find_trouble(
            asker, answer.value, explanation, answer.age.fetched_at, member=subject.member
        )
        if target.is_holder and records is not None:
            self._chronicle.note(asker.link, player, records, answer.age)
        past = None
        if target.is_holder:
            best, new = shown_slots(slots, explanation, region)
            shown = None if trouble else best
            past = await self._history.note(asker.link, player, slots, answer.age, best=shown, new=new)
            past = past.since(explanation and explanation.begun_at)
        return RatingReport(
            player=player,
            best_average=slots[SlotName.BEST].average,
            recent_average=slots[SlotName.RECENT].average,
            counts_new_songs=await self._ratings.counts_new_songs(
                asker, player, answer.age.fetched_at, member=subject.member
            ),
            is_recent_sent=SlotName.RECENT in slots.slots,
            explanation=explanation,
            trouble=trouble,
            missing=await self._find_missing(asker, player, records, explanation),
            caps=await self._caps(asker, explanation),
            turned=self._turned(player, explanation, answer.age) if target.is_holder else None,
            history=past.ratings if past else (),
            region=region,
            age=answer.age,
            audience=asker.audience_of(player),
        )

    async def _find_missing(
        self,
        asker: Asker,
        player: Player,
        records: tuple[Record, ...] | None,
        explanation: Explanation | None,
    ) -> MissingRecords | None:
        if explanation is None or explanation.reason is not Reason.RECORDS_OLDER or not records:
            return None
        gap = find_gap(explanation.worked_out, player.rating)
        catalogue = await self._ratings.find_catalogue(asker, asker.link.region)
        if gap is None or catalogue is None or not gap.is_of_one:
            return None
        return await run_in_worker(find_missing, explanation.worked_out, gap, records, catalogue)

    def _turned(self, player: Player, explanation: Explanation | None, age: Age) -> GameVersion | None:
        version = explanation and explanation.worked_out.version
        return self._ratings.versions.turned_since(version, player.updated_on, game_day(age.fetched_at))

    async def _caps(self, asker: Asker, explanation: Explanation | None) -> SlotCaps | None:
        version = explanation and explanation.worked_out.version
        if version is None or version.new_since is None:
            return None
        catalogue = await self._ratings.find_catalogue(asker, asker.link.region)
        return catalogue and caps_of(catalogue, version)
