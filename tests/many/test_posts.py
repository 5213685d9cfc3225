"""A short form of `make drill-posts`: who has just posted is killed, and every post is there once."""

from pathlib import Path

import pytest
from drill_posts import Outcome, run

KILLS, POSTS = 2, 40


def check(outcome: Outcome) -> None:
    assert (outcome.kills, outcome.doubled, outcome.lost, outcome.unsettled) == (KILLS, [], [], 0)
    assert outcome.became == {"sent": POSTS - 2, "skipped (refused)": 1, "skipped (gone)": 1}


@pytest.mark.postgres
async def test_whoever_is_killed_while_they_post(tmp_path: Path, shared: dict[str, str]) -> None:
    check(await run(shared["DATABASE_URL"], tmp_path, processes=2, kills=KILLS, posts=POSTS))


@pytest.mark.processes
async def test_the_only_one_is_killed_while_it_posts(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'kiroku.db'}"
    check(await run(url, tmp_path, processes=1, kills=KILLS, posts=POSTS))
