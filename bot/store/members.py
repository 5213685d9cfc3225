"""Members with their link and settings; the most recent ones are cached in memory."""

from collections import defaultdict
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sqlalchemy import Row, bindparam, cast, delete, func, null, select, union_all
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.cluster.invalidation import MEMBER_TOPIC, InvalidationBus
from bot.database.engine import Database, hold
from bot.database.tables import LINKS, LOCKED_SONGS, PREFERENCES, SIGHTINGS
from bot.database.upsert import upsert
from bot.domain.errors import NotLinked
from bot.domain.ids import GuildId, MemberId, Region, SongId, UserId, UserName
from bot.domain.members import AccountLink, Cut, Member, Preferences, Theme, Visibility
from bot.domain.scores import SlotName
from bot.store.parts import in_parts
from bot.store.row_cache import RowCache
from bot.store.snapshots import Snapshots

AT_HAND: Final = 10_000
"""The most members in memory, about six megabytes."""
_LINK: Final = select(*(column for column in LINKS.c if column is not LINKS.c.token))
_MEMBERS: Final = bindparam("members", type_=LINKS.c.member_id.type, expanding=True)
_LINKED: Final = select(LINKS).where(LINKS.c.member_id.in_(_MEMBERS))
_CHOSEN: Final = select(PREFERENCES).where(PREFERENCES.c.member_id.in_(_MEMBERS))
_LISTS: Final = union_all(
    select(SIGHTINGS.c.member_id, SIGHTINGS.c.guild_id, cast(null(), LOCKED_SONGS.c.song_id.type)).where(
        SIGHTINGS.c.member_id.in_(_MEMBERS)
    ),
    select(LOCKED_SONGS.c.member_id, cast(null(), SIGHTINGS.c.guild_id.type), LOCKED_SONGS.c.song_id).where(
        LOCKED_SONGS.c.member_id.in_(_MEMBERS)
    ),
)
"""The servers where members were seen, and their locked songs: one statement, because each one costs time."""


class _KnownMember(NamedTuple):
    """A member with their encrypted token, which is not part of `Member`."""

    member: Member
    sealed_token: bytes | None


class Members:
    """Reads link and settings as one value; all writes of either go through `write`."""

    def __init__(self, database: Database, snapshots: Snapshots, bus: InvalidationBus) -> None:
        self._database = database
        self._snapshots = snapshots
        self._bus = bus
        self.at_hand: RowCache[MemberId, _KnownMember] = RowCache(AT_HAND, bus, MEMBER_TOPIC, MemberId)

    async def get(self, member: MemberId) -> Member:
        """Return a member as of the last change, from memory if cached. Raises: CannotRead."""
        return (await self.at_hand.get(member, lambda: self._read(member))).member

    async def load(self, members: Iterable[MemberId]) -> None:
        """Load several members into memory with one read. Raises: CannotRead."""
        await self.at_hand.load(members, self._read_all)

    async def find_sealed_token(self, link: AccountLink) -> bytes | None:
        """Return a link's encrypted token; None if the link is now of another account."""
        known = await self.at_hand.get(link.member, lambda: self._read(link.member))
        now = known.member.link
        return known.sealed_token if now is not None and now.user_id == link.user_id else None

    def drop(self, member: MemberId) -> None:
        """Drop a member from memory, with their history, which is erased along with a link."""
        self.at_hand.drop(member)
        self._snapshots.drop(member)

    @asynccontextmanager
    async def write(self, member: MemberId) -> AsyncGenerator[AsyncConnection]:
        """Open a transaction that writes a member's link or settings. Raises: CannotKeep."""
        try:
            async with self._database.write() as connection:
                await hold(connection, f"member:{member}")  # what is read here must stay true until the end
                yield connection
                await self._bus.publish(connection, MEMBER_TOPIC, member)
        finally:  # a cancelled transaction may have been committed
            self.drop(member)

    async def save_preferences(self, member: MemberId, preferences: Preferences) -> None:
        """Save a member's settings in place of the former ones."""
        row = {
            "member_id": member,
            "language": preferences.language,
            "timezone": preferences.timezone,
            "slot": preferences.slot.value,
            "theme": preferences.theme.value,
            "cut": preferences.cut.value,
            "keeps_cut": preferences.keeps_cut,
        }
        async with self.write(member) as connection:
            await upsert(connection, PREFERENCES, row)

    async def lock_song(self, member: MemberId, song: SongId, *, most: int) -> bool:
        """Save that a linked member has not unlocked a song; return whether there was room. Raises: NotLinked, CannotKeep."""
        others = select(func.count()).where(
            LOCKED_SONGS.c.member_id == member, LOCKED_SONGS.c.song_id != song
        )
        async with self.write(member) as connection:
            if await find_link(connection, member) is None:
                raise NotLinked
            if (await connection.execute(others)).scalar_one() >= most:
                return False
            await upsert(connection, LOCKED_SONGS, {"member_id": member, "song_id": song})
        return True

    async def unlock_song(self, member: MemberId, song: SongId) -> None:
        """Delete a song from those that a member has not unlocked."""
        theirs = (LOCKED_SONGS.c.member_id == member, LOCKED_SONGS.c.song_id == song)
        async with self.write(member) as connection:
            await connection.execute(delete(LOCKED_SONGS).where(*theirs))

    async def _read(self, member: MemberId) -> _KnownMember:
        return (await self._read_all([member]))[member]

    async def _read_all(self, members: Sequence[MemberId]) -> Mapping[MemberId, _KnownMember]:
        linked, chosen, lists = dict[int, Row[Any]](), dict[int, Row[Any]](), list[Row[Any, Any, Any]]()
        async with self._database.read() as connection:
            for some in in_parts(members):
                asked = {"members": some}
                linked.update((row.member_id, row) for row in await connection.execute(_LINKED, asked))
                chosen.update((row.member_id, row) for row in await connection.execute(_CHOSEN, asked))
                lists += (await connection.execute(_LISTS, asked)).all()
        seen_in, locked = defaultdict[int, set[GuildId]](set), defaultdict[int, set[SongId]](set)
        for member, guild, song in lists:
            if guild is not None:
                seen_in[member].add(GuildId(guild))
            else:
                locked[member].add(SongId(song))
        return {
            each: _KnownMember(
                Member(
                    link=_to_link(linked[each]) if each in linked else None,
                    preferences=_to_preferences(chosen[each]) if each in chosen else Preferences(),
                    seen_in=frozenset(seen_in[each]),
                    locked=frozenset(locked[each]),
                ),
                linked[each].token if each in linked else None,
            )
            for each in members
        }


async def find_link(connection: AsyncConnection, member: MemberId) -> AccountLink | None:
    """Return what a member has linked, within a transaction."""
    row = (await connection.execute(_LINK.where(LINKS.c.member_id == member))).one_or_none()
    return None if row is None else _to_link(row)


def _to_link(row: Row[tuple[object, ...]]) -> AccountLink:
    return AccountLink(
        member=MemberId(row.member_id),
        user_id=UserId(row.user_id),
        user_name=UserName(row.user_name),
        region=Region(row.region),
        visibility=Visibility(row.visibility),
        linked_at=row.linked_at,
        is_protected=row.is_protected,
        game_version=row.game_version,
    )


def _to_preferences(row: Row[tuple[object, ...]]) -> Preferences:
    """Return one member's settings; values unknown to this version or machine count as not set."""
    read = Preferences(language=row.language, keeps_cut=bool(row.keeps_cut))
    with suppress(ValueError):
        read = replace(read, slot=SlotName(row.slot))
    with suppress(ValueError):
        read = replace(read, theme=Theme(row.theme))
    with suppress(ValueError):
        read = replace(read, cut=Cut(row.cut))
    with suppress(ValueError, ZoneInfoNotFoundError):
        read = replace(read, timezone=ZoneInfo(row.timezone).key)
    return read
