"""A player's rating at a glance."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from bot.domain.age import Age
from bot.domain.ids import MemberId, Region
from bot.domain.members import Audience
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.domain.scores import SlotName
from bot.features.shared.askers import Askers, Subject, ask_both
from bot.features.shared.history import History


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingReport:
    """What `/rating` shows."""

    player: Player
    best_average: Decimal | None
    recent_average: Decimal | None
    history: tuple[tuple[datetime, Hundredths], ...]
    """The asker's own rating over time, oldest first; empty where the report is about somebody else."""
    region: Region
    """Of the averages; the rating is the profile's."""
    age: Age
    audience: Audience


class Ratings:
    """Looks ratings up."""

    def __init__(self, askers: Askers, history: History) -> None:
        self._askers = askers
        self._history = history

    async def report(self, viewer: MemberId, subject: Subject) -> RatingReport:
        """Return a player's profile and the averages of its slots.

        Raises: NotLinked, and what the service answers to the viewer's token.
        """
        asker = await self._askers.get(viewer)
        target = await self._askers.get_target(asker, subject)
        region = asker.link.region
        answer = await ask_both(
            asker.fetch_player(target),
            asker.fetch_rating_data(target, region),
            is_known=asker.knows_player(target),
        )
        player, slots = answer.value
        past = await self._history.note(asker.link, player, slots, answer.age) if target.is_holder else None
        return RatingReport(
            player=player,
            best_average=slots[SlotName.BEST].average,
            recent_average=slots[SlotName.RECENT].average,
            history=past.ratings if past else (),
            region=region,
            age=answer.age,
            audience=asker.audience_of(player),
        )
