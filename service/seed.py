"""Filling a database with invented players, on invented songs or on a real catalogue."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Final

from bot.base.clock import JST
from bot.domain.ids import JP, JP2, Region, UserId, UserName
from bot.domain.numbers import Hundredths
from service.careers import Career, career, crowd
from service.catalogue import SourceCatalogue, SourceSong, read_catalogue, write_catalogue
from service.invented_people import Person, crowd_person, crowd_talent, friendships, invented_people
from service.invented_songs import invented_catalogue, older_generation
from service.limits import delete_windows
from service.model import Flags, StoredCatalogue
from service.schema import opened, write
from service.store import load_catalogue
from service.tokens import issue_token

_REGIONS: Final = (JP2, JP)
_COURSES: Final = (
    (1, "CLASS Ⅰ 腕試し", 1),
    (2, "CLASS Ⅱ 疾走", 2),
    (3, "CLASS Ⅲ **逆境**", 3),
    (4, "CLASS Ⅳ 深淵", 4),
    (5, "CLASS Ⅴ 到達点", 5),
    (6, "CLASS ∞ 果てなき道", 6),
)
_COURSE_TOP: Final = 3_030_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SeededPlayer:
    """An invented player, with the only copy of their token."""

    user_id: UserId
    user_name: UserName
    token: str = field(repr=False)
    is_protected: bool
    friends: tuple[UserId, ...]
    """Their accepted friends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedReport:
    """What a seeding made."""

    songs: int
    """The songs in the region jp2."""
    left_out: tuple[str, ...]
    """Songs of the source that could not be read, each with the reason."""
    players: tuple[SeededPlayer, ...]

    def as_json(self) -> dict[str, object]:
        """Return the report as `kiroku service seed --json` prints it."""
        return asdict(self)


def _nothing(_count: int) -> None:
    """Report progress to nobody."""


def seed(
    db: Path,
    *,
    catalogue: Path | None = None,
    players: int = 8,
    crowd_size: int = 0,
    seed: int = 1,
    progress: Callable[[int], None] = _nothing,
) -> SeedReport:
    """Make a catalogue and `players` invented players, in one transaction.

    Formerly invented players are replaced; manually added accounts stay. `crowd_size` more players exist only for the
    statistics: nobody is their friend or has their token. `progress` is called for each player. Raises: BrokenSource,
    OSError, ValueError.
    """
    source = read_catalogue(catalogue) if catalogue else SourceCatalogue(songs=invented_catalogue(seed))
    songs = source.songs
    if not db.exists():
        delete_windows(db)
    with opened(db, may_create=True) as connection, write(connection):
        write_catalogue(connection, JP2, songs)
        write_catalogue(connection, JP, older_generation(songs, seed))
        for region in _REGIONS:
            connection.executemany(
                "INSERT OR REPLACE INTO courses VALUES (?, ?, ?, ?)",
                [(region, *course) for course in _COURSES],
            )
        connection.execute("DELETE FROM accounts WHERE is_invented")
        seeding = _Seeding(connection, Random(f"players {seed}"), _until(songs))
        made = seeding.people(players, progress)
        seeding.join_crowd(crowd_size)
    return SeedReport(songs=len(songs), left_out=tuple(source.left_out), players=tuple(made))


def _until(songs: Sequence[SourceSong]) -> int:
    """Return the evening a fortnight after the newest song, so that the same seed gives the same dates."""
    newest = max(song.release or "" for song in songs) or "2026-01-01"
    evening = datetime.combine(date.fromisoformat(newest), datetime.min.time(), JST)
    return int((evening + timedelta(days=14, hours=21)).timestamp())


class _Seeding:
    """One run: the transaction it writes into, and its chance."""

    def __init__(self, connection: sqlite3.Connection, random: Random, until: int) -> None:
        self._connection = connection
        self._random = random
        self._until = until
        self._catalogues: Mapping[Region, StoredCatalogue] = {
            region: load_catalogue(connection, region) for region in _REGIONS
        }

    def people(self, count: int, progress: Callable[[int], None]) -> list[SeededPlayer]:
        people = invented_people(self._random, count)
        ids: list[UserId] = []
        for person in people:
            ids.append(self._person(person))
            progress(1)
        friends: dict[UserId, list[UserId]] = {user_id: [] for user_id in ids}
        for (one, other), is_accepted in friendships(self._random, people).items():
            self._connection.execute(
                "INSERT INTO friendships VALUES (?, ?, ?)", (ids[one], ids[other], is_accepted)
            )
            if is_accepted:
                friends[ids[one]].append(ids[other])
                friends[ids[other]].append(ids[one])
        return [
            SeededPlayer(
                user_id=user_id,
                user_name=UserName(person.user_name),
                token=issue_token(self._connection, user_id, at=self._until),
                is_protected=person.is_protected,
                friends=tuple(sorted(friends[user_id])),
            )
            for user_id, person in zip(ids, people, strict=True)
        ]

    def join_crowd(self, count: int) -> None:
        """Add this many players of the game of today."""
        talents = [crowd_talent(self._random) for _ in range(count)]
        careers = crowd(self._random, self._catalogues[JP2], talents, self._until)
        for number, done in enumerate(careers):
            self._account(crowd_person(number), {JP2: done})

    def _person(self, person: Person) -> UserId:
        careers = {
            region: career(self._random, self._catalogues[region], talent, self._until)
            for region, talent in zip(_REGIONS, person.talents, strict=False)
        }
        return self._account(person, careers)

    def _account(self, person: Person, careers: Mapping[Region, Career]) -> UserId:
        today = careers[JP2]
        times = [play.updated_at for play in today.records]
        cursor = self._connection.execute(
            """INSERT INTO accounts (user_name, is_protected, is_invented, description, default_region,
            player_name, honor, honor_type, level, rating, rating_max, class_emblem, updated_at)
            VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (
                person.user_name,
                person.is_protected,
                person.description,
                JP2,
                person.player_name,
                person.honor,
                person.honor_type,
                person.level,
                today.rating,
                Hundredths(today.rating + (self._random.randrange(12) if today.records else 0)),
                person.class_emblem,
                max(times, default=0),
            ),
        )
        user_id = UserId(cursor.lastrowid or 0)
        for region, done in careers.items():
            self._write(user_id, region, done)
        return user_id

    def _write(self, user_id: UserId, region: Region, done: Career) -> None:
        self._connection.executemany(
            "INSERT INTO records VALUES (?, ?, ?, ?, ?)",
            [
                (user_id, play.chart.chart_id, play.score, play.flags, play.updated_at)
                for play in done.records
            ],
        )
        self._connection.executemany(
            "INSERT INTO recents VALUES (?, ?, ?, ?, ?)",
            [
                (user_id, region, place, play.chart.chart_id, play.score)
                for place, play in enumerate(done.recents)
            ],
        )
        self._connection.executemany(
            "INSERT INTO course_records VALUES (?, ?, ?, ?, ?)",
            [
                (user_id, region, index, self._random.randint(2_700_000, _COURSE_TOP), self._course_flags())
                for index, _, _ in _COURSES[: int(done.rating) // 300]
            ],
        )

    def _course_flags(self) -> int:
        return Flags.PLAYED | self._random.choice(
            (0, Flags.CLEAR, Flags.CLEAR, Flags.CLEAR | Flags.FULL_COMBO)
        )
