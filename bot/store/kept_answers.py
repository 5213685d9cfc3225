"""The service's answers, stored encrypted across restarts, and the titles of songs in them.

Nothing is stored of an account that nobody has linked: a write may arrive after the link was erased.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import Row, delete, select

from bot.base.worker import run_in_worker
from bot.database.backlog import WriteBacklog
from bot.database.batches import BatchWriter
from bot.database.engine import COURTESY_SECONDS, Database
from bot.database.tables import KEPT_ANSWERS, SONG_TITLES
from bot.database.upsert import insert_into, upsert
from bot.domain.errors import CannotKeep
from bot.domain.ids import SongId, UserId
from bot.domain.kept import KeptAnswer
from bot.store.kept_accounts import erase_account, fetch_linked
from bot.store.vault import Vault

_DROPPED_EVERY: Final = timedelta(hours=1)
"""Old answers are deleted at most this often, because each deletion is another statement per batch."""
_TITLES_AT_ONCE: Final = 100
"""Titles per statement: preparing thousands in SQLAlchemy would block the event loop."""


_Question: TypeAlias = tuple[UserId, str]


class _Kept(NamedTuple):
    """An answer on its way into the database."""

    row: Mapping[str, object]
    since: datetime
    """The moment before which answers are dropped."""


class KeptAnswers:
    """The repository of answers; erasing those of an account also erases its request windows."""

    def __init__(self, database: Database, vault: Vault, backlog: WriteBacklog) -> None:
        self._database = database
        self._vault = vault
        self._backlog = backlog
        self._batches = BatchWriter(self._save)
        self._dropped_until = datetime.min.replace(tzinfo=UTC)
        """The moment before which all answers are deleted."""

    async def find(self, account: UserId, question: str, *, since: datetime) -> KeptAnswer | None:
        """Return the answer to a question, or None if there is none from `since` on that the keys decrypt."""
        return next(iter(await self.fetch([account], question, since=since)), None)

    async def fetch(
        self, accounts: Collection[UserId], question: str, *, since: datetime
    ) -> Sequence[KeptAnswer]:
        """Return the answers of accounts to one question from `since` on, as far as the keys decrypt them."""
        query = select(KEPT_ANSWERS).where(
            KEPT_ANSWERS.c.account.in_(accounts),
            KEPT_ANSWERS.c.question == question,
            KEPT_ANSWERS.c.fetched_at >= since,
        )
        rows = await self._database.fetch(query)
        return await run_in_worker(self._opened, rows) if rows else []

    async def save(self, answer: KeptAnswer, *, since: datetime) -> None:
        """Save an answer in place of an older one to the same question; drop all from an hour before `since`.

        Nothing is saved of an account that nobody has linked. A failed write is retried later.
        """
        sealed = await run_in_worker(lambda: self._vault.seal(answer.body))
        row = {
            "account": answer.account,
            "question": answer.question,
            "body": sealed,
            "fetched_at": answer.fetched_at,
        }
        key = answer.account, answer.question
        try:
            await self._batches.add(key, _Kept(row, since))
        except CannotKeep:
            self._backlog.add(("answer", *key), lambda: self._save({key: _Kept(row, since)}))

    async def _save(self, batch: Mapping[_Question, _Kept]) -> None:
        async with self._database.write() as connection:
            # First, or this transaction and one that erases the account could deadlock.
            linked = await fetch_linked(connection, {account for account, _ in batch})
            oldest = min(kept.since for kept in batch.values())
            # In both directions: a clock that was once ahead must not keep old answers that long.
            if is_due := abs(oldest - self._dropped_until) >= _DROPPED_EVERY:
                await connection.execute(delete(KEPT_ANSWERS).where(KEPT_ANSWERS.c.fetched_at < oldest))
            rows = [kept.row for (account, _), kept in batch.items() if account in linked]
            await upsert(connection, KEPT_ANSWERS, *rows)
        if is_due:
            self._dropped_until = oldest

    async def fetch_all(self, account: UserId) -> Sequence[KeptAnswer]:
        """Return every stored answer of an account that the keys decrypt."""
        query = select(KEPT_ANSWERS).where(KEPT_ANSWERS.c.account == account)
        rows = await self._database.fetch(query)
        return self._opened(rows)

    def _opened(self, rows: Iterable[Row[Any]]) -> Sequence[KeptAnswer]:
        opened = [(row, self._vault.find_sealed(row.body)) for row in rows]
        return [
            KeptAnswer(account=row.account, question=row.question, body=body, fetched_at=row.fetched_at)
            for row, body in opened
            if body is not None
        ]

    async def fetch_titles(self) -> Mapping[SongId, str]:
        """Return the titles that are stored once for everybody, not in answers."""
        async with self._database.read() as connection:
            rows = await connection.execute(select(SONG_TITLES))
            return {SongId(song): title for song, title in rows}

    async def add_titles(self, titles: Mapping[SongId, str]) -> None:
        """Save titles. An existing title is never changed, because answers may rely on it. Raises: CannotKeep."""
        async with self._database.write(seconds=COURTESY_SECONDS) as connection:
            insert = insert_into(SONG_TITLES, dialect=connection.dialect.name).on_conflict_do_nothing()
            songs = sorted(titles)
            for start in range(0, len(songs), _TITLES_AT_ONCE):
                some = songs[start : start + _TITLES_AT_ONCE]
                await connection.execute(insert, [{"song_id": song, "title": titles[song]} for song in some])

    async def erase(self, account: UserId) -> None:
        """Erase everything stored of an account, unless somebody has it linked."""
        async with self._database.write() as connection:
            await erase_account(connection, account)

    async def erase_all(self) -> None:
        """Erase every answer before the keys change: encrypting them again is not worth the time."""
        await self._database.change(delete(KEPT_ANSWERS))
