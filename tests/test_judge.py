"""tests/judge.py: Discord's own OpenAPI takes what the bot sends, and planted faults are found."""

from copy import deepcopy
from typing import Any

import pytest
from judge import Judge, find_judge

from bot.demo.simulator import SimulatedCall

MENU = {
    "type": 3, "custom_id": "menu", "options": [{"label": "One", "value": "1"}], "min_values": 1, "max_values": 1,
}  # fmt: skip
BUTTON = {"type": 2, "style": 1, "label": "Next", "custom_id": "next"}
MESSAGE: dict[str, Any] = {
    "content": "x",
    "embeds": [{"title": "t", "description": "d", "fields": [{"name": "n", "value": "v", "inline": True}], "color": 1}],
    "components": [{"type": 1, "components": [BUTTON]}, {"type": 1, "components": [MENU]}],
    "allowed_mentions": {"parse": []},
    "nonce": "1",
    "flags": 64,
    "message_reference": {"message_id": 5, "channel_id": 6},
}  # fmt: skip
ASTRAL = "𠮷"
"""Two units of UTF-16."""
FAULTS: list[tuple[tuple[str | int, ...], object]] = [
    (("content",), "x" * 4001), (("content",), ASTRAL * 2001), (("content",), 5), (("embeds",), [{}] * 11),
    (("embeds", 0, "title"), "x" * 257), (("embeds", 0, "title"), ASTRAL * 129),
    (("embeds", 0, "description"), "x" * 4097), (("embeds", 0, "fields"), [{"name": "n", "value": "v"}] * 26),
    (("embeds", 0, "fields", 0, "name"), "x" * 257), (("embeds", 0, "fields", 0, "value"), ASTRAL * 513),
    (("embeds", 0, "fields", 0), {"name": "n"}), (("embeds", 0, "color"), "red"),
    (("components", 0, "type"), 99), (("components", 0, "components"), []),
    (("components", 0, "components"), [BUTTON] * 6), (("components", 0, "components", 0, "label"), "x" * 81),
    (("components", 0, "components", 0, "style"), 9), (("components", 0, "components", 0, "custom_id"), "x" * 101),
    (("components", 0, "components", 0, "type"), 4), (("components", 1, "components", 0, "options"), []),
    (("components", 1, "components", 0, "options", 0, "label"), ASTRAL * 51),
    (("components", 1, "components", 0, "options", 0), {"label": "One"}),
    (("components", 1, "components", 0, "max_values"), 26), (("components", 1, "components", 0, "custom_id"), None),
    (("allowed_mentions", "parse"), ["all"]), (("nonce",), "x" * 26), (("flags",), "64"),
    (("message_reference", "message_id"), []),
]  # fmt: skip


@pytest.fixture
def judge() -> Judge:
    found = find_judge()
    if found is None:
        pytest.skip("Discord's specification is not there")
    return found


def sent(body: object, path: str = "/channels/1/messages", method: str = "POST") -> SimulatedCall:
    return SimulatedCall(method=method, path=path, body=body)


def test_what_is_right_is_taken(judge: Judge) -> None:
    assert judge.judge(sent(MESSAGE)) == []
    assert judge.judge(sent({"content": ASTRAL * 2000})) == []
    assert judge.judge(sent({"type": 5, "data": {"flags": 64}}, "/interactions/1/x/callback")) == []


@pytest.mark.parametrize(("path", "wrong"), FAULTS)
def test_a_planted_fault_is_found(judge: Judge, path: tuple[str | int, ...], wrong: object) -> None:
    body: Any = deepcopy(MESSAGE)
    place = body
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = wrong
    assert judge.judge(sent(body))


def test_a_request_that_there_is_not_is_found(judge: Judge) -> None:
    assert judge.judge(sent({}, "/channels/1/massages"))
    assert judge.judge(sent({}, method="DELETE"))
    assert judge.judge(sent({"type": 77}, "/interactions/1/x/callback"))
