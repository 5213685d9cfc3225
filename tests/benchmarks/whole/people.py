"""Members, and the accounts that they have linked: those of a record service, with records of two years."""

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Final

from bench_autocomplete import invented_reply
from bench_search import saved
from rigged import SOMEBODY

from bot.domain.ids import JP2, MemberId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.store import Store, Vault, new_key
from service.model import Flags
from service.rating_data import RatedScore, player_rating
from service.seed import SeededPlayer, seed
from service.store import load_catalogue, load_records
from service.tokens import issue_token

LEAST_RECORDS, MOST_RECORDS = 900, 1500
"""Of those whose first questions are measured."""
_NEWEST_DAYS: Final = 16
"""How old the newest song is; the last records are two days younger."""
INVENTED: Final = 400
"""Accounts at most whose records are invented."""
_COPIED: Final = {
    "accounts": "user_name, default_region, player_name, level, rating, rating_max, updated_at",
    "records": "chart_id, score, flags, updated_at",
    "recents": "region, position, chart_id, score",
    "course_records": "region, idx, score, flags",
}
NEW_PLAYS: Final = 12
"""Records that somebody who has played has beaten."""


@dataclass(frozen=True)
class People:
    """Who there is, and where their accounts and links are kept."""

    folder: Path
    key: str
    accounts: Sequence[UserId]
    """Of the members, by number."""
    records: Sequence[int]
    """How many each has."""
    songs: Sequence[str]
    """Titles of songs that many have played."""

    @property
    def service(self) -> Path:
        return self.folder / "service.db"

    @property
    def settings(self) -> Mapping[str, str]:
        """What a bot that serves them is told."""
        return {
            "DATABASE_URL": f"sqlite+aiosqlite:///{self.folder / 'kiroku.db'}",
            "TOKEN_KEYS": self.key,
        }

    def usual(self) -> list[int]:
        """Return the numbers of those with as many records as usual."""
        return [number for number, count in enumerate(self.records) if LEAST_RECORDS <= count <= MOST_RECORDS]


def member_of(number: int) -> int:
    """Return who a member is on Discord."""
    return SOMEBODY + (number << 22)


def _seeded(folder: Path, members: int) -> Sequence[SeededPlayer]:
    folder.mkdir(parents=True, exist_ok=True)
    reply = saved()
    catalogue = invented_reply(folder) if reply is None else _of_today(reply, folder)
    made = seed(folder / "service.db", catalogue=catalogue, players=min(members, INVENTED)).players
    with closing(sqlite3.connect(folder / "service.db")) as service, service:
        return [*made, *_copied(service, made, members - len(made))]


def _copied(
    service: sqlite3.Connection, made: Sequence[SeededPlayer], missing: int
) -> Iterator[SeededPlayer]:
    """Make more accounts with the records of those that were invented: to invent thousands takes half an hour."""
    for number in range(missing):
        offset, name = (1 + number // len(made)) * 1_000_000, f"copy{number}"
        player = made[number % len(made)]
        for table, others in _COPIED.items():
            names = [name] if table == "accounts" else []
            service.execute(
                f"INSERT INTO {table} (user_id, {others}) SELECT user_id + ?, {others.replace('user_name', '?')}"  # noqa: S608 - words of this file
                f" FROM {table} WHERE user_id = ?",
                [offset, *names, player.user_id],
            )
        account = UserId(player.user_id + offset)
        token = issue_token(service, account, at=int(time.time()))
        yield replace(player, user_id=account, user_name=UserName(name), token=token, friends=())


def _of_today(reply: Path, folder: Path) -> Path:
    """Write a saved catalogue as if its newest song were a fortnight old: ratings are by the game's version of today."""
    entries = json.loads(reply.read_bytes())
    days = {entry["meta"]["id"]: date.fromisoformat(entry["meta"]["release"]) for entry in entries}
    later = datetime.now(UTC).date() - timedelta(days=_NEWEST_DAYS) - max(days.values())
    for entry in entries:
        entry["meta"]["release"] = (days[entry["meta"]["id"]] + later).isoformat()
    file = folder / "showall.json"
    file.write_text(json.dumps(entries), encoding="utf-8")
    return file


async def settle(folder: Path, members: int) -> People:
    """Make accounts, and members who have linked them; as they were made before, where a folder has them."""
    told = folder / "people.json"
    if not told.exists():
        players = _seeded(folder, members)
        key = new_key()
        async with Store(f"sqlite+aiosqlite:///{folder / 'kiroku.db'}", Vault([key])) as store:
            for number, player in enumerate(players):
                link = AccountLink(
                    member=MemberId(member_of(number)),
                    user_id=player.user_id,
                    user_name=player.user_name,
                    region=JP2,
                    visibility=Visibility.ANYONE,
                    linked_at=datetime.now(UTC),
                )
                await store.links.save(link, player.token)
        told.write_text(json.dumps({"key": key, "accounts": [each.user_id for each in players]}))
    said = json.loads(told.read_text())
    with closing(sqlite3.connect(folder / "service.db")) as service:
        counts = dict(service.execute("SELECT user_id, count(*) FROM records GROUP BY user_id"))
        songs = service.execute(
            "SELECT title FROM songs JOIN charts USING (region, song_id) JOIN records USING (chart_id) "
            "WHERE region = 'jp2' AND difficulty = 'MAS' GROUP BY title ORDER BY count(*) DESC, title LIMIT 200"
        )
        titles = [title for (title,) in songs]
    accounts = [UserId(each) for each in said["accounts"]]
    return People(folder, said["key"], accounts, [counts.get(each, 0) for each in accounts], titles)


def play(people: People, numbers: Sequence[int], chance: Random) -> None:
    """Let some members have played: they have beaten some of their records, and the service knows what they are rated now."""
    now = int(time.time())
    with closing(sqlite3.connect(people.service)) as service, service:
        catalogue = load_catalogue(service, JP2)
        for number in numbers:
            account = people.accounts[number]
            beaten = service.execute(
                "SELECT chart_id, score FROM records WHERE user_id = ? AND score BETWEEN 900000 AND 1008000 ORDER BY random() LIMIT ?",
                (account, NEW_PLAYS),
            ).fetchall()
            service.executemany(
                "UPDATE records SET score = ?, updated_at = ? WHERE user_id = ? AND chart_id = ?",
                [
                    (min(1_010_000, score + chance.randint(50, 2500)), now, account, chart)
                    for chart, score in beaten
                ],
            )
            scores = (
                RatedScore(record.song, record.chart, record.score)
                for record in load_records(service, catalogue, account)
                if record.flags & Flags.PLAYED
            )
            rating = player_rating(scores, (), JP2, now)
            service.execute(
                "UPDATE accounts SET updated_at = ?, rating = ? WHERE user_id = ?", (now, rating, account)
            )
