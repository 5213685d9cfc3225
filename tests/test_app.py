"""The composition root."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.api import RecordApi
from bot.base.clock import SystemClock
from bot.base.config import Settings
from bot.program.app import App


async def test_whoever_closes_it_meanwhile_waits_until_all_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closing, go_on, close = asyncio.Event(), asyncio.Event(), RecordApi.__aexit__

    async def close_slowly(api: RecordApi, *error: Any) -> None:
        closing.set()
        await go_on.wait()
        await close(api, *error)

    monkeypatch.setattr(RecordApi, "__aexit__", close_slowly)
    database = f"sqlite+aiosqlite:///{tmp_path / 'kiroku.db'}"
    app = App(Settings(record_api_url="https://records.example", database_url=database), SystemClock())
    await app.open()
    first = asyncio.create_task(app.close())
    await closing.wait()
    second = asyncio.create_task(app.close())
    done, _ = await asyncio.wait({first, second}, timeout=0.2)
    assert not done
    go_on.set()
    await asyncio.gather(first, second)
    await app.bot.background.stop()
