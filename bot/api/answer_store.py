"""Which answers outlive a restart, and how they are written down.

Kept are answers to an account about itself; what it was shown of others stays in memory alone, so that whoever
erases their link erases all that is kept of them.
"""

import asyncio
import logging
import lzma
from collections.abc import Hashable, Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final, Protocol, cast

from pydantic import TypeAdapter
from pydantic_core import from_json, to_jsonable_python

from bot.api.lists import Json, pack, unpack
from bot.base.clock import Clock
from bot.base.worker import run_in_worker
from bot.domain.errors import CannotKeep, CannotRead
from bot.domain.ids import JP2, UserId
from bot.domain.kept import KeptAnswer
from bot.domain.numbers import Hundredths
from bot.domain.players import Friend, Player, Target
from bot.domain.rating import song_rating
from bot.domain.scores import CourseRecord, RatingData, Record

logger = logging.getLogger(__name__)

KEPT_FOR: Final = timedelta(days=7)

_KINDS: Final[Mapping[str, Any]] = {"player": Player, "rating_data": RatingData}
_ENTRIES: Final[Mapping[str, Any]] = {
    "records": Record,
    "worlds_end": Record,
    "courses": CourseRecord,
    "friends": Friend,
}
"""What is told, or listed, by the first word of a question; the answers to others are not kept."""

_COLUMNS: Final = "*"
"""Stands where a list of objects was, with the values of each field side by side; no field is called so."""
_STEP: Final = 50
"""Between two levels, in hundredths: each is the constants from it on."""
_PACKING: Final = [{"id": lzma.FILTER_LZMA1, "dict_size": 2**20, "pb": 0, "lc": 0, "nice_len": 32}]
"""For text: a dictionary that holds any answer whole, where the usual one would take 90 MB of memory to write."""


class AnswerStore(Protocol):
    """Where answers outlive a restart, unreadable to whoever reads the database alone."""

    async def find(self, account: UserId, question: str, *, since: datetime) -> KeptAnswer | None:
        """Return the answer to a question, or None if there is none from `since` on that can be read."""
        ...

    async def save(self, answer: KeptAnswer, *, since: datetime) -> None:
        """Keep an answer in place of an older one to the same question; drop all from before `since`."""
        ...

    async def erase(self, account: UserId) -> None:
        """Erase everything kept of an account."""
        ...


class AnswerCopies:
    """Answers on their way to where they are kept, and back: nobody waits while one is written down."""

    def __init__(self, clock: Clock, keeper: AnswerStore | None) -> None:
        self._clock = clock
        self._keeper = keeper
        self._saves: dict[tuple[UserId, str], asyncio.Task[None]] = {}

    def keep(
        self, account: Hashable, question: tuple[object, ...], value: object, fetched_at: datetime
    ) -> None:
        """Have an answer written down, if it is one that is kept."""
        name = name_of(question)
        if self._keeper is None or name is None or not isinstance(account, int):
            return
        key = UserId(account), name
        save = asyncio.create_task(self._save(key, value, fetched_at, self._keeper, self._saves.get(key)))
        self._saves[key] = save
        save.add_done_callback(lambda done: self._saved(key, done))

    async def find(self, account: Hashable, question: tuple[object, ...]) -> tuple[object, datetime] | None:
        """Return the last answer and when it was given, or None if none is kept that can be read now."""
        name = name_of(question)
        if self._keeper is None or name is None or not isinstance(account, int):
            return None
        try:
            found = await self._keeper.find(UserId(account), name, since=self._clock.now() - KEPT_FOR)
        except CannotRead:
            return None
        value = None if found is None else await run_in_worker(lambda: read(name, found.body))
        return None if found is None or value is None else (value, found.fetched_at)

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
            body = await run_in_worker(lambda: write(value))
            written = KeptAnswer(account=account, question=name, body=body, fetched_at=fetched_at)
            await keeper.save(written, since=self._clock.now() - KEPT_FOR)
        except CannotKeep:
            logger.warning("an answer could not be kept")
        except Exception:
            logger.exception("an answer could not be kept")

    def _saved(self, key: tuple[UserId, str], save: asyncio.Task[None]) -> None:
        if self._saves.get(key) is save:
            del self._saves[key]


def name_of(question: tuple[object, ...]) -> str | None:
    """Return the name under which the answer to a question is kept, or None if it is not to be kept."""
    if not question or question[0] not in {*_KINDS, *_ENTRIES}:
        return None
    words: list[str] = []
    for part in question:
        if isinstance(part, Target):
            if not part.is_holder:
                return None
        else:
            words.append(str(part))
    return "/".join(words)


def write(value: object) -> bytes:
    """Return an answer as bytes; of thousands of records this takes a while.

    Beside its like a value takes the least room: ids by ids, titles by titles, scores by scores.
    """
    if isinstance(value, tuple):  # one by one: while pydantic is at work no other thread goes on
        plain: Json = [to_jsonable_python(each) for each in cast("tuple[object, ...]", value)]
    else:
        plain = to_jsonable_python(value)
    return lzma.compress(pack(_to_columns(_told_once(plain))), format=lzma.FORMAT_ALONE, filters=_PACKING)


def read(name: str, body: bytes) -> object | None:
    """Return the answer, or None if another version of the bot wrote it in another shape."""
    word, _, _ = name.partition("/")
    try:
        plain = as_json(body)
        if word in _KINDS:
            return _reader_of(_KINDS[word]).validate_python(plain)
        read_entry = _reader_of(_ENTRIES[word]).validate_python
        return tuple(read_entry(each) for each in _reader_of(list[Any]).validate_python(plain))
    except (ValueError, LookupError, lzma.LZMAError):
        return None


_reader_of: Final = cache(TypeAdapter[Any])


def as_json(body: bytes) -> object:
    """Return what an answer says as plain JSON, to hand it to whom it is about."""
    content = lzma.decompress(body)
    if content[:1] in {b"{", b"["}:  # as versions before wrote it
        return _from_columns(from_json(content))
    return _told_in_full(_from_columns(unpack(content)))


def _told_once(plain: Json) -> Json:
    """Return JSON in which records say of level and rating how far they are from what follows from the rest."""
    return _shifted(plain, -1)


def _told_in_full(plain: Json) -> Json:
    """Return the JSON that `_told_once` was given."""
    return _shifted(plain, 1)


def _shifted(plain: Json, sign: int) -> Json:
    if isinstance(plain, list):
        return [_shifted(each, sign) for each in plain]
    if not isinstance(plain, dict):
        return plain
    match plain:
        case {"level": int(level), "constant": int(constant), "score": int(score), "rating": int(rating)}:
            # Of any region: elsewhere than in JP2 it is a little off, and so told.
            expected = song_rating(Hundredths(constant), score, JP2)
            return {
                **plain,
                "level": level + sign * (constant // _STEP * _STEP),
                "rating": rating + sign * expected,
            }
        case _:
            return {name: _shifted(value, sign) for name, value in plain.items()}


def _to_columns(plain: Json) -> Json:
    """Return JSON in which each list of objects of one kind is an object of lists."""
    if isinstance(plain, dict):
        return {name: _to_columns(value) for name, value in plain.items()}
    if not isinstance(plain, list):
        return plain
    rows = [row for row in plain if isinstance(row, dict)]
    fields = rows[0].keys() if rows and len(rows) == len(plain) else ()
    if fields and all(row.keys() == fields for row in rows):
        return {_COLUMNS: {name: _to_columns([row[name] for row in rows]) for name in fields}}
    return [_to_columns(each) for each in plain]


def _from_columns(packed: Json) -> Json:
    """Return the JSON that `_to_columns` was given."""
    if isinstance(packed, list):
        return [_from_columns(each) for each in packed]
    if not isinstance(packed, dict):
        return packed
    columns = packed.get(_COLUMNS)
    if not isinstance(columns, dict):
        return {name: _from_columns(value) for name, value in packed.items()}
    values = (cast("list[Json]", _from_columns(column)) for column in columns.values())
    return [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]
