"""Databases in the shape that an earlier version gave them."""

from alembic import command
from sqlalchemy import Connection, text

from bot.database.engine import Database
from bot.database.migrate import _config
from bot.database.tables import METADATA


async def shape_as(url: str, revision: str) -> None:
    """Make a database anew, in the shape that a migration leaves it in: nothing stands in it."""

    def migrate(connection: Connection) -> None:
        METADATA.drop_all(connection)
        connection.execute(text("DROP TABLE IF EXISTS alembic_version"))
        command.upgrade(_config(connection), revision)

    database = Database(url)
    async with database.write() as connection:
        await connection.run_sync(migrate)
    await database.close()
