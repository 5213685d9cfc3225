"""Which answers outlive a restart.

Kept are answers to an account about itself; what it was shown of others stays in memory alone, so that whoever
erases their link erases all that is kept of them.
"""

import asyncio
import logging
from collections.abc import Collection, Hashable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final, Protocol

from bot.api.answer import Answer, Key
from bot.api.answer_format import KEPT_WORDS, Titles, read, titles_of, write
from bot.base.clock import Clock
from bot.base.worker import run_in_worker
from bot.domain.age import Age
from bot.domain.errors import CannotKeep, CannotRead
from bot.domain.ids import UserId
from bot.domain.kept import KeptAnswer
from bot.domain.players import Target

logger = logging.getLogger(__name__)

KEPT_FOR: Final = timedelta(days=7)


class AnswerStore(Protocol):
    """Where answers outlive a restart, unreadable to whoever reads the database alone."""

    async def fetch(
        self, accounts: Collection[UserId], question: str, *, since: datetime
    ) -> Sequence[KeptAnswer]:
        """Return the answers of accounts to one question, those from `since` on that can be read."""
        ...

    async def save(self, answer: KeptAnswer, *, since: datetime) -> None:
        """Keep an answer in place of an older one to the same question; drop all from before `since`."""
        ...

    async def erase(self, account: UserId) -> None:
        """Erase everything kept of an account."""
        ...

    async def fetch_titles(self) -> Titles:
        """Return the titles of songs that are kept once for all accounts. Raises: CannotRead."""
        ...

    async def add_titles(self, titles: Titles) -> None:
        """Keep titles of songs that have none yet. Raises: CannotKeep."""
        ...


class AnswerCopies:
    """Answers on their way to where they are kept, and back: nobody waits while one is written down."""

    def __init__(self, clock: Clock, keeper: AnswerStore | None) -> None:
        self._clock = clock
        self._keeper = keeper
        self._saves: dict[tuple[UserId, str], asyncio.Task[None]] = {}
        self._titles: Titles = {}
        """Those that are kept for all accounts, as they were last read."""
        self._titles_lock = asyncio.Lock()

    def save_soon(
        self, account: Hashable, question: tuple[object, ...], value: object, fetched_at: datetime
    ) -> None:
        """Have an answer written down, which nobody waits for, if it is one that is kept."""
        name = name_of(question)
        if self._keeper is None or name is None or not isinstance(account, int):
            return
        key = UserId(account), name
        save = asyncio.create_task(self._save(key, value, fetched_at, self._keeper, self._saves.get(key)))
        self._saves[key] = save
        save.add_done_callback(lambda done: self._saved(key, done))

    async def fetch(
        self, accounts: Collection[Hashable], question: tuple[object, ...]
    ) -> Mapping[Key, Answer[object]]:
        """Return the last answers of accounts to one question, of those of whom one is kept that can be read now."""
        name, known = name_of(question), [UserId(each) for each in accounts if isinstance(each, int)]
        if self._keeper is None or name is None or not known:
            return {}
        try:
            found = await self._keeper.fetch(known, name, since=self._clock.now() - KEPT_FOR)
            values = await self._read(name, found, self._keeper) if found else ()
        except CannotRead:
            return {}
        return {
            Key(each.account, question): Answer(value, Age(each.fetched_at))
            for each, value in zip(found, values, strict=True)
            if value is not None
        }

    async def _read(self, name: str, found: Sequence[KeptAnswer], keeper: AnswerStore) -> Sequence[object]:
        """Return what some answers say, once more where another process has kept titles since. Raises: CannotRead."""
        titles = self._titles
        values = await run_in_worker(_read_all, name, found, titles)
        if None in values:
            self._titles = await keeper.fetch_titles()
            if self._titles != titles:
                values = await run_in_worker(_read_all, name, found, self._titles)
        return values

    async def _keep_titles(self, theirs: Titles, keeper: AnswerStore) -> None:
        """Keep titles for all accounts, those that are not yet. Raises: CannotKeep, CannotRead."""
        async with self._titles_lock:  # else many answers at once would all read and add the same
            if theirs.keys() <= self._titles.keys():
                return
            self._titles = await keeper.fetch_titles()
            if new := {song: title for song, title in theirs.items() if song not in self._titles}:
                await keeper.add_titles(new)
                self._titles = await keeper.fetch_titles()

    async def erase(self, account: UserId) -> None:
        """Erase what is kept of an account, and keep nothing of it that is on its way."""
        saves = [self._saves.pop(key) for key in list(self._saves) if key[0] == account]
        for save in saves:
            save.cancel()
        await asyncio.gather(*saves, return_exceptions=True)
        if self._keeper is not None:
            await self._keeper.erase(account)

    async def close(self) -> None:
        """Wait until everything is written."""
        await asyncio.gather(*self._saves.values())

    async def _save(
        self,
        key: tuple[UserId, str],
        value: object,
        fetched_at: datetime,
        keeper: AnswerStore,
        before: asyncio.Task[None] | None,
    ) -> None:
        """Write an answer down; one that cannot be written costs nobody theirs."""
        account, name = key
        if before is not None:
            await asyncio.wait({before})
        try:
            body, new = await run_in_worker(_write, value, self._titles)
            if new:
                with suppress(CannotKeep, CannotRead):  # else the answer keeps its titles itself
                    await self._keep_titles(new, keeper)
                    body, _ = await run_in_worker(_write, value, self._titles)
            written = KeptAnswer(account=account, question=name, body=body, fetched_at=fetched_at)
            await keeper.save(written, since=self._clock.now() - KEPT_FOR)
        except CannotKeep:
            logger.warning("an answer could not be kept")
        except Exception:
            logger.exception("an answer could not be kept")

    def _saved(self, key: tuple[UserId, str], save: asyncio.Task[None]) -> None:
        if self._saves.get(key) is save:
            del self._saves[key]


def _read_all(name: str, found: Sequence[KeptAnswer], titles: Titles) -> Sequence[object]:
    return [read(name, each.body, titles) for each in found]


def _write(value: object, titles: Titles) -> tuple[bytes, Titles]:
    """Return an answer as bytes, and those of its titles that are not kept for all yet."""
    new = {song: title for song, title in titles_of(value).items() if song not in titles}
    return write(value, titles), new


def name_of(question: tuple[object, ...]) -> str | None:
    """Return the name under which the answer to a question is kept, or None if it is not to be kept."""
    if not question or question[0] not in KEPT_WORDS:
        return None
    words: list[str] = []
    for part in question:
        if isinstance(part, Target):
            if not part.is_holder:
                return None
        else:
            words.append(str(part))
    return "/".join(words)
