import asyncio
import logging
import time
import traceback
from datetime import UTC, datetime, timedelta

import orjson
import pytest
from aiohttp import web
from scripted import Scripted

from bot.api import Priority, RecordApi
from bot.api.budget.pacing import BURST_REQUESTS
from bot.base.clock import ManualClock
from bot.domain.errors import BotError, BudgetSpent, ServiceDown, TokenRejected, UnreadableReply
from bot.domain.ids import UserId

TOKEN = "0123456789abcdef+/secret"
ME = {"account": {"user_id": 3, "user_name": "hibiki"}, "player": {"playername": "ＨＩＢＩＫＩ"}}
FRIENDS: dict[str, list[object]] = {"users": []}


@pytest.fixture(autouse=True)
def _no_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.api.client._RETRY_SECONDS", 0)


def rate(remaining: int, *, seconds: int = 600) -> dict[str, str]:
    return {
        "X-Rate-Limit-Limit": "100",
        "X-Rate-Limit-Remaining": str(remaining),
        "X-Rate-Limit-Reset": str(int(time.time()) + seconds),
    }


async def test_a_call_carries_its_parameters_and_the_token(scripted: Scripted) -> None:
    scripted.says({"records": []})
    async with RecordApi(scripted.url + "/base/") as api:
        await api.holder(TOKEN).v2_0.records.showall(region="jp2", user_name="ゆき")
    request = scripted.requests[0]
    assert request.path == "/base/2.0/records/showall.json"
    assert dict(request.query) == {"user_name": "ゆき", "region": "jp2", "token": TOKEN}
    assert request.headers["User-Agent"].startswith("kiroku/")


async def test_headers_feed_the_budget_and_it_refuses_by_itself(scripted: Scripted) -> None:
    scripted.says(FRIENDS, 200, rate(0))
    async with RecordApi(scripted.url, clock=ManualClock(datetime.now(UTC))) as api:
        holder = api.holder(TOKEN)
        await holder.v2_0.friends.list()
        left = holder.budget("2.0")
        assert (left.limit, left.remaining) == (100, 0)
        with pytest.raises(BudgetSpent) as refused:
            await holder.v2_0.friends.list()
        assert refused.value.retry_at == left.reset_at
        assert len(scripted.requests) == 1
        assert holder.budget("1.3").remaining == 120


async def test_a_short_wait_is_waited(scripted: Scripted) -> None:
    clock = ManualClock(datetime.now(UTC))

    async def sleep(seconds: float) -> None:
        clock.advance(seconds)

    scripted.says(FRIENDS, 200, rate(0, seconds=8))
    scripted.says(FRIENDS, 200, rate(99))
    async with RecordApi(scripted.url, clock=clock, sleep=sleep) as api:
        holder = api.holder(TOKEN, patience=20)
        await holder.v2_0.friends.list()
        await holder.v2_0.friends.list()
        assert api.counts["waited"] == 1


async def test_a_429_spends_the_budget_and_is_not_repeated(scripted: Scripted) -> None:
    scripted.says({"error": {"code": 429, "message": "too many requests."}}, 429, {"Retry-After": "40"})
    async with RecordApi(scripted.url, clock=ManualClock(datetime(2024, 1, 1, tzinfo=UTC))) as api:
        with pytest.raises(BudgetSpent) as spent:
            await api.holder(TOKEN).v2_0.friends.list()
        assert spent.value.retry_at == datetime(2024, 1, 1, tzinfo=UTC) + timedelta(seconds=40)
        with pytest.raises(BudgetSpent):
            await api.holder(TOKEN).v2_0.friends.list()
        assert len(scripted.requests) == 1


@pytest.mark.parametrize(
    ("status", "said"),
    [(401, {"error": {"code": 401}}), (200, {"error": {"code": 401}}), (400, {"error": {"code": 400}})],
)
async def test_a_token_that_is_rejected_says_nothing_of_its_account(
    scripted: Scripted, status: int, said: object
) -> None:
    """The service does not know whose it was; the member's next token counts with the account."""
    scripted.says(FRIENDS, 200, rate(5))
    scripted.says(said, status, rate(100, seconds=900))
    async with RecordApi(scripted.url) as api:
        await api.holder("old", user_id=UserId(7)).v2_0.friends.list()
        with pytest.raises(TokenRejected):
            await api.holder("old", user_id=UserId(7)).v2_0.friends.list()
        assert 0 < api.holder("new", user_id=UserId(7)).budget("2.0").remaining < 5


async def test_two_tokens_of_one_account_share_its_budget(scripted: Scripted) -> None:
    scripted.says(ME)
    async with RecordApi(scripted.url, clock=ManualClock(datetime.now(UTC))) as api:
        await api.holder("one").v1_3.users.me()
        await api.holder("two").v1_3.users.me()
        assert api.holder("one").budget("1.3") == api.holder("two").budget("1.3")
        assert api.holder("one").budget("1.3").remaining == 118


@pytest.mark.parametrize("status", [502, 503, 504])
async def test_a_brief_outage_is_tried_again(scripted: Scripted, status: int) -> None:
    scripted.says(b"<html>", status)
    scripted.says(b"", status)
    scripted.says(FRIENDS)
    async with RecordApi(scripted.url) as api:
        await api.holder(TOKEN).v2_0.friends.list()
        assert api.counts["retried"] == 2


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 405, 500])
async def test_other_refusals_are_not(scripted: Scripted, status: int) -> None:
    scripted.says(b"", status)
    async with RecordApi(scripted.url) as api:
        with pytest.raises(BotError):
            await api.holder(TOKEN).v2_0.friends.list()
    assert len(scripted.requests) == 1


async def test_a_wait_beyond_the_patience_is_not_begun(scripted: Scripted) -> None:
    scripted.says(b"", 503, {"Retry-After": "60"})
    async with RecordApi(scripted.url) as api:
        with pytest.raises(ServiceDown):
            await api.holder(TOKEN, patience=5).v2_0.friends.list()
    assert len(scripted.requests) == 1


async def test_redirects_are_not_followed(scripted: Scripted) -> None:
    scripted.says(b"", 302, {"Location": "https://elsewhere.invalid/"})
    async with RecordApi(scripted.url) as api:
        with pytest.raises(ServiceDown, match="302"):
            await api.holder(TOKEN).v2_0.friends.list()


async def test_a_body_has_a_largest_size(scripted: Scripted) -> None:
    scripted.says(b" " * 2000)
    async with RecordApi(scripted.url, max_body_bytes=1000) as api:
        with pytest.raises(UnreadableReply, match="more than 1000 bytes"):
            await api.holder(TOKEN).v2_0.friends.list()


async def test_no_token_is_not_sent(scripted: Scripted) -> None:
    async with RecordApi(scripted.url) as api:
        with pytest.raises(TokenRejected):
            await api.holder(" ").v2_0.friends.list()
    assert not scripted.requests


async def test_an_unreadable_record_is_counted_and_logged_without_content(
    scripted: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    good = {"id": "0" * 16, "diff": "MAS", "title": "secret title", "score": 1}
    scripted.says({"records": [good, good | {"score": "secret score"}]})
    async with RecordApi(scripted.url) as api:
        reply = await api.holder(TOKEN).v2_0.records.showall(region="jp2")
        assert len(reply.records) == 1
        assert api.counts["lost_entries"] == 1
    assert "1 entries" in caplog.text
    assert "secret" not in caplog.text


async def test_replies_that_are_none_are_counted_and_told_once_until_one_is_read(
    scripted: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    async with RecordApi(scripted.url) as api:
        for times in (1, 2):
            scripted.answers.clear()
            scripted.says({"secret": "Back soon"})
            for _ in range(2):
                with pytest.raises(UnreadableReply):
                    await api.holder(TOKEN).v2_0.records.showall(region="jp2")
            assert api.counts["unreadable"] == 2 * times
            assert caplog.text.count("sends invalid replies") == times
            scripted.answers.clear()
            scripted.says({"records": []})
            await api.holder(TOKEN).v2_0.records.showall(region="jp2")
    assert "secret" not in caplog.text


async def test_a_cancelled_call_may_have_counted(scripted: Scripted) -> None:
    arrived = asyncio.Event()

    def never(_: web.Request) -> web.StreamResponse:
        arrived.set()
        return web.StreamResponse()

    scripted.answers.append(never)
    async with RecordApi(scripted.url) as api:
        holder = api.holder(TOKEN)
        task = asyncio.create_task(holder.v2_0.friends.list())
        await arrived.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert holder.budget("2.0").remaining == 119


async def test_a_reply_that_breaks_off_has_told_what_is_left(scripted: Scripted) -> None:
    async def break_off(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={**rate(57), "Content-Length": "5000"})
        await response.prepare(request)
        await response.write(b"{")
        assert request.transport is not None
        request.transport.close()
        return response

    scripted.answers.append(break_off)
    async with RecordApi(scripted.url) as api:
        holder = api.holder(TOKEN)
        with pytest.raises(ServiceDown):
            await holder.v2_0.friends.list()
        assert holder.budget("2.0").remaining == 57


async def test_who_waits_for_a_reply_that_never_comes_hears_that_nobody_answers(scripted: Scripted) -> None:
    asked, closing = asyncio.Event(), asyncio.Event()

    async def hang(_: web.Request) -> web.StreamResponse:
        asked.set()
        await closing.wait()
        return web.Response()

    scripted.says(b"", 503)
    scripted.answers.append(hang)
    async with RecordApi(scripted.url) as api:
        for _ in range(BURST_REQUESTS):
            with pytest.raises(ServiceDown):
                await api.holder(TOKEN, patience=0.2).v2_0.friends.list()
        first = asyncio.create_task(api.holder(TOKEN, patience=3).v2_0.friends.list())
        await asked.wait()
        with pytest.raises(ServiceDown):
            await api.holder(TOKEN, patience=0.2).v2_0.friends.list()
        first.cancel()
        closing.set()


@pytest.mark.parametrize(
    "address",
    [
        "http://records.example",
        "records.example",
        "ftp://127.0.0.1",
        "",
        "https://",
        "http://127.0.0.1@x.example",
    ],
)
def test_a_token_goes_nowhere_in_clear(address: str) -> None:
    with pytest.raises(ValueError, match=r"address|plain http"):
        RecordApi(address)


@pytest.mark.parametrize(
    "address",
    ["https://records.example/api/", "http://127.0.0.1:9", "http://localhost:9", "http://[::1]:9"],
)
def test_https_and_this_machine_are_fine(address: str) -> None:
    RecordApi(address)


def says_everything(error: BaseException) -> str:
    """Return all that an exception and those behind it could print."""
    text = "".join(traceback.format_exception(error))
    chain: list[BaseException | None] = [error, error.__cause__, error.__context__]
    assert chain[1:] == [None, None]
    return text + "".join(f"{link!s}{link!r}{link.args!r}" for link in chain if link is not None)


def make_trouble(scripted: Scripted, kind: str) -> str:
    """Return the address to ask for one kind of trouble."""
    match kind:
        case "detail":
            text = f"invalid value: {TOKEN}"
            scripted.says(
                {"error": {"code": 400, "message": "bad request.", "additional_message": text}}, 400
            )
        case "cut":
            body = orjson.dumps(FRIENDS)
            scripted.answers.append(lambda _: web.Response(body=body, headers={"Content-Encoding": "gzip"}))
        case "unreadable":
            scripted.says({"records": TOKEN})
        case "no connection":
            return "http://127.0.0.1:1"
        case "no tls":
            return scripted.url.replace("http:", "https:")
        case _:
            scripted.says(b"<html>" + TOKEN.encode(), int(kind))
    return scripted.url


@pytest.mark.parametrize(
    "kind",
    ["detail", "cut", "unreadable", "no connection", "no tls", "200", "302", "400", "401", "403", "404",
     "418", "429", "500", "503"],
)  # fmt: skip
async def test_no_error_and_no_log_line_holds_the_token(
    scripted: Scripted, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    address = make_trouble(scripted, kind)
    async with RecordApi(address) as api:
        holder = api.holder(TOKEN, priority=Priority.REFRESH)
        with pytest.raises(BotError) as caught:
            await holder.v2_0.records.showall(region="jp2", user_name="yuki")
        said = says_everything(caught.value) + repr(holder) + repr(api) + repr(holder.v2_0.records)
    said += "".join(f"{record.getMessage()}{record.__dict__!r}" for record in caplog.records)
    assert "secret" not in said
    assert "0123456789abcdef" not in said
