"""A member's version of the game, and the effect of the next one on their rating."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.base.clock import Clock
from bot.base.worker import run_in_worker
from bot.domain.game_rating import Explanation
from bot.domain.game_versions import GameVersion, game_day
from bot.domain.ids import GuildId, MemberId
from bot.domain.turnover import Comeback, Turnover, come_back, turn_over
from bot.features.shared.askers import Askers
from bot.features.shared.chronicle import Chronicles
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.library import SongLibrary
from bot.features.shared.reports import PlayerReport

_TOMORROW: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnReport(PlayerReport):
    """The content of `/version`."""

    explanation: Explanation
    following: GameVersion | None
    """The version after the member's; None if none is known."""
    has_begun: bool
    """Whether the following version has begun, in Japan."""
    is_from_before: bool
    """Whether their profile was updated before it began; otherwise the edition that they play lags behind."""
    turnover: Turnover | None
    """The effect of the next version; None in a game that counts no new songs."""
    comeback: Comeback | None
    """The way back up; None if no place of new songs is empty."""


class Turnovers:
    """Reports the effects of game versions on the asker's own rating."""

    def __init__(
        self, askers: Askers, library: SongLibrary, chronicle: Chronicles, ratings: GameRatings, clock: Clock
    ) -> None:
        self._askers = askers
        self._library = library
        self._chronicle = chronicle
        self._ratings = ratings
        self._clock = clock

    async def report(self, viewer: MemberId, guild: GuildId | None) -> TurnReport:
        """Return the viewer's version and the effect of the next one. Raises: NotLinked, and errors of the service."""
        asker = await self._askers.get(viewer)
        visit = await self._library.enter(asker, guild)
        answer = await self._chronicle.fetch(asker)
        player, records = answer.value
        catalogue, region = visit.loaded.catalogue, visit.region
        explanation = await self._ratings.explain_with(
            catalogue, player, records, answer.age.fetched_at, member=viewer
        )
        found = explanation.worked_out
        played = found.version
        today = game_day(self._clock.now())
        following = played and self._ratings.versions.next_after(region, played.first_day)
        has_begun = following is not None and following.first_day <= today
        told_on = player.updated_on
        turnover = None
        if played is not None and played.new_since is not None:
            # If its day is past or unknown, assume tomorrow: all current songs would be old ones.
            first_day = today + _TOMORROW if following is None or has_begun else following.first_day
            turnover = await run_in_worker(turn_over, records, catalogue, played, first_day)
        return TurnReport(
            player=player,
            explanation=explanation,
            following=following,
            has_begun=has_begun,
            is_from_before=following is not None and told_on is not None and told_on < following.first_day,
            turnover=turnover,
            comeback=None if turnover is None else come_back(found),
            region=region,
            age=answer.age,
            audience=asker.audience_of(player),
        )
