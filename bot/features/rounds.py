"""Members looked at in the background: whoever joined what needs it, once a day, before it is needed."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from typing import Final

from bot.clock import Clock
from bot.domain.errors import BotError, BudgetSpent, CannotKeep, CannotRead, NotLinked, ServiceDown
from bot.domain.ids import MemberId
from bot.domain.rounds import pause_after
from bot.features.rest import Rest
from bot.store import Duty, Store, Waiting

_log = logging.getLogger(__name__)

_TICK: Final = 60.0
"""Seconds between looks whose turn has come."""
_MOST: Final = 500
"""Members read from the database at a time."""
_AT_ONCE: Final = 4
_SOON: Final = timedelta(minutes=15)
"""After which somebody is tried again whose own trouble it need not be."""
_LONGEST_REST: Final = 1800.0
"""Seconds."""


class Rounds:
    """Makes the rounds: by one process, and never in the way of people."""

    def __init__(
        self,
        store: Store,
        look: Callable[[MemberId], Awaitable[bool]],
        duty: Duty,
        clock: Clock,
        requests: Counter[str],
    ) -> None:
        """Look at nobody yet; `look` returns whether records were asked for, `requests` counts the service's 429s."""
        self._book = store.rounds
        self._look = look
        self._duty = duty
        self._clock = clock
        self._requests = requests
        self._rest = Rest(clock, longest=_LONGEST_REST)
        self.counts: Counter[str] = Counter()
        """Members since the start: looked (at), fetched (their records too), failed, put_off."""

    async def go(self) -> float:
        """Look at those whose turn has come; return after how many seconds to go on. Raises: CannotKeep, CannotRead."""
        if self._rest.is_on or not await self._duty.is_ours():
            return _TICK
        waiting = await self._book.fetch_waiting(self._clock.now(), most=_MOST)
        refused = self._requests["too_many"]
        turns = iter(waiting)
        try:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(1 if self._rest.is_doubtful else _AT_ONCE):
                    tasks.create_task(self._walk(turns))
        except BaseExceptionGroup as failed:
            raise failed.exceptions[0] from None
        if self._requests["too_many"] > refused:
            self._rest.begin("it refuses")
        return _TICK if self._rest.is_on or len(waiting) < _MOST else 0.0

    async def _walk(self, turns: Iterator[Waiting]) -> None:
        for each in turns:
            if self._rest.is_on or not self._duty.is_held:
                return
            await self._look_at(each)

    async def _look_at(self, waiting: Waiting) -> None:
        member, failures = waiting
        try:
            is_fetched = await self._look(member)
        except (CannotKeep, CannotRead):
            raise
        except NotLinked:
            return
        except ServiceDown as error:
            self._rest.begin(str(error))
            await self._put_off(member, failures)
        except BudgetSpent:
            await self._put_off(member, failures)
        except Exception as error:  # noqa: BLE001 - of one who cannot be read the others must not suffer
            if not isinstance(error, BotError):
                _log.exception("a member could not be looked at: member %s", member)
            self.counts["failed"] += 1
            again_at = self._clock.now() + pause_after(failures + 1)
            await self._book.put_off(member, again_at, failures=failures + 1)
        else:
            self._rest.end()
            self.counts["looked"] += 1
            self.counts["fetched"] += is_fetched

    async def _put_off(self, member: MemberId, failures: int) -> None:
        self.counts["put_off"] += 1
        await self._book.put_off(member, self._clock.now() + _SOON, failures=failures)
