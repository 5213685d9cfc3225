"""The log says that a database can be written again once something was, and not when nothing was to be."""

import asyncio

import pytest
from harness import LogBook
from patience import PATIENT_SECONDS
from sqlalchemy import event, text
from sqlalchemy.exc import OperationalError
from world import MORNING

from bot import store as rooms
from bot.database.migrate import try_writing
from bot.domain.errors import CannotKeep
from bot.store import Store, Vault, new_key

AGAIN = "can be written again"


class Broken:
    """A disk that takes nothing, and gives out what is there: as one that Linux has mounted read-only."""

    def __init__(self, store: Store, *refused: str) -> None:
        """Refuse statements that begin like these."""
        self._refused = refused
        event.listen(store._database._engine.sync_engine, "before_cursor_execute", self._refuse)
        self.is_mended = False

    def _refuse(self, _on: object, _cursor: object, said: str, *_: object) -> None:
        if not self.is_mended and said.startswith(self._refused):
            cause = ConnectionError("disk I/O error")
            raise OperationalError(said, (), cause, connection_invalidated=True) from cause


async def write_nothing(store: Store) -> None:
    async with store._database.write() as connection:
        await connection.execute(text("SELECT 1"))


async def test_a_transaction_that_changes_nothing_is_no_end_of_it(
    url: str, log: LogBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Store(url, Vault([new_key()])) as store:
        disk = Broken(store, "INSERT", "UPDATE")
        for _ in range(2):
            with pytest.raises(CannotKeep):
                await store.questions.save("const>=13", MORNING)
            await write_nothing(store)
        assert log.text.count("cannot be written") == 1
        assert AGAIN not in log.text
        disk.is_mended = True
        monkeypatch.setattr(rooms, "_LOOK_SECONDS", 0.001)
        watching = asyncio.create_task(store._watch())
        async with asyncio.timeout(PATIENT_SECONDS):
            while AGAIN not in log.text:  # noqa: ASYNC110 - nobody is told
                await asyncio.sleep(0)
        watching.cancel()
        assert not store._database.refused


@pytest.mark.sqlite
async def test_a_row_that_is_changed_to_what_it_was_is_written_in_fact(url: str, log: LogBook) -> None:
    """SQLite writes no page for that, and so notices no disk that takes none."""
    async with Store(url, Vault([new_key()])) as store:
        disk = Broken(store, "INSERT", "PRAGMA user_version =")
        with pytest.raises(CannotKeep):
            await store.questions.save("const>=13", MORNING)
        await try_writing(store._database)
        assert AGAIN not in log.text
        disk.is_mended = True
        await try_writing(store._database)
        assert AGAIN in log.text
