"""The service's answers that outlive a restart, unreadable without the keys, and the titles of songs in them.

Of an account that nobody has linked nothing is kept: what was under way when a link was erased may come later.
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
"""Old answers are looked for at most this often: each look is a statement, and there are as many as batches."""
_TITLES_AT_ONCE: Final = 100
"""Titles of one statement: the loop stands still while SQLAlchemy prepares thousands."""


_Question: TypeAlias = tuple[UserId, str]


class _Kept(NamedTuple):
    """An answer on its way into the database."""

    row: Mapping[str, object]
    since: datetime
    """What is older is dropped."""


class KeptAnswers:
    """The repository of answers; erasing an account's takes its windows along."""

    def __init__(self, database: Database, vault: Vault, backlog: WriteBacklog) -> None:
        self._database = database
        self._vault = vault
        self._backlog = backlog
        self._batches = BatchWriter(self._save)
        self._dropped_until = datetime.min.replace(tzinfo=UTC)
        """The moment from before which nothing is kept any more."""

    async def find(self, account: UserId, question: str, *, since: datetime) -> KeptAnswer | None:
        """Return the answer to a question, or None if there is none from `since` on that the keys open."""
        return next(iter(await self.fetch([account], question, since=since)), None)

    async def fetch(
        self, accounts: Collection[UserId], question: str, *, since: datetime
    ) -> Sequence[KeptAnswer]:
        """Return the answers of accounts to one question, those from `since` on that the keys open."""
        query = select(KEPT_ANSWERS).where(
            KEPT_ANSWERS.c.account.in_(accounts),
            KEPT_ANSWERS.c.question == question,
            KEPT_ANSWERS.c.fetched_at >= since,
        )
        rows = await self._database.fetch(query)
        return await run_in_worker(self._opened, rows) if rows else []

    async def save(self, answer: KeptAnswer, *, since: datetime) -> None:
        """Keep an answer in place of an older one to the same question; drop all from an hour before `since`.

        Of an account that nobody has linked nothing is kept. What cannot be kept yet follows as soon as it can be.
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
            # First, or who erases an account and this one would wait for each other.
            linked = await fetch_linked(connection, {account for account, _ in batch})
            oldest = min(kept.since for kept in batch.values())
            # Either way: a clock that was ahead once must not keep old answers for as long.
            if is_due := abs(oldest - self._dropped_until) >= _DROPPED_EVERY:
                await connection.execute(delete(KEPT_ANSWERS).where(KEPT_ANSWERS.c.fetched_at < oldest))
            rows = [kept.row for (account, _), kept in batch.items() if account in linked]
            await upsert(connection, KEPT_ANSWERS, *rows)
        if is_due:
            self._dropped_until = oldest

    async def fetch_all(self, account: UserId) -> Sequence[KeptAnswer]:
        """Return every answer kept of an account that the keys open."""
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
        """Return the titles of songs that are kept once, and in nobody's answers."""
        async with self._database.read() as connection:
            rows = await connection.execute(select(SONG_TITLES))
            return {SongId(song): title for song, title in rows}

    async def add_titles(self, titles: Mapping[SongId, str]) -> None:
        """Keep titles of songs. One that is there stays, whatever is given: answers may have left it out. Raises: CannotKeep."""
        async with self._database.write(seconds=COURTESY_SECONDS) as connection:
            insert = insert_into(SONG_TITLES, dialect=connection.dialect.name).on_conflict_do_nothing()
            songs = sorted(titles)
            for start in range(0, len(songs), _TITLES_AT_ONCE):
                some = songs[start : start + _TITLES_AT_ONCE]
                await connection.execute(insert, [{"song_id": song, "title": titles[song]} for song in some])

    async def erase(self, account: UserId) -> None:
        """Erase everything kept of an account, unless somebody has it linked."""
        async with self._database.write() as connection:
            await erase_account(connection, account)

    async def erase_all(self) -> None:
        """Erase every answer, before the keys change: they are worth less than the time to encrypt them anew."""
        await self._database.change(delete(KEPT_ANSWERS))
