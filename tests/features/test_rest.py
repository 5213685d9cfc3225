"""How posts leave the service alone while it is away (bot/base/circuit_breaker.py, and bot/features/shared/profiles.py)."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, cast

from bot.api.answer import Answer, Key
from bot.api.cache import AnswerCache
from bot.base.clock import ManualClock
from bot.domain.errors import BotError, ServiceDown
from bot.domain.ids import UserId
from bot.features.shared.profiles import PostProfiles

MEMBERS: Final = 30


class Service:
    """Answers with a number that grows, or not at all."""

    def __init__(self, clock: ManualClock) -> None:
        self.cache = AnswerCache(clock, fresh_for=timedelta(seconds=60))
        self.asked = 0
        self.is_away = False

    async def ask(self) -> int:
        self.asked += 1
        await asyncio.sleep(0)
        if self.is_away:
            raise ServiceDown
        return self.asked

    def asked_since(self) -> int:
        asked, self.asked = self.asked, 0
        return asked


@dataclass
class Asker:
    """One member."""

    service: Service
    account: UserId

    async def fetch_player(self, _target: object) -> Answer[int]:
        return await self.service.cache.get(Key(self.account, ("player",)), self.service.ask)


async def test_while_the_service_is_away_one_is_asked_about_now_and_then_and_not_all() -> None:
    clock = ManualClock(datetime(2026, 11, 21, tzinfo=UTC))
    service = Service(clock)
    profiles = PostProfiles(cast("Any", None), clock)

    async def gather() -> tuple[int, list[bool]]:
        """Ask about all; return how many requests that took, and of whom nothing newer could be had."""
        askers = [cast("Any", Asker(service, UserId(number))) for number in range(1, MEMBERS + 1)]
        found = await asyncio.gather(*map(profiles.fetch, askers), return_exceptions=True)
        told = [isinstance(each, BotError) or cast("Answer[int]", each).age.is_stale for each in found]
        return service.asked_since(), told

    service.is_away = True
    assert await gather() == (MEMBERS, [True] * MEMBERS)
    assert await gather() == (0, [True] * MEMBERS)
    for seconds in (60, 120, 240, 480, 600, 600):
        clock.advance(seconds)
        assert await gather() == (1, [True] * MEMBERS)
        clock.advance(59)
        assert (await gather())[0] == 0
        clock.advance(-59)
    service.is_away = False
    clock.advance(600)
    assert await gather() == (MEMBERS, [False] * MEMBERS)
    assert await gather() == (0, [False] * MEMBERS)  # fresh
    service.is_away = True
    clock.advance(60)
    assert await gather() == (MEMBERS, [True] * MEMBERS)  # what is known stands in
