"""The recipes of docs/api-layer.md, run against the service with the modules of the tree."""

from pathlib import Path
from typing import Any

import kiroku_api
import pytest
from recipes import defined, told_by_all

from bot.api import RecordApi
from service.options import ServiceOptions
from service.seed import seed
from service.server import running


@pytest.fixture(autouse=True)
def _no_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.api.client._RETRY_SECONDS", 0)


@pytest.fixture
async def told(tmp_path: Path) -> dict[str, Any]:
    first = seed(tmp_path / "records.db", players=5).players[0]
    async with running(tmp_path / "records.db", options=ServiceOptions(quick_seconds=0)) as address:
        return await told_by_all(defined(), address, first.token, tmp_path)


async def test_each_recipe_says_what_it_promises(told: dict[str, Any]) -> None:
    name, *places = told["my_rating"]
    assert ": 1" in name
    assert [sum(place.startswith(slot) for place in places) for slot in ("best: ", "new: ")] == [30, 20]
    assert [len(best) for best in told["friends_best"].values()] == [10]
    assert len(told["hardest"]) == 3
    assert told["hardest"] == sorted(told["hardest"], reverse=True)
    assert told["statistics_of"] == ({}, None)
    count, is_same_without_the_service = told["my_records"]
    assert count > 100
    assert is_same_without_the_service


async def test_where_the_budget_ends_the_recipe_says_when_to_go_on(tmp_path: Path) -> None:
    first = seed(tmp_path / "records.db", players=2).players[0]
    options = ServiceOptions(limits={"2.0": 120, "1.3": 4, "1.0": 200}, quick_seconds=0)
    async with running(tmp_path / "records.db", options=options) as address:
        async with RecordApi(address) as api:
            (song, *_) = (await api.holder(first.token).v2_0.music.showall(region="jp2")).root
        players, go_on_at = await defined()["statistics_of"](address, first.token, [song.meta.id] * 9)
    assert players.keys() == {song.meta.id}
    assert go_on_at is not None


def test_what_is_public_is_there_and_in_order() -> None:
    assert kiroku_api.RecordApi is RecordApi
    names = {name for name in vars(kiroku_api) if not name.startswith("_")} - {
        "api",
        "base",
        "domain",
        "wire",
    }
    assert names == set(kiroku_api.__all__)
