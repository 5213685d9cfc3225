"""`kiroku doctor`: tests the settings and what the bot depends on, independently; nothing stays created or changed."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from http import HTTPStatus
from types import SimpleNamespace
from typing import Final, TypeVar

import aiohttp
import discord

from bot.api import Holder, RecordApi
from bot.api.protocol import make_call, parse_date
from bot.api.transport import NO_NAME, NOT_TRUSTED, REFUSED
from bot.base.clock import Clock
from bot.base.config import CannotStart, Settings
from bot.domain.charts import Catalogue
from bot.domain.errors import BadQuery, BotError, BudgetSpent, ServiceDown, TokenRejected, UnreadableReply
from bot.domain.game_versions import game_day
from bot.domain.host_constants import fill_constants
from bot.domain.ids import Region
from bot.features.preferences import REGIONS
from bot.features.shared.alias_packs import name_lines, read_packs
from bot.features.shared.game_data import read_game_versions, read_host_constants
from bot.features.shared.game_ratings import CENSUS_OF, outdated_text
from bot.features.shared.host_constants import name_unfit
from bot.features.shared.notices import read_notice
from bot.program.app import bad_port, check_address
from bot.program.findings import Finding, Verdict
from bot.program.health import http_address
from bot.program.metrics import ALIVE
from bot.program.process import NO_LOGIN, refusal_of
from bot.store import (
    StoreUnavailable,
    UnknownKey,
    examine,
    examine_ratings,
    examine_room,
    in_words,
    open_vault,
)
from bot.wire.endpoints import USERS_ME_V13
from bot.wire.reading import find_error

T = TypeVar("T")

_CHECK_TIMEOUT_SECONDS: Final = 15.0
"""The timeout of each check, longer than those of its requests."""
_SERVICE_TIMEOUT_SECONDS: Final = 10.0
"""The timeout of requests to the record service."""
_PROBE_TIMEOUT: Final = aiohttp.ClientTimeout(total=2)
"""The timeout for a bot on this machine."""
_UNKNOWN_HOLDER: Final = "doctor"
"""A made-up token: how it is rejected shows whether this is a record service."""
_MAX_SKEW: Final = timedelta(seconds=5)
"""The tolerated difference of two clocks: replies give the time in whole seconds, and take a while."""

_NO_SERVICE: Final = "What answers at RECORD_API_URL is no record service. Check the address."
_REFUSED: Final = "The record service rejects RECORD_TOKEN. Issue a new one in the account settings there."
_OUT_OF_REACH: Final[Mapping[str, str]] = {
    NO_NAME: (
        "No address is found for the name in RECORD_API_URL (DNS). "
        "Check how it is written, and this machine's resolver."
    ),
    REFUSED: (
        "The machine that RECORD_API_URL names refuses the connection. "
        "Check its port, and that the record service runs."
    ),
    NOT_TRUSTED: (
        "What answers at RECORD_API_URL has a certificate that is not trusted, and was sent nothing. Check the "
        "name in the address, this machine's clock, and the certificate, which may have run out or be its own issuer's."
    ),
}
_OTHER_KEY: Final = (
    "The tokens in the database were encrypted with a key that is not given. Put it back, or add it to TOKEN_KEYS; "
    "without it, members have to link again."
)


class _CheckSkipped(Exception):
    """A check is skipped, or cannot be done while something else is wrong; the text says so."""


class Doctor:
    """Runs every check once."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._service: asyncio.Task[Finding]
        """The check whether the address is a record service: only then is a token sent to it."""
        self._database: asyncio.Task[Finding]
        self._clock_offsets: dict[str, timedelta] = {}
        """How far this machine's clock is ahead of each other clock."""

    async def examine(self) -> Sequence[Finding]:
        """Run all checks concurrently."""
        self._service = asyncio.create_task(_run_check("RECORD_API_URL", self._check_service))
        self._database = asyncio.create_task(_run_check("DATABASE_URL", self._check_database))
        findings = await asyncio.gather(
            self._database,
            _run_check("Disk", self._check_disk),
            _run_check("TOKEN_KEYS", self._check_keys),
            _run_check("ALIAS_FILE", self._check_aliases),
            _run_check("GAME_VERSIONS", self._check_versions),
            _run_check("CONSTANTS_FILE", self._check_constants),
            _run_check("NOTICE_FILE", self._check_notice),
            _run_check("METRICS_PORT", self._check_port),
            self._service,
            _run_check("RECORD_TOKEN", self._check_record_token),
            _run_check("DEFAULT_REGION", self._check_region),
            _run_check("DISCORD_TOKEN", self._check_discord),
        )
        return [*findings, await _run_check("Clock", self._check_clock)]

    async def _check_database(self) -> str:
        condition = await examine(self._settings.database_url)
        if condition.now is not None:
            self._compare("the database server", condition.now)
        if condition.revision is None:
            return f"{condition.kind}, still empty; the first start makes its tables."
        return f"{condition.kind}, at revision {condition.revision}."

    async def _check_disk(self) -> str:
        """Try to write, because free space says nothing of quotas, limits and failing disks."""
        try:
            room = await examine_room(self._settings.database_url)
        except StoreUnavailable:
            if (await self._database).mark is Verdict.WRONG:
                message = "cannot be tried while the database cannot be used."
                raise _CheckSkipped(message) from None
            raise
        if room is None:
            message = "cannot be tried: the database is in memory, or its user may make no temporary tables."
            raise _CheckSkipped(message)
        told = "" if room.free is None else f"; {in_words(room.free)} are free"
        return f"a few megabytes can be written; the database has {in_words(room.used)}{told}."

    async def _check_keys(self) -> str:
        vault = open_vault(self._settings.token_keys_in_clear, self._settings.database_path)
        try:
            sealed = (await examine(self._settings.database_url)).sealed
        except StoreUnavailable:
            message = "can be read; whether they open the tokens is not known while the database cannot be."
            raise _CheckSkipped(message) from None
        if sealed is None:
            return "nothing is encrypted yet."
        vault.keep_key(is_needed=True)
        try:
            vault.decrypt(sealed)
        except UnknownKey:
            raise CannotStart(_OTHER_KEY) from None
        return "the tokens in the database can be read."

    async def _check_aliases(self) -> str:
        aliases = await asyncio.to_thread(read_packs, self._settings.alias_file)
        lines = frozenset(aliases.lines)
        unfit, told = await self._find_unfit(lines, lambda songs: aliases.resolve(songs)[1])
        _refuse_idle(name_lines(aliases.unread, unfit))
        return f"{len(aliases.lines)} aliases{told and f'; whether each fits a song {told}'}."

    async def _check_constants(self) -> str:
        given = await asyncio.to_thread(read_host_constants, self._settings.constants_file)
        unfit, told = await self._find_unfit(
            frozenset(given), lambda songs: fill_constants(songs, given).unfit
        )
        _refuse_idle(name_unfit(unfit))
        return f"{len(given)} constants{told and f'; whether each fits a chart {told}'}."

    async def _check_versions(self) -> str:
        """Report the current version of the game, and whether members' ratings confirm it.

        Raises: CannotStart.
        """
        table = await asyncio.to_thread(read_game_versions, self._settings.game_versions)
        with suppress(StoreUnavailable):  # which has a line of its own
            census = await examine_ratings(self._settings.database_url, self._clock.now() - CENSUS_OF)
            if census.is_outdated:
                raise CannotStart(outdated_text(census))
        region, today = Region(self._settings.default_region), game_day(self._clock.now())
        told = [f"{each.name} since {each.first_day}" for each in table.in_force(region, today)[:1]]
        coming = table.next_after(region, today)
        if coming is not None:
            told.append(f"{coming.name} from {coming.first_day} on")
        return f"{len(table.versions)} versions of the game; in {region} {', '.join(told) or 'none yet'}."

    async def _find_unfit(
        self, lines: frozenset[T], unfit_in: Callable[[Catalogue], frozenset[T]]
    ) -> tuple[frozenset[T], str]:
        """Return the lines that fit nothing in any region, the default one first, and a remark if that is unknown."""
        default, unfit = Region(self._settings.default_region), lines
        if not lines:
            return unfit, ""
        try:
            async with await self._api() as api:
                for region in dict.fromkeys((default, *REGIONS)):
                    reply = await self._holder(api).v2_0.music.showall(region=region)
                    unfit &= unfit_in(reply.to_domain(region))
                    if not unfit:
                        break
        except (_CheckSkipped, BotError):
            return frozenset(), "is known once RECORD_TOKEN can be tried"
        return unfit, ""

    async def _check_notice(self) -> str:
        texts = await asyncio.to_thread(read_notice, self._settings.notice_file)
        return (
            f"a sentence in {len(texts)} languages is shown to everybody." if texts else "nothing is shown."
        )

    async def _check_port(self) -> str:
        port = self._settings.metrics_port
        if not port:
            message = "not set: nothing is served for Prometheus."
            raise _CheckSkipped(message)
        try:
            _check_bindable(self._settings.metrics_host, port)
        except OSError as error:
            if await _is_kiroku(http_address(self._settings.metrics_host, port)):
                return f"a bot that runs has port {port}."
            raise bad_port(self._settings, error) from None
        return f"port {port} is free."

    async def _check_service(self) -> str:
        check_address(self._settings.record_api_url)
        async with RecordApi(self._settings.record_api_url, clock=self._clock) as api:
            try:
                response = await api.exchange(
                    make_call(USERS_ME_V13, {}),
                    api.holder(_UNKNOWN_HOLDER, patience=_SERVICE_TIMEOUT_SECONDS),
                )
            except UnreadableReply:
                raise CannotStart(_NO_SERVICE) from None
            except ServiceDown as error:
                raise CannotStart(_unavailable(error.reason)) from None
        if response.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise CannotStart(_unavailable(f"status {response.status}"))
        # A missing path may mean that the address lacks a part, or has one too many.
        if find_error(response.body) is None or response.status == HTTPStatus.NOT_FOUND:
            raise CannotStart(_NO_SERVICE)
        self._compare_header("the record service", response.headers)
        return "a record service answers."

    async def _check_record_token(self) -> str:
        async with await self._api() as api:
            try:
                await self._holder(api).v1_3.users.me()
            except TokenRejected:
                raise CannotStart(_REFUSED) from None
            except BudgetSpent:
                pass
        return "the record service takes it."

    async def _check_region(self) -> str:
        region = Region(self._settings.default_region)
        if region in REGIONS:
            return f"{region}."
        try:
            async with await self._api() as api:
                holder = self._holder(api)
                # First, or a rejected token could be blamed on the region.
                await holder.v1_3.users.me()
                await holder.v2_0.records.course(region=region)
        except (BadQuery, _CheckSkipped):
            message = (
                f"{region!r} is no region that is known. Set DEFAULT_REGION to one of {', '.join(REGIONS)}."
            )
            raise CannotStart(message) from None
        return f"{region}, which the record service knows."

    async def _check_discord(self) -> str:
        token = self._settings.discord_token.get_secret_value()
        if not token:
            raise CannotStart(NO_LOGIN)
        trace = aiohttp.TraceConfig()
        trace.on_request_end.append(self._compare_discord)
        client = discord.Client(intents=discord.Intents.none(), http_trace=trace)
        try:
            async with client:
                await client.login(token)
                return f"Discord takes it, as that of {client.user}."
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            raise CannotStart(refusal_of(error)) from None

    async def _compare_discord(
        self, _session: aiohttp.ClientSession, _context: SimpleNamespace, end: aiohttp.TraceRequestEndParams
    ) -> None:
        self._compare_header("Discord", end.response.headers)

    async def _check_clock(self) -> str:
        if not self._clock_offsets:
            message = "nobody was there to compare it with."
            raise _CheckSkipped(message)
        wrong = {whose: ahead for whose, ahead in self._clock_offsets.items() if abs(ahead) > _MAX_SKEW}
        if not wrong:
            return f"as that of {' and '.join(self._clock_offsets)}."
        apart = " and ".join(
            f"{abs(ahead).total_seconds():.0f} s {'ahead of' if ahead > timedelta() else 'behind'} that of {whose}"
            for whose, ahead in wrong.items()
        )
        message = (
            f"This machine's clock is {apart}. Have each set over the network (NTP): `timedatectl` shows it."
        )
        raise CannotStart(message)

    async def _api(self) -> RecordApi:
        """Return the API of the record service, once it is known to be one and there is a token. Raises: _CheckSkipped."""
        if not self._settings.record_token.get_secret_value():
            message = "cannot be tried without RECORD_TOKEN."
            raise _CheckSkipped(message)
        if (await self._service).mark is not Verdict.FINE:
            message = "cannot be tried without RECORD_API_URL."
            raise _CheckSkipped(message)
        return RecordApi(self._settings.record_api_url, clock=self._clock)

    def _holder(self, api: RecordApi) -> Holder:
        return api.holder(self._settings.record_token.get_secret_value(), patience=_SERVICE_TIMEOUT_SECONDS)

    def _compare_header(self, whose: str, headers: Mapping[str, str]) -> None:
        now = parse_date(headers.get("Date"))
        if now is not None:
            self._compare(whose, now)

    def _compare(self, whose: str, now: datetime) -> None:
        self._clock_offsets[whose] = self._clock.now() - now


async def _run_check(what: str, check: Callable[[], Awaitable[str]]) -> Finding:
    """Run one check with a timeout; its errors do not affect the others."""
    try:
        async with asyncio.timeout(_CHECK_TIMEOUT_SECONDS):
            return Finding(Verdict.FINE, what, await check())
    except _CheckSkipped as reason:
        return Finding(Verdict.UNTRIED, what, str(reason))
    except CannotStart as error:
        return Finding(Verdict.WRONG, what, str(error))
    except BotError as error:
        return Finding(Verdict.UNTRIED, what, f"cannot be told now: {error}.")
    except TimeoutError:
        return Finding(
            Verdict.WRONG, what, f"No answer in {_CHECK_TIMEOUT_SECONDS:g} seconds. Try again later."
        )
    except Exception as error:  # noqa: BLE001 - the others are told all the same
        return Finding(Verdict.WRONG, what, f"It could not be tried ({type(error).__name__}): report this.")


def _refuse_idle(said: str) -> None:
    """Report lines of a file without effect. Raises: CannotStart."""
    if said:
        message = f"These lines do nothing: {said}. Mend them, or leave them out."
        raise CannotStart(message)


def _check_bindable(host: str, port: int) -> None:
    """Open a port at each address of a host, of either family. Raises: OSError."""
    asked = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    for family, _, _, _, address in asked:
        with socket.create_server(address, family=family):
            pass


async def _is_kiroku(address: str) -> bool:
    with suppress(aiohttp.ClientError, OSError, TimeoutError):
        async with aiohttp.request("GET", f"{address}/healthz", timeout=_PROBE_TIMEOUT) as response:
            return await response.text() == ALIVE
    return False


def _unavailable(reason: str) -> str:
    known = _OUT_OF_REACH.get(reason)
    return known or (
        f"The record service does not answer ({reason}). Check RECORD_API_URL, and that the service runs."
    )
