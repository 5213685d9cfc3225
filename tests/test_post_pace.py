"""bot/chat/post_pace.py: no second has more posts than Discord takes, also after one in which none could be sent."""

import asyncio

import pytest

from bot.chat import post_pace
from bot.chat.post_pace import MAX_CATCH_UP_SECONDS, MAX_POSTS_PER_SECOND, PostPace, next_send_at

GAP = 1 / MAX_POSTS_PER_SECOND
MOST = MAX_POSTS_PER_SECOND * (1 + MAX_CATCH_UP_SECONDS) + 2
"""The first of a second and the last may be of its edges."""


def sent_beside(stalls: dict[int, float], *, share: float = 1.0) -> list[float]:
    """Return when 400 posts are sent, of which some are kept waiting for so many seconds."""
    now, planned_at, sent = 100.0, 0.0, list[float]()
    for number in range(400):
        now = max(now, planned_at) + stalls.get(number, 0.0)
        sent.append(now)
        planned_at = next_send_at(planned_at, now, share)
    return sent


def most_in_a_second(sent: list[float]) -> int:
    return max(sum(since <= each < since + 1 for each in sent) for since in sent)


@pytest.mark.parametrize("seconds", [0.01, 0.1, 0.3, 2.0, 60.0])
def test_no_second_has_more_than_discord_takes_after_any_stall(seconds: float) -> None:
    assert most_in_a_second(sent_beside({100: seconds})) <= MOST < 50


def test_several_processes_together_have_no_more_also_where_all_begin_at_once() -> None:
    quarters = [sent_beside({100: 0.5}, share=0.25)[:200] for _ in range(4)]
    assert most_in_a_second([each for sent in quarters for each in sent]) <= MOST + 3


def test_short_delays_are_caught_up_with() -> None:
    late = sent_beside(dict.fromkeys(range(400), GAP / 2))
    assert late[-1] - late[0] == pytest.approx(399 * GAP, abs=5 * GAP)


def test_a_process_has_its_share_alone() -> None:
    half = sent_beside({}, share=0.5)
    assert half[-1] - half[0] == pytest.approx(2 * 399 * GAP, rel=0.02)


async def test_those_who_wait_together_are_sent_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(post_pace, "MAX_POSTS_PER_SECOND", 20)
    monkeypatch.setattr(post_pace, "MAX_CATCH_UP_SECONDS", 0.0)
    pace, loop = PostPace(), asyncio.get_running_loop()
    began = loop.time()
    await asyncio.gather(*(pace.wait(1.0) for _ in range(5)))
    assert loop.time() - began >= 4 * 0.05


async def test_who_gives_up_waiting_takes_nobody_s_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(post_pace, "MAX_CATCH_UP_SECONDS", 0.0)
    pace = PostPace()
    await pace.wait(0.01)
    turn = pace._next_at
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(pace.wait(0.01), 0.01)
    assert pace._next_at == turn
