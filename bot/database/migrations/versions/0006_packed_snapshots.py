"""Snapshots as packed rows: a quarter of the bytes."""

import sqlalchemy as sa
from alembic import context, op

from bot.database.packing import PackedScores
from bot.database.tables import SNOWFLAKE

revision = "0006"
down_revision = "0005"

_AT_ONCE = 1000
_WRITTEN = "as_written_now"
"""The new column, until it takes the place of the old one."""


def upgrade() -> None:
    """Pack every row."""
    comment = "packed, see bot.database.packing"
    op.add_column("snapshots", sa.Column(_WRITTEN, PackedScores(), nullable=True, comment=comment))
    table = sa.table(
        "snapshots",
        sa.column("member_id", SNOWFLAKE),
        sa.column("region", sa.String()),
        sa.column("day", sa.Date()),
        sa.column("scores", sa.JSON()),
        sa.column(_WRITTEN, PackedScores()),
    )
    key = (table.c.member_id, table.c.region, table.c.day)
    connection = op.get_bind()
    batch = sa.select(*key, table.c.scores).order_by(*key).limit(_AT_ONCE)
    change = (
        sa.update(table)
        .where(*(column == sa.bindparam(f"its_{column.name}") for column in key))
        .values({_WRITTEN: sa.bindparam("written", type_=PackedScores())})
    )
    progress = context.config.attributes.get("progress")
    whole = connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
    done = 0
    rows = connection.execute(batch).all()
    while rows:
        connection.execute(
            change,
            [
                {"its_member_id": member, "its_region": region, "its_day": day, "written": scores}
                for member, region, day, scores in rows
            ],
        )
        done += len(rows)
        if progress is not None:
            progress.note(revision, 0.9 * done / whole)  # the table is written once more in the end
        rows = connection.execute(batch.where(sa.tuple_(*key) > tuple(rows[-1][:3]))).all()
    with op.batch_alter_table("snapshots") as batch_op:
        batch_op.drop_column("scores")
        batch_op.alter_column(_WRITTEN, new_column_name="scores", nullable=False)
