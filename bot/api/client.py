"""RecordApi: one session, the budgets of all tokens, and the retries."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from http import HTTPStatus
from random import uniform
from typing import Final, Self, TypeVar

from pydantic import BaseModel

from bot.api.budget.accounts import BudgetRegistry, key_of
from bot.api.budget.budget import RESERVED_PERCENT, BudgetLeft, Permit, Priority
from bot.api.budget.leased_ledger import LeasedLedger
from bot.api.budget.ledger import BudgetLeaseStore, WindowBackup
from bot.api.budget.local_ledger import LocalLedger
from bot.api.budget.rate_limiter import RateLimiter, SharedPriority
from bot.api.budget.window import RateHeaders
from bot.api.checks import Values
from bot.api.protocol import (
    ApiCall,
    Headers,
    Response,
    TransientOutage,
    make_call,
    parse_response,
    raise_if_brief,
    rate_headers,
    rejects_token,
    retry_after,
    status_of,
)
from bot.api.room import MAX_TOTAL_BYTES, ReplyMemory, ReplyShare
from bot.api.transport import MAX_BODY_BYTES, HttpTransport, RequestNotSent
from bot.api.v1_0 import V10
from bot.api.v1_3 import V13
from bot.api.v2_0 import V20
from bot.base.backoff import doubled_wait
from bot.base.clock import Clock, SteadyClock, SystemClock
from bot.base.tally import TimedTally
from bot.base.worker import run_in_worker
from bot.domain.errors import BudgetSpent, ServiceDown, TokenRejected, UnreadableReply
from bot.domain.ids import UserId
from bot.wire.endpoints import Endpoint
from bot.wire.players import User, UserV10
from bot.wire.reading import Reading
from bot.wire.versions import Version

R = TypeVar("R", bound=BaseModel)

PERSON_SECONDS: Final = 10.0
"""The longest that a person in front of a screen waits for a call."""
BACKGROUND_SECONDS: Final = 30.0
"""How long a call with nobody in front of it may take: the service is slow at times."""

_MAX_ATTEMPTS: Final = 3
_RETRY_SECONDS: Final = 0.2
"""The second attempt waits this many seconds, and the third twice as many, with a jitter of half, so that clients do not
all retry at once."""
_MIN_SECONDS: Final = 0.1
"""A request gets at least this many seconds, even if its caller's patience ran out between two steps."""
_LARGE_BODY_BYTES: Final = 64 * 1024
"""Larger bodies are parsed outside of the event loop."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Holder:
    """Speaks for one token. Light: make one per question, or keep it."""

    api: "RecordApi" = field(repr=False)
    token: str = field(repr=False)
    urgency: SharedPriority = field(repr=False)
    patience: float
    """Seconds that one call may take in all: waiting for budget, sending, retrying."""
    user_id: UserId | None = None
    """Whose token it is, where that is known."""

    @property
    def priority(self) -> Priority:
        """The current priority: who waits for the answers."""
        return self.urgency.priority

    @property
    def v2_0(self) -> V20:
        """Version 2.0 of the service."""
        return V20(self)

    @property
    def v1_3(self) -> V13:
        """Version 1.3 of the service."""
        return V13(self)

    @property
    def v1_0(self) -> V10:
        """Version 1.0 of the service."""
        return V10(self)

    def budget(self, version: Version) -> BudgetLeft:
        """Return what the token may still send to a version, as far as is known without asking."""
        return self.api.budget(self.token, version, self.user_id)

    async def ask(self, endpoint: Endpoint[R], values: Values) -> R:
        """Return the service's answer; None among the values leaves a parameter out. Raises: BotError."""
        return await self.api.ask(make_call(endpoint, values), self)


class RecordApi:
    """The record service, for as many tokens as there are. Use it as an async context manager."""

    def __init__(  # noqa: PLR0913 - whoever hosts may choose each
        self,
        base_url: str,
        *,
        clock: Clock | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        max_body_bytes: int = MAX_BODY_BYTES,
        kept_percent: Mapping[Priority, int] = RESERVED_PERCENT,
        windows: WindowBackup | None = None,
        shared: BudgetLeaseStore | None = None,
    ) -> None:
        """Refuse a `base_url` that is not https, nor http on this machine. Raises: ValueError.

        `kept_percent` is how much of the limit each priority leaves for those above it; with `windows`, the
        budgets survive a restart, and with `shared`, several processes have them together.
        """
        self._transport = HttpTransport(base_url, max_body_bytes=max_body_bytes)
        self._room = ReplyMemory(max(MAX_TOTAL_BYTES, max_body_bytes))
        self._clock = SteadyClock(clock or SystemClock(), sleep)
        self._stack = AsyncExitStack()
        self.counts: Counter[str] = Counter()
        """Counts since the start: sent, waited, refused (by ourselves), too_many (429), retried, lost_entries, unreadable."""
        self._is_unreadable_logged = False
        """Whether the log has reported that replies cannot be read."""
        self.timed = TimedTally("endpoint", "outcome")
        """Every request that was sent, by outcome: a class of status, 429, or how it failed."""
        self._budgets = BudgetRegistry(kept_percent=kept_percent)
        self._ledger = (
            LocalLedger(self._budgets, self._clock, windows)
            if shared is None
            else LeasedLedger(self._budgets, self._clock, shared)
        )
        self._limiter = RateLimiter(self._ledger, self._clock, counts=self.counts)

    async def __aenter__(self) -> Self:
        await self._stack.enter_async_context(self._ledger)
        await self._stack.enter_async_context(self._transport)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    def holder(
        self,
        token: str,
        *,
        patience: float | None = None,
        priority: Priority = Priority.PERSON,
        user_id: UserId | None = None,
    ) -> Holder:
        """Return a `Holder` of `token`; `patience` is in seconds, by default short for `Priority.PERSON`.

        `user_id` is whose token it is, where that is known: all tokens of an account share one budget.
        """
        if patience is None:
            patience = PERSON_SECONDS if priority is Priority.PERSON else BACKGROUND_SECONDS
        return Holder(self, token, SharedPriority(priority), patience, user_id)

    def budget(self, token: str, version: Version, user_id: UserId | None = None) -> BudgetLeft:
        """Return what a token may still send to a version, as far as is known without asking."""
        return self._ledger.requests_left(key_of(token, user_id), version)

    def fractions_left(self) -> Iterator[tuple[Version, float]]:
        """Yield the fraction of requests left for each account, in each version that it has asked lately."""
        return self._budgets.fractions_left(self._clock.monotonic())

    @property
    def leases(self) -> tuple[int, Mapping[str, int]]:
        """The number of budget leases in this process, and counts of what became of leases since the start."""
        return self._ledger.leases_held, self._ledger.counts

    async def forget(self, user_id: UserId) -> None:
        """Forget everything of an account except its budget in memory, because the service keeps counting: no copy, no lease."""
        await self._ledger.release_account(user_id)

    async def ask(self, call: ApiCall[R], holder: Holder) -> R:
        """Send one call within the budget and the patience of its holder, with retries where they may help.

        Raises: every BotError but NotLinked.
        """
        with self._room.share() as share:
            response = await self._exchange(call, holder, share)
            reading = await self._read_whole(call, response, holder.token)
        if reading.lost:
            self.counts["lost_entries"] += reading.lost
            logger.warning("%s: %d entries could not be read", call.endpoint.path, reading.lost)
        if isinstance(reading.reply, User | UserV10) and call.endpoint.name == "users/me":
            await self._limiter.link_token(holder.token, reading.reply.to_domain().user_id)
        return reading.reply

    async def exchange(self, call: ApiCall[BaseModel], holder: Holder) -> Response:
        """Send one call as `ask` does, with its retries, and return the response unparsed.

        Raises: TokenRejected without a token, BudgetSpent, ServiceDown, UnreadableReply.
        """
        with self._room.share() as share:
            return await self._exchange(call, holder, share)

    async def _exchange(self, call: ApiCall[BaseModel], holder: Holder, share: ReplyShare) -> Response:
        if not holder.token.strip():
            raise TokenRejected
        if holder.user_id is not None:
            await self._limiter.link_token(holder.token, holder.user_id)
        deadline = self._clock.monotonic() + holder.patience
        for attempt in range(1, _MAX_ATTEMPTS + 1):
            try:
                return await self._attempt(call, holder, deadline, share)
            except TransientOutage as error:
                wait = _wait_after(attempt) if error.retry_after is None else error.retry_after
                if attempt == _MAX_ATTEMPTS or self._clock.monotonic() + wait >= deadline:
                    raise
            self.counts["retried"] += 1
            await self._clock.sleep(wait)
        raise ServiceDown  # not reached: the last attempt returns or raises

    async def _attempt(
        self, call: ApiCall[BaseModel], holder: Holder, deadline: float, share: ReplyShare
    ) -> Response:
        permit = await self._limiter.acquire(
            holder.token, call.endpoint.version, holder.urgency, deadline, user_id=holder.user_id
        )
        response = await self._send(call, holder, permit, deadline, share)
        raise_if_brief(response, self._clock.now())
        return response

    async def _send(
        self, call: ApiCall[BaseModel], holder: Holder, permit: Permit, deadline: float, share: ReplyShare
    ) -> Response:
        """Send one request and settle its permit. Raises: ServiceDown, UnreadableReply, BudgetSpent."""
        self.counts["sent"] += 1
        began = self._clock.monotonic()
        seconds = max(_MIN_SECONDS, deadline - began)
        outcome = "no_reply"
        heard: RateHeaders | None = None

        def hear(status: int, headers: Headers) -> None:
            nonlocal heard
            # Statuses in between may belong to no account, if the token is rejected.
            if not HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR:
                heard = rate_headers(headers, self._clock.now())

        try:
            response = await self._transport.fetch(
                call,
                holder.token,
                seconds=seconds,
                may_send=lambda: self._limiter.may_send(permit),
                hear=hear,
                share=share,
            )
            outcome = _outcome_of(response)
        except RequestNotSent:
            outcome = "not_sent"
            await self._limiter.return_unsent(permit)
            raise
        except BaseException:  # also when the caller is cancelled: the service may have counted it
            await self._limiter.record_reply(permit, heard)
            raise
        finally:
            self.timed.add(self._clock.monotonic() - began, call.endpoint.path, outcome)
        await self._settle(call, permit, response)
        return response

    async def _settle(self, call: ApiCall[BaseModel], permit: Permit, response: Response) -> None:
        """Correct the budget by a reply. Raises: BudgetSpent after a 429."""
        now = self._clock.now()
        # The rate headers of an unknown token belong to no account.
        headers = None if rejects_token(call, response) else rate_headers(response.headers, now)
        if status_of(response) != HTTPStatus.TOO_MANY_REQUESTS:
            await self._limiter.record_reply(permit, headers)
            return
        wait = retry_after(response.headers, now)
        raise BudgetSpent(await self._limiter.record_rejection(permit, headers, wait))

    async def _read_whole(self, call: ApiCall[R], response: Response, token: str) -> Reading[R]:
        """Parse a reply; log once that replies with a status of success cannot be read."""
        try:
            reading = await self._read(call, response, token)
        except UnreadableReply as error:
            self.counts["unreadable"] += 1
            if not self._is_unreadable_logged:
                logger.warning(
                    "%s: the record service sends invalid replies (%s)", call.endpoint.path, error.reason
                )
            self._is_unreadable_logged = True
            raise
        self._is_unreadable_logged = False
        return reading

    async def _read(self, call: ApiCall[R], response: Response, token: str) -> Reading[R]:
        if len(response.body) < _LARGE_BODY_BYTES:
            return parse_response(call, response, token=token)
        return await run_in_worker(parse_response, call, response, token=token)


def _wait_after(attempt: int) -> float:
    return doubled_wait(_RETRY_SECONDS, attempt, PERSON_SECONDS) * uniform(0.5, 1.5)  # noqa: S311 - spreads, hides nothing


def _outcome_of(response: Response) -> str:
    status = status_of(response)
    return "429" if status == HTTPStatus.TOO_MANY_REQUESTS else f"{status // 100}xx"
