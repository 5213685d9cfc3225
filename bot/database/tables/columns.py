"""Column types and helpers of all tables."""

from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import BigInteger, Column, DateTime, Dialect, ForeignKey, Integer, MetaData, TypeDecorator

SNOWFLAKE: Final = BigInteger().with_variant(Integer(), "sqlite")
"""Discord's 64-bit ids; SQLite's own INTEGER has 64 bits."""


class Utc(TypeDecorator[datetime]):
    """An aware datetime, kept in UTC: SQLite would drop the offset and hand back a naive one."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - the signature is SQLAlchemy's
        """Convert to UTC. Raises: ValueError if naive."""
        if value is None:
            return None
        if value.tzinfo is None:
            message = "a naive datetime cannot be stored"
            raise ValueError(message)
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - the signature is SQLAlchemy's
        """Restore the UTC offset."""
        return None if value is None else value.replace(tzinfo=UTC) if value.tzinfo is None else value


METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def id_column(name: str, *constraints: ForeignKey, **options: Any) -> Column[Any]:
    """Return a column of externally assigned ids, part of the primary key."""
    return Column(name, SNOWFLAKE, *constraints, primary_key=True, autoincrement=False, **options)
