"""The Discord of tests/rig: what it does as the real one, asked by a real `kiroku run` and by hand."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, FormData, WSMsgType
from rig.gateway import RATE_LIMITED
from rig.guilds import Json, channel_id, guild_id
from rigged import SOMEBODY, Rig, running_rig, started

from bot.demo.frames import Op

pytestmark = pytest.mark.processes


@pytest.fixture
async def rig() -> AsyncGenerator[Rig]:
    async with running_rig(shards=2, concurrency=1) as rig:
        yield rig


class Hand:
    """A process by hand: requests, and connections that say what they are told to."""

    def __init__(self, rig: Rig, name: str, session: ClientSession, stack: AsyncExitStack) -> None:
        self._address = rig.address(name)
        self._name = name
        self._session = session
        self._stack = stack

    async def request(
        self, method: str, path: str, body: object = None, status: int = 200, file: str = ""
    ) -> Any:
        sent = FormData(default_to_multipart=True)
        sent.add_field("payload_json", json.dumps(body or {}))
        if file:
            sent.add_field("files[0]", b"content", filename=file)
        address = f"{self._address}/api/v10/{path}"
        async with self._session.request(method, address, data=sent) as reply:
            assert reply.status == status, await reply.text()
            return await reply.json() if reply.content_length else None

    async def connect(self, op: Op, **said: object) -> ClientWebSocketResponse:
        """Say HELLO back on a new connection."""
        socket = await self._stack.enter_async_context(self._session.ws_connect(f"{self._address}/gateway/"))
        assert (await socket.receive_json())["op"] == Op.HELLO
        await socket.send_json({"op": op, "d": {"token": self._name, **said}})
        return socket

    async def identify(self, shard: int = 0, count: int = 1) -> ClientWebSocketResponse:
        return await self.connect(Op.IDENTIFY, shard=[shard, count])


@pytest.fixture
async def one(rig: Rig) -> AsyncGenerator[Hand]:
    async with AsyncExitStack() as stack:
        session = await stack.enter_async_context(ClientSession())
        yield Hand(rig, "one", session, stack)


async def heard(socket: ClientWebSocketResponse, event: str) -> Json:
    """Return the next of such events."""
    while (frame := await socket.receive_json())["t"] != event:
        pass
    return frame


async def test_a_real_process_answers_and_goes_on_after_its_connection_was_dropped(
    rig: Rig, tmp_path: Path
) -> None:
    async with started(rig, "one", tmp_path, SHARDS="1"):
        await rig.until(lambda state: state.shards == {0: ["one"]})
        first = await rig.ask("calc", constant="13.7")
        await rig.do("drop")
        second = await rig.ask("about", guild=None)
        assert first.processes == second.processes == ["one"]
        assert (first.message["embeds"][0]["title"], second.message["flags"]) == ("Constant: 13.7", 64)
        counts = (await rig.state()).counts
        assert (counts["identifies"], counts["resumes"], counts["registered"]) == (1, 1, 1)
        assert (counts["unanswered"], counts["begun"], counts.get("answered_twice")) == (0, 0, None)


async def test_servers_and_direct_messages_belong_to_shards(rig: Rig, one: Hand) -> None:
    first, other = await one.identify(0, 2), await one.identify(1, 2)
    ready = await heard(first, "READY")
    assert ready["d"]["guilds"] == [{"id": str(guild_id(n)), "unavailable": True} for n in (0, 2)]
    assert (await other.receive_json())["op"] == Op.INVALID_SESSION
    assert (await rig.state()).counts["identifies_too_soon"] == 1
    await one.request("PUT", "applications/1/commands", [{"name": "about"}])
    await asyncio.gather(*(rig.ask("about", guild=each, seconds=0) for each in (0, 1, None)))
    asked = [await heard(first, "INTERACTION_CREATE") for _ in range(2)]
    assert {each["d"].get("guild_id") for each in asked} == {str(guild_id(0)), None}
    assert [each["told"] for each in await rig.do("asked")] == [["one"], [], ["one"]]


async def test_what_was_not_heard_is_told_again_to_whoever_resumes(rig: Rig, one: Hand) -> None:
    await one.request("PUT", "applications/1/commands", [{"name": "about"}])
    socket = await one.identify()
    ready = (await heard(socket, "READY"))["d"]
    await heard(socket, "GUILD_CREATE")
    await socket.close(code=4000)
    await rig.until(lambda state: not state.shards)
    await rig.ask("about", seconds=0)
    again = await one.connect(Op.RESUME, session_id=ready["session_id"], seq=1)
    frames = [await again.receive_json() for _ in range(5)]
    assert [(each["s"], each["t"]) for each in frames] == [
        (2, "GUILD_CREATE"),
        (3, "GUILD_CREATE"),
        (4, "GUILD_CREATE"),
        (5, "INTERACTION_CREATE"),
        (6, "RESUMED"),
    ]
    await rig.do("set", forgets=True)
    refused = await one.connect(Op.RESUME, session_id=ready["session_id"], seq=1)
    assert await refused.receive_json() == {"op": Op.INVALID_SESSION, "d": False}


async def test_a_session_that_says_goodbye_is_over(rig: Rig, one: Hand) -> None:
    socket = await one.identify()
    ready = (await heard(socket, "READY"))["d"]
    await socket.close(code=1000)
    await rig.until(lambda state: not state.shards)
    again = await one.connect(Op.RESUME, session_id=ready["session_id"], seq=1)
    assert (await again.receive_json())["op"] == Op.INVALID_SESSION


async def test_servers_served_twice_are_counted(rig: Rig, one: Hand) -> None:
    await rig.do("set", concurrency=8)
    for shard, count in ((0, 2), (1, 2), (7, 8)):
        await heard(await one.identify(shard, count), "READY")
    # 1_000_000 + 0, 1 and 2 are 0, 1 and 2 of eight as well: none of them is the seventh.
    assert (await rig.state()).counts.get("served_twice", 0) == 0
    await heard(await one.identify(2, 8), "READY")
    assert (await rig.state()).counts["served_twice"] == 1


async def test_an_interaction_is_acknowledged_once_and_in_time(rig: Rig, one: Hand) -> None:
    await one.request("PUT", "applications/1/commands", [{"name": "about"}])
    socket = await one.identify()
    asking = asyncio.create_task(rig.ask("about"))
    asked = (await heard(socket, "INTERACTION_CREATE"))["d"]
    callback, webhook = (
        f"interactions/{asked['id']}/{asked['token']}/callback",
        f"webhooks/1/{asked['token']}",
    )
    await one.request("POST", callback, {"type": 5, "data": {"flags": 64}}, status=204)
    twice = await one.request("POST", callback, {"type": 5}, status=400)
    assert twice["code"] == 40060
    assert (await rig.state()).counts["begun"] == 1
    await one.request("POST", webhook, {"content": "there it is"})
    told = await asking
    assert (told.message["content"], told.message["flags"], told.processes) == ("there it is", 64, ["one"])
    await one.request("DELETE", f"{webhook}/messages/@original", status=204)
    gone = await one.request("PATCH", f"{webhook}/messages/@original", {"content": "late"}, status=404)
    assert gone["code"] == 10008
    counts = (await rig.state()).counts
    assert (counts["begun"], counts["answered_twice"]) == (0, 1)


async def test_the_same_nonce_makes_one_message_and_shown_files_are_not_listed(one: Hand) -> None:
    path = f"channels/{channel_id(0)}/messages"
    embed = {"image": {"url": "attachment://card.png"}}
    said = {"nonce": "7", "enforce_nonce": True, "embeds": [embed]}
    first = await one.request("POST", path, said, file="card.png")
    again = await one.request("POST", path, {"nonce": "7", "enforce_nonce": True})
    assert (again["id"], again["embeds"][0]["image"]["url"][:8]) == (first["id"], "https://")
    assert again["attachments"] == []
    other = await one.request(
        "POST", f"channels/{channel_id(1)}/messages", {"nonce": "7", "enforce_nonce": True}
    )
    assert other["id"] != first["id"]
    assert (await one.request("POST", path, {"nonce": "7" * 26}, status=400))["code"] == 50035
    await one.request("POST", path)
    await one.request("POST", path)
    limited = await one.request("POST", path, status=429)
    assert 0 < limited["retry_after"] <= 5
    assert not limited["global"]


async def test_fifty_requests_a_second_in_all(one: Hand) -> None:
    replies = await asyncio.gather(*(one.request("GET", "users/@me") for _ in range(50)))
    assert len(replies) == 50
    assert (await one.request("GET", "gateway/bot", status=429))["global"]


async def test_members_by_id_and_servers_that_come_late_or_not(rig: Rig, one: Hand) -> None:
    await rig.do("leave", user=SOMEBODY + 1, number=0)
    await rig.do("outage", number=1)
    socket = await one.identify()
    wanted = {"guild_id": str(guild_id(0)), "user_ids": [str(SOMEBODY), str(SOMEBODY + 1)], "nonce": "n"}
    assert [(await heard(socket, "GUILD_CREATE"))["d"]["name"] for _ in range(2)] == ["Server 0", "Server 2"]
    await socket.send_json({"op": Op.REQUEST_GUILD_MEMBERS, "d": wanted})
    chunk = (await heard(socket, "GUILD_MEMBERS_CHUNK"))["d"]
    assert [each["user"]["id"] for each in chunk["members"]] == [str(SOMEBODY)]
    assert (chunk["not_found"], chunk["nonce"]) == ([str(SOMEBODY + 1)], "n")
    await rig.do("outage", number=1, over=True)
    assert (await heard(socket, "GUILD_CREATE"))["d"]["name"] == "Server 1"


async def test_people_do_one_thing_after_another_and_each_is_timed(rig: Rig, tmp_path: Path) -> None:
    async with started(rig, "one", tmp_path):
        await rig.until(lambda state: bool(state.shards))
        step = {"user": SOMEBODY, "guild": 0, "command": "calc", "options": {"constant": "13.7"}}
        typed = {**step, "command": "help", "options": {"command": "ra"}, "typed": "command"}
        (took, other) = await rig.do("play", lanes=[[step, typed], [{**step, "at": 0.2}]], seconds=20)
        assert [each is not None for each in (*took, *other)] == [True, True, True]
        await rig.do("forget")
        assert await rig.do("asked") == []


async def test_a_connection_that_says_too_much_is_closed(one: Hand) -> None:
    socket = await one.identify()
    for _ in range(120):
        await socket.send_json({"op": Op.HEARTBEAT, "d": None})
    while (await socket.receive()).type is WSMsgType.TEXT:
        pass
    assert socket.close_code == RATE_LIMITED
