"""What `/daily preview` of a server costs in which a thousand members have joined: CPU of the process.

The bot is composed as it ships, without Discord, with a service in a process of its own; each member was looked at in
the background, with 500 to 1,200 records, a tenth of them with news since a first look. Measured with what is in memory
after that, and with nothing in memory, as after a start. Exits 1 where a goal is missed.
"""

import asyncio
import gzip
import json
import multiprocessing
import random
import sys
import time
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from datetime import time as day_time
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

import orjson
import served
from aiohttp import ClientSession, web
from bench_autocomplete import invented_reply
from bench_decode import make_body
from bench_search import saved
from pydantic import SecretStr

from bot.base.clock import ManualClock
from bot.base.config import Settings
from bot.chat.client import KirokuBot
from bot.domain.ids import JP2, ChannelId, GuildId, MemberId
from bot.features.shared.subjects import Neighbour
from bot.program.app import create_bot
from bot.ui.daily import drawn_page, preview_page

MEMBERS: Final = 1_000
RECORDS: Final = (500, 1_200)
NEWS_EVERY: Final = 10
ROUNDS: Final = 3
MOST_MS: Final = 300.0
GUILD: Final = GuildId(77)


def serve(catalogue: Path, pipe: Connection) -> None:
    """Be a record service in a process of its own, and tell the port; what it says changes once `/news` was asked for."""
    songs = json.loads(catalogue.read_bytes())
    played = orjson.loads(make_body([song["meta"]["id"] for song in songs]))["records"]
    has_news = False

    def records_of(number: int, *, is_changed: bool) -> bytes:
        chance = random.Random(number)
        records = chance.sample(played, chance.randint(*RECORDS))
        if is_changed:
            newer = [{**each, "score": min(1_010_000, each["score"] + 500)} for each in records[:20]]
            records = newer + records[20:]
        return gzip.compress(orjson.dumps({"records": records}), 1)

    async def answer(request: web.Request) -> web.Response:
        nonlocal has_news
        if request.path == "/news":
            has_news = True
            return web.Response()
        if request.path.endswith("music/showall.json"):
            return web.Response(body=orjson.dumps(songs))
        number = int(request.query["token"].removeprefix("token"))
        is_changed = has_news and number % NEWS_EVERY == 0
        if request.path.endswith("users/me.json"):
            account = {"user_id": number, "user_name": f"player{number}"}
            rating = 16.01 if is_changed else 16.0
            return web.json_response(
                {"account": account, "player": {"playername": f"P{number}", "rating": rating}}
            )
        if request.path.endswith("records/worldsend.json"):
            return web.json_response({"records": []})
        body = records_of(number, is_changed=is_changed)
        return web.Response(body=body, headers={"Content-Encoding": "gzip"})

    served.serve(answer, pipe)


async def fill(bot: KirokuBot, clock: ManualClock, service: str) -> None:
    """Have everybody linked, in the post, and looked at on two days."""
    features = bot.features
    await features.daily.set_up(GUILD, ChannelId(5), day_time(21), "Asia/Tokyo")
    await features.catalogues.refresh(JP2)
    for number in range(1, MEMBERS + 1):
        await features.accounts.link(MemberId(number), f"token{number}")
        await features.daily.join(GUILD, MemberId(number), openly=True)
        await features.daily._chronicle.look_at(MemberId(number))
    async with ClientSession() as session, session.get(f"{service}/news"):
        clock.advance(21 * 3600)
    for number in range(1, MEMBERS + 1):
        await features.daily._chronicle.look_at(MemberId(number))
    clock.advance(600)


async def preview_ms(bot: KirokuBot) -> float:
    """Return the milliseconds of CPU that one takes, from the question to its page."""

    async def among(members: Collection[MemberId]) -> Mapping[MemberId, Neighbour]:
        return {member: Neighbour(str(member)) for member in members}

    began = time.process_time()
    post = await bot.features.daily.preview(GUILD, None, among)
    assert post is not None
    assert len(post.standings) == MEMBERS
    t = bot.languages["ja"]
    preview_page(t, await drawn_page(bot.renderer, t, post))
    return (time.process_time() - began) * 1000


async def measure(bot: KirokuBot, clock: ManualClock, service: str) -> bool:
    await fill(bot, clock, service)
    daily, is_met = bot.features.daily, True
    await preview_ms(bot)
    for what in ("with what is in memory", "with nothing in memory"):
        spent: list[float] = []
        for _ in range(ROUNDS):
            if what == "with nothing in memory":
                daily._store.members.at_hand.drop_all()
                daily._feats._weighed.drop_all()
                daily._askers._cache.drop_all()
            spent.append(await preview_ms(bot))
        figure = median(spent)
        is_met &= figure <= MOST_MS
        verdict = "met" if figure <= MOST_MS else "MISSED"
        print(f"/daily preview, {what:24} CPU, ms <= {MOST_MS:>6.1f} {figure:>8.1f}  {verdict}", flush=True)
    return is_met


async def main() -> int:
    with TemporaryDirectory() as name:
        folder = Path(name)
        ours, theirs = multiprocessing.Pipe()
        server = multiprocessing.get_context("spawn").Process(
            target=serve, args=(saved() or invented_reply(folder), theirs), daemon=True
        )
        server.start()
        clock = ManualClock(datetime(2026, 11, 20, 12, tzinfo=UTC))
        service = f"http://127.0.0.1:{ours.recv()}"
        settings = Settings(
            record_api_url=service,
            database_url=f"sqlite+aiosqlite:///{folder / 'kiroku.db'}",
            record_token=SecretStr("token1"),
        )
        try:
            async with create_bot(settings, clock=clock) as bot:
                return 0 if await measure(bot, clock, service) else 1
        finally:
            server.terminate()
            server.join()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
