"""Which answers outlive a restart.

Stored are answers that an account got about itself. What it was shown of others stays only in memory, so that erasing a
link erases everything stored about that account.
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
    """Stores answers across restarts, encrypted: the database alone does not reveal them."""

    async def fetch(
        self, accounts: Collection[UserId], question: str, *, since: datetime
    ) -> Sequence[KeptAnswer]:
        """Return the readable answers of accounts to one question, from `since` on."""
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
    """Moves answers to the store in the background, and back: nobody waits for a write."""

    def __init__(self, clock: Clock, keeper: AnswerStore | None) -> None:
        self._clock = clock
        self._keeper = keeper
        self._saves: dict[tuple[UserId, str], asyncio.Task[None]] = {}
        self._titles: Titles = {}
        """Titles stored for all accounts, as last read."""
        self._titles_lock = asyncio.Lock()

    def save_soon(
        self, account: Hashable, question: tuple[object, ...], value: object, fetched_at: datetime
    ) -> None:
        """Store an answer in the background, if answers of its kind are stored."""
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
        """Return the last stored answers of accounts to one question, as far as they can be read now."""
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
        """Decode answers; if titles are missing, read again those that another process has stored since. Raises: CannotRead."""
        titles = self._titles
        values = await run_in_worker(_read_all, name, found, titles)
        if None in values:
            self._titles = await keeper.fetch_titles()
            if self._titles != titles:
                values = await run_in_worker(_read_all, name, found, self._titles)
        return values

    async def _keep_titles(self, theirs: Titles, keeper: AnswerStore) -> None:
        """Store those titles that are not yet stored for all accounts. Raises: CannotKeep, CannotRead."""
        async with self._titles_lock:  # else many answers at once would all read and add the same
            if theirs.keys() <= self._titles.keys():
                return
            self._titles = await keeper.fetch_titles()
            if new := {song: title for song, title in theirs.items() if song not in self._titles}:
                await keeper.add_titles(new)
                self._titles = await keeper.fetch_titles()

    async def erase(self, account: UserId) -> None:
        """Erase what is stored of an account, and store nothing of it that is still on its way."""
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
        """Store an answer; a failure to write affects nobody's answer."""
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
            logger.warning("an answer could not be stored")
        except Exception:
            logger.exception("an answer could not be stored")

    def _saved(self, key: tuple[UserId, str], save: asyncio.Task[None]) -> None:
        if self._saves.get(key) is save:
            del self._saves[key]


def _read_all(name: str, found: Sequence[KeptAnswer], titles: Titles) -> Sequence[object]:
    return [read(name, each.body, titles) for each in found]


def _write(value: object, titles: Titles) -> tuple[bytes, Titles]:
    """Return an answer as bytes, and its titles that are not yet stored for all."""
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
