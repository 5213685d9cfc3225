import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
from click.testing import CliRunner

from bot.__main__ import main
from bot.api import RecordApi
from bot.base.clock import SystemClock
from bot.domain.errors import BudgetSpent
from service.options import ServiceOptions
from service.politeness import Exchange, Witness, judge
from service.seed import SeedReport
from service.server import running

ONE = Exchange(at=0, question="a", account="1.3 x", status=200, remaining=10, resets_in=600, takes_gzip=True)
SEVERAL = replace(ONE, at=2, question="b")


def test_a_client_that_asks_little_and_slowly_is_polite() -> None:
    found = judge([ONE, SEVERAL], 0.5)
    assert (found.requests, found.answers, found.is_polite) == (2, 2, True)
    assert (found.refused, found.quick, found.headers_ignored, found.tags_ignored, found.unpacked) == (0,) * 5


def test_requests_are_told_for_each_different_answer() -> None:
    found = judge([ONE, replace(ONE, at=2), replace(ONE, at=4, question="b", status=404)], 0.5)
    assert (found.requests, found.answers) == (3, 1)
    assert "3.0 an answer" in found.lines()[0]
    assert "none answered" in judge([], 0.5).lines()[0]


def test_quick_succession_is_counted_as_the_service_counts_it() -> None:
    assert judge([ONE, replace(SEVERAL, at=0.49)], 0.5).quick == 1
    assert judge([ONE, replace(SEVERAL, at=0.5)], 0.5).quick == 0
    assert judge([ONE, replace(SEVERAL, at=0.1, account="1.0 x")], 0.5).quick == 0


def test_who_asks_though_nothing_is_left_ignores_the_headers() -> None:
    spent = replace(ONE, remaining=0)
    refused = replace(SEVERAL, status=429, remaining=0)
    found = judge([spent, refused], 0.5)
    assert (found.headers_ignored, found.refused, found.is_polite) == (1, 1, False)
    assert judge([spent, replace(SEVERAL, at=600)], 0.5).headers_ignored == 0


def test_who_asks_again_without_the_tag_ignores_it() -> None:
    tagged = replace(ONE, tag="t")
    again = replace(tagged, at=2)
    assert judge([tagged, again], 0.5).tags_ignored == 1
    assert judge([tagged, replace(again, names_tag=True, status=304)], 0.5).tags_ignored == 0
    assert judge([tagged, replace(again, takes_gzip=False)], 0.5).unpacked == 1


async def test_our_own_client_is_polite_where_a_loop_is_not(seeded: tuple[Path, SeedReport]) -> None:
    database, report = seeded
    options = ServiceOptions(limits=dict.fromkeys(("2.0", "1.3", "1.0"), 3), quick_seconds=0)
    witness = Witness(SystemClock())
    ours, others = report.players[4], report.players[5]
    async with running(database, options=options, watch=witness.note) as address:
        async with RecordApi(address) as api:
            holder = api.holder(ours.token)
            for _ in range(9):
                with suppress(BudgetSpent):
                    await holder.v1_3.users.me()
        polite = judge(witness.exchanges, 0)
        witness.exchanges.clear()
        async with aiohttp.ClientSession() as session:
            for _ in range(5):
                async with session.get(f"{address}/1.3/users/me.json?token={others.token}") as response:
                    await response.read()
            async with session.get(f"{address}/1.3/users/me.json?token=none") as response:
                assert response.status == 401
    assert (polite.requests, polite.answers, polite.is_polite) == (3, 1, True)
    rude = judge(witness.exchanges, 0)
    assert (rude.requests, rude.refused, rude.headers_ignored, rude.is_polite) == (5, 2, 2, False)


def test_a_command_that_there_is_not_is_one_sentence() -> None:
    result = CliRunner().invoke(main, ["service", "polite", "--players", "2", "--", "no-such-program"])
    assert result.exit_code == 127
    assert result.output.strip().endswith("no-such-program cannot be run: No such file or directory")


@pytest.mark.processes
@pytest.mark.parametrize(("times", "status"), [(2, 0), (4, 1)])
def test_a_command_is_run_against_a_service_of_its_own(times: int, status: int) -> None:
    program = f"import os, sys, urllib.request as web\nfor _ in range({times}):\n    try: web.urlopen(sys.argv[1])\n    except web.HTTPError: pass"
    asked = "{url}/1.3/users/me.json?token={token}"
    command = [
        "service",
        "polite",
        "--players",
        "2",
        "--limit",
        "4",
        "--",
        sys.executable,
        "-c",
        program,
        asked,
    ]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == status
    assert f"requests            {times}, 1 different answers" in result.stderr
