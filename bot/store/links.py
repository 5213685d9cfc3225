"""Members' links, their tokens encrypted."""

import logging
from typing import NamedTuple

from sqlalchemy import Table, delete, distinct, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.cluster.invalidation import ACCOUNT_TOPIC, InvalidationBus
from bot.database.engine import Database, hold
from bot.database.tables import (
    DAILY_MEMBERS,
    EARLIER_LOOKS,
    FEED_MEMBERS,
    GOAL_PACKS,
    GOALS,
    LINKS,
    LOCKED_SONGS,
    POST_PLANS,
    RATING_CHECKS,
    ROUNDS,
    SCORE_BLOCKS,
    SIGHTINGS,
    SNAPSHOTS,
)
from bot.database.upsert import upsert
from bot.domain.ids import MemberId, Region, UserId
from bot.domain.members import AccountLink, Lost, Visibility
from bot.store.kept_accounts import erase_account
from bot.store.members import Members, find_link
from bot.store.questions import key_of
from bot.store.vault import UnknownKey, Vault

_logger = logging.getLogger(__name__)

_GONE_WITH_LINK = (
    GOALS, GOAL_PACKS, LOCKED_SONGS, SNAPSHOTS, EARLIER_LOOKS, SCORE_BLOCKS, ROUNDS, RATING_CHECKS, DAILY_MEMBERS, FEED_MEMBERS, SIGHTINGS, POST_PLANS
)  # fmt: skip


class Replaced(NamedTuple):
    """The former link that a new one replaced."""

    link: AccountLink
    lost: Lost | None
    """What was erased with it; None if it was of the same account."""


class Links:
    """The repository of links."""

    def __init__(self, database: Database, vault: Vault, members: Members, bus: InvalidationBus) -> None:
        self._database = database
        self._vault = vault
        self._members = members
        self._bus = bus

    async def open_token(self, link: AccountLink) -> str | None:
        """Return the token of a link, or None if the link is gone or is now of another account.

        If its key is lost, the token is an empty string, which no service accepts: the member is told to link again,
        and can erase the link.
        """
        sealed = await self._members.find_sealed_token(link)
        return None if sealed is None else self._token(sealed)

    async def save(self, link: AccountLink, token: str) -> Replaced | None:
        """Save a link and its token in place of any the member had, in one transaction; return the former one.

        If the former link was of another account, everything stored with it is erased, as in `erase`.
        """
        row = {
            "member_id": link.member,
            "token": self._vault.encrypt(token),
            "user_id": link.user_id,
            "user_name": link.user_name,
            "region": link.region,
            "visibility": link.visibility.value,
            "linked_at": link.linked_at,
            "is_protected": link.is_protected,
            "game_version": link.game_version,
        }
        async with self._members.write(link.member) as connection:
            before, lost = await find_link(connection, link.member), None
            if before is not None and before.user_id != link.user_id:
                lost = await _count_kept(connection, before)
                await erase_link(connection, link.member, self._bus)
            await upsert(connection, LINKS, row)
        return None if before is None else Replaced(before, lost)

    async def set_visibility(self, member: MemberId, visibility: Visibility) -> bool:
        """Change who may look a member up; a member who hides leaves every post and board. Return whether linked."""
        async with self._members.write(member) as connection:
            result = await connection.execute(
                update(LINKS).where(LINKS.c.member_id == member).values(visibility=visibility.value)
            )
            if visibility is Visibility.ONLY_ME:
                for table in (DAILY_MEMBERS, FEED_MEMBERS, SIGHTINGS):
                    await connection.execute(delete(table).where(table.c.member_id == member))
        return result.rowcount > 0

    async def set_protected(self, link: AccountLink, *, is_protected: bool) -> None:
        """Store whether the service shows a linked account only to its friends."""
        theirs = (LINKS.c.member_id == link.member, LINKS.c.user_id == link.user_id)
        async with self._members.write(link.member) as connection:
            await connection.execute(update(LINKS).where(*theirs).values(is_protected=is_protected))

    async def set_region(self, member: MemberId, region: Region) -> bool:
        """Change which game a member's commands are about; return whether linked."""
        async with self._members.write(member) as connection:
            result = await connection.execute(
                update(LINKS).where(LINKS.c.member_id == member).values(region=region)
            )
            # The schedule of looks is about the records of one region.
            await connection.execute(delete(ROUNDS).where(ROUNDS.c.member_id == member))
        return result.rowcount > 0

    async def set_game_version(self, member: MemberId, version: str | None) -> bool:
        """Save the version of the game that a member plays, None for the one that explains their rating; return whether linked."""
        async with self._members.write(member) as connection:
            result = await connection.execute(
                update(LINKS).where(LINKS.c.member_id == member).values(game_version=version)
            )
        return result.rowcount > 0

    async def erase(self, member: MemberId) -> bool:
        """Delete a link and everything stored with it; return whether there was one.

        Data of the account stays if another member has it linked too.
        """
        async with self._members.write(member) as connection:
            return await erase_link(connection, member, self._bus)

    async def is_linked(self, account: UserId) -> bool:
        """Return whether somebody has an account linked."""
        query = select(LINKS.c.user_id).where(LINKS.c.user_id == account).limit(1)
        return await self._database.find(query) is not None

    async def are_kept(self) -> bool:
        """Return whether there is any link, and with it a token that needs its key."""
        last = select(func.max(LINKS.c.member_id))  # reads one row
        return await self._database.find_value(last) is not None

    async def rotate_keys(self) -> int:
        """Encrypt every token again with the newest key; return how many. Raises: UnknownKey; then nothing has changed."""
        async with self._database.write() as connection:
            query = select(LINKS.c.member_id, LINKS.c.token).order_by(LINKS.c.member_id)
            # Locks no row keys, so that erasing an account cannot deadlock with this, in whatever order it visits members.
            rows = (await connection.execute(query.with_for_update(key_share=True))).all()
            for row in rows:
                await connection.execute(
                    update(LINKS)
                    .where(LINKS.c.member_id == row.member_id)
                    .values(token=self._vault.rotate(row.token))
                )
        return len(rows)

    def _token(self, sealed: bytes) -> str:
        try:
            return self._vault.decrypt(sealed)
        except UnknownKey as error:
            _logger.warning("a member's token cannot be read: %s", error)
            return ""


async def find_account(connection: AsyncConnection, member: MemberId) -> UserId | None:
    """Return which account a member has linked, within a transaction."""
    query = select(LINKS.c.user_id).where(LINKS.c.member_id == member)
    return (await connection.execute(query)).scalar_one_or_none()


async def _count_kept(connection: AsyncConnection, link: AccountLink) -> Lost:
    """Count what is erased with a link, within the transaction that erases it."""

    async def count(table: Table, counted: str) -> int:
        query = select(func.count(distinct(table.c[counted]))).where(table.c.member_id == link.member)
        return (await connection.execute(query)).scalar_one()

    return Lost(
        user_name=link.user_name,
        daily_posts=await count(DAILY_MEMBERS, "guild_id"),
        feeds=await count(FEED_MEMBERS, "guild_id"),
        directs=await count(POST_PLANS, "id"),
        goals=await count(GOALS, "code"),
        days=await count(SNAPSHOTS, "day"),
    )


async def _hold_account(connection: AsyncConnection, member: MemberId) -> UserId | None:
    """Return which account a member has linked, and lock it, within a transaction that holds the member's lock.

    Concurrent writers of the account's data finish first, and so does an erasure of the same account for another member:
    otherwise each of the two would wait for the other's link to be gone.
    """
    account = await find_account(connection, member)
    if account is not None:
        await hold(connection, f"account:{account}")
        await connection.execute(select(LINKS.c.user_id).where(LINKS.c.member_id == member).with_for_update())
    return account


async def erase_link(connection: AsyncConnection, member: MemberId, bus: InvalidationBus) -> bool:
    """Delete a link and everything stored with it, within a transaction; return whether there was one."""
    account = await _hold_account(connection, member)
    for table in _GONE_WITH_LINK:
        await connection.execute(delete(table).where(table.c.member_id == member))
    unlinked = delete(LINKS).where(LINKS.c.member_id == member).returning(LINKS.c.user_name)
    name = (await connection.execute(unlinked)).scalar_one_or_none()
    if account is None or name is None:
        return False
    if await erase_account(connection, account):
        await bus.publish(connection, ACCOUNT_TOPIC, f"{account} {key_of(name.casefold())}")
    return True
