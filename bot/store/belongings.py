"""All stored data about one member, or about one server, across all tables."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time
from typing import Final

from sqlalchemy import ColumnElement, Table, delete, select, union, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.cluster.invalidation import ERASED_TOPIC, GUILD_TOPIC, InvalidationBus
from bot.database.engine import Database
from bot.database.tables import BUDGETS, KEPT_ANSWERS, KEPT_WINDOWS, METADATA, POST_PLANS, SCORE_BLOCKS
from bot.domain.chronicle.score_blocks import scores_in
from bot.domain.ids import GuildId, MemberId
from bot.store.links import erase_link, find_account
from bot.store.members import Members

MEMBER_COLUMN: Final = "member_id"
"""The column that names the member in every table about members: so new tables are exported and erased too."""
_GUILD_COLUMN: Final = "guild_id"
"""The column that names the server, likewise."""

_SEALED: Final = frozenset({"token", "body"})
_NOT_SHOWN: Final = "(kept encrypted)"

Plain = str | int | float | bool | list[object] | None
"""The JSON values that a column can have."""


class Belongings:
    """Reads and erases across all tables."""

    def __init__(self, database: Database, members: Members, bus: InvalidationBus) -> None:
        self._database = database
        self._members = members
        self._bus = bus

    async def export(self, member: MemberId) -> Mapping[str, Sequence[Mapping[str, Plain]]]:
        """Return every row about a member, by table; encrypted values stay encrypted."""
        exported: dict[str, list[dict[str, Plain]]] = {}
        async with self._database.read() as connection:
            for table, about_them in await _places(connection, member):
                rows = await connection.execute(select(table).where(about_them))
                exported[table.name] = [
                    {name: _plain(name, value) for name, value in row.items()} for row in rows.mappings()
                ]
        return exported

    async def erase(self, member: MemberId) -> None:
        """Delete every row about a member, in one transaction.

        Data of their linked account stays if another member has it linked too.
        """
        async with self._members.write(member) as connection:
            await erase_link(connection, member, self._bus)
            for table in tables_about_members():
                await connection.execute(delete(table).where(table.c[MEMBER_COLUMN] == member))
            by_them = update(POST_PLANS).where(POST_PLANS.c.set_up_by == member)
            await connection.execute(by_them.values(set_up_by=None))  # the server's post goes on
            await self._bus.publish(connection, ERASED_TOPIC, member)

    async def fetch_guilds(self) -> set[GuildId]:
        """Return the servers about which anything is stored."""
        columns = (table.c[_GUILD_COLUMN] for table in _tables_about_guilds())
        guilds = (select(guild).where(guild.is_not(None)) for guild in columns)
        async with self._database.read() as connection:
            return {GuildId(guild) for guild in (await connection.execute(union(*guilds))).scalars()}

    async def erase_guild(self, guild: GuildId, *, is_left: Callable[[], bool]) -> bool:
        """Delete every row about a server in one transaction, if the bot is still not in it then; return whether it did.

        Raises: CannotKeep.
        """
        async with self._database.write() as connection:
            if not is_left():
                return False
            for table in _tables_about_guilds():
                await connection.execute(delete(table).where(table.c[_GUILD_COLUMN] == guild))
            await self._bus.publish(connection, GUILD_TOPIC, guild)
        return True


def tables_about_members() -> list[Table]:
    """Return the tables that have rows about single members."""
    return [table for table in METADATA.sorted_tables if MEMBER_COLUMN in table.c]


def _tables_about_guilds() -> list[Table]:
    return [table for table in METADATA.sorted_tables if _GUILD_COLUMN in table.c]


async def _places(connection: AsyncConnection, member: MemberId) -> list[tuple[Table, ColumnElement[bool]]]:
    """Return the conditions that find a member's rows: by their own id, and by the id of their linked account."""
    theirs = {table: table.c[MEMBER_COLUMN] == member for table in tables_about_members()}
    theirs[POST_PLANS] |= POST_PLANS.c.set_up_by == member
    account = await find_account(connection, member)
    return [
        *theirs.items(),
        (KEPT_ANSWERS, KEPT_ANSWERS.c.account == account),
        (KEPT_WINDOWS, KEPT_WINDOWS.c.account == f"account:{account}"),
        (BUDGETS, BUDGETS.c.name == f"account:{account}"),
    ]


def _plain(name: str, value: object) -> Plain:
    if name in _SEALED:
        return _NOT_SHOWN
    if isinstance(value, bytes) and name == SCORE_BLOCKS.c.scores.name:
        return [*scores_in(value)]
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, str | int | float | bool | list | None):
        return value  # pyright: ignore[reportUnknownVariableType]  # a list of JSON is what JSON is made of
    return str(value)
