"""Accounts with stored data: only those that somebody has linked."""

from collections.abc import Iterable

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.tables import BUDGETS, KEPT_ANSWERS, KEPT_WINDOWS, LINKS
from bot.domain.ids import UserId


async def erase_account(connection: AsyncConnection, account: UserId) -> bool:
    """Erase everything stored of an account, within a transaction, unless somebody has it linked; return whether it did."""
    if await fetch_linked(connection, [account]):
        return False
    await connection.execute(delete(KEPT_ANSWERS).where(KEPT_ANSWERS.c.account == account))
    await connection.execute(delete(KEPT_WINDOWS).where(KEPT_WINDOWS.c.account == f"account:{account}"))
    await connection.execute(delete(BUDGETS).where(BUDGETS.c.name == f"account:{account}"))
    return True


async def fetch_linked(connection: AsyncConnection, accounts: Iterable[UserId]) -> set[UserId]:
    """Return which of these accounts somebody has linked, and lock the links until the transaction ends."""
    query = select(LINKS.c.user_id).where(LINKS.c.user_id.in_(list(accounts))).order_by(LINKS.c.member_id)
    query = query.with_for_update(read=True, key_share=True)
    return {UserId(account) for account in (await connection.execute(query)).scalars()}
