"""A disk that is filled to its last byte while people use the bot: it is noticed at the next look, and named."""

import asyncio
import json
import subprocess
from collections.abc import Generator, Mapping
from pathlib import Path

import pytest
from scraping import Samples, free_port, scraping
from tools import find_tool
from troubled import fill, small_disk
from world import World

from bot.base.clock import SystemClock
from bot.database import reserve
from bot.database.tables import LINKS
from bot.program.doctor import Doctor
from bot.program.findings import Verdict

pytestmark = [pytest.mark.heavy, pytest.mark.sqlite]


RULES = Path(__file__).parents[2] / "ops/alerts.yml"


@pytest.fixture
def disk(tmp_path: Path) -> Generator[Path]:
    with small_disk(tmp_path / "disk", 24) as folder:
        yield folder


async def test_it_is_noticed_within_two_looks_named_and_people_can_be_erased(
    world: World, disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reserve, "BYTES", 8 << 20)  # as where no test runs
    url = f"sqlite+aiosqlite:///{disk / 'kiroku.db'}"
    world.settings = world.settings.model_copy(update={"database_url": url, "metrics_port": free_port()})
    await world.start_bot()
    await world.begun()
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    people = [world.discord.person(f"Person {number}") for number in range(12)]
    async with scraping(world.settings.metrics_port) as scraper:
        before = told(await scraper.scrape())
        asked = [asyncio.create_task(world.link(each, "DrBeat")) for each in people]
        await asyncio.to_thread(fill, disk)
        await asyncio.gather(*asked)
        after = told(await scraper.scrape())
        assert (await scraper.ask("/readyz")) == (503, "the disk of the database is full\n")
    await play(before, after, tmp_path)
    found = await Doctor(world.settings, SystemClock()).examine()
    (named,) = [each for each in found if each.what == "Disk"]
    assert named.mark is Verdict.WRONG
    assert named.sentence.startswith("The disk of the database is full, with 0 bytes left.")
    question = await alice.slash(world.discord.channel, "privacy erase")
    erased = await alice.click(question, "Erase everything")
    assert "rased" in erased.everything
    assert await world.rows(LINKS) == [row for row in await world.rows(LINKS) if row["member_id"] != alice.id]
    assert "Traceback" not in world.log.text


def told(found: Samples) -> dict[str, float]:
    """Return what the bot says of its database, as promtool names it."""
    return {
        f"{name}{{{','.join(f'{label}={json.dumps(value)}' for label, value in sorted(labels))}}}": value
        for (name, labels), value in found.values.items()
        if name.startswith("kiroku_database_") and not name.endswith("_created")
    }


async def play(before: Mapping[str, float], after: Mapping[str, float], folder: Path) -> None:
    """Have promtool see two looks, a quarter of a minute apart, of which the second raises the alarm."""
    query = {
        "expr": 'count by (alertname) (ALERTS{alertstate="firing", alertname="KirokuDiskFull"})',
        "eval_time": "15s",
        "exp_samples": [{"labels": '{alertname="KirokuDiskFull"}', "value": 1}],
    }
    series = [{"series": name, "values": f"{before[name]} {after[name]}"} for name in after]
    tests = [{"interval": "15s", "input_series": series, "promql_expr_test": [query]}]
    drill = {"rule_files": [str(RULES)], "evaluation_interval": "15s", "tests": tests}
    await asyncio.to_thread((folder / "drill.yml").write_text, json.dumps(drill), encoding="utf-8")
    promtool = find_tool("promtool", "KIROKU_TEST_DEMANDS_PROMTOOL")
    command = [promtool, "test", "rules", folder / "drill.yml"]
    tried = await asyncio.to_thread(subprocess.run, command, check=False, capture_output=True, text=True)
    assert tried.returncode == 0, tried.stdout + tried.stderr
