"""Rating checks: which version of the game explains a member's rating, and the remaining difference."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import case, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.engine import Database
from bot.database.tables import LINKS, RATING_CHECKS
from bot.database.upsert import upsert
from bot.domain.ids import MemberId, Region
from bot.domain.members import AccountLink
from bot.domain.numbers import Hundredths
from bot.domain.rating_census import RatingCensus, RatingCheck

_T = RATING_CHECKS.c


class RatingChecks:
    """The repository of rating checks, one per member and region."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def fetch(self, member: MemberId) -> Mapping[Region, RatingCheck]:
        """Return a member's last rating checks by region. Raises: CannotRead."""
        query = select(_T.region, _T.version, _T.difference, _T.checked_at).where(_T.member_id == member)
        rows = await self._database.fetch(query)
        return {
            Region(region): RatingCheck(version, Hundredths(off), at) for region, version, off, at in rows
        }

    async def note(self, link: AccountLink, region: Region, found: RatingCheck) -> None:
        """Save a rating check while the member has the account linked. Raises: CannotKeep.

        Without a version, the one that explained the rating before stays.
        """
        row = {
            "member_id": link.member,
            "region": region,
            "difference": found.difference,
            "checked_at": found.at,
        }
        known = {} if found.version is None else {"version": found.version}
        # Locks the link: a concurrent erasure waits or is already done.
        locked = select(LINKS.c.user_id).with_for_update(read=True, key_share=True)
        theirs = locked.where(LINKS.c.member_id == link.member, LINKS.c.user_id == link.user_id)
        async with self._database.write() as connection:
            if (await connection.execute(theirs)).first() is not None:
                await upsert(connection, RATING_CHECKS, {**row, **known})

    async def count_since(self, moment: datetime) -> RatingCensus:
        """Count members by outcome of their rating checks since a moment. Raises: CannotRead."""
        async with self._database.read() as connection:
            return await count_ratings(connection, moment)


async def count_ratings(connection: AsyncConnection, since: datetime) -> RatingCensus:
    """Count members by outcome of their rating checks since a moment, within a transaction."""
    signs = (_T.difference == 0, _T.difference > 0, _T.difference < 0)
    query = select(*(func.coalesce(func.sum(case((sign, 1), else_=0)), 0) for sign in signs))
    row = (await connection.execute(query.where(_T.checked_at >= since))).one()
    return RatingCensus(*(int(count) for count in row))
