"""Of `bot.store.engine`: what a transaction that is cut off leaves behind."""

import asyncio
import os
import random
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import make_url

from bot.domain.ids import JP2, MemberId
from bot.store import KeptCatalogue, Store, Vault, new_key


async def test_a_transaction_that_is_cut_off_keeps_nobody_from_writing(url: str) -> None:
    """As a bot that ends while it keeps a catalogue; cut at forty moments, for nobody knows which is the worst."""
    vault, chance = Vault([new_key()]), random.Random(7)  # noqa: S311 - a moment to cut at
    for number in range(40):
        async with Store(url, vault) as store:
            now = datetime.now(UTC)
            catalogue = KeptCatalogue(
                region=JP2,
                digest=str(number),
                first_seen_at=now,
                last_seen_at=now,
                content=os.urandom(300_000),
            )
            writing: list[asyncio.Task[Any]] = [
                asyncio.create_task(store.catalogues.put(catalogue)),
                asyncio.create_task(store.windows.store([], gone={"nobody"})),
                asyncio.create_task(store.members.get(MemberId(1))),
            ]
            await asyncio.sleep(chance.random() * 0.03)
            for each in writing:
                each.cancel()
            await asyncio.gather(*writing, return_exceptions=True)
            await asyncio.to_thread(write_at_once, Path(str(make_url(url).database)))


def write_at_once(file: Path) -> None:
    """Raise: sqlite3.OperationalError where somebody still holds the database."""
    database = sqlite3.connect(file, timeout=0.5, isolation_level=None)
    try:
        database.execute("BEGIN IMMEDIATE")
        database.execute("ROLLBACK")
    finally:
        database.close()
