"""The profiles of all members of a post, as far as available; an unavailable service is spared requests."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Final, NamedTuple

from bot.api import Priority
from bot.api.answer import Answer
from bot.api.cache_control import max_stale, only_if_cached
from bot.base.circuit_breaker import CircuitBreaker
from bot.base.clock import Clock
from bot.domain.daily import DailyMember
from bot.domain.errors import BotError, ServiceDown
from bot.domain.ids import Region
from bot.domain.players import Player, Target
from bot.domain.refresh_schedule import AGAIN
from bot.features.shared.askers import Asker, Askers

_logger = logging.getLogger(__name__)

AT_ONCE: Final = 20
"""The most members requested at once: many servers want their posts at the same minute."""
_READ_AT_ONCE: Final = 500
"""The members that are read from the database together; their rows stay in memory until they are used."""
_MAX_REST_SECONDS: Final = 600.0
"""The most seconds that posts wait between requests while the service is down."""


class MemberProfile(NamedTuple):
    """A member who joined, and the service's answer about them."""

    joined: DailyMember
    asker: Asker
    answer: Answer[Player]

    @property
    def region(self) -> Region:
        """The generation of the game that they play."""
        return self.asker.link.region


class PostProfiles:
    """Requests the profiles of the members of a post."""

    def __init__(self, askers: Askers, clock: Clock) -> None:
        self._askers = askers
        self._clock = clock
        self.slots = asyncio.Semaphore(AT_ONCE)
        """Limits the members that are processed at one time, by all that make posts."""
        self._alone = asyncio.Lock()
        self._rest = CircuitBreaker(clock, longest=_MAX_REST_SECONDS)

    async def fetch_all(
        self, joined: Sequence[DailyMember], *, anew: bool
    ) -> Sequence[MemberProfile | BotError]:
        """Return each member's profile or the error, in order; unless `anew`, recently cached profiles will do."""
        found: list[MemberProfile | BotError] = []
        for start in range(0, len(joined), _READ_AT_ONCE):
            found += await self._ask_all(joined[start : start + _READ_AT_ONCE], anew=anew)
        return found

    async def _ask_all(
        self, joined: Sequence[DailyMember], *, anew: bool
    ) -> Sequence[MemberProfile | BotError]:
        try:
            await self._askers.load([each.member for each in joined])
        except Exception as error:  # noqa: BLE001 - each is read singly then, and an unreadable row is logged
            _logger.warning("the members of a post could not be read together: %s", type(error).__name__)
        return await asyncio.gather(*(self._ask(each, anew=anew) for each in joined))

    async def _ask(self, joined: DailyMember, *, anew: bool) -> MemberProfile | BotError:
        try:
            async with self.slots:
                asker = await self._askers.get(joined.member, priority=Priority.DAILY)
                with nullcontext() if anew else max_stale(AGAIN):
                    answer = await self.fetch(asker)
        except BotError as error:
            _logger.info("a member is left out of a daily post: %s", error)
            return error
        except Exception:  # one unreadable row must not cost the others their post
            _logger.exception("a member is left out of a daily post: member %s", joined.member)
            return BotError("a member cannot be read")
        if answer.age.is_stale and self._clock.now() - answer.age.fetched_at > AGAIN:
            return ServiceDown()
        return MemberProfile(joined, asker, answer)

    async def fetch(self, asker: Asker) -> Answer[Player]:
        """Request a member's profile; while the service is down nothing is requested, and afterwards one member at first.

        Raises: as `Asker.fetch_player`.
        """
        async with self._alone if self._rest.is_half_open else nullcontext():
            with only_if_cached() if self._rest.is_open else nullcontext():
                began = self._clock.now()
                try:
                    answer = await asker.fetch_player(Target())
                except ServiceDown as error:
                    self._rest.trip(str(error))
                    raise
        if isinstance(answer.age.trouble, ServiceDown):
            self._rest.trip(str(answer.age.trouble))
        elif answer.age.fetched_at >= began:
            self._rest.reset()
        return answer
